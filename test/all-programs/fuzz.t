# Every fuzz target survives the seeds, and everything that fuzzing ever found.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Basename qw(basename);
use List::Util ();
use FuzzSeeds qw(small_of_each_kind);
use NYTPTest qw(build_dir run scratch_dir spew top_dir);
use Test::More;

my $scratch = scratch_dir();
my $top     = top_dir();
is(run([$^X, "$top/test/fuzz/seeds", $scratch])->{status}, 0, 'the seeds are written');
my @inputs = glob "$scratch/*";
cmp_ok(scalar @inputs, '>', 30, 'there are many');

# Small profiles of memory, of samples, with marks, and merged, cut at every byte. A target takes the bytes at which
# each of them is cut for its options.
my %small = small_of_each_kind();
my @small = map { spew("$scratch/$_.small", $small{$_}) } sort keys %small;
cmp_ok(length $small{$_}, '<=', 2048, "$_ is small") for sort keys %small;

my @targets = map { basename($_, '.c') } glob "$top/test/fuzz/fuzz-*.c";
cmp_ok(scalar @targets, '>=', 5, 'and targets');
local $ENV{MALLOC_PERTURB_} = 170;    # memory that is read after its block, or before it is set, has large numbers
# malloc() keeps what a run has freed for the next run. Else half of the time goes to the kernel, for the pages.
local @ENV{qw(MALLOC_TRIM_THRESHOLD_ MALLOC_MMAP_THRESHOLD_ MALLOC_TOP_PAD_)} = (1 << 30, 1 << 25, 1 << 26);
for my $target (@targets) {
    my $got = run([build_dir() . "/test/$target", @inputs]);
    is($got->{status}, 0, "$target: all inputs")
        or diag('last input: ' . ($got->{out} =~ s/.*\n(?=.*\n\z)//sr), $got->{err});
    is($got->{out}, join('', map { "$_\n" } @inputs), "$target: each of them");
    my $cut = run([build_dir() . "/test/$target", '--cuts', 0, 1, @small]);
    is($cut->{status}, 0, "$target: cut at every byte")
        or diag('last input: ' . join(' ', ($cut->{out} =~ /(.*\.small)\n(?!.*\.small)/s)[0], $cut->{out} =~ /(\d+)\n\z/), $cut->{err});
    is(() = $cut->{out} =~ /^\d+$/mg, @small + List::Util::sum(map { length } values %small), "$target: each place");
}

# An inflater that goes on after damage must not return bytes that were in memory before.
my @differ = grep {
    my $input = $_;
    my ($one, $two) = map { run([build_dir() . '/test/dump-chunks', $input], env => { MALLOC_PERTURB_ => $_ }) } 1, 200;
    "$one->{out}$one->{err}" ne "$two->{out}$two->{err}"
} @inputs;
is("@differ", '', 'the same bytes always give the same chunks');

done_testing();
