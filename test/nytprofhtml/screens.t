# The report on narrow and wide screens, whatever the length of names: nothing sticks out, and what is too long loses
# what matters least. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use MadeRuns qw(made_run);
use NYTPTest qw(record scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of quiet shown);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);
ok(shown(page_of(screens => record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1,
    slowops => 2))), 'the page begins');

subtest 'on paper' => sub {
    $browser->size(1280, 900);
    go('#/', '#overview canvas');
    my $stretch = 'const {width, height, clientWidth, clientHeight} = document.querySelector("#overview canvas"); '
        . 'return Math.round(100 * clientWidth * height / (clientHeight * width))';
    $browser->command('Emulation.setEmulatedMedia', media => 'print');
    cmp_ok(abs($browser->run('document.querySelector("#overview .flame").style.width = "600px";' . $stretch) - 100), '<=', 1, 'the flame graph is as high as its width asks for');
    $browser->command('Emulation.setEmulatedMedia', media => '');
    $browser->run('document.querySelector("#overview .flame").style.width = ""');
};

subtest '390 pixels' => sub {
    $browser->size(390, 844);
    for my $hash ('#/', '#/subs', '#/subs?group=tree', '#/sub/5', '#/flame', '#/files', '#/file/1', '#/map', '#/time', '#/modules') {
        go($hash, 'h1');
        cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', 390, "$hash: no sideways scrolling");
    }
    my $search_px = 'return document.getElementById("search").offsetWidth';
    is($browser->run($search_px), 40, 'the search is an icon');
    $browser->keys('/');
    cmp_ok($browser->run($search_px), '>', 150, '... until it has the focus');
    $browser->keys('Escape');
    go('#/file/1', '.source td.code');
    is_deeply($browser->run(<<'JS'), [0, JSON::PP::true], 'lines of source are whole: the box around them scrolls as far as the longest one');
        const cells = [...document.querySelectorAll('.source td.code')], longest = Math.max(...cells.map(cell => report.columns_of(cell.textContent)));
        return [cells.filter(cell => cell.scrollWidth > cell.clientWidth).length, document.querySelector('.source-scroll').scrollWidth < 500 + longest * 12];
JS
    go('#/subs', '.data-table td.name');
    my $cut = $browser->run(<<'JS');
        const names = [...document.querySelectorAll('.data-table td.name > a')].filter(link => link.children.length === 2 && link.offsetWidth);
        const is_seen = (link, part) => part.getBoundingClientRect().bottom > link.getBoundingClientRect().top + 1;
        const is_cut = part => part.scrollWidth > part.clientWidth;
        return [names.filter(link => is_cut(link.children[0]) || !is_seen(link, link.children[0])).length,
            names.filter(link => is_cut(link.children[1]) && is_seen(link, link.children[0])).map(link => link.textContent),
            names.filter(link => !is_seen(link, link.children[1])).map(link => link.textContent)];
JS
    cmp_ok($cut->[0], '>', 0, 'names with too little room lose letters');
    is_deeply($cut->[1], [], 'of their packages first');
    is_deeply($cut->[2], [], 'and the name itself is there');
    is_deeply($browser->run(<<'JS'), ['An::Outer::Package::|__ANON__[|(eval 1)[/srv/lib/|Shop.pm:3]:1]', 'Shop.pm:3]:1]'], 'anonymous subs keep their places');
        const cell = document.querySelector('.data-table td.name'), link = cell.querySelector('a');
        link.replaceChildren(...report.name_parts('An::Outer::Package::__ANON__[(eval 1)[/srv/lib/Shop.pm:3]:1]'));
        return [[...link.children].map(one => one.textContent).join('|'), [...link.querySelectorAll('.inner')].filter(one => one.scrollWidth <= one.clientWidth && one.clientWidth).map(one => one.textContent).join('|')];
JS
    is_deeply($browser->run(
        'return ["Foo::Bar::f", "f", "main::__ANON__[/srv/shop.pl:7]", "/srv/lib/Shop.pm:3", "(eval '
            . '1)[lib/Shop.pm:3]:1"].map(name => report.name_parts(name).map(part => part.textContent))'),
        [['Foo::Bar::', 'f'], ['f'], ['main::', '__ANON__[', '/srv/', 'shop.pl:7]'], ['/srv/lib/', 'Shop.pm:3'],
        ['(eval 1)[', 'lib/', 'Shop.pm:3]:1']], 'the parts of names');
    is_deeply($browser->run(
        'return [...report.profile.subs.name, ...report.profile.files.name].filter(name => '
            . 'report.name_parts(name).map(part => part.textContent).join("") !== name)'), [],
            'which are whole names together');
};

# The hottest subs and lines stand beside what stands out where there is room, and above the flame graph at any width.
subtest 'the first screen' => sub {
    for my $width (390, 800, 1100, 1440) {
        $browser->size($width, 900);
        go('#/', '#overview-flame canvas');
        my ($tops, $rows, $flame, $room) = @{ $browser->run(<<'JS') };
            const box = selector => document.querySelector(selector).getBoundingClientRect(), all = [...document.querySelectorAll('#hot section')];
            return [all.map(one => Math.round(one.getBoundingClientRect().top)), [...document.querySelectorAll('#hottest tbody')].map(body => body.querySelectorAll('tr:not(.more)').length),
                box('#overview-flame').top - box('#hot').bottom, document.documentElement.scrollWidth];
JS
        my %at = map { $_ => 1 } @$tops;
        is(scalar keys %at, $width >= 1100 ? 1 : $width >= 800 ? 2 : 3, "$width pixels: beside or below one another");
        is_deeply($rows, [8, 8], '... eight of each');
        cmp_ok($flame, '>=', 0, '... above the flame graph');
        cmp_ok($room, '<=', $width, '... nothing sticks out');
    }
};

# What a table of rows has, at any width: names with room, and whole numbers and titles.
subtest 'columns of tables' => sub {
    my %columns;
    for my $width (390, 860, 1300, 1600, $ENV{EXHAUSTIVE} ? (320, 768, 960, 1100, 1920) : ()) {
        $browser->size($width, 844);
        for my $hash ('#/subs', '#/subs?sort=-depth', '#/files', '#/subs?group=package') {
            go($hash, '.data-table td.name');
            my ($name, $cut, $heads) = @{ $browser->run(<<'JS') };
                const em = parseFloat(getComputedStyle(document.documentElement).fontSize), seen = cell => cell.offsetParent;
                return [document.querySelector('.data-table td.name').offsetWidth / em,
                    [...document.querySelectorAll('.data-table td.n, .heads button')].filter(seen).filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent).slice(0, 5),
                    [...document.querySelectorAll('.heads th')].filter(seen).map(head => head.textContent.replace(/,.*| .$/, '')).join(' ')];
JS
            cmp_ok($name, '>=', 13.9, "$hash, $width pixels: names have 14em");
            is_deeply($cut, [], '... and no number and no title is cut');
            $columns{"$hash $width"} = $heads;
        }
    }
    is($columns{'#/subs 1300'}, 'Self Incl. Calls Per call Recursion Sub Where', 'all columns, where they have room');
    is($columns{'#/subs 390'}, 'Self Incl. Sub', 'those that matter most, where they have none');
    like($columns{'#/subs?sort=-depth 390'}, qr/Recursion Sub/, 'the one that it is sorted by stays');
    like($columns{'#/subs 860'}, qr/Calls Per call/, 'calls do not');
};

# Paper is 7.5 to 10 inches wide.
subtest 'columns on paper' => sub {
    go('#/subs', '.data-table td.name');
    $browser->command('Emulation.setEmulatedMedia', media => 'print');
    for my $width (720, 960) {
        $browser->size($width, 844);
        cmp_ok($browser->run('return document.querySelector(".data-table td.name").offsetWidth'), '>=', 13.9 * 14,
            "$width pixels: names have 14em");
    }
    $browser->command('Emulation.setEmulatedMedia', media => '');
};

subtest 'long names' => sub {
    my $below = '/srv/' . join '/', map { "a_very_long_name_of_a_directory_$_" } 1 .. 8;
    my @names = ('My::' . 'Very::Long::' x 12 . 'Package::handle_the_request_with_all_of_its_options',
        'main::' . 'x' x 300, "main::__ANON__[$below/Shop.pm:17]", 'f');
    my @files = ("$below/Shop.pm", '/' . 'y' x 250 . '.pl', "(eval 12)[$below/Shop.pm:9]");
    my $ticks = 100_000;
    my $long  = spew("$dir/long.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [ATTRIBUTE => 'application', "$below/" . 'app' x 60], [OPTION => 'file', "$below/nytprof.out"],
        [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, ($_ == 2 ? (1, 9) : (0, 0)), 0x12, 0, 0, $files[$_]] } 0 .. 2),
        (map { [TIME_LINE => $ticks * $_, $_, 3] } 1 .. 3),
        (map { [SUB_RETURN => $_ + 1, $ticks * (@names - $_), $ticks, $names[$_]] } reverse 0 .. $#names),
        (map { [SUB_INFO => 1 + $_ % 3, $names[$_], 1, 9] } 0 .. $#names),
        (map { [SUB_CALLERS => 1, 3, ($_ ? $names[$_ - 1] : 'main::RUNTIME'), 1, 0.01 * (@names - $_), 0.01, 0, 0,
            $names[$_]] } 0 .. $#names),
        (map { my $file = $_;
            map { [SRC_LINE => $file, $_, "\tmy \$x = '" . 'long ' x ($_ * 20) . "';\n"] } 1 .. 9 } 1 .. 3),
                [PID_END => 7, 2.5]));
    ok(shown(page_of(long => $long)), 'the page begins');
    for my $width (390, 1280) {
        $browser->size($width, 844);
        for my $hash ('#/', '#/subs', '#/subs?group=package', '#/flame', '#/flame?zoom=0',
            '#/flame?only=sub:0&fold=1,2&zoom=0', '#/files', '#/map', '#/time', '#/modules',
            map { ("#/sub/$_", "#/file/$_") } 0 .. 2) {
            go($hash, 'h1');
            $browser->run('document.querySelectorAll("details").forEach(one => { one.open = true; })');
            cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width,
                "$hash: no sideways scrolling in $width pixels");
        }
        $browser->run(
            'const search = document.getElementById("search"); search.value = "x"; search.dispatchEvent(new '
                . 'Event("input"))');
        cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width,
            "search: no sideways scrolling in $width pixels");
    }
    quiet('long names');
};

# All processes of a server together take days.
subtest 'long times and large counts' => sub {
    ok(shown(page_of(days => spew("$dir/days.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/p.pl'],
        (map { ([TIME_LINE => 280_000_000, 1, $_], [SUB_RETURN => 1, 280_000_000, 280_000_000, "main::f$_"]) } 1 .. 3),
        (map { [SUB_INFO => 1, "main::f$_", $_, $_] } 1 .. 3),
        (map { [SUB_CALLERS => 1, 9, 'main::RUNTIME', 2_234_567_890, 280_000, 280_000, 0, 0, "main::f$_"] } 1 .. 3), [PID_END => 7, 1_000_000])))),
        'the page begins');
    for my $width (390, 860, 1100, 1440) {
        $browser->size($width, 900);
        go('#/', '#top-subs td');
        is_deeply($browser->run('return [...document.querySelectorAll("#overview table.top td.n")].filter(one => one.offsetParent && '
            . 'one.scrollWidth > one.clientWidth).map(one => one.textContent)'), [], "$width pixels: numbers have room");
    }
    quiet('long times');
};

# Whatever the width, the colours, the medium and the size of text: nothing sticks out, and no label of a control,
# number or head of a table is cut; but for the last in large text where that has room for a word or two. The second
# report compares.
SKIP: {
    skip 'one of two widths is enough; EXHAUSTIVE=1 has all', 1 if !$ENV{EXHAUSTIVE};
    my @sides = map { my $side = $_;
        made_run("$dir/$side", stacks => 1,
            calls => { map { ("My::Package::sub_$_" => [$_ * 1000 + ($side eq 'new'),
                ($side eq 'new' ? 1.3 : 1) * $_ / 1000]) } 1 .. 40 }) } qw(old new);
    my $cut = <<'JS';
        return [...document.querySelectorAll('#view button, #view td.n, #view th.n, #view .fact, #view h2, #bar a')].filter(one => one.checkVisibility() && one.clientWidth > 1 && !one.closest('.source .calls, .source .runs'))
            .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible' && !one.closest('.actions, .chip, .controls')).map(one => one.outerHTML.slice(0, 120)).slice(0, 5);
JS
    for my $report (page_of(every => record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1,
        slowops => 2)), page_of(compared => $sides[1], '--diff', $sides[0])) {
        for my $case (['', 16], ['', 32], ['print', 16]) {
            my ($media, $size) = @$case;
            $browser->command('Page.setFontSizes', fontSizes => { standard => $size, fixed => $size - 3 });
            $browser->command('Emulation.setEmulatedMedia', media => $media);
            for my $width ($media ? (720, 960) : (320, 390, 768, 860, 960, 1100, 1300, 1920)) {
                $browser->size($width, 900);
                shown($report);
                for my $hash ('#/', '#/subs', '#/subs?group=package', '#/sub/3', '#/flame', '#/flame?zoom=1', '#/files',
                    '#/file/0', '#/map', '#/time', '#/modules') {
                    go($hash, 'main h1');
                    my $what = join ' ', $hash, "$width pixels", $media, $size > 16 ? 'large text' : ();
                    cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width,
                        "$what: nothing sticks out");
                    is_deeply($browser->run($cut), [], "$what: nothing is cut") if $size == 16 || $width >= 768;
                }
            }
        }
    }
    $browser->command('Page.setFontSizes', fontSizes => { standard => 16, fixed => 13 });
    quiet('all widths');
}

$browser->quit;
done_testing();
