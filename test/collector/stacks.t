# What the collector puts on perl's savestack fits: recursion of each kind of call fills the stack, with 0 to 12 entries
# of lexicals between those of the collector (test/scripts/deep/savestack.pl). libc checks each block of memory when it
# grows or is freed; memcheck checks each access.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector exhaustive need_collector nytprof_value preload profiled);
use NYTPTest qw(fewer sanitized top_dir valgrind);
use Test::More;

need_collector();

my @program = (top_dir() . '/test/scripts/deep/savestack.pl', 400, fewer(4, 0 .. 12));
my %checks  = sanitized() || valgrind() ? () : (LD_PRELOAD => preload('libc_malloc_debug.so.0'), MALLOC_CHECK_ => 3);

my @options = ({ slowops => 3, labels => 'Rule::of=1' }, { calls => 2 }, { leave => 0 }, { blocks => 1, slowops => 3 },
    { stmts => 0, findcaller => 1 });
for my $options (exhaustive() ? @options : $options[0]) {
    my $got = profiled(collector(), \@program, options => $options, env => \%checks);
    like $got->{out}, qr/\A\d{2,} cases, 0 failed\n\z/, 'recursion with ' . nytprof_value(%$options);
    is join(' ', $got->{status} // 'none', $got->{err}), '0 ', '... and nothing is said';
}

done_testing();
