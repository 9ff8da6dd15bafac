# What a program does while it is sampled: it runs, waits for a processor, or sleeps. What no sample saw, and how it is
# said.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library preload profiled);
use List::Util qw(sum0);
use NYTPTest qw(build_dir run sanitized scratch_dir slurp spew until_true);
use Sampled qw(may_sample recorder recording sampled_perl start);
use Test::More;
use Written qw(rows_of);

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my $out    = "$scratch/nytprof.out";
my $kernel = clock_library('other-kernel');

# Records with another kernel, { env, options, within (a command) }, and returns what was said, attributes by name, sums
# of the states in s, and their number.
sub recorded {
    my ($pid, %how) = @_;
    my $got = run([@{ $how{within} // [] }, recorder(), '-o', $out, '-p', $pid, @{ $how{options} // [] }],
        env => { LD_PRELOAD => preload($kernel), %{ $how{env} // {} } });
    my %result = (%$got, states => 0, s => [0, 0, 0]);
    for (run(["$build/test/dump-chunks", $out])->{out} =~ /^ATTRIBUTE\t(.*)$/mg) {
        my ($key, $value) = /^'([^\t]*)\t'(.*)$/ or next;
        $value =~ s/%20/ /g;
        $result{attributes}{$key} = $value;
        next if $key ne 'state';
        $result{states}++;
        my @ns = split / /, $value;
        $result{s}[$_] += $ns[$_] / 1e9 for 0 .. 2;
    }
    $result{sum_s} = sum0(run(["$build/bin/nytprofcalls", '--root', $out])->{out} =~ / (\d+)$/mg) / 1e7;
    return \%result;
}

my $sleeps = start(sampled_perl(), '-e', '$| = 1; print "ready\n"; sub sleeps { sleep 1000 } sleeps()');
my $works  = start(sampled_perl(), '-e',
    '$| = 1; print "busy\n"; sub works { my $n = 0; $n += $_ for 1 .. 1000 } works() while 1');

# ---- all time is accounted for ----

# Processes that live for a second. What samples have, what was lost and what was missed is the time from the begin to the
# end of each profile, within one period, however late a busy machine lets samples come.
my $workers = spew("$scratch/workers.pl", <<'PERL');
use Time::HiRes qw(time);
my $end = time + 1;
sub works { my $n = 0; $n += sqrt $_ for 1 .. 20_000 }
sub sleeps { select undef, undef, undef, $_[0] }
for my $does (sub { works() }, sub { sleeps($end - time) }, sub { works(); sleeps(0.002) }) {
    next if fork;
    $does->() while time < $end;
    exit;
}
1 while wait > 0;
PERL

for (map { my $refused = $_; map { [$_, $refused] } 20, 1000 } '', 'perf_event_open') {
    my ($hz, $refused) = @$_;
    unlink glob "$out*";
    # AddressSanitizer looks for leaks in a process of its own, which would be recorded, too.
    run([recorder(), '-r', $hz, '--separate', '-o', $out, sampled_perl(), $workers],
        env => { LD_PRELOAD => preload($kernel), REFUSED => $refused, ASAN_OPTIONS => 'detect_leaks=0' });
    my @files = glob "$out*";
    is(scalar @files, 4, "$hz samples a second" . ($refused && ", without $refused") . ': four processes');
    for my $file (@files) {
        my $chunks = run(["$build/test/dump-chunks", $file])->{out};
        my ($from, $to) = map { $chunks =~ /^$_\t.*\t(\S+)$/m } qw(PID_START PID_END);
        my $sum   = sum0($chunks =~ /^TIME_LINE\t(\d+)/mg) / 1e7;
        my %other = $chunks =~ /^ATTRIBUTE\t'sampled_(lost|missed)_s\t'(\S+)$/mg;
        # On a busy machine the recorder may be late by more than a millisecond.
        cmp_ok(abs($to - $from - $sum - $other{lost} - $other{missed}), '<=', $ENV{EXHAUSTIVE} ? 1 / $hz + 0.001 : 0.051, '... sum')
            or diag("$from to $to, $sum, lost $other{lost}, missed $other{missed}");
    }
}

# ---- the collector says the same ----

# Work of parts that have 1.2 s of it, the second one between sleeps: by the program's own clock of processor time, by
# samples, and by the collector. What samples missed and lost, they say; the
# program's clock has the profiler's own time, too.
if ($ENV{EXHAUSTIVE}) {
    my $parts = spew("$scratch/parts.pl", <<'PERL');
use Time::HiRes qw(clock_gettime);
my $text = 'x' x 5_000_000;
sub sums { return $text =~ tr/x// }
sub between_sleeps { return $text =~ tr/x// }
my $began = clock_gettime(3); sums() while clock_gettime(3) < $began + 1.2;
my $between = clock_gettime(3);
while (clock_gettime(3) < $between + 1.2) { between_sleeps(); select undef, undef, undef, 0.01 }
print join(' ', $between - $began, clock_gettime(3) - $between), "\n";
PERL
    my $got       = run([recorder(), '-r', 1000, '-o', $out, sampled_perl(), $parts]);
    my $collected = profiled('ours', [$parts]);
    my ($sampled, $of_collector) = map { { map { $_->{sub} => $_ } rows_of('subs', $_) } } $out, $collected->{files}[0];
    my ($unseen_s, $own_s) = map { my ($path, $key) = @$_; sum0(run(["$build/test/dump-chunks", $path])->{out} =~ /^ATTRIBUTE\t'$key\t'(\S+)$/mg) }
        [$out, qr/sampled_(?:lost|missed)_s/], [$collected->{files}[0], 'cumulative_overhead_ticks'];
    $own_s /= 1e7;
    for ([0, 'main::sums'], [1, 'main::between_sleeps']) {
        my ($n, $name) = @$_;
        my ($true_s, $also_s) = map { (split ' ', $_->{out})[$n] } $got, $collected;
        my ($said_s, $same_s) = map { $_->{$name}{work_s} } $sampled, $of_collector;
        for (['samples', $said_s, $true_s, $unseen_s], ['the collector', $same_s, $also_s, $own_s]) {
            my ($of, $work_s, $is_s, $rest_s) = @$_;
            ok($work_s < 1.05 * $is_s && $work_s + $rest_s > 0.95 * $is_s, "$name: work of $of") or diag("$work_s of $is_s, $rest_s");
        }
        note(sprintf '%s: %.4f of %.4f s sampled (%.3f not seen), %.4f of %.4f s collected (%.3f own)', $name, $said_s, $true_s, $unseen_s, $same_s, $also_s, $own_s);
    }
}

# ---- what tells it ----

for (
    ['',                          'perf|schedstat'],
    ['perf_event_open',           'schedstat'],
    ['perf_event_open sched',     'schedstat'],
    ['perf_event_open schedstat', 'clock'],
    ['sched_setattr',             'perf|schedstat'],
) {
    my ($refused, $source) = @$_;
    for my $program ($sleeps, $works) {
        my $what = ($program == $works ? 'works' : 'sleeps') . ($refused eq '' ? '' : ", without $refused");
        my $got  = recorded($program->{pid}, env => { REFUSED => $refused }, options => ['-d', 0.2]);
        is($got->{status}, 0, "a program that $what") or diag($got->{err});
        like($got->{attributes}{sampled_source}, qr/\A(?:$source)\z/, '... the profile names what told what it does');
        cmp_ok($got->{attributes}{processors}, '>', 0, '... and how many processors it may use');
        if ($source eq 'clock') {
            is($got->{states}, 0, '... which says nothing of states');
            cmp_ok($got->{sum_s}, '>', 0.05, '... but has times');
        } else {
            is($got->{states}, $got->{err} =~ /(\d+) samples?/ ? $1 : -1, '... and what it did before each sample');
            cmp_ok(abs(sum0(@{ $got->{s} }) - $got->{sum_s}), '<', 0.001, '... whose times are those of the states');
        }
        my ($run, $wait, $sleep) = @{ $got->{s} };
        cmp_ok($run + $wait, '<', 0.1, '... it sleeps') if $program == $sleeps;
        cmp_ok($sleep, '<', 0.1, '... it does not sleep') if $program == $works;
        for (1 .. ($program == $works ? 50 : 1)) { # a busy machine may not let it run for a while
            $got = recorded($program->{pid}, env => { REFUSED => $refused }, options => ['-d', 0.2, '--cpu']);
            last if $got->{sum_s} > 0.01;
        }
        is($got->{status}, 0, '... --cpu');
        cmp_ok($got->{sum_s}, $program == $works ? '>' : '<', 0.01, '... has the processor time');
    }
}

SKIP: {
    my @namespace = qw(unshare --fork --time --monotonic 1000);
    skip 'needs root and namespaces', 2 if $> != 0 || system("@namespace true 2>/dev/null") != 0;
    my $got = recorded($works->{pid}, within => \@namespace, options => ['-d', 0.5, '--cpu']);
    is($got->{attributes}{sampled_source}, 'schedstat', 'records with times of another clock are not used');
    cmp_ok($got->{sum_s}, '<', 10, '... and what works has no more time than passed');
}

# ---- what no sample saw ----

# It always sleeps, and the kernel says that it runs for a third of the time: samples came when it did not.
{
    my $got = recorded($sleeps->{pid}, env => { RUNS => 0.3, WAITS => 0.1 }, options => ['-d', 2, '-r', 200]);
    my ($lasted_s) = $got->{err} =~ / samples? in ([\d.]+) s/;
    my ($run, $wait, $sleep) = @{ $got->{s} };
    is($run, 0, 'running that no sample saw goes to no stack');
    cmp_ok(abs($sleep - 0.6 * $lasted_s), '<', 0.1 * $lasted_s, '... and what sleeps gets the time in which it slept');
    cmp_ok(abs($got->{attributes}{sampled_missed_s} - 0.3 * $lasted_s), '<', 0.05 * $lasted_s,
        '... the profile has it as an attribute');
    cmp_ok(abs($got->{attributes}{wait_for_cpu} - 0.1 * $lasted_s), '<', 0.05 * $lasted_s,
        '... so it has waiting for a processor');
    like($got->{err}, qr/^nytp-record: .*\b(?:29|30) % of the time/m, '... and it is said with its share');
    like($got->{err}, qr/ too small a share .*; with --cpu, /, '... and what to do');
    # Fewer than ten samples may all miss by chance what runs for 0.3 of the time, and then nothing is said.
    my @many = ('-d', 0.2, '-r', 1000);
    $got = recorded($sleeps->{pid}, env => { RUNS => 0.3, WAITS => 0.1 }, options => [@many, '--cpu']);
    is($got->{sum_s}, 0, '--cpu has no time for what sleeps');
    like($got->{err}, qr/ % of the time .*, so this profile has none of it$/m, '... and it says what no sample saw');
    unlike(recorded($sleeps->{pid}, env => { RUNS => 0.01 }, options => \@many)->{err}, qr/ % of the time/,
        'less than 2 % is not said');
}

# ---- processes that ended before a sample ----

# What is said is what the program has waited for, less what was seen of it: little of a perl before it executes another
# program.
my $starts = spew("$scratch/starts.pl", <<'PERL');
my ($file, @command) = @ARGV;
$| = 1;
if (!@command) { print "ready\n"; sysread STDIN, my $x, 1 }
system 'sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';
my (undef, undef, $user, $system) = times;
open my $to, '>', $file or die;
print {$to} $user + $system;
close $to;
sysread STDIN, my $y, 1 if !@command;
PERL
{
    my $got = run([recorder(), '-o', $out, sampled_perl(), $starts, "$scratch/times", 1]);
    my ($said) = $got->{err} =~ /^nytp-record: not sampled: ([\d.]+) s of processor time of processes that ended before a sample, or are not perls;/m;
    cmp_ok(abs(($said // 0) - slurp("$scratch/times")), '<=', 0.1, 'the processor time of children that no sample saw is said')
        or diag($got->{err});
    my $program   = start(sampled_perl(), $starts, "$scratch/times");
    my $recording = recording($out, ['-p', $program->{pid}]);
    unlink "$scratch/times";
    $program->{go}->();
    until_true(sub { -s "$scratch/times" }, $program->{pid});
    kill TERM => $recording->{pid};
    $recording->{end}->();
    $program->{end}->();
    like($recording->{err}->(), qr/^nytp-record: not sampled: [\d.]+ s of processor time of processes that it has started; --children samples/m,
        '... with -p, too, where --children may help');
}

# Perls of some milliseconds, one after the other. A busy machine may let a sample come when one has ended already,
# and nytp-record with a sanitizer is slow.
if (!sanitized()) {
    my $many = spew("$scratch/many.pl", 'for (1 .. 30) { my $pid = fork; exec $^X, "-e", "1 for 1 .. 400_000" if !$pid; waitpid $pid, 0 }');
    my $got  = run([recorder(), '-r', 1000, '-o', $out, sampled_perl(), $many]);
    my ($seen) = $got->{err} =~ / samples of (\d+) processes/;
    cmp_ok($seen // 0, '>', 10, 'new processes of a command are looked for at each sample') or diag($got->{err});
}

$_->{end}->() for $sleeps, $works;
done_testing();
