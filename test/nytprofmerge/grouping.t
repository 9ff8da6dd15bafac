# It does not matter how profiles are grouped: host by host and then together, or all at once.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MergedData qw(data_of differing);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use RandomProfile qw(random_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytprofmerge';
my $scratch = scratch_dir();

sub merged {
    my ($name, @inputs) = @_;
    my $got = run([$ours, '-o', "$scratch/$name", @inputs]);
    die "$name: $got->{err}" if $got->{status} != 0;
    return "$scratch/$name";
}

# The differences between the ways to group them, and the profile that all are.
sub ways_differ {
    my ($one, $two, $three) = @_;
    my $flat  = merged('flat', $one, $two, $three);
    my $data  = data_of($flat);
    my $left  = data_of(merged('left', merged('first', $one, $two), $three));
    my $right = data_of(merged('right', $one, merged('second', $two, $three)));
    my @again = map { "again: $_" } differing($data, data_of(merged('again', $flat)));
    return (@again, (map { "left: $_" } differing($data, $left)), map { "right: $_" } differing($data, $right));
}

subtest 'made-up profiles' => sub {
    my $rounds = $ENV{EXHAUSTIVE} ? 2000 : 15;
    my $seed   = $ENV{SEED} // 1;
    my @wrong;
    for my $round (1 .. $rounds) {
        my @inputs = map {
            spew("$scratch/in$_", random_profile($seed * 3 + $_, ticks_per_sec => [1e6, 1e7, 1e9], redefined => 1,
                compress => $_ % 2))
        } 1 .. 3;
        my @differ = ways_differ(@inputs);
        push @wrong, "SEED=$seed:", @differ if @differ;
        last if @wrong;
        $seed++;
    }
    is(join("\n", @wrong), '', "$rounds rounds");
};

# Two evals of one line that define a sub: the last source in the stream counts, whichever eval it belongs to.
subtest 'source that comes in another order than the evals' => sub {
    my @evals  = map { [NEW_FID => $_ + 1, 1, 5, 0x102, 0, 0, "(eval $_)[/a.pl:5]"] } 1, 2;
    my @inputs = map {
        spew("$scratch/in$_",
            profile_bytes([VERSION => 5, 0], [PID_START => $_, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
            @evals, [TIME_LINE => 1, 1, 5], [PID_END => $_, 6], (map { [SUB_INFO => $_, 'main::f', 1, 1] } 2, 3),
            [SRC_LINE => 3, 1, "second of $_\n"], [SRC_LINE => 2, 1, "first of $_\n"]))
    } 1 .. 3;
    is(data_of(merged('one', $inputs[0]))->{'source 2:1'}[0], "first of 1\n", 'one profile');
    is(join("\n", ways_differ(@inputs)), '', 'three');
};

subtest 'recorded profiles' => sub {
    my $shapes = record('shapes-default', ['test/scripts/shapes.pl']);
    my $evals  = record('evals', ['test/scripts/evals.pl'], calls => 2, nameevals => 1);
    my $calls  = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $copy   = spew("$scratch/copy", slurp($evals));
    is(join("\n", ways_differ($shapes, $evals, $copy)), '', 'evals');
    is(join("\n", ways_differ($evals, $copy, $calls)), '', 'the same twice, and another');
};

done_testing();
