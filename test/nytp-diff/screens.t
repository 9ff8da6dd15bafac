# nytp-diff on terminals of several widths: several runs of each version, and one of each.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MadeCalls qw(made_calls);
use NYTPTest qw(build_dir run scratch_dir);
use Screens qw(screen screens_stay);
use Test::More;

my $dir = scratch_dir();

# One sub is called more often, one has become slower, one is new, one is gone, and one has the noise of the runs.
sub version {
    my ($name, $calls, $each, $other) = @_;
    made_calls("$dir/$name$_.out", ['main::run', 1, 0.001, ['Shop::Catalogue::Search::Index::price_of_item_by_identifier', $calls, 0.002 + $_ * 1e-5,
        ['DBI::st::execute', 2, 0.003]], ['Shop::Page::render', 10, $each + $_ * 1e-5], [$other, 5, 0.01], ['main::steady', 3, 0.004 + $_ * 1e-4]])
        for 1 .. 4;
    return;
}
version('old', 10, 0.002, 'main::old_words');
version('new', 40, 0.003, 'Shop::Catalogue::Search::words');

for my $form (['runs', 'old?.out -- new?.out'], ['one', 'old1.out new1.out'], ['explain', '--explain old1.out new1.out']) {
    my ($name, $words) = @$form;
    my $pipe = run(['sh', '-c', build_dir() . "/bin/nytp-diff $words"], dir => $dir);
    is("$pipe->{status} $pipe->{err}", '0 ', "nytp-diff $words");
    screens_stay('nytp-diff', $name, { pipe => $pipe->{out}, map { $_ => screen($_, $dir, "nytp-diff $words") } 40, 80, 120 });
}

done_testing();
