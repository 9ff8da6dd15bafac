# Scope::Upper leaves subs and blocks from within, past the ops that end their calls and continue their statements. The
# program runs as without a collector, and the profile is the same as that of Debian's collector.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector nytprof_value need_collector optional_module plain profiled same_behaviour);
use NYTPTest qw(top_dir);
use ProfileCompare qw(count_of differences read_profile);
use StockModules;
use Test::More;

need_collector();
plan skip_all => 'needs Scope::Upper' if !optional_module('Scope::Upper', 'libscope-upper-perl');

# Debian's collector has no place for an xsub that never returns.
my $NO_PLACE = qr/^arc  -> Scope::Upper::(?:unwind|leave|yield) at nowhere:/;

my @program = (top_dir() . '/test/scripts/scope-upper/leaves.pl');
my $plain   = plain(\@program);
for my $options ({ calls => 2 }, { calls => 2, blocks => 1 }, { leave => 0 }, { stmts => 0 }) {
    my $name = 'with ' . nytprof_value(%$options);
    my ($stock, $ours) = map { profiled($_, \@program, options => $options) } 'stock', collector();
    same_behaviour($plain, $ours, $name);
    my ($theirs, $profile) = map { read_profile($_->{files}[0], $_->{dir}) } $stock, $ours;
    ok $profile->{complete}, "$name: the profile is whole";
    is count_of($profile, 'main::leaf'), 20 * 8, "$name: calls after those that were left";
    is join("\n", grep { !/$NO_PLACE/ } differences($theirs, $profile)), '', "$name: same profile";
}

done_testing();
