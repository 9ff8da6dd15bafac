# How long the calls of a sub took, on its page: the numbers are those of nytp-tree, and the picture names them at any
# width. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use List::Util qw(sum0);
use NYTPTest qw(build_dir record run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);

my $LEAST = 5;    # calls of a sub, to have a picture
my @NAMES = qw(p50 p95 p99 max first);

# By sub: ticks, of those with enough calls.
sub from_tree {
    my ($path) = @_;
    my $got = run([build_dir() . '/bin/nytp-tree', '--table', '--unit=ticks', '-q', '-O', -1, '--columns=' . join(',', @NAMES), $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytp-tree');
    my %ticks;
    for (split /\n/, $got->{out}) {
        my @cells = split ' ', $_, 12;
        $ticks{ $cells[11] } = { map { $NAMES[$_] => $cells[6 + $_] } 0 .. $#NAMES } if $cells[3] >= $LEAST;
    }
    return \%ticks;
}

sub from_page {
    return $browser->run(<<'JS');
        const {durations_of, load_durations, quantile_of, profile: {subs}} = report, found = {};
        return load_durations().then(() => subs.name.forEach((name, sub) => {
            const one = durations_of(sub), at = part => quantile_of(one, part);
            if (one)
                found[name] = {p50: at(0.5), p95: at(0.95), p99: at(0.99), max: one.longest, first: one.first};
        })).then(() => found);
JS
}

my $recorded = record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2);
ok(shown(page_of(recorded => $recorded)), 'the page begins');

subtest 'nytp-tree has the same' => sub {
    my ($tree, $page) = (from_tree($recorded), from_page());
    cmp_ok(scalar keys %$tree, '>', 50, 'many subs');
    is_deeply([sort keys %$page], [sort keys %$tree], 'those with enough calls');
    my @wrong = grep { my $sub = $_; grep { abs($page->{$sub}{$_} - $tree->{$sub}{$_}) > 0.6 } @NAMES } keys %$tree;
    is_deeply(\@wrong, [], 'each number, to the tick that nytp-tree shows');
};

# The first call takes 90 ms, most take 2 ms, and the last takes 3 s.
my $per_s = 1_000_000;
my @ticks = (90_000, (2000) x 90, (2500) x 8, 3 * $per_s);
my $made  = spew("$dir/made.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $per_s], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], (map { [SUB_RETURN => 1, $_, $_, 'main::f'] } @ticks),
        (map { [SUB_RETURN => 1, 7, 7, 'main::rare'] } 2 .. $LEAST), [SUB_INFO => 1, 'main::f', 2, 5],
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', scalar @ticks, (sum0(@ticks) / $per_s) x 2, 0, 0, 'main::f'],
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', $LEAST - 1, (7e-6 * ($LEAST - 1)) x 2, 0, 0, 'main::rare'], [PID_END => 7, 9]));

subtest 'the picture' => sub {
    $browser->size(2000, 900);
    ok(shown(page_of(made => $made)), 'the page begins');
    go('#/sub/main::f', '.histogram i');
    like(text_of('.durations .hint') =~ s/\xA0/ /gr, qr/^100 calls: first call 90\.0 ms, p50 2\.00 ms, p95 2\.48 ms, p99 88\.0 ms, longest 3\.00 s\. /, 'says what matters');
    is($browser->run('return document.querySelector(".histogram .bars").getAttribute("aria-label").replaceAll("\u00a0", " ")'),
        '100 calls by duration, on a logarithmic axis: first call 90.0 ms, p50 2.00 ms, p95 2.48 ms, p99 88.0 ms, longest 3.00 s', 'to screen readers, too');
    is_deeply($browser->run('return [...document.querySelectorAll(".durations details:first-of-type tbody tr")].map(row => Number(row.cells[2].textContent))'), [90, 8, 1, 1],
        'the table has all calls');
    is_deeply($browser->run(<<'JS'), [90, 8, 1, 1], 'and so have the bars: their heights are those of the table');
        const bars = [...document.querySelectorAll('.histogram .bars i:not(.spent)')], groups = [];
        let end = -1;
        for (const {style} of bars) {
            const left = parseFloat(style.left), height = parseFloat(style.height);
            if (left > end + 0.1)
                groups.push(0);
            groups[groups.length - 1] += height;
            end = left + 2 * parseFloat(style.width);
        }
        const all = groups.reduce((sum, height) => sum + height, 0);
        return groups.map(height => Math.round(height / all * 100));
JS
    is_deeply($browser->run(<<'JS'), [6, 1, 3, 91], '... and beside them their time, of which the last call has most');
        const all = [...document.querySelectorAll('.histogram .bars .spent')];
        const height = one => parseFloat(one.style.height), sum = all.reduce((before, one) => before + height(one), 0);
        let end = -1, group = -1;
        const found = [];
        for (const one of all) {
            if (parseFloat(one.style.left) > end + 0.1)
                found[++group] = 0;
            found[group] += height(one);
            end = parseFloat(one.style.left) + 2 * parseFloat(one.style.width);
        }
        return found.map(part => Math.round(part / sum * 100));
JS
    is_deeply($browser->run('return [...document.querySelectorAll(".facts .fact")].map(one => one.textContent.replace(/\u00a0/g, " ").replace(/(?<=s) .*/, ""))'),
        ['Inclusive3.29 s', 'Self3.29 s', 'Calls100', 'p502.00 ms', 'p952.48 ms', 'Longest3.00 s'], 'six numbers');
    is_deeply($browser->run('return [...document.querySelectorAll(".crumbs a")].map(one => one.textContent + " " + decodeURIComponent(one.hash))'),
        ['Subs #/subs', 'main #/subs?q=pkg:main'], 'and where it is');
    $browser->click('.durations .hint a');
    ok($browser->wait_for('location.hash === "#/time?longest=main::f" && document.querySelector(".timeline")'), 'the longest call leads to the time line');
    like(text_of('.details'), qr/^main::f \S+ 3\.00\s+s, beginning at 290\s+ms$/, 'which shows it');
    go('#/sub/main::rare', '.facts');
    is(text_of('.durations'), '', 'a sub with few calls has no picture');
    $browser->size(1280, 900);
    quiet('the picture');
};

subtest 'one click' => sub {
    ok(shown(page_of(click => $made)), 'the page begins');
    $browser->click('#top-subs td.name a');
    ok($browser->wait_for('document.querySelector(".histogram .spent")'), 'on a sub of the overview shows how its calls are distributed');
};

subtest 'any width' => sub {
    for my $width (320, 390, 800, 1600) {
        $browser->size($width, 844);
        go('#/sub/main::f', '.histogram i');
        my $room = $browser->run('return document.documentElement.scrollWidth');
        cmp_ok($room, '<=', $width, "$width pixels: nothing sticks out");
    }
    quiet('any width');
};

subtest 'calls that were not timed' => sub {
    ok(shown(page_of(uncalled => record('report-c0', ['/usr/bin/podchecker', '/usr/bin/podchecker'], calls => 0))), 'the page begins');
    go('#/sub/0', '.facts');
    is(text_of('.durations'), '', 'no picture');
    is($browser->run('return document.getElementById("durations")'), undef, 'and no data for one');
    quiet('calls that were not timed');
};

$browser->quit;
done_testing();
