# Who cannot see the report, has no mouse, or wants no keys that are commands: roles, focus, keys and printing in
# Chromium, and what axe-core says of the views. axe-core comes from npm's registry; without that, its part is skipped.
# With EXHAUSTIVE=1 it looks at all views, in light and dark colours.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use MadeMemory qw(made_memory made_records);
use MadeRuns qw(made_run);
use NpmPackage qw(npm_package);
use NYTPTest qw(record run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse menu go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);
my $url = page_of(access => record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1,
    slowops => 2, clock => 3));    # the processor's time: a file that waited may leave no pixel to others
ok(shown($url), 'the page begins');

# What has the focus: its name, and its id, label or text.
sub focused {
    return $browser->run(
        'const one = document.activeElement; return one.localName + " " + (one.id || one.getAttribute("aria-label") '
            . '|| one.textContent.slice(0, 200))') }

sub focus { my ($selector) = @_; $browser->run('document.querySelector(arguments[0]).focus()', $selector); return }

subtest 'focus' => sub {
    like(focused(), qr/^body /, 'nowhere, when the page begins');
    for my $name (qw(subs flame files time modules)) {
        $browser->click("#views a[data-view=$name]");
        ok($browser->wait_for("document.body.dataset.view === '$name'"), $name);
        is(focused(), 'h1 ' . text_of('#stage h1'), 'its heading gets the focus');
    }
    $browser->click('#views a[data-view=""]');
    ok($browser->wait_for('document.activeElement.closest("#overview")'),
        'and that of the overview, which is in the page');
    is(focused(), 'h1 ' . text_of('#overview h1'), 'its heading');

    go('#/subs', '.heads th');
    focus('.heads th:nth-child(3) button');
    $browser->keys('Enter');
    ok($browser->wait_for('location.hash.includes("sort=-calls") && document.activeElement.localName === "button"'),
        'after sorting, the head');
    like(focused(), qr/^button Calls/, 'keeps the focus');
    go('#/flame', '.flame canvas');
    focus('.flame canvas');
    $browser->keys('ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash.includes("zoom=") && document.activeElement.localName === "canvas"'),
        'after zooming, the picture');
    focus('#stage .controls select');
    $browser->keys('ArrowDown');
    ok($browser->wait_for('location.hash.includes("way=callees") && document.activeElement.localName === "select"'),
        'after a choice, the control');

    my $file = $browser->run('return report.profile.files.ticks.indexOf(Math.max(...report.profile.files.ticks))');
    go("#/file/$file", '.source tbody tr');
    focus('.source-place select');
    $browser->keys('ArrowDown', 'ArrowDown');
    ok($browser->wait_for('location.hash.includes("level=") && document.activeElement.closest(".source-place")'),
        'also one that is there later');
    go("#/file/$file", '.source td.line a');
    $browser->run('document.querySelectorAll(".source td.line a")[20].focus()');
    $browser->keys('Enter');
    ok($browser->wait_for('document.querySelector("tr.here")?.contains(document.activeElement)'),
        'after a click on a line, its link');
    quiet('focus');
};

# Where one was: who goes back finds the page as it was left. Links to a line, and from a sub to itself, do not lead to
# the top of a view.
subtest 'going back' => sub {
    $browser->size(1280, 500);
    my $where = sub { $browser->run('return Math.round(scrollY)') };
    my $leave = sub {
        my ($hash, $selector, $more, $y) = (@_[0 .. 2], $_[3] // 700);
        shown("$url$hash");
        $browser->run($more) if $more;
        $browser->run('scrollTo(0, arguments[0])', $y);
        ok($browser->wait_for("scrollY === $y"), "$hash: scrolled");
        $browser->run(
            'const link = [...document.querySelectorAll(arguments[0])].find(one => one.getBoundingClientRect().top '
                . '> 100 && !/:\d+(\?|$)/.test(one.hash)); link.focus({preventScroll: true}); window.left = link.getAttribute("href"); link.click()',
                $selector);
        ok($browser->wait_for("location.hash !== '$hash' && scrollY === 0"), 'the next view begins at its top');
        $browser->back;
        ok($browser->wait_for("scrollY === $y"), 'Back finds the place') or diag($where->());
        ok($browser->wait_for('document.activeElement.getAttribute("href") === window.left'), 'and what had the focus')
            or diag(focused());
    };
    $leave->('#/subs', '.data-table td.name a');
    $leave->('#/', '#overview td.name a:not([href*="file/"])', undef, 150);
    $leave->('#/modules', '.loads td.name a', 'document.querySelectorAll(".more button").forEach(one => one.click())');
    my $caller = $browser->run(
        'const counts = report.profile.subs.name.map((name, sub) => report.profile.arcs.by_callee.of(sub).length);'
        . 'return counts.indexOf(Math.max(...counts))');
    my $itself = $browser->run('return report.sub_route(arguments[0])', $caller);
    $leave->("#/sub/$caller", "#stage table[aria-label='Called from'] td.name a[href*='sub/']:not([href='$itself'])",
        'document.querySelectorAll(".more button").forEach(one => one.click())');
    $browser->size(1280, 900);
    quiet('going back');
};

subtest 'keys of pictures' => sub {
    go('#/map', '#stage .flame canvas');
    is($browser->run('return document.activeElement.localName'), 'h1', 'the heading has the focus');
    my $all = text_of('.details');
    $browser->keys('ArrowDown');
    is(text_of('.details'), $all, 'and arrows scroll');
    focus('#stage .flame canvas');
    $browser->keys('ArrowDown');
    isnt(text_of('.details'), $all, 'in the map they walk');
    go('#/time', 'canvas.timeline');
    $browser->keys('+');
    ok($browser->wait_for('location.hash.includes("zoom=")'), '+ zooms the time line');
    my $range = $browser->run('return location.hash');
    $browser->keys('ArrowLeft');
    ok($browser->wait_for("location.hash !== '$range'"), 'an arrow moves it');
    $browser->keys('-', '-');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), '- zooms out');
    focus('canvas.timeline');
    $browser->keys('ArrowDown');
    my $first = text_of('.details');
    like($first, qr/ \x{B7} .* beginning at /, 'in the time line, an arrow chooses the first call');
    $browser->keys('ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp');
    is(text_of('.details'), $first, 'others walk');
    $browser->keys('Enter');
    ok($browser->wait_for('document.body.dataset.view === "sub"'), 'Enter opens its sub');
    is(text_of('#stage h1'), $first =~ s/ \x{B7} .*//r, 'that one');
    for my $hash ('#/flame', '#/map', '#/time') {
        go($hash, 'canvas[role=application]');
        is_deeply($browser->run(<<'JS'), [], "$hash: with Ctrl, Alt and Meta they are the browser's");
        const canvas = document.querySelector('#stage canvas[role=application]');
        const is_taken = key => !canvas.dispatchEvent(
            new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...key}));
        return [{key: 'ArrowLeft', altKey: true}, {key: '+', ctrlKey: true}, {key: 'ArrowDown', metaKey: true}]
            .filter(is_taken);
JS
    }
    quiet('keys of pictures');
};

# In a narrow window too little is in sight.
subtest 'the focus is in sight' => sub {
    $browser->size(360, 800);
    shown("$url#/flame");
    my $hidden = sub {
        my ($selector, $presses, @key) = @_;
        my (%hidden, $met);
        # A line of source may have many links of others.
        for (my $pressed = 0; $pressed < $presses || (($met // 0) < 4 && $pressed < 10 * $presses); $pressed++) {
            $browser->keys(@key);
            my $where = $browser->run(<<'JS', $selector);
            const selector = arguments[0];
            return new Promise(resolve => {
                const look = frames => {
                    const one = document.activeElement, {left, right, top, bottom} = one.getBoundingClientRect();
                    const at = (x, y) => one.contains(document.elementFromPoint(x, y));
                    if (!one.matches(selector))
                        resolve(null);
                    else if (at(left + 3, (top + bottom) / 2) && at(right - 3, (top + bottom) / 2))
                        resolve('');
                    else if (frames === 0)
                        resolve(one.textContent);
                    else
                        requestAnimationFrame(() => look(frames - 1));
                };
                requestAnimationFrame(() => look(60));
            });
JS
            $met++ if defined $where;
            $hidden{$where} = 1 if $where;
        }
        cmp_ok($met // 0, '>=', 4, "$selector takes the focus");
        return [sort keys %hidden];
    };
    is_deeply($hidden->('#views a', 9, 'Tab'), [], 'each link to a view');
    # Which file takes most time depends on what else the machine does, and may be a short one.
    my $file = $browser->run('const {ticks, bytes} = report.profile.files; '
        . 'return ticks.indexOf(Math.max(...ticks.filter((_, file) => bytes[file] > 20000)))');
    go("#/file/$file", '.source td.line a');
    focus('.source-scroll');
    is_deeply($hidden->('.source td.line a', 12, 'Tab'), [], 'the first lines of a file');
    $browser->run('scrollTo(0, scrollY + 2000); return new Promise(resolve => setTimeout(() => resolve(0), 200))');
    $browser->run('[...document.querySelectorAll(".source td.line a")].find(one => '
            . 'one.getBoundingClientRect().top > 200).focus(); '
            . 'return new Promise(resolve => setTimeout(() => resolve(0), 200))');
    is_deeply($hidden->('.source td.line a', 24, 'Shift+Tab'), [], 'lines, backwards');
    go('#/subs', '.data-table td.name a');
    focus('.data-table tbody tr:nth-child(5) td.name a');
    is_deeply($hidden->('.data-table td.name a', 12, 'Tab'), [], 'rows of a table');
    $browser->size(1280, 900);
    quiet('the focus is in sight');
};

# What is open closes when the focus goes elsewhere.
subtest 'lists that are left' => sub {
    focus('#search');
    $browser->type('#search', 'Pod');
    ok($browser->wait_for('!document.querySelector("#hits").hidden'), 'the list of the search is open');
    $browser->keys('Tab');
    ok($browser->run('return document.querySelector("#hits").hidden'), 'after Tab it is not');
    go('#/flame', '.flame canvas');
    my $open = sub {
        focus('.flame canvas');
        $browser->keys('ArrowDown');
        $browser->run('document.querySelector(".flame-more").click()');
        is($browser->run('return document.querySelectorAll("[role=menu]").length'), 1, 'a menu is open');
    };
    for my $key ('/', '?') {
        $open->();
        $browser->keys($key);
        is($browser->run('return document.querySelectorAll("[role=menu]").length'), 0, "after $key it is not");
    }
    $browser->run('document.getElementById("help").close()');
    quiet('lists that are left');
};

# The browser's font size, which is 16 pixels, is 32: the page's 14 are 28.
subtest 'text of twice the size' => sub {
    $browser->command('Page.setFontSizes', fontSizes => { standard => 32, fixed => 26 });
    for my $width (390, 1300) {
        $browser->size($width, 844);
        shown($url);
        for my $hash ('#/', '#/subs', '#/sub/5', '#/flame', '#/files', '#/file/1', '#/map', '#/time', '#/modules') {
            go($hash, 'main h1');
            cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width,
                "$hash: no sideways scrolling in $width pixels");
        }
        go('#/subs', '.data-table td.name');
        is($browser->run('return getComputedStyle(document.querySelector(".data-table td.name")).fontSize'), '28px',
            'text is as large as the browser has it');
        my ($row, $block) =
            @{ $browser->run(
                'const block = document.querySelector(".block"); return [block.querySelector("tr").offsetHeight, '
                    . 'block.offsetHeight / block.querySelectorAll("tr").length]') };
        cmp_ok($row, '>=', 40, 'rows are higher');
        is($block, $row, 'and their blocks know it');
    }
    $browser->command('Page.setFontSizes', fontSizes => { standard => 16, fixed => 13 });
    ok($browser->wait_for('getComputedStyle(document.documentElement).getPropertyValue("--row") === "24px"'),
        'a size that changes is measured again');
    $browser->size(1280, 900);
    shown($url);
    quiet('text of twice the size');
};

subtest 'fingers' => sub {
    $browser->command('Emulation.setTouchEmulationEnabled', enabled => JSON::PP::true);
    $browser->command('Emulation.setDeviceMetricsOverride', width => 390, height => 844, deviceScaleFactor => 1,
        mobile => JSON::PP::true);
    shown($url);
    for my $hash ('#/', '#/subs', '#/sub/5', '#/flame?zoom=0', '#/files', '#/map', '#/time', '#/modules') {
        go($hash, 'main h1');
        is_deeply($browser->run(<<'JS'), [], "$hash: what is touched is at least 40 pixels high");
            return [...document.querySelectorAll('button, select, input:not([type=checkbox]), #views a, summary, table.rows td.name a, table.top td.name a, label.control')].filter(one => one.offsetParent && one.getBoundingClientRect().height < 39.5 &&
                !one.closest('.source')).map(one => one.outerHTML.slice(0, 150));
JS
        cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', 390, 'and nothing sticks out');
    }
    $browser->command('Emulation.setTouchEmulationEnabled', enabled => JSON::PP::false);
    $browser->size(1280, 900);
    shown($url);
};

subtest 'keys of the map' => sub {
    go('#/map', '#stage .flame canvas');
    my $all = text_of('.details');
    focus('#stage .flame canvas');
    my @rows = @{
        $browser->run(
            'return [...document.querySelectorAll(".as-table tbody tr td.name")].slice(0, 2).map(cell => '
                . 'cell.textContent)') };
    $browser->keys('ArrowDown');
    like(text_of('.details'), qr{(?:^|/)\Q$rows[0]\E \x{B7} }, 'down: the largest box, as it says');
    is($browser->run('return document.querySelector(".details").getAttribute("aria-live")'), 'polite', 'to everyone');
    $browser->keys('ArrowRight');
    like(text_of('.details'), qr{(?:^|/)\Q$rows[1]\E \x{B7} }, 'right: the next one');
    $browser->keys('ArrowLeft', 'ArrowLeft');
    like(text_of('.details'), qr{(?:^|/)\Q$rows[0]\E \x{B7} }, 'left: back, and no further');
    $browser->keys('ArrowDown');
    like(text_of('.details'), qr{(?:^|/)\Q$rows[0]\E/}, 'down: into it');
    $browser->keys('ArrowUp', 'ArrowUp');
    is(text_of('.details'), $all, 'up: all of them');
    $browser->keys('ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash.includes("zoom=")'), 'Enter opens it');
    ok($browser->wait_for("document.querySelector('.crumbs > :last-child')?.textContent === '$rows[0]'"), 'as the trail says');
    ok($browser->wait_for('document.activeElement.localName === "canvas"'), 'and the keys go on');
    $browser->keys('Escape');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), 'Escape goes back');
    quiet('map');
};

subtest 'roles' => sub {
    go('#/modules', '.loads tbody tr');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".loads, .loads *")].filter(one => one.hasAttribute("role") || '
            . 'one.hasAttribute("aria-level")).length'), 0, 'loads are a plain table');
    for my $view (qw(flame map time)) {
        go("#/$view", '#stage canvas');
        is($browser->run('return document.querySelector("#stage canvas").getAttribute("role")'), 'application',
            "$view: screen readers leave the keys to a picture that takes keys");
    }
};

subtest 'keys of one character' => sub {
    go('#/', '#overview h1');
    $browser->keys('?');
    $browser->click('#help input[type=checkbox]');
    $browser->keys('Escape');
    ok(shown("$url#/subs"), 'the page begins again');
    $browser->keys('f', 'd', '?', '/');
    is($browser->run(
        'return document.body.dataset.view + document.querySelectorAll("#help[open]").length + '
            . 'getComputedStyle(document.documentElement).colorScheme'), 'subs0light', 'turned off, they do nothing');
    isnt(focused(), 'input search', 'not even /');
    go('#/flame?zoom=' . $browser->run('return report.profile.stacks.sub[0]'), '.crumbs a');
    $browser->keys('Escape');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), 'Escape does');
    menu('Keys');
    is($browser->run('return document.querySelector("#help input").checked'), JSON::PP::false,
        'the list of keys says so');
    $browser->click('#help input[type=checkbox]');
    $browser->keys('Escape', 's');
    ok($browser->wait_for('document.body.dataset.view === "subs"'), 'turned on, they work');
    quiet('keys');
};

subtest 'colours' => sub {
    my $ink = sub {
        $browser->run(
            'return [getComputedStyle(document.body).color, '
                . 'getComputedStyle(document.documentElement).colorScheme].join(" ")') };
    $browser->scheme('light');
    my $light = $ink->();
    $browser->scheme('dark');
    my $dark = $ink->();
    isnt($dark, $light, 'as the system has them');
    $browser->keys('d');
    is($ink->(), $light, 'light, where the system is dark');
    $browser->scheme('light');
    $browser->keys('d');
    is($ink->(), $dark, 'dark, where it is light');
    $browser->keys('d');
    is($ink->(), $light, 'as the system has them again');
};

subtest 'printing' => sub {
    my $subs = 2500;
    my $many = spew("$dir/many.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/many.pl'],
        (map { [SUB_INFO => 1, "main::s$_", $_, $_] } 1 .. $subs),
        (map { [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 1e-4, 1e-4, 0, 0, "main::s$_"] } 1 .. $subs),
        [PID_END => 7, 2.5]));
    shown(page_of(many => $many) . '#/subs');
    my $rows = 'document.querySelectorAll(".data-table tbody tr").length';
    $browser->run('report.view.blocks.observer.disconnect(); report.view.blocks.stopped = true');
    $browser->command('Page.printToPDF');
    cmp_ok($browser->run("return $rows"), '>=', 200, 'rows that were not in the window yet are there');
    is($browser->run('return getComputedStyle(document.querySelector(".print-only")).display'), 'none',
        'the screen has no note');
    $browser->command('Emulation.setEmulatedMedia', media => 'print');
    my $sum = $browser->run(
        'return [...document.querySelectorAll(".data-table tbody tr")].filter(row => row.offsetParent).length');
    is($sum, 200, 'rows that are printed');
    is($browser->run('return document.querySelector(".print-only").innerText'),
        'These are the first 200 of 2,500 rows.', 'and what is said of the others');
    $browser->command('Emulation.setEmulatedMedia', media => '');
    shown($url);
};

# Every control of a view gets the focus by Tab, is in the window then, and shows it. What pictures have is in tables.
subtest 'the keyboard alone' => sub {
    my @subs  = ('main::f', 'A::g', 'A::CORE:sleep');
    my $small = spew("$dir/small.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'application', 'small.pl'],
        [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/small.pl'],
        (map { [TIME_LINE => 100_000, 1, $_] } 1 .. 4),
        (map { [SUB_RETURN => $_ + 1, 100_000 * (@subs - $_), 100_000, $subs[$_]] } reverse 0 .. $#subs),
        (map { [SUB_INFO => 1, $subs[$_], ($_ < 2 ? ($_ + 1, 3) : (0, 0))] } 0 .. $#subs),
        (map { [SUB_CALLERS => 1, 1 + $_, ($_ ? $subs[$_ - 1] : 'main::RUNTIME'), 1, 0.01 * (@subs - $_), 0.01, 0, 0,
            $subs[$_]] } 0 .. $#subs),
        (map { [SRC_LINE => 1, $_, "f($_);\n"] } 1 .. 6), [PID_END => 7, 2.5]));
    shown(page_of(small => $small));
    for my $hash ('#/', '#/subs', '#/sub/A::g', '#/flame?zoom=0', '#/files', '#/file//srv/small.pl:2', '#/map',
        '#/time', '#/modules') {
        go($hash, 'main h1');
        my $controls = $browser->run(<<'JS');
            document.querySelectorAll('details').forEach(one => { one.open = true; });
            window.controls = [...document.querySelectorAll('a[href], button, input, select, summary, canvas[role], [tabindex="0"]')].filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled && !one.closest('dialog:not([open])'));
            window.reached = new Set();
            document.activeElement.blur();
            getSelection().removeAllRanges();
            return window.controls.length;
JS
        cmp_ok($controls, '>', 8, "$hash: has controls");
        $browser->run('document.querySelector(".skip").focus()');
        for (1 .. $controls + 5) {
            last if $browser->run(<<'JS');
                const one = document.activeElement, box = one.getBoundingClientRect(), style = getComputedStyle(one);
                const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && style.outlineStyle !== 'none';
                const again = window.reached.has(one);
                window.reached.add(one);
                (window.unseen = window.unseen || []).push(...seen || one === document.body ? [] : [one.outerHTML.slice(0, 200)]);
                return again;
JS
            $browser->keys('Tab');
        }
        is_deeply($browser->run(
            'return window.controls.filter(one => !window.reached.has(one)).map(one => one.outerHTML.slice(0, 200))'),
                [], '... which Tab reaches, all of them');
        is_deeply($browser->run('const {unseen} = window; window.unseen = []; return unseen'), [],
            '... and shows where it is');
    }
    $browser->keys('/');
    $browser->keys('g', 'ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash === "#/sub/A::g"'), 'the search leads to a sub');
    quiet('the keyboard alone');
    shown($url);
};

# A depth of more than 65,535 does not begin again at 0.
is($browser->run(<<'JS'), 70_000, 'stacks of any depth');
    const count = 70001, key = [...Array(count).keys()];
    const layout = report.lay_out({key, parent: key.map(node => node - 1), self: key.map(() => 1), calls: key.map(() => 1)}, {name_of: String});
    return layout.depth[count - 1];
JS

# ---- axe-core ----

my ($axe, $missing) = npm_package('axe-core');

# What axe-core finds in what is shown: serious or critical.
sub axe_finds_nothing {
    my ($what) = @_;
    my $found = $browser->run(<<'JS');
        return axe.run(document, {resultTypes: ['violations']}).then(result => result.violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
            .flatMap(one => one.nodes.slice(0, 3).map(node => one.id + ', ' + one.help + ': ' + node.html.slice(0, 200))));
JS
    return is_deeply($found, [], "axe-core finds nothing serious in $what");
}

sub axe_begins {
    my ($address) = @_;
    shown($address);
    my $script = slurp("$axe/axe.min.js");
    utf8::decode($script);
    $browser->run("$script; return 1");
    return;
}

SKIP: {
    skip $missing, 1 if $missing;
    axe_begins("$url#/");
    axe_finds_nothing('the overview');
    go('#/subs?range=..10ms', '#selection .chip');
    axe_finds_nothing('a range of time');
    last SKIP if !$ENV{EXHAUSTIVE};
    my @sides = map { my $more = $_;
        made_run("$dir/side$more", stacks => 1,
            calls => { 'main::f' => [3, 0.25 * $more], 'A::same' => [9, 0.125], "A::only$more" => [1, 0.1] }) } 1, 2;
    my $memory   = page_of(memory => made_memory("$dir/live.out", source => 1));
    my $over_time = page_of(over_time => spew("$dir/over_time.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000],
        [ATTRIBUTE => heap => 1], [ATTRIBUTE => heap_holders => 1], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/Big.pm'], made_records(1), [TIME_LINE => 400, 1, 2], [PID_END => 7, 2.5])));
    my @spans  = map { my $name = "NYTProf::span GET /$_"; map { [SUB_RETURN => 1, 100 * $_, 100, $name] } 1 .. 6 } 1 .. 3;
    my $served = page_of(served => spew("$dir/served.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5], @spans, [PID_END => 7, 9])));
    my $compared = page_of(compared => $sides[1], '--diff', $sides[0]);
    for my $scheme (qw(light dark)) {
        $browser->scheme($scheme);
        axe_begins($url);
        for my $hash ('#/', '#/subs', '#/subs?group=package', '#/subs?group=tree', '#/sub/5', '#/flame', '#/flame?zoom=1&fold=3',
            '#/files', '#/file/1', '#/map', '#/time', '#/time?range=..10ms', '#/modules') {
            go($hash, 'main h1');
            $browser->run('document.querySelectorAll("details").forEach(one => { one.open = true; })');
            axe_finds_nothing("$hash, $scheme");
        }
        go('#/flame?out=pkg:Pod::Simple&zoom=1', '.flame-more');
        axe_finds_nothing("what is left out, and the button at a box, $scheme");
        $browser->run('document.querySelector(".flame-more").click()');
        axe_finds_nothing("the menu of a box, $scheme");
        $browser->keys('Escape', '?');
        axe_finds_nothing("the list of keys, $scheme");
        $browser->keys('Escape', '/', 'p', 'o', 'd');
        axe_finds_nothing("what a search finds, $scheme");
        $browser->type('#search', 'no such name');
        axe_finds_nothing("what it does not find, $scheme");
        axe_begins($memory);
        for my $hash ('#/', '#/subs', '#/sub/1', '#/files', '#/file/0', '#/modules', '#/kinds', '#/kinds/code') {
            go($hash, 'main h1');
            axe_finds_nothing("memory, $hash, $scheme");
        }
        axe_begins($over_time);
        go('#/memory?at=0.5s', '.memory-table');
        axe_finds_nothing("memory over time, $scheme");
        axe_begins($served);
        for (['#/labels', '.chosen-request .fact'], ['#/labels?route=span:GET /1', '.route-choice[aria-pressed=true]'],
            ['#/sub/NYTProf::span GET /1', '.histogram i']) {
            go(@$_);
            $browser->run('document.querySelectorAll("details").forEach(one => { one.open = true; })');
            axe_finds_nothing("$_->[0], $scheme");
        }
        axe_begins($compared);
        for my $hash ('#/', '#/subs', '#/sub/0', '#/flame', '#/flame?side=old', '#/files', '#/file/0') {
            go($hash, 'main h1');
            axe_finds_nothing("--diff, $hash, $scheme");
        }
    }
}

$browser->quit;
done_testing();
