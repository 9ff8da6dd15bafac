# How many samples a profile has: each program that shows their number, or one that adds up to it, shows the number that
# nytp-record said, whatever time each sample stands for.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(parsed);
use Exports qw(pprof_calls speedscope_profiles);
use IO::Uncompress::Gunzip qw(gunzip);
use JSON::PP qw(decode_json);
use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Sampled qw(may_sample recorder sampled_perl);
use Test::More;
use Written qw(written);

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

# The stacks of several processes, added up.
sub added_up {
    my %sum;
    for my $stacks (@_) {
        $sum{$_} += $stacks->{$_} for keys %$stacks;
    }
    return \%sum;
}

sub counted_by_speedscope {
    my ($path) = @_;
    return added_up(
        map { $_->{stacks} } grep { $_->{unit} eq 'none' } @{ speedscope_profiles(written('nytp-speedscope',
            $path))->{profiles} });
}

sub without_zeros {
    my ($stacks) = @_;
    return { map { $stacks->{$_} > 0 ? ($_ => 0 + $stacks->{$_}) : () } keys %$stacks };
}

# Returns the samples by stack.
sub agree {
    my ($name, $path, $samples) = @_;
    my $folded = without_zeros(parsed(written('nytprofcalls', '--root', '--calls', $path)));
    is(sum0(values %$folded), $samples, "$name: nytprofcalls");
    is_deeply(without_zeros(pprof_calls(written('nytp-pprof', $path))), $folded,
        "$name: nytp-pprof: the same stacks");
    is_deeply(without_zeros(counted_by_speedscope($path)), $folded, "$name: nytp-speedscope: the same stacks");
    is((written('nytprofcg', '-o', '-', $path) =~ /^totals: \d+ (\d+)/m)[0], $samples, "$name: nytprofcg");
    is(sum0(map { $_->{samples} } @{ decode_json(written('nytp-tree', '--root', '--json', $path))->{tree} }),
        $samples, "$name: nytp-tree --json");
    is((written('nytp-tree', '--root', '--depth=1', $path) =~ /^main::RUNTIME x (\d+)/)[0], $samples,
        "$name: nytp-tree");
    is((written('nytp-tree', '--root', '--table', '-O', -1, $path) =~ /(\d+) +\S+ +\S+ +main::RUNTIME$/m)[0],
        $samples, "$name: nytp-tree --table");
    my ($root) = written('nytp-dot', $path) =~ /sampled, ([\d,]+) samples?\b/;
    is($root =~ tr/,//dr, $samples, "$name: nytp-dot");
    for my $table (qw(lines files)) {
        my ($head, @rows) = map { [split /,/] } split /\r?\n/,
            written('nytprofcsv', "--table=$table", '-o', '-', $path);
        my ($column) = grep { $head->[$_] eq 'samples' } 0 .. $#$head;
        is(sum0(map { $_->[$column] } @rows), $samples, "$name: nytprofcsv --table=$table");
    }
    my ($lede) = written('nytprofhtml', '-o', '-', $path) =~ />Sampled, [\d,]+ a second: ([\d,]+) samples?\b/;
    is($lede =~ tr/,//dr, $samples, "$name: nytprofhtml");
    my $lines = pprof_calls(written('nytp-pprof', '--lines', $path));
    is(sum0(values %$lines), $samples, "$name: nytp-pprof --lines");
    return $folded;
}

# At 100 samples a second, of 10 ms each: here none has that, and the one before the last ends in calls that go on.
my @chunks = (
    [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'sampled_hz', 100],
    [PID_START => 7, 1, 1.5],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 40_000, 1, 1],
    [SUB_ENTRY => 1, 1], [TIME_LINE => 30_000, 1, 2], [TIME_LINE => 149_000, 1, 2],
    [SUB_ENTRY => 1, 2], [SUB_ENTRY => 1, 2], (map { [TIME_LINE => 20_000, 1, 2] } 1 .. 5),
    [SUB_RETURN => 3, 100_000, 100_000, 'main::f'], [SUB_RETURN => 2, 100_000, 0, 'main::f'],
    [TIME_LINE => 1, 1, 2], [SUB_RETURN => 1, 279_001, 179_001, 'main::f'], [TIME_LINE => 200_000, 1, 1],
);
my @cut    = (@chunks, [SUB_ENTRY => 1, 1], [SUB_ENTRY => 1, 2], [TIME_LINE => 50_000, 1, 3],
    [SUB_RETURN => 2, 50_000, 50_000, 'main::g'], [TIME_LINE => 60_000, 1, 2]);
my @arcs   = map { [SUB_CALLERS => @$_] } [1, 1, 'main::RUNTIME', 1, 0.0279001, 0.0179001, 0, 0, 'main::f'],
    [1, 2, 'main::f', 2, 0, 0.01, 0.02, 2, 'main::f'];
my $stacks = { 'main::RUNTIME' => 2, 'main::RUNTIME;main::f' => 3, 'main::RUNTIME;main::f;main::f;main::f' => 5 };
is_deeply(agree('uneven times', spew("$scratch/uneven.out", profile_bytes(@chunks, @arcs, [PID_END => 7, 2.5])), 10),
    $stacks, '... by stack');

{
    my $got = run(["$bin/nytprofcalls", '--root', '--calls', spew("$scratch/cut.out", profile_bytes(@cut))]);
    is_deeply(without_zeros(parsed($got->{out})), { %$stacks, 'main::RUNTIME' => 3, 'main::RUNTIME;main::g' => 1 },
        'a call that did not return leaves its samples to the root');
    my $times = written('nytp-tree', '--unit=ms', "$scratch/uneven.out") =~ s/\n.*//sr;
    is($times, "main::f x 8  \t28ms = (18 + 10)ms", 'nytp-tree shows no digits that the times of samples do not have');
    like(written('nytp-tree', '-S', "$scratch/uneven.out"), qr/^main::f x 8  \t0\.03s = \(0\.02 \+ 0\.01\)s$/m,
        '... nor in seconds');
    like(written('nytp-dot', "$scratch/uneven.out"), qr/\b52 ms, sampled/, 'neither does nytp-dot');
    my $table = written('nytp-tree', '--callers=main::f', "$scratch/uneven.out");
    like($table, qr/^main::f x 8\b/, '--callers counts each sample once');
}

{
    my $path = spew("$scratch/outside.out", profile_bytes(@chunks[0 .. 5], [PID_END => 7, 2.5]));
    my @said = map { run(["$bin/$_", $path])->{err} } qw(nytp-pprof nytp-speedscope);
    is_deeply(\@said, ['', ''], 'samples outside of subs alone: no warning that calls were not recorded');
    is_deeply(pprof_calls(written('nytp-pprof', $path)), { 'main::RUNTIME' => 1 }, '... and they are there');
}

# What both programs wrote of 200 Hz and of 50 Hz: the samples of both.
{
    my $other = spew("$scratch/other.out",
        profile_bytes(map { $_->[0] eq 'PID_START' ? [PID_START => 8, 1, 1.6] : $_->[1] eq 'sampled_hz'
            ? [ATTRIBUTE => 'sampled_hz', 50] : $_ } @chunks, [PID_END => 8, 2.5]));
    my $merged = "$scratch/merged.out";
    written('nytprofmerge', '-o', $merged, "$scratch/uneven.out", $other);
    agree('merged', $merged, 20);
}

# Sums of samples and of calls would be numbers of nothing.
{
    my @measured = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 9, 1, 1.6],
        [SUB_RETURN => 1, 5e6, 5e6, 'main::f'], [PID_END => 9, 2.5]);
    my @files = ("$scratch/uneven.out", spew("$scratch/measured.out", profile_bytes(@measured)));
    my $why   = qr/\Q$files[0]\E is a profile of sampled time and \Q$files[1]\E one of time: they do not go together/;
    for my $command (
        (map { [$_] } qw(nytp-tree nytprofcalls nytp-pprof nytp-speedscope)),
        ['nytprofcsv', '-o', "$scratch/tables"], ['nytprofhtml', '-o', "$scratch/page"],
        ['nytprofmerge', '-o', "$scratch/both.out"])
    {
        my $got = run(["$bin/$command->[0]", @$command[1 .. $#$command], @files]);
        is($got->{status}, 1, "$command->[0]: a measured profile beside samples is refused");
        like($got->{err}, $why, '... and both are named');
    }
    ok(!(grep { -e "$scratch/$_" } qw(tables page/index.html both.out)), '... and nothing is written');
    my $other = run(["$bin/nytp-dot", "--diff=$files[1]", $files[0]]);
    like($other->{err}, qr/sampled time and \Q$files[1]\E one of time: they do not go together/, 'nytp-dot --diff');
    written('nytp-trace', '-o', '-', @files);
    written('nytp-diff', '--mixed', @files);
}

{
    gunzip(\written('nytp-pprof', "$scratch/uneven.out"), \my $bytes);
    like($bytes, qr/\x60\x80\xAD\xE2\x04/, 'the period of pprof is that of the rate: field 12, 10,000,000 ns');
}

SKIP: {
    my $why_not = may_sample();
    skip $why_not, 1 if $why_not;
    my $code = 'use POSIX; sub f { my $x = 0; $x += $_ for 1 .. 30000; $x } f() while (times)[0] < 0.3; sub g { f(); $_[0] && '
        . 'g($_[0] - 1) } g(20); my $y = 0; $y += $_ for 1 .. 2e6';
    for my $options (['-r', 1000], ['-r', 97, '--cpu'], ['-r', 3000, '--stop']) {
        my $profile = "$scratch/recorded.out";
        my $got = run([recorder(), @$options, '-o', $profile, '--', sampled_perl(), '-e', $code]);
        is($got->{status}, 0, "nytp-record @$options") or diag($got->{err});
        my ($samples) = $got->{err} =~ /(\d+) samples? in/;
        agree("nytp-record @$options", $profile, $samples);
    }
}

done_testing();
