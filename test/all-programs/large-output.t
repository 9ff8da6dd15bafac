# Programs whose output may be larger than what reads it can take say so once, and what makes it smaller.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes simple_profile);
use Test::More;

plan(skip_all => 'large output is no matter of memcheck') if valgrind();

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

# Calls within one another: the indentation, or the names of the callers, grow with the depth.
sub deep {
    my ($depth) = @_;
    return spew("$scratch/deep-$depth.out",
        simple_profile([map { [$depth - $_, 1, 'main::' . 'f' x 10] } 0 .. $depth - 1]));
}

# The same return over and over.
sub repeated {
    my ($count, $name) = @_;
    my ($begin, $return) = map { simple_profile([@$_]) } [], [[1, 1, $name]];
    my $end = profile_bytes([PID_END => 4711, 2.5]);
    $return = substr $return, length($begin) - length $end, length($return) - length $begin;
    substr $begin, -length $end, 0, $return x $count;
    return spew("$scratch/repeated-$count.out", $begin);
}

my $tree  = deep(5_000);
my $lines = deep(1_700);
my $wide  = repeated(60_000, "\1" x 800);    # the name has 4,000 bytes in JSON
my $many  = repeated(3_000_000, 'f');        # two events of 40 bytes each

my $half = qr/--depth=N and --min=1% make it smaller/;
for my $case (
    ['nytp-dprofpp',    ['-S', $tree],               20,  $half],
    ['nytp-dprofpp',    ['-T', $tree],         20,  qr/--depth=N makes it smaller/],
    ['nytprofcalls',    [$lines],              20,  $half],
    ['nytprofcalls',    ['--diff', ($lines) x 2], 20, $half],
    ['nytp-trace',      ['--json', $wide],     200, qr/--min=10us leaves out short calls/],
    ['nytp-speedscope', ['--timeline', $many], 200, qr/--depth=N leaves out deep calls, .*/],
) {
    my ($program, $arguments, $mb, $advice) = @$case;
    my $got = run(["$bin/$program", @$arguments, '-o', '/dev/null']);
    my ($line, @more) = split /\n/, $got->{err};
    like($line, qr/^$program: warning: the output is larger than $mb MB; $advice$/,
        "$program @{$arguments}[0 .. $#$arguments - 1]");
    is($got->{status} . @more, '00', '... once, and that is no failure');
}

for (['nytp-dprofpp', '-S', $tree], ['nytprofcalls', $lines]) {
    my ($program, @deep) = @$_;
    is(run(["$bin/$program", '--depth=10', '-o', '/dev/null', @deep])->{err}, '', "$program --depth: no warning");
    my $got = run(["$bin/$program", '-o', '/dev/full', @deep]);
    is($got->{status}, 1, "$program: the disk is full");
    like($got->{err}, qr/cannot write: No space left/, '... in the words of the system');
}

done_testing();
