# Every fuzz target survives the seeds, and everything that fuzzing ever found.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Basename qw(basename);
use NYTPTest qw(build_dir run scratch_dir top_dir);
use Test::More;

my $scratch = scratch_dir();
my $top     = top_dir();
is(run([$^X, "$top/test/fuzz/seeds", $scratch])->{status}, 0, 'the seeds are written');
my @inputs = glob "$scratch/*";
cmp_ok(scalar @inputs, '>', 30, 'there are many');

my @targets = map { basename($_, '.c') } glob "$top/test/fuzz/fuzz-*.c";
cmp_ok(scalar @targets, '>=', 5, 'and targets');
for my $target (@targets) {
    my $got = run([build_dir() . "/test/$target", @inputs]);
    is($got->{status}, 0, "$target: all inputs")
        or diag('last input: ' . ($got->{out} =~ s/.*\n(?=.*\n\z)//sr), $got->{err});
    is($got->{out}, join('', map { "$_\n" } @inputs), "$target: each of them");
}

# An inflater that goes on after damage must not return bytes that were in memory before.
my @differ = grep {
    my $input = $_;
    my ($one, $two) = map { run([build_dir() . '/test/dump-chunks', $input], env => { MALLOC_PERTURB_ => $_ }) } 1, 200;
    "$one->{out}$one->{err}" ne "$two->{out}$two->{err}"
} @inputs;
is("@differ", '', 'the same bytes always give the same chunks');

done_testing();
