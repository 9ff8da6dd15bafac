# Times in profiles are the times that have passed, of sleeps and of busy subs, to 1 % or 20 us, by a clock that passes
# only when the program sleeps or asks for it. With EXHAUSTIVE=1 also by the machine's clocks; other work on the machine
# disturbs that, so the best of some attempts counts.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library collector exhaustive need_collector preload profiled);
use List::Util qw(sum);
use NYTPTest qw(build_dir fewer run scratch_dir top_dir valgrind);
use ProfileCompare qw(calls_of count_of read_profile);
use Test::More;
use Time::HiRes ();

need_collector();

my $scripts  = top_dir() . '/test/scripts/times';
my $ATTEMPTS = 6;

sub profile_of {
    my ($arguments, %run) = @_;
    my $got = profiled(collector(), $arguments, %run);
    return ($got, map { read_profile($_) } @{ $got->{files} });
}

# The sum of one column, incl_s, excl_s or reci_s, over all arcs to a sub.
sub seconds_of {
    my ($profile, $kind, $name) = @_;
    my $sum = 0;
    $sum += $_->{$kind} for grep { $_->{called} eq $name } values %{ $profile->{arcs} };
    return $sum;
}

sub near {
    my ($got_s, $want_s, $share, $least_s) = @_;
    my $allowed_s = $want_s * $share > $least_s ? $want_s * $share : $least_s;
    return abs($got_s - $want_s) <= $allowed_s;
}

# An attempt returns what was wrong. Passes if one of them returns nothing. Under memcheck times are not real, but an
# error that memcheck finds ends the attempt.
sub best_of {
    my ($name, $attempt) = @_;
    my @wrong;
    if (valgrind()) {
        $attempt->();
        SKIP: { skip "$name: times under memcheck", 1 }
        return;
    }
    for my $n (1 .. $ATTEMPTS) {
        @wrong = $attempt->();
        last if !@wrong;
        note "$name, attempt $n: $wrong[0]";
    }
    return ok(!@wrong, $name) || diag(join "\n", @wrong);
}

# ---- what is known -----------------------------------------------------------

my $NEAR     = 0.01;
my $NEAR_S   = 20e-6;
my %CALLS_OF = (sleep_1ms => 5, busy_1ms => 5, inner => 2);

sub wrong_times {
    my ($got, $profile, $name) = @_;
    my %took  = $got->{out} =~ /^(\S+) (\S+)$/mg;
    my @wrong = keys %took > 10 ? () : "no output: $got->{err}";
    my $check = sub {
        my ($what, $got_s, $want_s, $calls) = @_;
        push @wrong, sprintf '%s: %.6f s, should be %.6f s', $what, $got_s, $want_s
            if !near($got_s, $want_s, $NEAR, $NEAR_S * $calls);
    };
    for my $sub (grep { !/^(?:recurse|own)/ } sort keys %took) {
        $check->($sub, seconds_of($profile, 'incl_s', "main::$sub"), $took{$sub}, $CALLS_OF{$sub} // 1);
    }
    $check->('own time of outer', seconds_of($profile, 'excl_s', 'main::outer'), $took{own_of_outer} // 0, 10);
    $check->('CORE:sleep', seconds_of($profile, 'incl_s', 'main::CORE:sleep'), $took{sleep_2s} // 0, 1);
    my @levels = map { $took{"recurse_$_"} // 0 } 0 .. 4;
    $check->('outermost call', seconds_of($profile, 'incl_s', 'main::recurse'), $levels[4], 1);
    $check->('recursive calls', seconds_of($profile, 'reci_s', 'main::recurse'),
        $levels[0] + $levels[1] + $levels[2] + $levels[3], 10);
    return @wrong;
}

my $told = clock_library('told-clock');

# What is profiled with that clock, which is CLOCK_REALTIME, number 0.
sub told_profile_of {
    my ($arguments, %options) = @_;
    return profile_of($arguments, options => { clock => 0, waits => 0, %options }, env => { LD_PRELOAD => preload($told) });
}

{
    my ($got, $profile) = told_profile_of(["$scripts/known.pl", 0, 1]);
    is join("\n", wrong_times($got, $profile)), '', 'sleeps and busy subs take what they take';
}
best_of(
    'by the clock of the machine, too',
    sub {
        my ($got, $profile) = profile_of(["$scripts/known.pl"]);
        return wrong_times($got, $profile);
    },
) if exhaustive();

# ---- sums ----------------------------------------------------------------------

my $STATEMENTS = <<'END';
use Time::HiRes ();
sub now { return Time::HiRes::clock_gettime(Time::HiRes::CLOCK_REALTIME()) }
sub work { my ($n) = @_; my $x = 0; for my $i (1 .. $n) { $x += $i; $x %= 1000; $x = leaf($x) if $i % 10 == 0 } return $x }
sub leaf { return $_[0] + 1 }
my $start = now();
DB::enable_profile();
work(1000) for 1 .. 200;
select undef, undef, undef, 0.2;
DB::disable_profile();
printf "%.9f\n", now() - $start;
END

sub wrong_sum {
    my ($got, $profile) = @_;
    my $per_s      = $profile->{attributes}{ticks_per_sec};
    my $sum_s      = $profile->{ticks} / $per_s;
    my $overhead_s = $profile->{attributes}{cumulative_overhead_ticks} / $per_s;
    return if near($sum_s + $overhead_s, $got->{out}, 0.005, 0);
    return sprintf 'statements %.6f s and overhead %.6f s, passed %.6f s', $sum_s, $overhead_s, $got->{out};
}
is join("\n", wrong_sum(told_profile_of(['-e', $STATEMENTS], start => 'no'))), '',
    'statement times and overhead add up to what passed, to 0.5 %';
best_of('by the clock of the machine, too',
    sub { wrong_sum(profile_of(['-e', $STATEMENTS], options => { start => 'no' })) }) if exhaustive();

# The parts of a process add up to how long it lasted, also in a child, whose overhead is its own.
my %IN_S = (us => 1e-6, ms => 1e-3, s => 1);
best_of('work, queued, asleep and profiler add up to how long a process and its child lasted', sub {
    my $code = 'sub f { $_[0] + 1 } f($_) for 1 .. 100_000; select undef, undef, undef, 0.02;
        if (!fork) { f($_) for 1 .. 20_000; exit } wait';
    my $got = profiled(collector(), ['-e', $code]);
    my @wrong = @{ $got->{files} } == 2 ? () : 'two files';
    for my $file (@{ $got->{files} }) {
        my @lines = split /\n/, run([build_dir() . '/bin/nytp-tree', '--processes', $file])->{out};
        my ($lasted_s, $sum_s, @parts_s) = map { /([\d.]+) ([mu]?s)/ ? $1 * $IN_S{$2} : 0 }
            (split /  +/, $lines[1])[4], $lines[-1] =~ /([\d.]+ [mu]?s)/g;
        push @wrong, $lines[1], $lines[-1] if !near($sum_s, $lasted_s, 0.01, 0.002) || !near(sum(@parts_s), $sum_s, 0.01, 0.002);
    }
    return @wrong;
});

{
    my ($got, $profile) = told_profile_of(["$scripts/known.pl", 0, 1], calls => 2);
    my $by_arcs = 0;
    $by_arcs += $_->{excl_s} for values %{ $profile->{arcs} };
    my $by_returns = 0;
    $by_returns += $_ for values %{ $profile->{excl_ticks} };
    my $per_s = $profile->{attributes}{ticks_per_sec};
    ok near($by_arcs, $by_returns / $per_s, 0.001, 1e-5), 'the own times of arcs and of returns are the same'
        or diag "$by_arcs s, " . $by_returns / $per_s . ' s';
    ok near($profile->{ticks} / $per_s, $by_arcs, 0.05, 0.005), 'subs take the time of statements'
        or diag $profile->{ticks} / $per_s . " s, $by_arcs s";
}

my $calls = exhaustive() ? 10_000_000 : valgrind() ? 3_000 : 300_000;
{
    my ($got, $profile) = profile_of(
        ['-e', "sub f { 1 } sub g { f(); f() } g() for 1 .. $calls / 3"],
        options => { compress => 1 }, timeout_s => 600,
    );
    my $seen = calls_of($profile, 'main::f') + calls_of($profile, 'main::g');
    cmp_ok $seen, '>=', $calls - 3, "$calls calls";
    is $profile->{negative}, 0, '... no time is negative';
}

# ---- clocks ----------------------------------------------------------------------

for my $want ([0, 0], [1, 1], [2, 2], [-1, 1], [4, 4], [99, 0]) {
    my ($clock, $used) = @$want;
    my ($got, $profile) = profile_of(['-e', '1'], options => { clock => $clock });
    is $profile->{attributes}{clock_id}, $used, "clock=$clock: clock $used is used";
}

# ---- processors ------------------------------------------------------------------

SKIP: {
    skip 'no taskset', 1 if system('command -v taskset >/dev/null');
    my ($got, @profiles) = profile_of(['-e', 'system "taskset -p 1 $$ >/dev/null"; waitpid $_, 0 for grep { $_ } fork']);
    my @processors = sort { $a <=> $b } map { $_->{attributes}{processors} } @profiles;
    ok @processors == 2 && $processors[0] > 0 && $processors[0] <= 1, 'how many processors a process may use' or diag "@processors";
}

my $SLEEPY = 'sub asleep { select undef, undef, undef, 0.3 } sub busy { my $x = unpack "%32C*", "x" x 3e7 } '
    . 'asleep(); busy();';
best_of(
    "clock=2: the processor's time, not what passes",
    sub {
        my ($got, $profile) = profile_of(['-e', $SLEEPY], options => { clock => 2 });
        my ($asleep_s, $busy_s) = map { seconds_of($profile, 'incl_s', "main::$_") } qw(asleep busy);
        return $asleep_s < 0.01 && $busy_s > 0.005 ? () : "asleep $asleep_s s, busy $busy_s s";
    },
);

for my $mode ({}, { blocks => 1, calls => 2 }) {
    my $what    = 'of five minutes' . ($mode->{blocks} ? ', blocks and all' : '');
    my $five    = sub { my ($asleep_s) = @_; return "sub five { sleep $asleep_s; 1 } five();" };
    my ($got, $profile) = told_profile_of(['-e', $five->(300)], %$mode);
    my $statement_s = $profile->{line_ticks}{'-e:1'} / $profile->{attributes}{ticks_per_sec};
    ok near($statement_s, 300, 0.001, 0), "statements $what" or diag $statement_s;
    my $call_s = seconds_of($profile, 'incl_s', 'main::five');
    ok near($call_s, 300, 0.001, 0), "a call $what" or diag $call_s;
    my ($short_got, $short) = told_profile_of(['-e', $five->(0)], %$mode);
    is executed($profile), executed($short), 'and no statement more';
}

# A machine is suspended, and its counter goes on or begins anew; or the counter is slower than ticks.
{
    my %env  = (LD_PRELOAD => preload(clock_library('fast-clock')), FAST_CLOCK => 1);
    my $code = 'use Time::HiRes (); my $s = Time::HiRes::clock_gettime(1); sub f { select undef, undef, undef, 0.1; '
        . '1 } f() for 1 .. 15;'
        . ' printf "%.6f", Time::HiRes::clock_gettime(1) - $s;';
    # The unit test xs/basics/clock.c has more of these.
    for my $case (exhaustive() ? (['leaps', LEAP_S => 100], ['is slower than ticks']) : ()) {
        my ($name, @how) = @$case;
        best_of("a counter that $name: times are those of the clock", sub {
            my ($got, $profile) = profile_of(['-e', $code], env => { %env, @how });
            my $measured_s = sum(values %{ $profile->{line_ticks} }) / $profile->{attributes}{ticks_per_sec};
            return $got->{out} < 100 ? 'the clock is as always' : near($measured_s, $got->{out}, 0.05, 0) ? ()
                : "$measured_s s, should be $got->{out} s";
        });
    }
    # The profile of a killed program has the calls, which another thread has written; sums of calls are written at
    # checkpoints.
    my ($got, $profile) = profile_of(['-e', "$code f() for 1 .. 10; kill KILL => \$\$"],
        options => { clock => 0, waits => 0, compress => 0 },
        env => { %env, FAST_CLOCK => 0, LEAP_S => -3600 });
    cmp_ok count_of($profile, 'main::f'), '>=', 15, 'a clock that goes back: sums are written as before';
}

# Not every probe interval is timed: one that was interrupted must not stand for the others.
{
    my $preload = preload(clock_library('fast-clock'));
    my @wrong;
    for my $reading (fewer(12, 1 .. 120)) {
        my ($got, $profile) = profile_of(['-e', 'sub f { 1 } f() for 1 .. 300;'], options => { clock => 0, waits => 0 },
            env => { LD_PRELOAD => $preload, LEAP_AT => $reading });
        my $overhead_s = $profile->{attributes}{cumulative_overhead_ticks} / $profile->{attributes}{ticks_per_sec};
        push @wrong, "reading $reading: $overhead_s s" if $overhead_s > 0.5 && !valgrind();
    }
    is "@wrong", '', 'an interruption is taken for overhead once, wherever it comes';

    # A counter that moves in steps of 100 ns, as some hypervisors have it: each umask takes 200 ns, and the profiler
    # 61 ns or 122.
    for my $case (['statements', 'for (1 .. 30_000) { umask; umask }', 60_000],
        ['calls', 'sub f { umask } for (1 .. 30_000) { umask; f(); umask }', 90_000]) {
        my ($name, $code, $umasks) = @$case;
        my ($got, $profile) = profile_of(['-e', $code], options => { clock => 0, waits => 0, slowops => 0 },
            env => { LD_PRELOAD => $preload, STEPS => 0 });
        my $sum_s = $profile->{ticks} / $profile->{attributes}{ticks_per_sec};
        ok near($sum_s, $umasks * 200e-9, 0.1, 0), "$name by a clock of steps take what the program takes"
            or diag "$sum_s s, not " . $umasks * 200e-9;
    }

    # Intervals of the profiler that are not timed take less than those that were: what is left of the time is that of
    # calls and of statements alike.
    my ($got, $profile) = profile_of(['-e', 'sub f { umask } f() for 1 .. 2000'], options => { clock => 0, waits => 0, slowops => 0 },
        env => { LD_PRELOAD => $preload, STEPS => 2000 });
    my ($calls_s, $statements_s) = (seconds_of($profile, 'incl_s', 'main::f'), $profile->{ticks} / $profile->{attributes}{ticks_per_sec});
    cmp_ok $calls_s, '<=', $statements_s + 2e-6, 'calls have no time that statements do not have';
}

sub executed {
    my ($profile) = @_;
    my $sum = 0;
    $sum += $_ for values %{ $profile->{executed} };
    return $sum;
}

# ---- whose time it is -----------------------------------------------------------------

my $ACCEPTS = <<'END';
use Socket;
socket my $server, PF_INET, SOCK_STREAM, 0 or die;
bind $server, sockaddr_in(0, INADDR_LOOPBACK) or die;
listen $server, 1 or die;
my $address = getsockname $server;
my $pid = fork // die;
if (!$pid) { sleep 2; socket my $c, PF_INET, SOCK_STREAM, 0; connect $c, $address; require POSIX; POSIX::_exit(0) }
sub waits { accept my $client, $server or die; return 1 }
sub around { return waits() }
around();
waitpid $pid, 0;
END
{
    my ($got, @profiles) = profile_of(['-e', $ACCEPTS]);
    my ($profile) = grep { count_of($_, 'main::around') } @profiles;
    for my $name (qw(CORE:accept waits around)) {
        my $seconds = seconds_of($profile, 'incl_s', "main::$name");
        cmp_ok $seconds, '<', 1, "waiting in accept is not in the time of $name";
        cmp_ok $seconds, '>=', 0,  "... and not less";
    }
}

# What a block frees after a DESTROY takes time of the block: here a pipe, whose process perl waits for. That process sleeps
# once the pipe is closed, so perl waits that long on a busy machine, too.
for my $options ({}, { blocks => 1 }) {
    my $code = "*D::DESTROY = \\&utf8::is_utf8;\n{\n  open my \$pipe, '|-', 'cat; sleep 0.2' or die;\n  my \$object = "
        . "bless [], 'D';\n  1;\n}\n1;\n";
    my (undef, $profile) = profile_of(['-e', $code], options => $options);
    my %seconds = map { /:(\d+)\z/ ? ($1 => $profile->{line_ticks}{$_} / $profile->{attributes}{ticks_per_sec})
        : () } keys %{ $profile->{line_ticks} };
    cmp_ok($seconds{5}, '>=', 0.19, 'time of freeing after a DESTROY ' . join '=', %$options);
}

done_testing();
