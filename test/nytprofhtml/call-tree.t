# The tree of subs in the report, the keys that change the tree, and the keys that open other views. Needs chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go menu page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);

subtest 'subs as a tree' => sub {
    my @few  = map { [SUB_RETURN => 2, 5, 5, "main::few$_"] } 1 .. 20;
    my $made = spew("$dir/tree.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/t.pl'],
        [SUB_RETURN => 3, 300, 300, 'main::deep'], [SUB_RETURN => 2, 700, 400, 'main::most'], [SUB_RETURN => 2, 200, 200, 'main::some'], @few, [SUB_RETURN => 1, 1000, 0, 'main::all'],
        [TIME_LINE => 1000, 1, 1], (map { [SUB_CALLERS => 1, 1, $_->[1], 1, $_->[2] / 10_000, $_->[3] / 10_000, 0, 0, $_->[0]] } ['main::deep', 'main::most', 300, 300],
            ['main::most', 'main::all', 700, 400], ['main::some', 'main::all', 200, 200], (map { ["main::few$_", 'main::all', 5, 5] } 1 .. 20), ['main::all', 'main::RUNTIME', 1000, 0]), [PID_END => 7, 2.5]));
    my $rows = sub { $browser->run('return [...document.querySelectorAll(".call-tree tbody tr")].map(row => [...row.cells].map(cell => cell.textContent.replaceAll("\u00a0", " ")).join("|"))') };
    shown(page_of(tree => $made));
    go('#/subs?group=tree', '.call-tree tbody tr');
    my @path = ('100.0 %|100.0|0.0|1|main::all', '70.0 %|70.0|40.0|1|main::most', '30.0 %|30.0|30.0|1|main::deep', '20.0 %|20.0|20.0|1|main::some', '10.0 %|10.0|||20 more, below 0.80 % each');
    is_deeply($rows->(), \@path, 'the hottest path is open to where it forks, and what has little is one row');
    $browser->run('document.querySelectorAll(".call-tree .toggle")[1].focus()');
    $browser->keys('ArrowLeft');
    is_deeply($rows->(), [@path[0, 1, 3, 4]], 'a key closes');
    is($browser->run('return document.activeElement.getAttribute("aria-label")'), 'Callees of main::most', '... and stays there');
    $browser->keys('ArrowLeft');
    is($browser->run('return document.activeElement.getAttribute("aria-label")'), 'Callees of main::all', '... leads to the caller');
    $browser->keys('ArrowLeft');
    is_deeply($rows->(), [$path[0]], '... which closes, too');
    $browser->keys('ArrowRight');
    is_deeply($rows->(), [@path[0, 1, 3, 4]], 'a key opens');
    $browser->keys('*');
    is_deeply($rows->(), \@path, '... and another the hottest path');
    $browser->click('.call-tree tr:nth-child(2) a');
    ok($browser->wait_for('location.hash === "#/sub/main::most"'), 'a click on a name opens the sub');
    my $press = sub {
        my ($key, $sub, @hash) = @_;
        go('#/subs?group=tree', '.call-tree tbody tr');
        $browser->run('[...document.querySelectorAll(".call-tree td.name a")].find(one => one.textContent === arguments[0]).focus()', $sub);
        $browser->keys($key);
        ok($browser->wait_for('location.hash === ' . qq("#/subs?group=tree&$_")), "$key is in the address") for @hash;
        return $rows->();
    };
    is_deeply($press->('h', 'main::most', 'fold=main::most'), ['100.0 %|100.0|40.0|1|main::all', @path[2 .. 4]], 'a key hides a sub: the time is its caller\'s');
    is_deeply($press->('r', 'main::most', 'only=sub:main::most'), ['70.0 %|70.00|40.00|1|main::most', '30.0 %|30.00|30.00|1|main::deep'], 'another makes it the root, with the same shares');
    is_deeply($press->('c', 'main::deep', 'callers=main::deep'), [map { "30.0 %|30.00|1|$_" } 'main::deep', 'main::most', 'main::all'], 'another has its callers');
    is(text_of('.controls .chip'), "\x{2715} callers of main::deep", '... which a button says');
    $browser->click('.controls .chip');
    ok($browser->wait_for('location.hash === "#/subs?group=tree"'), '... which shows all again');
    go('#/sub/main::deep', 'h1.sub-name');
    $browser->click('#stage p a[href*=callers]');
    ok($browser->wait_for('location.hash === "#/subs?group=tree&callers=main::deep"'), 'a sub leads there');
    quiet('tree');
};

subtest 'other keys, and the menu' => sub {
    for my $case (['g', 't', '#/time'], ['u', '#/time'], ['m', '#/modules'], ['g', 'o', '#/'], ['l', '#/time'], ['g', 'u', '#/modules'], ['g', 's', '#/subs'], ['g', 'r', '#/labels/span']) {
        my ($hash, @keys) = reverse @$case;
        $browser->keys(reverse @keys);
        ok($browser->wait_for("location.hash === '$hash'"), join(' ', reverse(@keys), "is $hash"));
    }
    go('#/subs?group=tree', '.call-tree tbody tr');
    $browser->run('document.querySelector(".call-tree td.name a").focus()');
    $browser->keys('g', 'r');
    ok($browser->wait_for('location.hash === "#/labels/span"'), 'after g, r leads to the requests, also in the tree');
    ok(!grep({ $_ eq 'Copy as CSV' } @{ menu() }), 'the menu does not copy a table where there is none');
    go('#/subs', '.data-table');
    menu('Copy as CSV');
    ok($browser->wait_for('/^(Copied|Saved as subs.csv)/.test(document.getElementById("announcement").textContent)'), '... and that of the subs');
};

$browser->quit;
done_testing();
