# What a reader leaves out of a report, or the one process of several that is chosen: the numbers of the views then,
# addresses, chips and the menu of the flame graph. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPTest qw(scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);

# a calls b and c, c calls b, too, and one of the calls of b sleeps for 1 s. A tick is 1 ms.
my @waits = ([3, 1000, 1000, 'main::CORE:sleep'], [2, 1050, 50, 'main::b'], [3, 20, 20, 'main::b'],
    [2, 50, 30, 'Odd, 1%::c'], [1, 1200, 100, 'main::a']);
my @arcs  = ([10, 'main::RUNTIME', 1.2, 0.1, 'main::a'], [3, 'main::a', 1.05, 0.05, 'main::b'],
    [4, 'main::a', 0.05, 0.03, 'Odd, 1%::c'],
    [5, 'Odd, 1%::c', 0.02, 0.02, 'main::b'], [7, 'main::b', 1, 1, 'main::CORE:sleep']);
my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'application', 'shop.pl']);
my @shop  = ([PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
    (map { [TIME_LINE => $_->[1], 1, $_->[0]] } [1, 100], [2, 50], [5, 30], [7, 1040], [7, 20], [10, 60]),
    (map { [SUB_RETURN => @$_] } @waits), [PID_END => 7, 2.9]);
my @subs = ([SUB_INFO => 1, 'main::a', 1, 4], [SUB_INFO => 1, 'Odd, 1%::c', 5, 6], [SUB_INFO => 1, 'main::b', 7, 8]);

sub callers { return map { [SUB_CALLERS => 1, $_->[0], $_->[1], $_->[5] // 1, @$_[2, 3], 0, 0, $_->[4]] } @_ }

my $profile = spew("$dir/waits.out", profile_bytes(@begin, @shop, @subs, callers(@arcs)));
ok(shown(page_of(waits => $profile)), 'the page begins');

# Calls, self and inclusive ms, by sub.
sub numbers {
    return { map { $_->{Sub} => join ' ', $_->{Calls}, map { $_ * 1000 } @$_{ 'Self (s)', 'Incl. (s)' } } csv() }
}

sub ticks { return $browser->run('return report.profile.totals.ticks') }

# The table of files and the overview's table of lines, in ms.
sub lines { return $browser->run(
    'return [...document.querySelectorAll("#top-lines tbody tr")].map(row => [row.querySelector("a").dataset.line, '
        . 'Number(row.cells[0].dataset.t), row.cells[1].textContent].join(" "))') }

my %all = ('main::a' => '1 100 1200', 'main::b' => '2 70 1070', 'Odd, 1%::c' => '1 30 50',
    'main::CORE:sleep' => '1 1000 1000');

subtest 'work and all time' => sub {
    my %work = ('main::a' => '1 100 200', 'main::b' => '2 70 70', 'Odd, 1%::c' => '1 30 50', 'main::CORE:sleep' => '1 0 0');
    my $pressed = 'return document.querySelector("#waits [aria-pressed=true]").textContent';
    go('#/subs', '.data-table td.name');
    is_deeply(numbers(), \%work, 'of subs and of their callers, the work');
    is(ticks(), 300, 'and of the total');
    is($browser->run($pressed), 'work', 'the switch says so');
    $browser->click('#waits [aria-pressed=false]');
    ok($browser->wait_for('location.hash === "#/subs?all=1"'), 'a click shows all time, and that is in the address');
    is_deeply(numbers(), \%all, 'all of it');
    is($browser->run($pressed), 'all', 'the switch has changed');
    $browser->click('#views a[data-view=flame]');
    ok($browser->wait_for('location.hash === "#/flame?all=1"'), 'it stays so in other views');
    is($browser->run('return report.layout.total'), 1300, 'such as the flame graph');
    $browser->keys('w');
    ok($browser->wait_for('location.hash === "#/flame"'), 'and so does a key');
    is($browser->run('return report.layout.total'), 300, '... here');
    go('#/files', '.data-table td.name');
    is_deeply([map { $_->{'Self (s)'} * 1000 } csv()], [300], 'a file is without the sleeping in its lines');
    go('#/', '#top-lines');
    is_deeply(lines(), ['1 100 1', '7 60 2', '10 60 1', '2 50 1', '5 30 1'], 'and so are the lines in the overview');
    go('#/?all=1', '#top-lines');
    is_deeply(lines(), ['7 1060 2', '1 100 1', '10 60 1', '2 50 1', '5 30 1'], 'which has all time, too');
    like($browser->run('return document.querySelector("#top-subs a").getAttribute("href")'), qr/\?all=1$/, 'its links keep that');

    # a sub that waits loses its own time, and keeps what it calls
    my $calls_back = spew("$dir/calls-back.out", profile_bytes(@begin, [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [TIME_LINE => 1100, 1, 10], [SUB_RETURN => 2, 100, 100, 'main::b'], [SUB_RETURN => 1, 1100, 1000, 'EV::run'], [PID_END => 7, 2.9],
        [SUB_INFO => 1, 'main::b', 7, 8], callers([10, 'main::RUNTIME', 1.1, 1, 'EV::run'], [7, 'EV::run', 0.1, 0.1, 'main::b']),
        [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'EV::run']));
    ok(shown(page_of('calls-back' => $calls_back) . '#/subs'), 'a loop that calls back');
    is_deeply(numbers(), { 'EV::run' => '1 0 100', 'main::b' => '1 100 100' }, 'has the work of what it calls');
    ok(shown(page_of(waits => $profile)), 'and back');
    quiet('work and all time');
};

subtest 'a sub and a package' => sub {
    go('#/subs?all=1', '.data-table td.name');
    is_deeply(numbers(), \%all, 'an address without it has all');
    my $c = $browser->run('return report.profile.subs.name.indexOf("Odd, 1%::c")');
    go("#/sub/$c?all=1", 'h1');
    $browser->run(
        '[...document.querySelectorAll("#stage button.link")].find(one => one.textContent === "Leave it out").click()');
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'a sub is left out on its page');
    like(text_of('#selection .chip'), qr/Odd, 1%::c left out: 50(?:\.0)?\s+ms/, 'with what it called');
    like(text_of('#selection p'), qr/Lines are without the code of subs that were left out/,
        'it is said that lines are not exact');
    $browser->keys('s');
    my %without = ('main::a' => '1 100 1150', 'main::b' => '1 50 1050', 'main::CORE:sleep' => '1 1000 1000');
    is_deeply(numbers(), \%without, 'calls below it are gone from other subs');
    is(ticks(), 1250, 'and from the total');
    $browser->run('location.hash = arguments[0]', '#/subs?all=1&out=' . 'pkg:Odd%252C 1%2525');
    ok($browser->wait_for('document.querySelector("#selection .chip")?.textContent.includes("Odd, 1% left out")'),
        'a package');
    is_deeply(numbers(), \%without, 'is its subs');
    go('#/subs?out=sub:main::nothing', '.data-table td.name');
    like($browser->run('return document.querySelector("#selection").textContent'), qr/main::nothing left out: 0/,
        'what the profile has not makes no difference');
    is(ticks(), 300, 'beside others');
    go('#/flame?out=pkg:main,pkg:Odd%252C 1%2525', '.empty');
    is(text_of('.empty'), 'What is shown has no calls.', 'without any it is not said that none was recorded');
    quiet('subs and packages');
};

# Of two processes, the first is that of above. The second calls b from two lines and c, and recurses once.
subtest 'one process' => sub {
    my @other = ([PID_START => 8, 7, 1.6], [TIME_LINE => 90, 1, 7], [SUB_RETURN => 2, 5, 5, 'main::b'],
        [SUB_RETURN => 3, 10, 10, 'main::a'], [SUB_RETURN => 2, 15, 5, 'main::b'],
        [SUB_RETURN => 1, 50, 30, 'main::a'], [SUB_RETURN => 1, 4, 4, 'Odd, 1%::c'], [PID_END => 8, 1.7]);
    my %sum = map { join(' ', @$_[0, 1, 4]) => [@$_] } @arcs;
    $sum{'10 main::RUNTIME main::a'} = [10, 'main::RUNTIME', 1.25, 0.13, 'main::a', 2];
    $sum{'3 main::a main::b'} = [3, 'main::a', 1.07, 0.06, 'main::b', 3];
    my $both = spew("$dir/both.out",
        profile_bytes(@begin, @shop, @other, @subs,
            callers(values %sum, [8, 'main::b', 0, 0.01, 'main::a'],
                [11, 'main::RUNTIME', 0.004, 0.004, 'Odd, 1%::c'])));
    ok(shown(page_of(both => $both)), 'the page begins');
    go('#/subs?all=1', '.data-table td.name');
    is_deeply(numbers(), { %all, 'main::a' => '3 140 1250', 'main::b' => '4 80 1090', 'Odd, 1%::c' => '2 34 54' },
        'both');
    my $options =
        $browser->run(
            'return [...document.querySelectorAll("#selection option")].map(one => [one.value, '
                . 'one.textContent].join("|"))');
    is_deeply([map { s/\x{A0}/ /gr } @$options], ['|all 2', '7|7 shop.pl, 1.30 s', '8|8 shop.pl, 90.0 ms'],
        'each can be chosen, the longest first');
    $browser->run(
        'const one = document.querySelector("#selection select"); one.focus(); one.value = "7"; '
            . 'one.dispatchEvent(new Event("change"))');
    ok($browser->wait_for('location.hash === "#/subs?process=7&all=1" && report.profile.totals.ticks === 1300'),
        'one is chosen');
    is_deeply(numbers(), \%all, 'subs have the numbers of that process');
    is($browser->run('return document.activeElement.closest("#selection") && document.activeElement.value'), '7',
        'and the choice keeps the focus');
    go('#/subs?all=1&process=8', '.data-table td.name');
    ok($browser->wait_for('report.profile.totals.ticks === 90'), 'the other one');
    is_deeply(numbers(), { 'main::a' => '2 40 50', 'main::b' => '2 10 20', 'Odd, 1%::c' => '1 4 4' }, 'has its own');
    go('#/?process=8', '#chosen:not([hidden])');
    is(text_of('#overview h1'), 'Process 8 shop.pl', 'so does the heading of the overview');
    is(text_of('#chosen') =~ s/\x{A0}/ /gr, '90.0 ms of 1.39 s in 2 processes, 5 calls.', 'and its summary');
    is($browser->run('return document.title'), 'Process 8 shop.pl - Perl profile', 'and the title');
    my $shown = sub {
        $browser->run(
            'return [...document.querySelectorAll("#overview section h2")].filter(one => one.offsetParent).map(one '
                . '=> one.textContent)') };
    my @of_one = ('Subs by self time', 'Hottest lines', 'Processes', 'Recorded');
    is_deeply($shown->(), \@of_one, 'what is known of all processes alone is not there');
    is_deeply(lines(), ['7 90 1'], 'slices of the time say which process ran a line');
    my $texts = sub {
        $browser->run(
            'return [...document.querySelectorAll(arguments[0])].map(one => one.textContent.replace(/\u00a0/g, " "))',
                $_[0]);
    };
    is_deeply($texts->('#overview-flame .legend li'), ['own code 60.0 %', 'outside of subs 40.0 %'], 'whose code it is');
    go('#/', '#lede:not([hidden])');
    is_deeply($shown->(), ["What stands out shares of the work", @of_one], 'of all processes all of it is');
    like(text_of('#lede'), qr/^shop\.pl, 2 processes: /, 'under their name');
    go('#/flame?process=8&out=pkg:Odd%252C 1%2525', '.flame canvas');
    ok($browser->wait_for('report.layout.total === 86'), 'so does the flame graph, also if something is left out');
    go('#/time?process=8', 'canvas.timeline');
    is_deeply($browser->run('return [...new Set(report.profile.calls.process)]'), [1], 'and the time line');
    go('#/files?process=8', '.data-table td.name');
    is_deeply([map { "$_->{'Self (s)'} $_->{Statements}" } csv()], ['0.09 1'], 'files are by process, too');
    go('#/subs?all=1&process=9', '.data-table td.name');
    is(ticks(), 1390, 'there is no such process: all of them');
    my $without = slurp("$dir/both.html") =~ s{<script type="text/plain" id="slice.*?</script>}{}gsr;
    ok(shown('file://' . spew("$dir/without.html", $without)), 'a report without slices');
    go('#/files?process=8', '.data-table td.name');
    like(text_of('#selection p'), qr/lines are those of all processes/, 'has files of all processes, which is said');
    go('#/?process=8&range=0s..1s', '#chosen:not([hidden])');
    is_deeply($shown->(), [grep { !/lines/ } @of_one], 'and none in the overview');
    ok($browser->run('return document.querySelector("#time-strip").hidden'), 'nor a strip of time');
    quiet('processes');
};

# 30 processes, each with a call of 10 ms in one of 20 ms.
subtest 'the time line of many processes' => sub {
    my $many = spew("$dir/many.out",
        profile_bytes(@begin, [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        (map { ([PID_START => 100 + $_, 7, 1.5 + $_ / 100], [TIME_LINE => 20, 1, 1],
            [SUB_RETURN => 2, 10, 10, 'main::b'], [SUB_RETURN => 1, 20, 10, 'main::a'],
            [ATTRIBUTE => process_cpu_s => 0.0123], [PID_END => 100 + $_, 2]) } 1 .. 30), @subs, [PID_END => 7, 2.9]));
    ok(shown(page_of(many => $many)), 'the page begins');
    for my $width (400, 1000, 1300) {
        $browser->size($width, 900);
        go('#/', '#processes th');
        is_deeply($browser->run('return [...document.querySelectorAll("#processes th")].filter(one => one.offsetParent && '
            . 'one.scrollWidth > one.clientWidth).map(one => one.textContent)'), [], "$width pixels: no title of the table is cut");
    }
    $browser->size(1280, 900);
    go('#/time', 'canvas.timeline');
    ok($browser->run(
        'const one = document.querySelector(".timeline-frame"); return one.scrollHeight > one.clientHeight + 500'),
            'it has a scroll bar');
    my ($x, $y) =
        @{ $browser->run(
            'const box = document.querySelector("canvas.timeline").getBoundingClientRect(); return [box.left, '
                . 'box.top]') };
    my $row = sub {
        $browser->run(
            'const one = new OffscreenCanvas(1, 1).getContext("2d"); '
                . 'one.drawImage(document.querySelector("canvas.timeline"), -arguments[0], -arguments[1]); return '
                . '[...one.getImageData(0, 0, 1, 1).data].join()', @_) };
    my $head = $row->(900, 30);
    isnt($row->(900, 70), $head, 'the head of a lane has a colour of its own');
    $browser->run(
        'const one = document.querySelector(".timeline-frame"); one.scrollTop = 24 + 54 * 3 + 30; return new '
            . 'Promise(requestAnimationFrame)');
    is($row->(900, 30), $head, 'it stays in sight while calls scroll below it');
    my $touch = sub {
        my ($type, $id, $at_x) = @_;
        $browser->run(
            'const canvas = document.querySelector("canvas.timeline"); canvas.setPointerCapture = () => {}; '
                . 'canvas.dispatchEvent(new PointerEvent(arguments[0], {pointerId: arguments[1], pointerType: '
                . '"touch", clientX: arguments[2], clientY: arguments[3], bubbles: true}))', $type, $id, $x + $at_x,
                $y + 100);
    };
    $touch->(pointerdown => 1, 300);
    $touch->(pointerdown => 2, 500);
    $touch->(pointermove => 2, 700);
    $touch->(pointerup => $_, 700) for 1, 2;
    ok($browser->wait_for('/zoom=\d+-\d+/.test(location.hash)'), 'two fingers zoom');
    my ($from, $to) = $browser->run('return location.hash') =~ /zoom=(\d+)-(\d+)/;
    my $whole = $browser->run(
        'const {calls} = report.profile; return Math.max(...calls.begin.map((begin, call) => begin + '
            . 'calls.ticks[call]))');
    cmp_ok(abs(($to - $from) - $whole / 2), '<=', 2, 'twice as far apart: twice as large');
    $touch->(pointerdown => 1, 500);
    $touch->(pointermove => 1, 400);
    $touch->(pointerup => 1, 400);
    ok($browser->wait_for("Number(/zoom=(\\d+)/.exec(location.hash)[1]) > $from"), 'one moves');
    quiet('many processes');
};

# The entries of the menu that is open.
sub entries {
    return $browser->run('return [...document.querySelectorAll("[role=menuitem]")].map(one => one.textContent)');
}

subtest 'the menu of the flame graph' => sub {
    ok(shown(page_of(waits => $profile)), 'the page begins');
    go('#/flame', '.flame canvas');
    $browser->run('document.querySelector(".flame canvas").focus()');
    $browser->keys('ArrowDown', 'ArrowDown');
    $browser->run(
        'document.querySelector(".flame canvas").dispatchEvent(new PointerEvent("contextmenu", {bubbles: true, '
            . 'cancelable: true}))');
    is_deeply(entries(),
        ['Open the sub', 'Focus on it', 'Leave it out', 'Fold it into its callers', 'Only package main',
        'Leave out package main', 'Only its file', 'Copy the stack'],
        'a key opens it at the chosen box');
    is(text_of('.menu p'), 'main::b', 'which it names');
    is($browser->run('return document.activeElement.textContent'), 'Open the sub', 'its first entry has the focus');
    $browser->keys('Escape');
    is_deeply([entries(), $browser->run('return document.activeElement.localName')], [[], 'canvas'],
        'Escape closes it, and the focus returns');
    $browser->run('document.querySelector(".flame-more").focus()');
    $browser->keys('Enter');
    is(text_of('.menu p'), 'main::b', 'so does the button at the box');
    $browser->keys('ArrowUp', 'ArrowUp', 'ArrowDown');
    is($browser->run('return document.activeElement.textContent'), 'Copy the stack', 'arrows walk, round its ends');
    $browser->keys('Home', 'ArrowDown', 'ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash === "#/flame?out=sub:main::b" && document.querySelector("#selection .chip")'),
        'Enter leaves the box out');
    is_deeply([entries(), ticks()], [[], 230], 'with its time');
    my ($x, $y) =
        @{ $browser->run(
            'const box = document.querySelector(".flame canvas").getBoundingClientRect(); return [box.left + 40, '
                . 'box.top + 28]') };
    $browser->run(
        'document.querySelector(".flame canvas").dispatchEvent(new PointerEvent("contextmenu", {bubbles: true, '
            . 'cancelable: true, button: 2, clientX: arguments[0], clientY: arguments[1]}))', $x, $y);
    is(text_of('.menu p'), 'main::a', 'the mouse opens the menu of the box below it');
    $browser->click_at(5, 300);
    is_deeply(entries(), [], 'a click elsewhere closes it');
    go('#/flame?packages=1', '.flame canvas');
    $browser->run('document.querySelector(".flame canvas").focus()');
    $browser->keys('ArrowDown');
    $browser->run('document.querySelector(".flame-more").click()');
    is_deeply(entries(), ['Open its subs', 'Focus on it', 'Leave it out', 'Copy the stack'], 'a package has one, too');
    quiet('menu');
};

$browser->quit;
done_testing();
