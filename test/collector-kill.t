# A killed program leaves a profile that our programs can read, with all statements, calls, files, subs and arcs but those of
# the last second. EXHAUSTIVE=1 kills 200 programs.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use CollectorRun qw(collector exhaustive need_collector profiled tool);
use NYTPTest qw(build_dir run slurp valgrind);
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

# Kills the program after that many seconds. The log says when it had done how much.
sub killed {
    my ($after_s, %option) = @_;
    my $got = profiled(
        collector(), ['-e', $BUSY],
        options => { calls => 2, %option },
        limits  => sub { # the signal goes to the program that is executed later
            my $victim = $$;
            my $pid    = fork // die;
            return if $pid;
            Time::HiRes::sleep(valgrind() ? 10 + 4 * $after_s : $after_s);
            kill KILL => $victim;
            require POSIX;
            POSIX::_exit(0);
        },
    );
    my @log = map { [split] } split /\n/, -e "$got->{dir}/log" ? slurp("$got->{dir}/log") : '';
    pop @log if @log && @{ $log[-1] } < 2;
    return ($got, @log);
}

# The calls that must be in the profile: those of more than a second before the last entry of the log. If the machine is busy
# and runs neither the program nor the collector's thread, the time until the next entry does not count. Valgrind runs one of
# the two at a time.
sub calls_due {
    my (@log) = @_;
    return 0 if valgrind();
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

    # The stock reader delivers what comes before the cut, and then dies.
    my $profile = read_profile($file);
    my $due     = calls_due(@log);
    return @wrong if !$due;
    my $returns = calls_of($profile, 'main::leaf');
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
my @moments = map { $_ % 4 == 3 ? 1.1 + rand 1.5 : 0.02 + 0.4 * rand() ** 2 } 1 .. $rounds;
my @modes   = ({}, { compress => 0 }, { blocks => 1 }, { compress => 9 });
my ($full, $unstarted) = (0, 0);
for my $n (0 .. $#moments) {
    my $mode = $modes[$n / 2 % @modes];
    my ($got, @log) = killed($moments[$n], %$mode);
    if (!@log) { $unstarted++; next }
    $full++ if $log[-1][0] > 1;
    my @wrong = wrong_after_kill($got, @log);
    ok(!@wrong, sprintf 'killed after %.3f s (%s)', $moments[$n], join(' ', %$mode) || 'default') or diag join "\n", @wrong;
}
cmp_ok $full, '>=', valgrind() ? 1 : $rounds / 5, 'some ran for more than a second';
cmp_ok $unstarted, '<', $rounds / 2, 'most had started' if !valgrind();

# Sums of calls are written more and more rarely: after 64 seconds, in which this program is idle, once a second.
if (exhaustive()) {
    my $code = 'use Time::HiRes (); sub f { 1 } sleep 64; my $end = Time::HiRes::time() + 5; f() while Time::HiRes::time() < $end';
    my ($file) = @{ profiled(collector(), ['-e', $code], options => { calls => 0, stmts => 0 })->{files} };
    my $sums = grep { /^SUB_CALLERS\b.*main::f/ } split /\n/, run([build_dir() . '/test/dump-chunks', $file])->{out};
    cmp_ok $sums, '<=', 8, 'sums of calls are written less often as time goes by';
    cmp_ok $sums, '>', 1, '... but are written';
}

done_testing();
