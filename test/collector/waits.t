# The marks `waited`: how long the program was asleep, and queued for a processor, at which call and line. The programs
# say it themselves, from the clocks of the system and /proc; what they say has the collector's own waiting in it, too.
# All that is compared holds on a busy machine.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed    qw(stock_program);
use CollectorRun qw(clock_library collector exhaustive need_collector optional_module preload profiled);
use List::Util   qw(max);
use NYTPTest     qw(build_dir run sanitized scratch_dir spew valgrind);
use Test::More;
use Written qw(rows_of);

need_collector();
plan skip_all => 'under valgrind and sanitizers, the collector itself waits long' if valgrind() || sanitized();
open my $schedstat, '<', '/proc/thread-self/schedstat' or plan skip_all => 'the system does not count';

# Prints for each call of a sub: its name, and seconds in all, of the processor, queued and asleep. They are those between
# two moments in timed(), before and after the call: so the call has at most as much, and that of timed() at least. Last, how
# long it was to sleep, if the program says so.
my $TRUTH = <<'END';
use Time::HiRes qw(time clock_gettime); $| = 1;
sub delay { open my $f, '<', '/proc/thread-self/schedstat'; return (split ' ', <$f>)[1] / 1e9 }
sub now { while (1) { my @n = (delay(), time, clock_gettime(3)); return @n[1, 2, 0] if delay() == $n[0] } }
sub timed { my ($name, @arguments) = @_; my @b = now(); { no strict 'refs'; &$name(@arguments) } my @e = now();
    return map { $e[$_] - $b[$_] } 0 .. 2 }
sub told { my @d = timed(@_); print join(' ', "main::$_[0]", @d, $d[0] - $d[1] - $d[2], $asked // 0), "\n" }
END

# Reads a profile: { marks, of_process, asleep_s and queued_s in all; calls: { sub => [[lasted_s, asleep_s, queued_s], ...] },
# lines: { line => [asleep_s, queued_s] }; statements_s and calls_s: the sums of both; bad: times that are longer than what
# they are part of }.
sub waits_of {
    my ($path) = @_;
    my %got = (marks => 0, of_process => [0, 0], all => [0, 0], calls => {}, lines => {}, bad => [], header => '',
        statements_s => 0, calls_s => 0);
    my (@own, @callees);
    my @line = (0, 0);
    for (split /\n/, run([build_dir() . '/test/dump-chunks', $path])->{out}) {
        if (my ($depth, $asleep, $queued, $of_process) = /^ATTRIBUTE\t'waited\t'(\d+)%20(\d+)%20(\d+)(%201)?$/) {
            $got{marks}++;
            my @s = map { $_ / 1e7 } $asleep, $queued;
            $got{all}[$_] += $s[$_] for 0, 1;
            $of_process ? $got{of_process}[$_] += $s[$_] : ($own[$depth][$_] += $s[$_], $line[$_] += $s[$_]) for 0, 1;
        } elsif (my ($at, $incl, $excl, $name) = /^SUB_RETURN\t(\d+)\t([-\d.e+]+)\t([-\d.e+]+)\t'?(.*)$/) {
            $got{calls_s} += $excl / 1e7;
            my @self  = map { $own[$at][$_] // 0 } 0, 1;
            my @whole = map { $self[$_] + ($callees[ $at + 1 ][$_] // 0) } 0, 1;
            # Callees that are too short for a mark leave it to their caller.
            push @{ $got{bad} }, "$name $self[0] $self[1] of $excl" if $self[0] + $self[1] > $excl / 1e7 + 50e-6;
            $#own     = $at - 1;
            $#callees = $at;
            $callees[$at][$_] += $whole[$_] for 0, 1;
            push @{ $got{calls}{$name} }, [$incl / 1e7, @whole];
        } elsif (/^TIME_(?:LINE|BLOCK)\t(\d+)\t\d+\t(\d+)/) {
            $got{statements_s} += $1 / 1e7;
            $got{lines}{$2}[$_] += $line[$_] for 0, 1;
            @line = (0, 0);
        } elsif (/^ATTRIBUTE\t'waits\t'(.*)/) {
            $got{header} = $1;
        }
    }
    return \%got;
}

sub recorded {
    my ($code, %run) = @_;
    my $pauses = delete $run{pauses}; # then what the profile says of processor time is not exact
    my $got    = profiled(collector(), ['-e', "$TRUTH$code"], %run);
    is($got->{status}, 0, 'exit status') or diag($got->{err});
    my @truth;
    for (map { [split] } split /\n/, $got->{out}) {
        my ($name, @s) = @$_;
        push @truth, { name => $name, lasted_s => $s[0], queued_s => $s[2], asleep_s => $s[3], asked_s => $s[4] };
    }
    works_no_longer_than_it_ran($_) for $pauses ? () : @{ $got->{files} };
    return ($got, \@truth, map { waits_of($_) } @{ $got->{files} });
}

# Work is processor time without the profiler's own, and the profile says how much processor time the process had.
sub works_no_longer_than_it_ran {
    my ($path) = @_;
    for (rows_of('processes', $path)) {
        my ($work_s, $processor_s) = @$_{qw(work_s processor_s)};
        cmp_ok($work_s, '<=', 1.01 * $processor_s + 0.001, 'a process works no longer than it has a processor') if $processor_s ne '';
    }
    return;
}

# The calls of a profile beside those of the truth, in order; and those of timed().
sub pairs {
    my ($truth, $waits) = @_;
    my %next;
    return map { [$_, map { $waits->{calls}{$_}[ $next{$_}++ ] } $_->{name}, 'main::timed'] } @$truth;
}

# Compares each call with what the program says, within 0.5 ms. That contains what the collector was asleep, which is its own
# time. $asked: for how long a sub is to sleep at least, by name; that passes while it is queued, too. The run delay lacks up to
# some ms of a call that is queued (seen with Linux 6.18), which the program then calls asleep, though it has only worked.
# What timed() lacks of the true time is the collector's own, in which the thread may have been queued, too.
sub compare {
    my ($truth, $waits, $asked, $name) = @_;
    my @wrong;
    for (pairs($truth, $waits)) {
        my ($true, $call, $around) = @$_;
        my ($lasted_s, $asleep_s, $queued_s) = @$call;
        my $apart_s = 0.0005 + 0.003 * $true->{asleep_s};
        my $own_s   = $true->{lasted_s} - $lasted_s;
        my $asked_s = $true->{asked_s} || $asked->{ $true->{name} } || 0;
        my $hidden_s = max(0, $true->{lasted_s} - $around->[0]);
        my $least_s = $asked_s < $true->{asleep_s} ? $asked_s : $true->{asleep_s};
        my @false   = (
            ('asleep too long')                         x ($asleep_s > $true->{asleep_s} + $apart_s),
            ('asleep too short')                        x ($around->[1] + $own_s < $least_s - $apart_s),
            ('off its processor too long')              x ($asleep_s + $queued_s > $true->{asleep_s} + $true->{queued_s} + $apart_s),
            ('queued too short')                        x ($around->[2] < $true->{queued_s} - $apart_s - $hidden_s),
            ('off its processor for less than it asks') x ($asleep_s + $queued_s + $own_s < $asked_s - 0.0005),
            ('longer than it lasted')                   x ($asleep_s + $queued_s > $lasted_s + 1e-6),
        );
        push @wrong, join ' ', @false, "(lasted, asleep, queued @$call; around @$around; of the process @{ $waits->{of_process} };", (map { "$_ $true->{$_}" } sort keys %$true), ')'
            if @false;
    }
    is_deeply(\@wrong, [], "$name: each call");
    is_deeply($waits->{bad}, [], '... and no call waited longer than it lasted');
    return;
}

my $PHASES = <<'END';
sub sleeps { select undef, undef, undef, 0.02 for 1 .. 5 }
sub short_sleeps { select undef, undef, undef, 0.0005 for 1 .. 100 }
sub close_pipe { open my $p, '|-', 'cat > /dev/null; sleep 0.2' or die; print $p "x\n"; close $p }
sub read_pipe { open my $p, '-|', 'sleep 0.1; echo x' or die; my $l = <$p>; close $p }
sub work { my $s = 0; $s += sqrt $_ for 1 .. 100_000 }
sub nested { inner(); work() } sub inner { select undef, undef, undef, 0.03 }
told($_) for map { $_, $_ } qw(sleeps short_sleeps close_pipe read_pipe work nested);
END
my %ASKED = ('main::sleeps' => 0.1, 'main::short_sleeps' => 0.05, 'main::close_pipe' => 0.2, 'main::read_pipe' => 0.1, 'main::nested' => 0.03);

for my $options ({}, { calls => 2 }, { stmts => 0 }, { leave => 0 }, { slowops => 0 }) {
    my $name = join ' ', map { "$_=$options->{$_}" } sort keys %$options;
    subtest "phases $name" => sub {
        my ($got, $truth, $waits) = recorded($PHASES, options => $options);
        is($waits->{header}, 1, 'the profile says that waiting is measured');
        compare($truth, $waits, \%ASKED, 'phases');
        my ($nested) = grep { $_->{name} eq 'main::nested' } @$truth;
        is(scalar @{ $waits->{calls}{'main::inner'} }, 2, 'calls within');
        cmp_ok($waits->{calls}{'main::inner'}[0][1] + $waits->{calls}{'main::inner'}[0][2], '>', 0.0295, '... have what they slept');
    };
}

# What a call waits before it makes others is found in these, and is its own.
subtest 'callers' => sub {
    my ($got, $truth, $waits) = recorded(<<'END', options => { stmts => 0, slowops => 0 });
sub works { my $s = 0; $s += sqrt $_ for 1 .. 3000 } sub passes_on { works() }
sub sleeps_first { select undef, undef, undef, 0.01; passes_on() } sleeps_first() for 1 .. 10;
END
    is_deeply($waits->{bad}, [], 'no call waited longer than it lasted');
    my ($least_s) = sort { $a <=> $b } map { $_->[1] + $_->[2] } @{ $waits->{calls}{'main::sleeps_first'} };
    my ($most_s)  = sort { $b <=> $a } map { $_->[1] } @{ $waits->{calls}{'main::passes_on'} };
    cmp_ok($least_s, '>', 0.0095, 'who slept was off its processor');
    cmp_ok($most_s,  '<', 0.001,  '... and what it calls was not asleep');
};

# Marks stand before the line that waits. Time to be slept passes while the program is queued, too.
subtest 'lines' => sub {
    my ($got, $truth, $waits) = recorded(<<'END');
my @s;
# line 1001
push @s, -time; select undef, undef, undef, 0.05; $s[-1] += time;
my $x = 1;
push @s, -time; select undef, undef, undef, 0.1; my $y = 2; $s[-1] += time;
# line 2001
sub f { push @s, -time; select undef, undef, undef, $_[0]; $s[-1] += time }
f(0.03);
print "@s\n";
END
    my %asked = (1001 => 0.05, 1003 => 0.1, 2001 => 0.03);
    my %took;
    @took{ sort keys %asked } = split ' ', $got->{out};
    for my $line (sort keys %asked) {
        my ($asleep_s, $queued_s) = @{ $waits->{lines}{$line} };
        cmp_ok($asleep_s + $queued_s, '>=', $asked{$line}, "line $line slept") or diag("$asleep_s, $queued_s");
        cmp_ok($asleep_s,             '<',  $took{$line} + 0.0005, '... for as long as it says');
    }
    is($waits->{lines}{$_}[0] // 0, 0, "line $_ did not") for 1002, 2002;
};

subtest 'many requests' => sub {
    my $count = exhaustive() ? 1000 : 80;
    my ($got, $truth, $waits) = recorded(<<'END' . "request() for 1 .. $count;");
srand 7; sub q1 { my $s = 0; $s += $_ * 2 for 1 .. $_[0]; $s } sub db { Time::HiRes::sleep($_[0]) }
sub answer { my ($w, $d) = @_; q1($w); db($d) if $d > 0.0001; select undef, undef, undef, 0.0003 for 1 .. 3; q1($w / 2) }
sub request { my $d = rand(3) < 1 ? 0 : rand 0.01; $asked = 0.0009 + ($d > 0.0001 ? $d : 0); told('answer', 200 + rand 2000, $d) }
END
    is(scalar @{ $waits->{calls}{'main::answer'} }, $count, 'calls');
    compare($truth, $waits, {}, 'requests');
};

subtest 'waits that are too short for a mark of their own' => sub {
    my ($got, $truth, $waits) = recorded(<<'END', pauses => 1);
use Socket; socketpair my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
DB::disable_profile(); my $pid = fork;
if (!$pid) { close $a; my $buf; syswrite $b, $buf while sysread $b, $buf, 100; require POSIX; POSIX::_exit(0) }
DB::enable_profile(); close $b;
sub ask { syswrite $a, $_[0]; sysread $a, my $r, 100; return length $r }
sub trips { ask("question $_") for 1 .. 2000 } told('trips'); close $a; waitpid $pid, 0;
END
    my ($true) = @$truth;
    my ($lasted_s, $asleep_s, $queued_s) = @{ $waits->{calls}{'main::trips'}[0] };
    my $whole_s = $asleep_s + $queued_s + $waits->{of_process}[0] + $waits->{of_process}[1];
    cmp_ok($asleep_s + $queued_s, '<=', $true->{asleep_s} + $true->{queued_s} + 0.001, 'are not more than was waited');
    # The collector's own time is not in the call, and what it waited in that time is not the program's.
    my $own_s = $true->{lasted_s} - $lasted_s;
    cmp_ok($whole_s, '>', $true->{asleep_s} + $true->{queued_s} - $own_s - 0.001, '... and not lost');
};

# What is said at a place must not cross the ends of deflated blocks, or stock's reader loses it.
subtest 'stock reads many marks' => sub {
    my $count   = exhaustive() ? 100_000 : 5000;
    my $program = eval { stock_program('nytprofcsv') } // plan skip_all => "needs stock's nytprofcsv";
    my $got     = profiled(collector(), ['-e', "select undef, undef, undef, 1e-6 for 1 .. $count"]);
    cmp_ok(waits_of($got->{files}[0])->{marks}, '>', 0.95 * $count, 'marks');
    my $read = run([$program, '-f', $got->{files}[0], '-o', scratch_dir() . '/stock']);
    is("$read->{status} $read->{err}", '0 ', 'without a warning');
};

subtest 'a process that is killed' => sub {
    my $got = profiled(collector(), ['-e', 'sub f { select undef, undef, undef, 0.05 } f() for 1 .. 14; kill KILL => $$']);
    my $waits = waits_of($got->{files}[0]);
    cmp_ok($waits->{all}[0], '>', 0.3, 'was asleep');
    cmp_ok($waits->{all}[0], '<', 0.71, '... and not longer than it was');
};

# A stop that comes while the collector saves is the collector's time (2 of 30 on a busy machine).
subtest 'a process that is stopped' => sub {
    plan skip_all => 'depends on what else the machine does: set EXHAUSTIVE=1' if !exhaustive();
    my ($got, $truth, $waits) = recorded(<<'END');
my $me = $$; sub busy { my $until = clock_gettime(3) + 0.02; my $s; do { $s += sqrt $_ for 1 .. 1000 } while clock_gettime(3) < $until }
sub stopped { my $pid = fork; if (!$pid) { select undef, undef, undef, 0.1; kill STOP => $me; select undef, undef, undef, 0.3; kill CONT => $me;
    require POSIX; POSIX::_exit(0) } select undef, undef, undef, 0.2; busy(); waitpid $pid, 0 }
told('stopped');
END
    compare($truth, $waits, { 'main::stopped' => 0.3 }, 'is asleep');
};

# A directory for processes that may use a fifth of a processor; nothing if we may not make one.
sub limited_group {
    for (['/sys/fs/cgroup/cpu', 'cpu.cfs_quota_us', 20000], ['/sys/fs/cgroup', 'cpu.max', '20000 100000']) {
        my ($parent, $file, $quota) = @$_;
        my $group = "$parent/nytprof-test-$$";
        -w $parent && mkdir $group or next;
        return $group if -e "$group/$file" && spew("$group/$file", $quota);
        rmdir $group;
    }
    return;
}

subtest 'a quota of processor time' => sub {
    plan skip_all => 'depends on what else the machine does: set EXHAUSTIVE=1' if !exhaustive();
    my $group = limited_group() // plan skip_all => 'needs the right to limit processes';
    my ($got, $truth, $waits) = recorded(<<"END");
open my \$f, '>', '$group/cgroup.procs' or die; print \$f \$\$; close \$f;
sub step { my \$s = 0; \$s += \$_ for 1 .. 1000 }
sub busy { my \$until = clock_gettime(1) + 1; step() while clock_gettime(1) < \$until }
told('busy');
END
    my ($true, $call) = ($truth->[0], $waits->{calls}{'main::busy'}[0]);
    cmp_ok($call->[1], '<', 0.0005, 'it is not asleep');
    # The run delay lacks some of the time in which the group may not run.
    cmp_ok($call->[2], '<', $true->{queued_s} + $true->{asleep_s} + 0.0005, '... not queued too long');
    cmp_ok($call->[2], '>', 0.95 * $true->{queued_s}, '... and nearly as long as the system says') or diag($true->{queued_s});
    rmdir $group or diag("rmdir $group: $!");
};

# What passes while the collector is queued in its own time is the program's: that of the call that goes on, and of its
# statement. A clock of the test's has it queued at each of its readings, one after the other; here at every third.
subtest 'the collector is queued' => sub {
    my $code = 'sub f { $_[0] } sub reads { open my $p, "-|" or do { f(1); exit }; my $l = <$p>; close $p } '
        . 'sub forks { my $pid = fork; if (!$pid) { f(2); exit } waitpid $pid, 0 } '
        . 'BEGIN { f(3) } reads(); forks(); eval { die }; sub dies { die f(4) } dies()';
    my $clock = preload(clock_library('queued-clock'));
    my ($queued, @wrong) = (0);
    for (my $reading = 1; $reading < 160; $reading += exhaustive() ? 1 : 3) {
        my $got = profiled(collector(), ['-e', $code], options => { clock => 0, thread => 0 },
            env => { LD_PRELOAD => $clock, QUEUED_AT => $reading });
        for (map { waits_of($_) } @{ $got->{files} }) {
            my ($statements_s, $calls_s) = @$_{qw(statements_s calls_s)};
            push @wrong, "reading $reading: calls $calls_s s, statements $statements_s s" if $calls_s > $statements_s + 10e-6;
            push @wrong, map { "reading $reading: $_" } @{ $_->{bad} };
            $queued++ if $_->{all}[1] > 0.0029;
        }
    }
    is_deeply(\@wrong, [], 'calls do not last longer than their statements');
    cmp_ok($queued, '>', exhaustive() ? 100 : 30, '... and it was');
};

subtest 'forked children and threads' => sub {
    my %asked = ('main::naps' => 0.06);
    my $code  = 'sub naps { Time::HiRes::sleep(0.02) for 1 .. 3 } told("naps"); ';
    my ($got, $truth, @waits) = recorded("$code if (fork) { wait } else { told('naps') }");
    is(scalar @waits, 2, 'a profile each');
    compare([$truth->[$_]], $waits[$_], \%asked, ('the parent', 'the child')[$_]) for 0, 1;
    plan skip_all => 'perl without threads' if !$Config{useithreads};
    ($got, $truth, @waits) = recorded("use threads; $code threads->create(sub { told('naps') })->join;");
    is(scalar @waits, 2, 'a profile each');
    compare([$truth->[$_]], $waits[$_], \%asked, ('the first thread', 'the second')[$_]) for 0, 1;
};

subtest 'coroutines' => sub {
    plan skip_all => 'needs Coro' if !optional_module('Coro');
    my ($got, $truth, $waits) = recorded(<<'END');
use Coro; use Coro::AnyEvent; sub waiter { my $n = shift; Coro::AnyEvent::sleep(0.01 * $n) for 1 .. 5 }
sub all { my @c = map { my $n = $_; async { waiter($n) } } 1 .. 3; $_->join for @c } all();
END
    cmp_ok($waits->{all}[0] + $waits->{all}[1], '>', 0.145, 'sleep, and may be queued when they wake up');
    is_deeply($waits->{bad}, [], '... where their event loop runs');
};

subtest 'while nothing is recorded' => sub {
    my ($got, $truth, $waits) = recorded(<<'END', pauses => 1);
sub nap { select undef, undef, undef, 0.05 } nap(); DB::disable_profile(); nap(); nap(); nap(); DB::enable_profile(); nap();
END
    my ($asleep_s, $queued_s) = @{ $waits->{all} };
    ok($asleep_s + $queued_s >= 0.1 && $asleep_s < 0.12, 'waiting does not count') or diag("$asleep_s, $queued_s");
};

subtest 'descriptors that the program closes' => sub {
    my ($got, $truth, $waits) = recorded(<<'END');
use POSIX (); my $dup = POSIX::dup(1); POSIX::close($_) for grep { $_ != $dup } 3 .. 1023; my @h; while (@h < 200 && open my $f, '<', '/dev/zero') { push @h, $f }
sub z { select undef, undef, undef, 0.01 for 1 .. 10 } told('z'); @h = (); told('z');
END
    compare($truth, $waits, { 'main::z' => 0.1 }, 'change nothing');
};

subtest 'not measured' => sub {
    my $naps = 'select undef, undef, undef, 0.02 for 1 .. 3;';
    for my $options ({ waits => 0 }, { clock => 3 }, { clock => 2 }) {
        my $got   = profiled(collector(), ['-e', $naps], options => $options);
        my $waits = waits_of($got->{files}[0]);
        is("$waits->{marks} $waits->{header}", '0 ', join ' ', %$options);
    }
    my $kernel = clock_library('other-kernel');
    my $timed  = "use Time::HiRes 'time'; sub naps { $naps } my \$t = time; naps(); print time - \$t;";
    my $got    = profiled(collector(), ['-e', $timed], env => { LD_PRELOAD => preload($kernel), REFUSED => 'schedstat' });
    my (undef, $asleep_s) = @{ waits_of($got->{files}[0])->{calls}{'main::naps'}[0] };
    ok($asleep_s > 0.0595 && $asleep_s < $got->{out} + 0.0005, 'without /proc, time off the processor is called asleep')
        or diag("$asleep_s of $got->{out}");
};

done_testing();
