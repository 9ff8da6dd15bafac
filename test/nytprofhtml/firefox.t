# The report in Firefox: every view opens and fits a narrow screen, and its numbers are those of Chromium. With
# EXHAUSTIVE=1 only, since Firefox takes seconds to start.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Marionette;
use NYTPTest qw(build_dir record scratch_dir spew valgrind);
use ReportBrowser qw(browse go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'takes longer; set EXHAUSTIVE=1' if !$ENV{EXHAUSTIVE};
plan skip_all => 'no firefox-esr'                if !Marionette->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir      = scratch_dir();
my $recorded = record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2);
browse(my $firefox = Marionette->new, $dir);
my $url = page_of(firefox => $recorded);
ok(shown($url), 'the page begins');
# The address of what comes first in a table.
sub first_in {
    go($_[0], '.data-table td.name a');
    return $firefox->run('return document.querySelector(".data-table td.name a").getAttribute("href")');
}

my %view = ('#/' => '#overview canvas', '#/subs' => '.data-table tbody tr',
    '#/subs?group=package' => '.data-table tbody tr', first_in('#/subs?sort=-incl') => '.sub-parts section',
    '#/flame' => '.flame canvas', '#/files' => '.data-table tbody tr', first_in('#/files') => '.source tbody tr',
    '#/map' => '#stage .flame canvas', '#/time' => 'canvas.timeline',
    '#/modules' => '#stage table tbody tr');

for my $width (1280, 390) {
    subtest "$width pixels wide" => sub {
        $firefox->size($width, 844);
        for my $hash (sort keys %view) {
            ok(go($hash, $view{$hash}), $hash);
            cmp_ok($firefox->run('return document.documentElement.scrollWidth'), '<=', $width,
                "$hash: no sideways scrolling");
            ok($firefox->wait_for(<<'JS'), "$hash: something is drawn on each canvas");
                [...document.querySelectorAll('main canvas')].filter(canvas => canvas.offsetParent).every(canvas =>
                    new Set(new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size > 2)
JS
            is($firefox->run('const all = [".flame", ".flame canvas"].map(one => document.querySelector("#overview " + one).clientWidth); return all[0] - all[1]'), 0,
                'the flame graph is as wide as its frame') if $hash eq '#/';
            quiet($hash);
            spew("$ENV{SCREENSHOTS}/firefox-$width-" . $hash =~ s/\W+/-/gr . '.png', $firefox->screenshot)
                if $ENV{SCREENSHOTS};
        }
    };
}

subtest 'clicks, Back and schemes' => sub {
    $firefox->size(1280, 900);
    go('#/', '#overview canvas');
    $firefox->run('document.querySelector("#views a[data-view=subs]").click()');
    ok($firefox->wait_for('document.querySelector(".data-table tbody tr")'), 'to a view by click');
    $firefox->run('document.querySelector(".heads th:nth-child(3) button").click()');
    ok($firefox->wait_for('location.hash.includes("sort=-calls")'), 'a click on a head sorts');
    $firefox->back;
    ok($firefox->wait_for('!location.hash.includes("sort=-calls")'), 'Back undoes it');
    my $back = 'getComputedStyle(document.body).backgroundColor';
    my $light = $firefox->run("return $back");
    $firefox->scheme('dark');
    ok($firefox->wait_for("$back !== '$light'"), 'dark, as the system has it');
    quiet('clicks');
};

subtest 'printing' => sub {
    for my $hash ('#/', first_in('#/files')) {
        go($hash, $view{$hash});
        like(my $pdf = $firefox->printed, qr/\A%PDF/, "$hash: a document");
        cmp_ok(length $pdf, '>', 20_000, 'with something in it');
    }
};

SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found;
    my $seen = sub { # the first rows of two tables, and the first sentence of the overview
        my ($browser) = @_;
        my @tables = map { go($_, '.data-table tbody tr'); $browser->run(<<'JS') } '#/subs', '#/files';
            return [...document.querySelectorAll('.data-table tr')].slice(0, 200).map(row => [...row.cells].map(cell => cell.textContent));
JS
        return [@tables, text_of('.lede')];
    };
    my $got = $seen->($firefox);
    browse(my $chromium = WebDriver->new, $dir);
    shown($url);
    cmp_ok(scalar @{ $got->[0] }, '>', 100, 'rows of a table');
    is_deeply($got, $seen->($chromium), 'have the numbers that they have in Chromium');
    $chromium->quit;
}

$firefox->quit;
done_testing();
