# A profile of samples says how much memory the program had, as the program itself sees it, and other programs show that.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Exports qw(trace_calls);
use NYTPTest qw(build_dir run scratch_dir);
use ReportPage;
use Sampled qw(may_sample recorder sampled_perl);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $out, $MIB) = (build_dir(), scratch_dir() . '/nytprof.out', 1 << 20);

# After each step it works until nytp-record, its parent, has slept five times more. Then that has taken a sample that is
# not torn, and a mark, as the one before is a tenth of a second ago.
my $GROWS = <<'END';
sub rss { open my $in, '<', '/proc/self/statm' or die; return (split ' ', <$in>)[1] * 4096 }
sub sleeps { local (@ARGV, $/) = '/proc/' . getppid . '/status'; return (<> =~ /^voluntary_ctxt_switches:\s*(\d+)/m)[0] }
sub works {
    my ($n, $until, $slept) = (0, times() + 0.15);
    do {
        $n += $_ for 1 .. 1000;
        $slept //= sleeps() if times() >= $until;
    } until defined $slept && sleeps() >= $slept + 5;
}
for my $n (1 .. 6) { push @keep, 'x' x 7_000_000, [(1) x 20_000]; works(); push @saw, rss() }
print "@saw\n";
END
my $got = run([recorder(), '-o', $out, '--', sampled_perl(), '-e', $GROWS]);
is($got->{status}, 0, 'nytp-record') or diag($got->{err});
my @saw = split ' ', $got->{out};

my @marks = run(["$build/test/dump-chunks", $out])->{out} =~ /^ATTRIBUTE\t'memory_at\t'(.*)$/mg;
my @ticks = map { /^(\d+)/ } @marks;
is(scalar(grep { !/^\d+%20\d+%20\d+$/ } @marks), 0, 'each mark has a time, RSS and a number of values');
cmp_ok(scalar @marks, '>=', 6, 'there are some');
is_deeply(\@ticks, [sort { $a <=> $b } @ticks], 'times go up');
cmp_ok(scalar @marks, '<=', 12 + $ticks[-1] / 1e6, '... some 10 a second');
my @rss = map { /%20(\d+)/ } @marks;
my @values = map { /%20(\d+)$/ } @marks;
for my $n (1 .. 4) {
    is(scalar(grep { abs($values[-1] - $_ - 20_000 * $n) < 1000 } @values) > 0, 1, "20,000 values less, $n times ago")
        or diag("@values");
}
for my $saw (@saw[1 .. 5]) { # the last mark of all may be of when perl has freed some
    is(scalar(grep { abs($_ - $saw) < 1.5 * $MIB } @rss) > 0, 1, 'one has what the program has at a step')
        or diag("@rss, not $saw");
}

my $counters = trace_calls(run(["$build/bin/nytp-trace", '--json', '-o', '-', $out])->{out})->{counters};
is_deeply([sort keys %$counters], ['RSS bytes', 'values'], 'nytp-trace shows both');
my $slices = ReportPage->new(run(["$build/bin/nytprofhtml", '--no-source', '-o', '-', $out])->{out})->block('slices');
my ($most) = sort { $b <=> $a } @{ $slices->{memory} };
is($most, (sort { $b <=> $a } @rss)[0], 'the report shows the most of it');

done_testing();
