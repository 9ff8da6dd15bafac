# Time lines: calls begin when the program itself says. Exactly by a clock that passes only when the program asks for
# the time or sleeps; by the machine's clock in event loops.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library need_collector optional_module preload profiled);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir median run);
use ReportPage;
use Test::More;

need_collector();

my $bin = build_dir() . '/bin';

# The seconds at which calls of subs begin, by name.
sub of_trace {
    my ($path) = @_;
    my %begins;
    for (@{ decode_json(run(["$bin/nytp-trace", '--json', '--min=0us', '-o', '-', $path])->{out})->{traceEvents} }) {
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

# How late each call begins, in ms, less the median: when the process began, the program does not know.
sub late_ms {
    my ($printed, $begins) = @_;
    my (@late, %nth);
    for ($printed =~ /^(\w+ [\d.]+)$/mg) {
        my ($name, $s) = split / /;
        my $begin = $begins->{"main::$name"}[$nth{$name}++];
        return () if !defined $begin;
        push @late, 1e3 * ($begin - $s);
    }
    my $usual = median(@late);
    return map { $_ - $usual } @late;
}

my $CALLS = <<'END';
use Time::HiRes ();
my (@log, $last);
sub spin { my $x = 0; $x += $_ for 1 .. shift // 0; return $x }
sub noted { push @log, "$_[0] " . sprintf '%.6f', Time::HiRes::clock_gettime(0) }
sub inner { noted('inner'); spin($spins); select undef, undef, undef, 0.2 if !$spins; return }
sub outer { noted('outer'); select undef, undef, undef, 0.02; inner(); spin(7 * $spins); inner(); select undef, undef, undef, 0.01; spin(2) }
END

# What is off by a call is off by a wait of 10 ms or more.
my $got = profiled('ours', ['-e', "$CALLS outer() for 1 .. 3; inner(); print \"\$_\\n\" for \@log"],
    options => { clock => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
for (['nytp-trace', of_trace($got->{files}[0])], ['nytp-speedscope', of_speedscope($got->{files}[0])],
    ['nytprofhtml', of_report($got->{files}[0])]) {
    my ($program, $begins) = @$_;
    my @late = late_ms($got->{out}, $begins);
    is(scalar @late, 10, "$program: all calls are there");
    is_deeply([grep { abs > 0.1 } @late], [], '... and begin when they did, by a told clock') or diag("@late");
}

my %loops = (
    'AnyEvent' =>
        'use AnyEvent; my $done = AE::cv; my $n = 0; my $w = AE::timer 0.05, 0.05, sub { inner(); outer() if $n == '
        . '2; $done->send if ++$n == 6 }; outer(); $done->recv;',
    'EV' => 'use EV; my $n = 0; my $w; $w = EV::timer 0.05, 0.05, sub { inner(); outer() if $n == 2; undef $w if '
    . '++$n == 6 }; outer(); EV::run();',
    'IO::Async::Loop' =>
    'use IO::Async::Loop; my $loop = IO::Async::Loop->new; my $n = 0; my $next; $next = sub { inner(); outer() if '
    . '$n == 2; ++$n < 6 ? $loop->watch_time(after => 0.05, code => $next) : $loop->stop }; outer(); $next->(); '
    . '$loop->run;',
    'Mojo::IOLoop' =>
    'use Mojo::IOLoop; my $n = 0; Mojo::IOLoop->recurring(0.05 => sub { inner(); outer() if $n == 2; '
    . 'Mojo::IOLoop->stop if ++$n == 6 }); outer(); Mojo::IOLoop->start;',
);
# How long a program waited for a processor. What it waited while the profiler worked is missing on the clock.
sub waited_ms {
    my ($path) = @_;
    my @waits = run([build_dir() . '/test/dump-chunks', $path])->{out} =~ /^ATTRIBUTE\t'wait_for_cpu\t'([\d.]+)$/mg;
    return 1000 * ($waits[-1] // 0);
}

my %packages = (AnyEvent => 'libanyevent-perl', EV => 'libev-perl', 'IO::Async::Loop' => 'libio-async-perl',
    'Mojo::IOLoop' => 'libmojolicious-perl');
for my $module (sort keys %loops) {
SKIP: {
        skip "$module is not there", 3 if !optional_module($module, $packages{$module});
        my $loop = profiled('ours', ['-e', "$CALLS \$spins = 3000; $loops{$module} print \"\$_\\n\" for \@log"]);
        my @late = sort { $a <=> $b } map { abs } late_ms($loop->{out}, of_trace($loop->{files}[0]));
        cmp_ok(scalar @late, '>=', 10, "$module: all calls are there");
        my $waited = waited_ms($loop->{files}[0]);
        cmp_ok(median(@late), '<', 1 + $waited, '... and begin when they did, half of them within a millisecond')
            or diag("@late");
        cmp_ok($late[-1], '<', 20 + $waited, '... and all of them nearly') or diag("@late");
    }
}

done_testing();
