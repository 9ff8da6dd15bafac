# The profile says how long the process ran, and waited for a processor, as the system counts both, or says nothing.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library collector need_collector preload profiled);
use List::Util qw(max);
use NYTPTest qw(build_dir run sanitized valgrind);
use Test::More;

need_collector();
plan skip_all => 'the library that replaces the kernel is not for sanitizers and valgrind' if sanitized() || valgrind();

my $kernel = clock_library('other-kernel');
my $dump   = build_dir() . '/test/dump-chunks';

# What a profile says of waiting, in order, and of running at its end; when the process began, and how long it lasted.
sub waits {
    my ($path) = @_;
    my $chunks = run([$dump, $path])->{out};
    my ($begin_s) = $chunks =~ /^PID_START\t\d+\t\d+\t([\d.]+)/m;
    my ($end_s)   = $chunks =~ /^PID_END\t\d+\t([\d.]+)/m;
    return {
        values   => [$chunks =~ /^ATTRIBUTE\t'wait_for_cpu\t'([\d.]+)$/mg],
        ran      => [$chunks =~ /^ATTRIBUTE\t'process_cpu_s\t'([\d.]+)$/mg],
        begin_s  => $begin_s,
        lasted_s => defined $end_s ? $end_s - $begin_s : undef,
    };
}

# The collector reads the clock and the counts one after the other, and the program may be interrupted in between, for
# as long as it really waited for a processor: each process of the program says that when it ends.
my $APART_S = 0.05;
my $queued_s = 0;
my $SAYS_QUEUED = 'END { open my $f, "<", "/proc/thread-self/schedstat"; printf STDERR "queued %.3f\n", (split " ", <$f> // "")[1] / 1e9 } ';

# A profile of a program for which the system says that it waits for half of the time.
sub recorded {
    my ($code, %run) = @_;
    my %env = (LD_PRELOAD => preload($kernel), RUNS => 0.5, WAITS => 0.5, %{ $run{env} // {} });
    my $got = profiled(collector(), ['-MTime::HiRes=time', '-e', $SAYS_QUEUED . $code], env => \%env);
    $queued_s = max(0, $got->{err} =~ /^queued ([\d.]+)$/mg);
    return ($got, map { waits($_) } @{ $got->{files} });
}

sub between {
    my ($got_s, $least_s, $most_s, $name) = @_;
    my $apart_s = $APART_S + $queued_s;
    return ok(defined $got_s && $got_s > $least_s - $apart_s && $got_s < $most_s + $apart_s, $name)
        || diag 'got ' . ($got_s // 'nothing') . ", want $least_s to $most_s, or $apart_s more or less";
}

sub about { my ($got_s, $want_s, $name) = @_; return between($got_s, $want_s, $want_s, $name) }

# Few statements for each second.
my $WORK = 'sub work { my $until = time + $_[0]; select undef, undef, undef, 0.005 while time < $until } ';

subtest 'a process' => sub {
    my ($got, $waits) = recorded($WORK . 'work(1.1)');
    is($got->{status}, 0, 'exit status') or diag($got->{err});
    about($waits->{values}[-1], $waits->{lasted_s} / 2, 'waits for half of the time');
    about($waits->{ran}[-1], $waits->{lasted_s} / 2, 'and runs in the other half');
    is(scalar @{ $waits->{ran} }, 1, 'which it says once');
    cmp_ok(@{ $waits->{values} }, '>=', 2, 'which it says on the way, too');
    is_deeply($waits->{values}, [sort { $a <=> $b } @{ $waits->{values} }], 'as sums');
};

subtest 'a forked child' => sub {
    my ($got, @waits) = recorded($WORK . 'work(0.5); if (!fork) { work(0.2); exit } wait');
    is(scalar @waits, 2, 'has a profile of its own');
    about($_->{values}[-1], $_->{lasted_s} / 2, 'with what that process waited') for @waits;
    about($_->{ran}[-1],    $_->{lasted_s} / 2, 'and ran')                      for @waits;
};

subtest 'a process that is killed' => sub {
    my ($got, $waits) = recorded($WORK . 'work(1); kill KILL => $$');
    is($waits->{lasted_s}, undef, 'has no end');
    cmp_ok($waits->{values}[-1] // 0, '>', 0.15, 'but says what it waited until then');
};

# The program says when: recording goes on from the first moment or earlier to the second one or later, and so on.
subtest 'while nothing is recorded' => sub {
    my ($got, $waits) = recorded($WORK . <<'END');
my @at = time; work(0.1); push @at, time; DB::disable_profile(); push @at, time; work(0.5);
push @at, time; DB::enable_profile(); push @at, time; work(0.1); push @at, time; DB::disable_profile(); push @at, time;
work(0.2); print "@at";
END
    my @at    = split ' ', $got->{out};
    my $least = ($at[1] - $at[0] + $at[5] - $at[4]) / 2;
    my $most  = ($at[2] - $waits->{begin_s} + $at[6] - $at[3]) / 2;
    between($waits->{values}[-1], $least, $most, 'waiting does not count');
    between($waits->{ran}[-1],    $least, $most, 'nor does running');
};

subtest 'a thread' => sub {
    plan skip_all => 'perl without threads' if !$Config{useithreads};
    my ($got, @waits) = recorded("use threads; $WORK work(0.2);"
        . 'threads->create(sub { work(0.6) })->join; threads->create(sub { work(0.01) })->join');
    is(scalar @waits, 3, 'has a profile of its own');
    about($waits[0]{values}[-1], $waits[0]{lasted_s} / 2, 'the first one says what it waited');
    cmp_ok($waits[1]{values}[-1], '>', 0.19, 'another one, what it waited until its last checkpoint');
    cmp_ok($waits[1]{values}[-1], '<', $waits[1]{lasted_s} / 2 + $APART_S, '... and not what the first one waited');
    is_deeply($waits[2]{values}, [], 'one without a checkpoint says nothing');
};

subtest 'a system without counts' => sub {
    my ($got, $waits) = recorded($WORK . 'work(0.5)', env => { REFUSED => 'schedstat' });
    is($got->{status}, 0, 'exit status');
    is_deeply($waits->{values}, [], 'nothing is said if there is no such file');
    (undef, $waits) = recorded('1', env => { RUNS => 0, WAITS => 0 });
    is_deeply($waits->{values}, [], '... or if all numbers in it are 0');
};

# The program reads the count itself, so what it saw is a part of what the collector saw.
subtest 'the real count' => sub {
    plan skip_all => 'the system does not count' if !open my $stat, '<', '/proc/thread-self/schedstat';
    my $read = 'sub waited { open my $f, "<", "/proc/thread-self/schedstat"; (split " ", <$f>)[1] / 1e9 } ';
    my $code = "BEGIN { $read \$first = waited() } $WORK work(0.2); printf '%.9f', waited() - \$first";
    my $got  = profiled(collector(), ['-MTime::HiRes=time', '-e', $code]);
    my $waits = waits($got->{files}[0]);
    cmp_ok($waits->{values}[-1] + 1e-6, '>=', $got->{out}, 'has what the program saw');
    cmp_ok($waits->{values}[-1], '<', $waits->{lasted_s}, 'and less than all time');
};

done_testing();
