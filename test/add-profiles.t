# Adding profiles up with the library gives the same profile as reading what nytprofmerge makes of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use RandomProfile qw(random_profile);
use Test::More;

my $scratch = scratch_dir();

# The lines that sum-profiles prints of one profile, or of the sum of several.
sub lines_of {
    my (@files) = @_;
    my $got = run([build_dir() . '/test/sum-profiles', @files]);
    die "sum-profiles @files: status $got->{status}, $got->{err}" if $got->{status} != 0;
    return sort split /\n/, $got->{out};
}

# The differences between the sum of the profiles and what nytprofmerge makes of them.
sub ways_differ {
    my (@files) = @_;
    my $got = run([build_dir() . '/bin/nytprofmerge', '-o', "$scratch/merged", @files]);
    die "nytprofmerge: $got->{err}" if $got->{status} != 0;
    my %merged = map { $_ => 1 } lines_of("$scratch/merged");
    my %added  = map { $_ => 1 } lines_of(@files);
    return (
        (map { "nytprofmerge alone: $_" } grep { !$added{$_} } sort keys %merged),
        map { "the library alone: $_" } grep { !$merged{$_} } sort keys %added
    );
}

subtest 'random profiles with evals that define subs again' => sub {
    my $rounds = $ENV{EXHAUSTIVE} ? 1000 : 25;
    my $seed   = $ENV{SEED} // 1;
    my @wrong;
    for my $round (1 .. $rounds) {
        my @files = map {
            spew("$scratch/in$_", random_profile($seed * 3 + $_, ticks_per_sec => [1e7], redefined => 1, compress => $_ % 2))
        } 1 .. 3;
        my @differ = ways_differ(@files);
        push @wrong, "SEED=$seed:", @differ if @differ;
        last if @wrong;
        $seed++;
    }
    is(join("\n", @wrong), '', "$rounds sums of three profiles");
};

subtest 'recorded profiles' => sub {
    my $shapes = record('shapes-default', ['test/scripts/shapes.pl']);
    my $evals  = record('evals', ['test/scripts/evals.pl'], calls => 2, nameevals => 1);
    my $calls  = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $copy   = spew("$scratch/copy", slurp($evals));
    is(join("\n", ways_differ($shapes, $evals, $copy)), '', 'a program with evals, twice');
    is(join("\n", ways_differ($evals,  $calls, $copy)), '', 'with another program in between');
};

# The evals are those of the example in fid_map.h.
my @twice = ([NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'], map { [NEW_FID => $_ + 1, 1, 3, 0x102, 0, 0, "(eval $_)[t.pl:3]"] } 1, 2);
my @run   = (@twice, (map { [TIME_LINE => 10 * $_, $_, 1], [TIME_LINE => $_, $_, 2] } 2, 3), [PID_END => 7, 6]);

sub example {
    my ($name, $ticks_per_sec, @lines_of_f) = @_;
    return spew("$scratch/$name", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $ticks_per_sec],
        [PID_START => 7, 1, 5], @run, map { [SUB_INFO => $_->[0], 'main::f', $_->[1], $_->[1]] } @lines_of_f));
}

subtest 'two evals of one line' => sub {
    my $same = example('same', 1e7, [2, 1], [3, 1]);
    my @got  = lines_of($same, example('again', 1e7, [2, 1], [3, 1]));
    is_deeply([grep { /^sub / } @got], ['sub main::f 0 2:1-1'], 'their sub is in the first one');
    is_deeply([grep { /^line / } @got], ['line 2:1 4 100', 'line 2:2 1 2', 'line 3:2 1 3', 'line 4:2 1 2', 'line 5:2 1 3'],
        '... with its statements, and the others stay');
    my @apart = lines_of($same, example('apart', 1e7, [2, 1], [3, 2]));
    is_deeply([grep { /^sub / } @apart], ['sub main::f 0 2:1-1 5:2-2'], 'a sub at another line stays in its eval');
    my @turned = (example('turned', 1e7, [3, 2], [2, 1]), $same);
    is((grep { $_ eq 'sub main::f 0 2:1-1 2:2-2 4:1-1 5:1-1' } lines_of(@turned)), 1, 'the lines that come first count, not those of the first eval');
    is(join("\n", ways_differ(@turned)), '', '... as in nytprofmerge');
};

subtest 'ticks' => sub {
    my @files = (example('slow', 1e6, [2, 1], [3, 1]), example('fast', 1e7, [2, 1], [3, 1]));
    my @got   = lines_of(@files);
    is_deeply([grep { /^(line 2:1|setting : ticks)/ } @got], ['line 2:1 4 550', 'setting : ticks_per_sec 10000000'],
        'the faster clock comes second: what was added is scaled up');
    my @reverse = lines_of(reverse @files);
    is_deeply([grep { /^(line 2:1|setting : ticks)/ } @reverse], ['line 2:1 4 550', 'setting : ticks_per_sec 10000000'],
        '... or first');
};

done_testing();
