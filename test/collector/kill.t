# A killed program leaves a profile that our programs can read, with all statements, calls, files, subs and arcs but
# those that were just done, since the others are written while it runs. EXHAUSTIVE=1 kills 200 programs, and expects
# all but those of the last second.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector exhaustive need_collector profiled tool);
use List::Util qw(min);
use NYTPTest qw(build_dir run scratch_dir slurp spew until_true valgrind);
use ProfileCompare qw(calls_of count_of read_profile);
use Test::More;
use Time::HiRes ();

need_collector();

# Logs the time since the start and the number of calls, every 1/50 s. Calls take some time, so that the profile of some
# seconds is not too large to read here.
my $BUSY = <<'END';
use Time::HiRes ();
open my $log, '>', 'log' or die;
$log->autoflush(1);
my ($calls, $start, $next) = (0, Time::HiRes::time(), 0);
my $text = 'x' x 50_000;
sub leaf { my ($n) = @_; $calls++; return $text =~ tr/y// }
sub middle { my ($n) = @_; return $n % 3 ? leaf($n) : "x$n" =~ /7/ ? leaf(1) : leaf(2) }
eval 'sub from_eval { return middle(@_) }';
while (1) {
    from_eval($_) for 1 .. 20;
    my $passed = Time::HiRes::time() - $start;
    if ($passed > $next) { printf {$log} "%.3f %d\n", $passed, $calls; $next = $passed + 0.02 }
}
END
$BUSY = "use IO::Handle ();\n$BUSY";

# The calls that a profile has, as returns and in the sums of arcs, whichever are fewer. Our programs count them: the
# file grows faster than read_profile() reads it.
sub calls_in {
    my ($file) = @_;
    return 0 if !-e $file;
    my ($returns, $counted) = (0, 0);
    my $stacks = run([build_dir() . '/bin/nytprofcalls', '--calls', $file])->{out};
    $returns += $1 while $stacks =~ /\bmain::leaf (\d+)$/mg;
    my $arcs = run([build_dir() . '/bin/nytprofcsv', '--table=calls', '-o', '-', $file])->{out};
    $counted += $1 while $arcs =~ /^main::leaf,(?:[^,]*,){4}(\d+)/mg;
    return min($returns, $counted);
}

# Waits until the profile has the calls that the log has now. Returns their number.
sub wait_until_written {
    my ($dir, $profiles, $pid) = @_;
    my ($calls) = slurp("$dir/log") =~ / (\d+)\n\z/ or return 0;
    until_true(sub { calls_in("$profiles/nytprof.out") >= $calls }, $pid);
    return $calls;
}

# Kills the program after that many seconds, or, with late, after a second of its own and as soon as what it did until
# then is in the profile. The log says when it had done how much.
sub killed {
    my ($after_s, $late, %option) = @_;
    my ($dir, $profiles) = map { scratch_dir() } 1 .. 2;
    my $got = profiled(
        collector(), ['-e', $BUSY],
        dir => $dir, profiles => $profiles, timeout_s => 300,
        options => { calls => 2, %option },
        meanwhile => sub {
            my ($pid) = @_;
            Time::HiRes::sleep(valgrind() ? 10 + 4 * $after_s : $after_s);
            if ($late) {
                until_true(sub { -e "$dir/log" && slurp("$dir/log") =~ /^1\./m }, $pid);
                spew("$dir/due", wait_until_written($dir, $profiles, $pid));
            }
            kill KILL => $pid;
        },
    );
    my @log = map { [split] } split /\n/, -e "$got->{dir}/log" ? slurp("$got->{dir}/log") : '';
    pop @log if @log && @{ $log[-1] } < 2;
    return ($got, @log);
}

# The calls that must be in the profile: those that were written, or those of more than a second before the last entry
# of the log. If the machine is busy and runs neither the program nor the collector's thread, the time until the next
# entry does not count. Valgrind runs one of the two at a time.
sub calls_due {
    my ($dir, @log) = @_;
    return slurp("$dir/due") if -e "$dir/due";
    return 0 if valgrind() || !exhaustive();
    my $ran_s = 0;
    for my $n (reverse 1 .. $#log) {
        my $gap_s = $log[$n][0] - $log[$n - 1][0];
        $ran_s += $gap_s < 0.04 ? $gap_s : 0.04;
        return $log[$n - 1][1] if $ran_s > 1;
    }
    return 0;
}

# Merged with those that were killed.
my ($whole) = @{ profiled(collector(), ['-e', '1'])->{files} };

sub wrong_after_kill {
    my ($got, @log) = @_;
    return 'did not start'                                    if !@log;
    return "not killed: status " . ($got->{status} // 'none') if $got->{signal} != 9;
    my ($file) = @{ $got->{files} };
    return 'no profile' if !$file;
    my @wrong;
    my @reads = map { [$_, $file] } qw(nytprofcalls nytp-tree nytp-dot);
    push @reads, ['nytprofcg', '-f', $file, '-o', '-'], ['nytprofmerge', '-o', "$got->{dir}/merged", $file, $whole];
    for my $want (@reads) {
        my ($tool, @arguments) = @$want;
        my $program = tool($tool) or next;
        my $made    = run([$program, @arguments]);
        push @wrong, "$tool: $made->{err}" if $made->{status} != 0;
    }

    # Stock's reader dies at the cut, without what it inflated last: up to 32 KB. So it reads what nytprofmerge made of
    # the profile.
    my $due = calls_due($got->{dir}, @log);
    my $cut = read_profile($file);
    return @wrong if !$due;
    my $profile = read_profile("$got->{dir}/merged");
    my $returns = calls_of($profile, 'main::leaf');
    push @wrong, "$returns returns, but stock's reader has more before the cut"
        if $returns < calls_of($cut, 'main::leaf');
    push @wrong, "$returns returns of $due" if $returns < $due;
    my $counted = count_of($profile, 'main::leaf');
    push @wrong, "$counted calls in arcs of $due" if $counted < $due;
    my ($statements) = map { $profile->{executed}{$_} } grep { /^-e:7:?/ } keys %{ $profile->{executed} };
    push @wrong, 'statements: ' . ($statements // 'none') . " of $due" if ($statements // 0) < $due;
    for my $sub (qw(main::leaf main::middle main::from_eval)) {
        push @wrong, "no range of $sub" if !grep { /^\Q$sub\E / } keys %{ $profile->{subs} };
    }
    for my $start ('-e', '(eval ') {
        push @wrong, "no file $start" if !grep { /^\Q$start\E/ } values %{ $profile->{name_of} };
    }
    return @wrong;
}

# At random moments, most of them early, while files are opened and modules are loaded.
srand 7;
my $rounds = exhaustive() ? 200 : valgrind() ? 8 : 20;
my @modes  = ({}, { compress => 0 }, { blocks => 1 }, { compress => 9 }, { thread => 0 });
my $late   = 0;
for my $n (0 .. $rounds - 1) {
    my $mode    = $modes[$n / 2 % @modes];
    my $is_late = $n % 4 == 3;
    my $after_s = !$is_late ? 0.02 + 0.4 * rand() ** 2 : exhaustive() ? 1.1 + rand 1.5 : 0;
    my ($got, @log) = killed($after_s, $is_late && !exhaustive(), %$mode);
    next if !@log && !$is_late;    # it had not started
    $late++ if $is_late;
    my @wrong = wrong_after_kill($got, @log);
    ok(!@wrong, sprintf 'killed %s (%s)', $is_late && !exhaustive() ? 'when some was written' : "after $after_s s",
        join(' ', %$mode) || 'default')
        or diag join "\n", @wrong;
}
is $late, $rounds / 4, 'some ran for more than a second';

# Sums of calls are written more and more rarely: after 64 seconds, in which this program is idle, once a second.
if (exhaustive()) {
    my $code = 'use Time::HiRes (); sub f { 1 } sleep 64; my $end = Time::HiRes::time() + 5; f() while '
        . 'Time::HiRes::time() < $end';
    my ($file) = @{ profiled(collector(), ['-e', $code], options => { calls => 0, stmts => 0 })->{files} };
    my $sums = grep { /^SUB_CALLERS\b.*main::f/ } split /\n/, run([build_dir() . '/test/dump-chunks', $file])->{out};
    cmp_ok $sums, '<=', 8, 'sums of calls are written less often as time goes by';
    cmp_ok $sums, '>', 1, '... but are written';
}

done_testing();
