# Who cannot see the report, has no mouse, or wants no keys that are commands: roles, focus, keys and printing in Chromium,
# and what axe-core says of the views. axe-core comes from npm's registry; without that, its part is skipped. With EXHAUSTIVE=1
# it looks at all views, in light and dark colours.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use JSON::PP ();
use NpmPackage qw(npm_package);
use NYTPTest qw(record run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);
my $url = page_of(access => record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2));
ok(shown($url), 'the page begins');

# What has the focus: its name, and its id, label or text.
sub focused { return $browser->run('const one = document.activeElement; return one.localName + " " + (one.id || one.getAttribute("aria-label") || one.textContent.slice(0, 200))') }

sub focus { my ($selector) = @_; $browser->run('document.querySelector(arguments[0]).focus()', $selector); return }

subtest 'focus' => sub {
    like(focused(), qr/^body /, 'nowhere, when the page begins');
    for my $name (qw(subs flame files map time modules)) {
        $browser->click("#views a[data-view=$name]");
        ok($browser->wait_for("document.body.dataset.view === '$name'"), $name);
        is(focused(), 'h1 ' . text_of('#stage h1'), 'its heading gets the focus');
    }
    $browser->click('#views a[data-view=""]');
    ok($browser->wait_for('document.activeElement.closest("#overview")'), 'and that of the overview, which is in the page');
    is(focused(), 'h1 ' . text_of('#overview h1'), 'its heading');

    go('#/subs', '.heads th');
    focus('.heads th:nth-child(3) button');
    $browser->keys('Enter');
    ok($browser->wait_for('location.hash.includes("sort=-calls") && document.activeElement.localName === "button"'), 'after sorting, the head');
    like(focused(), qr/^button Calls/, 'keeps the focus');
    go('#/flame', '.flame canvas');
    focus('.flame canvas');
    $browser->keys('ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash.includes("zoom=") && document.activeElement.localName === "canvas"'), 'after zooming, the picture');
    $browser->run('document.querySelector(".controls input[type=checkbox]").focus()');
    $browser->keys(' ');
    ok($browser->wait_for('location.hash.includes("packages=1") && document.activeElement.type === "checkbox"'), 'after a choice, the control');

    my $file = $browser->run('return report.profile.files.ticks.indexOf(Math.max(...report.profile.files.ticks))');
    go("#/file/$file", '.source tbody tr');
    focus('.source-place select');
    $browser->keys('ArrowDown', 'ArrowDown');
    ok($browser->wait_for('location.hash.includes("level=") && document.activeElement.closest(".source-place")'), 'also one that is there later');
    go("#/file/$file", '.source td.line a');
    $browser->run('document.querySelectorAll(".source td.line a")[20].focus()');
    $browser->keys('Enter');
    ok($browser->wait_for('document.querySelector("tr.here")?.contains(document.activeElement)'), 'after a click on a line, its link');
    quiet('focus');
};

subtest 'keys of the treemap' => sub {
    go('#/map', 'canvas.treemap');
    my $all = text_of('.details');
    focus('canvas.treemap');
    my @rows = @{ $browser->run('return [...document.querySelectorAll(".as-table tbody tr td.name")].slice(0, 2).map(cell => cell.textContent)') };
    $browser->keys('ArrowDown');
    like(text_of('.details'), qr/^\Q$rows[0]\E \x{B7} /, 'down: the largest box, as it says');
    is($browser->run('return document.querySelector(".details").getAttribute("aria-live")'), 'polite', 'to everyone');
    $browser->keys('ArrowRight');
    like(text_of('.details'), qr/^\Q$rows[1]\E \x{B7} /, 'right: the next one');
    $browser->keys('ArrowLeft', 'ArrowLeft');
    like(text_of('.details'), qr/^\Q$rows[0]\E \x{B7} /, 'left: back, and no further');
    $browser->keys('ArrowDown');
    like(text_of('.details'), qr/^\Q$rows[0]\E::/, 'down: into it');
    $browser->keys('ArrowUp', 'ArrowUp');
    is(text_of('.details'), $all, 'up: all of them');
    $browser->keys('ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash.includes("zoom=")'), 'Enter opens it');
    is(text_of('.crumbs a:last-child'), $rows[0], 'as the trail says');
    ok($browser->wait_for('document.activeElement.localName === "canvas"'), 'and the keys go on');
    $browser->keys('Escape');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), 'Escape goes back');
    quiet('treemap');
};

subtest 'roles' => sub {
    go('#/modules', '.loads tbody tr');
    is_deeply($browser->run('return [...document.querySelectorAll(".loads, .loads *")].filter(one => one.hasAttribute("role") || one.hasAttribute("aria-level")).length'), 0, 'loads are a plain table');
    for my $view (qw(flame map time)) {
        go("#/$view", '#stage canvas');
        is($browser->run('return document.querySelector("#stage canvas").getAttribute("role")'), 'application', "$view: screen readers leave the keys to a picture that takes keys");
    }
    my ($svg) = slurp("$dir/access.html") =~ /(<svg[^>]*>)/;
    like($svg, qr/role="group"/, 'the flame graph without scripts is a group of links');
};

subtest 'keys of one character' => sub {
    go('#/', '#overview h1');
    $browser->keys('?');
    $browser->wait_for('document.querySelector("#help[open]")');
    $browser->click('#help input[type=checkbox]');
    $browser->keys('Escape');
    ok(shown("$url#/subs"), 'the page begins again');
    $browser->keys('f', 'd', '?', '/');
    is($browser->run('return document.body.dataset.view + document.querySelectorAll("#help[open]").length + getComputedStyle(document.documentElement).colorScheme'), 'subs0light', 'turned off, they do nothing');
    isnt(focused(), 'input search', 'not even /');
    go('#/flame?zoom=' . $browser->run('return report.profile.stacks.sub[0]'), '.crumbs a');
    $browser->keys('Escape');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), 'Escape does');
    $browser->click('#show-help');
    is($browser->run('return document.querySelector("#help input").checked'), JSON::PP::false, 'the list of keys says so');
    $browser->click('#help input[type=checkbox]');
    $browser->keys('Escape', 's');
    ok($browser->wait_for('document.body.dataset.view === "subs"'), 'turned on, they work');
    quiet('keys');
};

subtest 'colours' => sub {
    my $ink = sub { $browser->run('return [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).colorScheme].join(" ")') };
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
    my $many = spew("$dir/many.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/many.pl'],
        (map { [SUB_INFO => 1, "main::s$_", $_, $_] } 1 .. $subs), (map { [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 1e-4, 1e-4, 0, 0, "main::s$_"] } 1 .. $subs), [PID_END => 7, 2.5]));
    shown(page_of(many => $many) . '#/subs');
    my $rows = 'document.querySelectorAll(".data-table tbody tr").length';
    $browser->run('report.view.blocks.observer.disconnect(); report.view.blocks.stopped = true');
    $browser->command('Page.printToPDF');
    cmp_ok($browser->run("return $rows"), '>=', 2200, 'rows that were not in the window yet are there');
    is($browser->run('return getComputedStyle(document.querySelector(".print-only")).display'), 'none', 'the screen has no note');
    $browser->command('Emulation.setEmulatedMedia', media => 'print');
    my $sum = $browser->run('return [...document.querySelectorAll(".data-table tbody tr")].filter(row => row.offsetParent).length');
    is($sum, 2200, 'rows that are printed');
    is($browser->run('return document.querySelector(".print-only").innerText'), '300 more rows are not printed.', 'and what is said of the others');
    $browser->command('Emulation.setEmulatedMedia', media => '');
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
    last SKIP if !$ENV{EXHAUSTIVE};
    for my $scheme (qw(light dark)) {
        $browser->scheme($scheme);
        axe_begins($url);
        for my $hash ('#/', '#/subs', '#/subs?group=package', '#/sub/5', '#/flame', '#/flame?zoom=1&color=self&fold=3', '#/files', '#/file/1', '#/map', '#/time', '#/modules') {
            go($hash, 'main h1');
            $browser->wait_for('document.querySelector(".source tbody tr")') if $hash =~ /file\//;
            $browser->run('document.querySelectorAll("details").forEach(one => { one.open = true; })');
            axe_finds_nothing("$hash, $scheme");
        }
        $browser->keys('?');
        axe_finds_nothing("the list of keys, $scheme");
        $browser->keys('Escape', '/', 'p', 'o', 'd');
        $browser->wait_for('document.querySelector("#hits [role=option]")');
        axe_finds_nothing("what a search finds, $scheme");
        $browser->type('#search', 'no such name');
        $browser->wait_for('!document.querySelector("#hits [role=option]")');
        axe_finds_nothing("what it does not find, $scheme");
    }
}

$browser->quit;
done_testing();
