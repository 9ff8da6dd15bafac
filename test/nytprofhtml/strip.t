# The strip of time: a lane for each process, how many want to run, requests, memory, and what is lit when a view is about one
# thing. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go menu page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my ($dir, $PER_S) = (scratch_dir(), 1_000_000);
browse(my $browser = WebDriver->new, $dir);

sub profile {
    my ($name, $attributes, @chunks) = @_;
    return spew("$dir/$name.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S], [ATTRIBUTE => 'application', 'shop.pl'],
        (map { [ATTRIBUTE => $_, $attributes->{$_}] } sort keys %$attributes), [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], @chunks,
        [SUB_INFO => 1, 'main::render', 3, 4], [SUB_INFO => 1, 'main::search', 5, 6]));
}

# A process that begins and ends at these seconds; parts: [sub, seconds] or, of a request, [sub, seconds, route].
sub process {
    my ($pid, $parent, $begin, $end, @parts) = @_;
    my %line = ('main::CORE:sleep' => 1, 'main::render' => 3, 'main::search' => 5);
    return ([PID_START => $pid, $parent, 1_700_000_000 + $begin], (map { my ($sub, $s, $route) = @$_;
        my @time = ([TIME_LINE => $s * $PER_S, 1, $line{$sub}], [SUB_RETURN => $route ? 2 : 1, ($s * $PER_S) x 2, $sub]);
        ($sub =~ /CORE/ ? reverse @time : @time, $route ? ([SUB_RETURN => 1, $s * $PER_S, 0, "NYTProf::span GET /$route"], [TIME_LINE => 1, 1, 1]) : ()) } @parts),
        [PID_END => $pid, 1_700_000_000 + $end + 0.001]);
}

# Two workers: 7 serves from 0 to 4 s and from 8 to 9.5 s, 8 from 2 to 6 s.
my @shop = (process(7, 6, 0, 10, ['main::render', 4, 'a'], ['main::CORE:sleep', 4], ['main::render', 1.5, 'a'], ['main::CORE:sleep', 0.5]),
    process(8, 6, 0, 10, ['main::CORE:sleep', 2], ['main::search', 4, 'b'], ['main::CORE:sleep', 4]));
my $shop = profile(shop => { processors => 1 }, @shop);

my $names  = sub { $browser->run('return [...document.querySelectorAll("#time-strip .names:first-child > *")].map(one => one.textContent)') };
my $legend = sub { $browser->run('return [...document.querySelectorAll("#time-strip .legend li")].map(one => one.textContent)') };

# The colours of a lane, from its upper end down, at a time: names of properties of the style sheet.
sub colors {
    my ($lane, $s) = @_;
    return join ' ', @{ $browser->run(<<'JS', $lane, $s / 10) };
        const canvas = document.querySelector('#time-strip canvas'), names = [...document.querySelectorAll('#time-strip .names:first-child > *')];
        const top = names.slice(0, arguments[0]).reduce((sum, one) => sum + one.offsetHeight, 0), height = names[arguments[0]].offsetHeight;
        const copy = document.createElement('canvas'), context = copy.getContext('2d', {willReadFrequently: true});
        [copy.width, copy.height] = [canvas.width, canvas.height];
        context.drawImage(canvas, 0, 0);
        const data = context.getImageData(Math.round(arguments[1] * canvas.width), top, 1, height - 4).data, found = [];
        const known = Object.fromEntries(['work', 'queued-too', 'area-0', 'area-2', 'route-0', 'route-1'].map(name => {
            const value = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
            return [[1, 3, 5].map(at => parseInt(value.slice(at, at + 2), 16)).join(), name];
        }));
        for (let at = 0; at < data.length; at += 4) {
            const name = known[[...data.slice(at, at + 3)].join()];
            if (name && data[at + 3] === 255 && found[found.length - 1] !== name)
                found.push(name);
        }
        return found;
JS
}

subtest 'a lane for each process' => sub {
    ok(shown(page_of(shop => $shop)), 'the page begins');
    is_deeply($names->(), ['run or queue', 7, 8], 'those with most work first, below how many want to run');
    is_deeply($legend->(), ['processes that work (dashes: 1 processor)', 'more than the processors can run', 'GET /a', 'GET /b'], 'a legend');
    is(colors(0, 1), 'area-2', 'one process works');
    is(colors(0, 3), 'queued-too area-2', 'two are more than the processor can run');
    is(colors(0, 7), '', 'none works');
    is(colors($_->[0], $_->[1]), $_->[2], "lane $_->[0] at $_->[1] s") for [1, 1, 'route-0'], [1, 5, ''], [1, 9, 'route-0'], [2, 1, ''], [2, 3, 'route-1'], [2, 7, ''];
    is_deeply($browser->run('return [...document.querySelectorAll("#time-strip .notes > *")].map(one => one.textContent.replace("\u00a0", " "))'), ['', '5.50 s', '4.00 s'], 'how much each works stands beside its lane');
    my ($end, $beside) = @{ $browser->run('return ["canvas", ".notes"].map(one => document.querySelector("#time-strip " + one).getBoundingClientRect()).map(({left, right}, i) => i ? left : right)') };
    cmp_ok($end, '<=', $beside, '... and not on its requests');
    is($browser->run('return document.querySelector("#time-strip .names:first-child a").title.replace("\u00a0", " ")'), '7 shop.pl: 5.50 s of work', 'and its work');
    $browser->click('#time-strip .names a');
    ok($browser->wait_for('location.hash.includes("process=7")'), 'a click on a lane chooses its process');
    is_deeply($names->(), ['requests', 'what ran'], '... which has its requests, and what ran');
    is(colors(0, 1) . colors(0, 5) . colors(1, 9), 'route-0area-0', '... when that was');
    ok(shown(page_of(unknown => profile(unknown => {}, @shop))), 'a profile that does not say how many processors there were');
    is_deeply($legend->(), ['processes that work', 'GET /a', 'GET /b'], 'has no dashes');
    is(colors(0, 3), 'area-2', 'and nothing is more than can run');
    shown(page_of(half => profile(half => { processors => 0.5 }, @shop)));
    is($legend->()->[0], 'processes that work (dashes: 0.5 processors)', 'half of a processor');
    quiet('lanes');
};

subtest 'a narrow window' => sub {
    my $is = sub { my ($count, $name) = @_; ok($browser->wait_for(qq{document.querySelectorAll("#time-strip .names:first-child > *").length === $count}), $name) };
    shown(page_of(shop => $shop));
    $browser->size(390, 800);
    $is->(1, 'has the first lane');
    $browser->click('#time-strip canvas');
    $is->(3, 'a tap opens the others');
    $browser->click('#time-strip canvas');
    $is->(1, '... and closes them');
    $browser->keys('[', 'Enter');
    $is->(3, 'so does Enter on an edge');
    $browser->keys('Enter');
    $browser->size(1200, 900);
    $is->(3, 'a wide one has them all');
    quiet('a narrow window');
};

subtest 'lit' => sub {
    shown(page_of(shop => $shop));
    go('#/sub/main::search', '.sub-name');
    ok($browser->wait_for('document.querySelector("#time-strip .names").textContent === "when it ran"'), 'a sub has one lane');
    is(colors(0, 1), 'area-2', 'not when another one ran');
    is(colors(0, 3), 'area-2 work', 'when it ran beside another one');
    is(colors(0, 5), 'work', '... and alone');
    is(colors(0, 7), '', '... and not when nothing did');
    go('#/label/span:GET /a', '.label-text');
    is(colors(0, 9) . ' ' . colors(0, 5), 'work area-2', 'a route');
    go('#/file/shop.pl:5', '.source tr.here');
    is(colors(0, 5) . ' ' . colors(0, 9), 'work area-2', 'a line');
    go('#/sub/main::render?process=8', '.sub-name');
    unlike(colors(0, 3), qr/work/, 'what a process did not run is not lit in it');
    go('#/subs', '.data-table tbody tr');
    is_deeply($names->(), ['what ran'], 'a list of many has one lane, too');
    quiet('lit');
};

subtest 'without what it was asleep' => sub {
    my $pauses = profile(pauses => {}, process(7, 6, 0, 10, ['main::render', 1], ['main::CORE:sleep', 8], ['main::render', 1]));
    for my $option ([], ['--no-wait']) {
        ok(shown(page_of("pauses@$option", $pauses, @$option)), "@$option: the page begins");
        is(join('|', map { colors($browser->run('return document.querySelectorAll("#time-strip .names:first-child > *").length - 1'), $_) } 0.5, 5, 9.5), 'area-0||area-0', 'work is where it was');
    }
    quiet('--no-wait');
};

# Two servers are killed in calls of their event loop, which so never return: 1 s of work, and 4 s in which they were asleep for 3 and queued for 0.5.
subtest 'calls that never return' => sub {
    my $killed = profile(killed => {}, map { ([PID_START => $_, 1, 1_700_000_000], [ATTRIBUTE => waits => 1], [TIME_LINE => $PER_S, 1, 3], [SUB_RETURN => 1, ($PER_S) x 2, 'main::render'],
        [ATTRIBUTE => waited => '1 3000000 500000'], [TIME_LINE => 4 * $PER_S, 1, 5]) } 7, 8);
    my $url = page_of(killed => $killed);
    my $of  = ReportPage->new(slurp($url =~ s{^file://}{}r))->block('slices');
    is_deeply([map { sprintf '%.2f', sum0(@{ $of->{by_area}[$_] }) / $PER_S } 0, 13, 14], ['3.00', '6.00', '1.00'], 'what they waited is not own code');
    is_deeply([map { sprintf '%.2f', sum0(@$_) / 1000 * $of->{width} / $PER_S } @{ $of->{lanes}{work} }], ['1.50', '1.50'], '... in lanes, too');
    shown($url);
    go('#/?process=8', '#chosen:not([hidden])');
    is(text_of('#chosen strong') =~ s/\x{A0}/ /gr, '1.50 s', 'nor work of one of them');
    go('#/file/shop.pl?process=8&range=1s..5s', '.source tbody tr');
    is_deeply([map { sprintf '%.2f', $_ / $PER_S } @{ $browser->run('const {lines, totals} = report.profile, sum = column => column.reduce((a, b) => a + b, 0); return [sum(lines.ticks), totals.ticks]') }],
        ['0.50', '0.50'], 'and in a range of time, lines have their work');
    quiet('killed');
};

subtest 'the scheduler is not slow code' => sub {
    my @calls = map { my ($queued, $sub) = @$_; ([ATTRIBUTE => waited => "1 0 $queued"], [TIME_LINE => $PER_S, 1, 3], [SUB_RETURN => 1, ($PER_S) x 2, $sub]) }
        [800_000, 'main::search'], [100_000, 'main::render'];
    ok(shown(page_of(queued => profile(queued => {}, [PID_START => 7, 1, 1_700_000_000], [ATTRIBUTE => waits => 1], (@calls) x 4, [TIME_LINE => 1000, 1, 1], [PID_END => 7, 1_700_000_009]))), 'the page begins');
    go('#/sub/main::search', '.sub-name');
    like(text_of('#stage') =~ s/\x{A0}/ /gr, qr/The scheduler, not the code: its calls were queued in 3\.20 s of 4\.00 s: long ones say little/, 'a sub whose calls were queued');
    go('#/sub/main::render', '.sub-name');
    unlike(text_of('#stage'), qr/scheduler/, '... and one whose calls were not');
    quiet('the scheduler');
};

subtest 'many processes' => sub {
    ok(shown(page_of(many => profile(many => {}, map { process($_, 6, 0, 10, ['main::render', $_ / 10]) } 21 .. 50))), 'the page begins');
    is_deeply($names->(), ['run or queue', reverse(40 .. 50), '19 more'], 'the eleven with most work, and how many others there are');
    quiet('many processes');
};

# Child 11 works five times as long as the others, and has to be waited for.
subtest 'a process that holds the rest up' => sub {
    my @others = map { process($_, 6, 0, 2, ['main::search', 1], ['main::CORE:sleep', 1]) } 12 .. 15;
    ok(shown(page_of(slow => profile(slow => {}, process(6, 1, 0, 10, ['main::CORE:sleep', 10]), process(11, 6, 0, 10, ['main::render', 5], ['main::CORE:sleep', 5]), @others))), 'the page begins');
    is(text_of('#overview h1') =~ s/\x{A0}/ /gr, 'Process 11 works 5.0 times as long as the other 4 usually do, and alone for the last 8.00 s of 10.0 s: 5.00 s, 56 % of the work', 'is the answer, without a click');
    is($names->()->[1], 11, 'and the first lane');
    cmp_ok($browser->run('return document.querySelector("#overview h1").getBoundingClientRect().bottom'), '<', 900, 'without scrolling');
    $browser->click('#findings a');
    ok($browser->wait_for('location.hash.includes("process=11")'), 'a click leads to it');
    for my $case (['all alike', process(11, 6, 0, 10, ['main::render', 1], ['main::CORE:sleep', 9])], ['that ends with the others', process(11, 6, 0, 2, ['main::render', 2])],
        ['that begins when they have ended', process(11, 6, 3, 10, ['main::render', 5], ['main::CORE:sleep', 2])]) {
        my ($name, @chunks) = @$case;
        my $got = run([build_dir() . '/bin/nytp', 'findings', profile('not' => {}, process(6, 1, 0, 10, ['main::CORE:sleep', 10]), @chunks, @others)]);
        unlike($got->{out}, qr/slow-process/, "none $name");
    }
    quiet('a slow process');
};

subtest 'each view has its command' => sub {
    shown(page_of(shop => $shop));
    local $ENV{PATH} = build_dir() . "/bin:$ENV{PATH}";
    my %has = ('#/' => qr/9\.50 s/, '#/labels/span' => qr/GET \/a/, '#/label/span:GET /b' => qr/GET \/b/, '#/flame' => qr/main::render/, '#/time' => qr/\A\z/,
        '#/subs' => qr/main::search/, '#/sub/main::search' => qr/main::search/, '#/files' => qr/shop\.pl:3/, '#/file/shop.pl' => qr/shop\.pl:5/, '#/modules' => qr/GET \/a ran 2 times/,
        '#/subs?process=8&range=2s..4s' => qr/2\.00 s work/, '#/subs?all=1' => qr/CORE:sleep/);
    for my $hash (sort keys %has) {
        go($hash, 'main h1');
        my ($command) = map { /^Copy: (.*)/ } @{ menu() };
        my $got = run(['sh', '-c', $command], dir => $dir);
        is("$got->{status} $got->{err}", '0 ', "$hash: $command");
        like($got->{out}, $has{$hash}, '... prints what it shows');
    }
    quiet('commands');
};

$browser->quit;
done_testing();
