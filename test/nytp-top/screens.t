# nytp-top on terminals of several widths: the tables of a profile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MadeCalls qw(made_calls);
use NYTPTest qw(scratch_dir);
use Screens qw(screen screens_stay);
use Test::More;

my $dir = scratch_dir();
made_calls("$dir/shop.out", ['main::run', 1, 0.001, ['Shop::Catalogue::Search::Index::price_of_item_by_identifier', 10, 0.002, ['DBI::st::execute', 2, 0.003]],
    ['Shop::Page::render', 10, 0.002], ['main::steady', 3, 0.004]]);

for my $by (qw(subs lines packages)) {
    my %shown = map { $_ => screen($_, $dir, "nytp-top --batch=1 --by=$by --sort=self shop.out") } 40, 80, 120;
    s/, \d+ s\b/, 0 s/ for values %shown; # how long it took to read
    screens_stay('nytp-top', $by, \%shown);
}

done_testing();
