# Time lines: calls begin when the program itself says. Exactly by a clock that passes only when the program asks for
# the time, sleeps or accepts a connection; by the machine's clock in event loops, in a server that waits in accept(),
# and where recording is off for a while.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library exhaustive need_collector optional_module preload profiled);
use JSON::PP qw(decode_json);
use List::Util qw(max min);
use NYTPTest qw(build_dir median run valgrind);
use ReportPage;
use Test::More;

need_collector();

my $bin = build_dir() . '/bin';

# The seconds at which calls of subs begin, by name.
sub of_trace {
    my ($path, @filters) = @_;
    my %begins;
    my $trace = run(["$bin/nytp-trace", '--json', '--min=0us', '-o', '-', @filters, $path])->{out};
    for (@{ decode_json($trace)->{traceEvents} }) {
        push @{ $begins{ $_->{name} } }, $_->{ts} / 1e6 if $_->{ph} eq 'B';
    }
    return \%begins;
}

sub of_speedscope {
    my ($path) = @_;
    my $all = decode_json(run(["$bin/nytp-speedscope", '--timeline', '-o', '-', $path])->{out});
    my %begins;
    for my $profile (@{ $all->{profiles} }) {
        die "unit $profile->{unit}\n" if $profile->{unit} ne 'nanoseconds';
        push @{ $begins{ $all->{shared}{frames}[$_->{frame}]{name} } }, $_->{at} / 1e9
            for grep { $_->{type} eq 'O' } @{ $profile->{events} };
    }
    return \%begins;
}

sub of_report {
    my ($path) = @_;
    my $core = ReportPage->new(run(["$bin/nytprofhtml", '--no-source', '-o', '-', $path])->{out})->{core};
    my ($calls, %begins) = $core->{calls};
    push @{ $begins{ $core->{subs}{name}[$calls->{sub}[$_]] } }, $calls->{begin}[$_] / $core->{about}{ticks_per_s}
        for 0 .. $#{ $calls->{sub} };
    return \%begins;
}

# For each call, the ms from its begin to the clock that the program reads in it, and from the clock that the program reads
# before it to its begin. When its process began the program does not know, so both are off, by the same for all calls.
# Nothing if a call is missing.
sub margins_ms {
    my ($printed, $begins) = @_;
    my (@margins, %nth);
    for ($printed =~ /^(\w+ [\d.]+ [\d.]+)$/mg) {
        my ($name, $before, $after) = split / /;
        my $begin = $begins->{"main::$name"}[$nth{$name}++] // return ();
        push @margins, [1e3 * ($after - $begin), 1e3 * ($begin - $before)];
    }
    return @margins;
}

# How late each call begins, in ms, less the median: right for calls that read the clock as soon as they begin.
sub late_ms {
    my @late  = map { -$_->[0] } margins_ms(@_);
    my $usual = @late && median(@late);
    return map { $_ - $usual } @late;
}

# By how many ms two calls are nearer to each other, or farther from each other, than the program says, at least. A busy
# machine makes that less: a call may begin anywhere between the two readings of the clock.
sub apart_ms {
    my @margins = margins_ms(@_);
    return max(0, -min(map { $_->[0] } @margins) - min(map { $_->[1] } @margins));
}

my $CALLS = <<'END';
use Time::HiRes ();
my @log;
sub spin { my $x = 0; $x += $_ for 1 .. shift // 0; return $x }
sub now { return Time::HiRes::clock_gettime($told ? 0 : 1) }
sub noted { push @log, sprintf '%s %.6f %.6f', @_, now() }
sub inner { noted('inner', @_); spin($spins); select undef, undef, undef, 0.2 if !$spins; return }
sub outer { noted('outer', @_); select undef, undef, undef, 0.02; inner(now()); spin(7 * $spins); inner(now()); select undef, undef, undef, 0.01; spin(2) }
END

my $TOLD_CLOCK = preload(clock_library('told-clock'));

# The profile of a program by the told clock. Its calls of inner() sleep.
sub told {
    my ($code) = @_;
    return profiled('ours', ['-e', "$CALLS \$told = 1; $code print \"\$_\\n\" for \@log"], options => { clock => 0, waits => 0 },
        env => { LD_PRELOAD => $TOLD_CLOCK });
}

# What is off by a call is off by a wait of 10 ms or more.
my $got = told('outer(now()) for 1 .. 3; inner(now());');
for (['nytp-trace', of_trace($got->{files}[0])], ['nytp-speedscope', of_speedscope($got->{files}[0])],
    ['nytprofhtml', of_report($got->{files}[0])]) {
    my ($program, $begins) = @$_;
    my @late = late_ms($got->{out}, $begins);
    is(scalar @late, 10, "$program: all calls are there");
    is_deeply([grep { abs > 0.1 } @late], [], '... and begin when they did, by a told clock') or diag("@late");
}

my %loops = (
    'AnyEvent' =>
        'use AnyEvent; my $done = AE::cv; my $n = 0; my $w = AE::timer 0.05, 0.05, sub { inner(now()); '
        . 'outer(now()) if $n == 2; $done->send if ++$n == 6 }; outer(now()); $done->recv;',
    'EV' => 'use EV; my $n = 0; my $w; $w = EV::timer 0.05, 0.05, sub { inner(now()); outer(now()) if $n == 2; '
    . 'undef $w if ++$n == 6 }; outer(now()); EV::run();',
    'IO::Async::Loop' =>
    'use IO::Async::Loop; my $loop = IO::Async::Loop->new; my $n = 0; my $next; $next = sub { inner(now()); '
    . 'outer(now()) if $n == 2; ++$n < 6 ? $loop->watch_time(after => 0.05, code => $next) : $loop->stop }; outer(now()); $next->(); '
    . '$loop->run;',
    'Mojo::IOLoop' =>
    'use Mojo::IOLoop; my $n = 0; Mojo::IOLoop->recurring(0.05 => sub { inner(now()); outer(now()) if $n == 2; '
    . 'Mojo::IOLoop->stop if ++$n == 6 }); outer(now()); Mojo::IOLoop->start;',
);

# How long the program waited for a processor, in ms. The collector may have waited in its place: it does not know when.
sub waited_ms {
    my ($path) = @_;
    my @waited = run([build_dir() . '/test/dump-chunks', $path])->{out} =~ /^ATTRIBUTE\t'wait_for_cpu\t'([\d.]+)$/mg;
    return 1e3 * ($waited[-1] // 0);
}

# All calls begin when they did, half of them within a millisecond. On a busy machine the program or the collector may wait
# for a processor between the moment that is printed and the one that is noted, so they are compared in check-all.
sub are_in_time {
    my ($what, $printed, $begins, $path) = @_;
    my @late = sort { $a <=> $b } map { abs } late_ms($printed, $begins);
    cmp_ok(scalar @late, '>=', 6, "$what: all calls are there");
    return if !exhaustive();
    cmp_ok(median(@late), '<', 1, '... and begin when they did, half of them within a millisecond') or diag("@late");
    cmp_ok(apart_ms($printed, $begins), '<', (valgrind() ? 100 : 20) + waited_ms($path), '... and all of them nearly') or diag("@late");
    return;
}

my %packages = (AnyEvent => 'libanyevent-perl', EV => 'libev-perl', 'IO::Async::Loop' => 'libio-async-perl',
    'Mojo::IOLoop' => 'libmojolicious-perl');
for my $module (sort keys %loops) {
SKIP: {
        skip "$module is not there", exhaustive() ? 3 : 1 if !optional_module($module, $packages{$module});
        my $loop = profiled('ours', ['-e', "$CALLS \$spins = 3000; $loops{$module} print \"\$_\\n\" for \@log"]);
        are_in_time($module, $loop->{out}, of_trace($loop->{files}[0]), $loop->{files}[0]);
    }
}

# ---- time that is not counted ----

my $server = <<'END';
use Socket;
socket my $socket, PF_INET, SOCK_STREAM, 0; listen $socket, 5;
if (!fork) {
    DB::finish_profile();
    for (1 .. 4) {
        select undef, undef, undef, 0.15;
        socket my $client, PF_INET, SOCK_STREAM, 0; connect $client, getsockname $socket;
        sysread $client, my $answer, 1;
    }
    require POSIX; POSIX::_exit(0);
}
while (@log < 12) { accept my $client, $socket; outer(now()) }
END
my $pauses = <<'END';
for (1 .. 3) {
    outer(now()); DB::disable_profile();
    select undef, undef, undef, 0.15;
    DB::enable_profile(); inner(now());
}
END

# The profile of the process that prints: that of the child has no calls.
sub of_parent {
    my ($run) = @_;
    my ($path) = grep { !/\.\d+\z/ } @{ $run->{files} };
    return $path;
}

for my $options ({}, { slowops => 0 }, { calls => 2 }, { leave => 0 }) {
    my $said = join ':', map { "$_=$options->{$_}" } keys %$options;
    for (['accept', $server], ['off for a while', $pauses]) {
        my ($what, $code) = @$_;
        my $run  = profiled('ours', ['-e', "$CALLS \$spins = 3000; $code print \"\$_\\n\" for \@log"],
            options => $options);
        my $path = of_parent($run);
        are_in_time("$what $said: nytp-trace",      $run->{out}, of_trace($path), $path);
        are_in_time("$what $said: nytp-speedscope", $run->{out}, of_speedscope($path), $path);
        are_in_time("$what $said: nytprofhtml",     $run->{out}, of_report($path), $path);
    }
}

# Without statements marks say how much time has passed, 20 times a second: also where calls do not follow one another.
my $main = 'for (1 .. 12) { my $x = 0; $x += $_ for 1 .. 300_000; outer(now()) }';
for (['accept', $server], ['off for a while', $pauses], ['a loop of the main program', $main]) {
    my ($what, $code) = @$_;
    my $run  = profiled('ours', ['-e', "$CALLS \$spins = 3000; $code print \"\$_\\n\" for \@log"],
        options => { stmts => 0 });
    my $path = of_parent($run);
    my $begins = of_trace($path);
    cmp_ok(scalar(() = margins_ms($run->{out}, $begins)), '>=', 9, "$what, stmts=0: all calls are there");
    cmp_ok(apart_ms($run->{out}, $begins), '<', (valgrind() ? 150 : 50) + waited_ms($path), '... and begin when they did, to 50 ms');
}

# A range is one of the time that has passed: its calls are where they were, also in a file of its own.
{
    my $path  = of_parent(told($server));
    my $whole = of_trace($path)->{'main::outer'};
    for my $i (0 .. 3) {
        my ($from, $to) = ($whole->[$i] - 0.08, $whole->[$i] + 0.01);
        my $slice = "$path.slice";
        is(run(["$bin/nytprofmerge", "--range=$from..$to", '-o', $slice, $path])->{status}, 0, "a range with call $i");
        my $calls = of_trace($slice)->{'main::outer'};
        is(scalar @$calls, 1, '... has that call');
        cmp_ok(abs($calls->[0] - 0.08), '<', 0.0001, '... where it was');
        my ($half) = run(["$bin/nytp-tree", '--table', '--range=' . ($from + 0.02) . '..' . ($from + 0.06), $path]);
        unlike($half->{out}, qr/main::outer/, '... and before it the program waits');
    }
    my $spans = of_trace($path, '--span=main::outer')->{'main::outer'};
    my @moved = map { $spans->[$_] - $spans->[0] - ($whole->[$_] - $whole->[0]) } 0 .. 3;
    is_deeply([grep { abs > 0.0001 } @moved], [], 'spans are as far from one another as they were') or diag("@moved");
}

done_testing();
