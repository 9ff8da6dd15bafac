# Single requests in the report: what the page has of each is what nytprofcsv has, in few bytes, and the plot, the slowest
# and the keyboard lead to it. Skipped where there is no chromium.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

my $dir   = scratch_dir();
my $bin   = build_dir() . '/bin';
my $PER_S = 10_000_000;
my ($MOST, $SLOWEST) = (20_000, 50);    # MOST_REQUESTS in build.c, and NYTP_SLOWEST_SPANS

# Each request is [route, ticks before it, ticks of work, ticks of waiting], one list for each process; they begin 1.25 s
# after one another.
sub profile {
    my ($name, @processes) = @_;
    my (@chunks, %sums);
    my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S]);
    for my $number (0 .. $#processes) {
        push @chunks, [PID_START => 100 + $number, 1, 1_700_000_000 + 1.25 * $number];
        push @chunks, [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'] if !$number;
        for (@{ $processes[$number] }) {
            my ($route, $before, $work, $waiting) = @$_;
            my $sum = $sums{$route} //= { count => 0, ticks => 0 };
            push @chunks, [TIME_LINE => $before, 1, 1], ([SUB_RETURN => 3, $waiting, $waiting, 'main::CORE:sleep']) x !!$waiting,
                [TIME_LINE => $work + $waiting, 1, 3], [SUB_RETURN => 2, $work + $waiting, $work, "NYTProf::span GET /$route"];
            $sum->{count}++;
            $sum->{ticks} += $work + $waiting;
        }
        my $all = sum0(map { sum0(@$_[1 .. 3]) } @{ $processes[$number] });
        push @chunks, [SUB_RETURN => 1, $all, 5, 'main::serve'], [PID_END => 100 + $number, 1_700_000_100];
    }
    splice @chunks, -1, 0, map { [SUB_CALLERS => 1, 3, 'main::serve', $sums{$_}{count}, ($sums{$_}{ticks} / $PER_S) x 2, 0, 0,
        "NYTProf::span GET /$_"] } sort keys %sums;
    return spew("$dir/$name.out", profile_bytes(@begin, @chunks));
}

# The table of nytprofcsv, by begin: [name, pid, begin, latency, waiting].
sub spans_of {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytprofcsv", '--table=spans', '-o', '-', @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofcsv');
    my (undef, @rows) = split /\r\n/, $got->{out};
    return sort { $a->[2] <=> $b->[2] } map { [(split /,/)[0 .. 3, 5]] } @rows;
}

# The rows of the page's block in the same form, and the block.
sub block_of {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytprofhtml", '-o', '-', @options, $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofhtml');
    my $page  = ReportPage->new($got->{out});
    my $block = $page->block('requests') or return;
    my ($begin, @rows) = (0);
    for (0 .. $#{ $block->{label} }) {
        $begin += $block->{begin}[$_];
        push @rows, [$page->{core}{labels}{text}[$block->{label}[$_]], $page->{core}{processes}{pid}[$block->{process}[$_]],
            map { $_ / $block->{per_s} } $begin, $block->{ticks}[$_], $block->{asleep}[$_]];
    }
    my ($text) = $got->{out} =~ m{id="requests">([^<]*)};
    return (\@rows, $block, length $text);
}

# Lists rows that differ by more than a unit of the block, or the precision of a double with seconds since 1970.
sub differences {
    my ($rows, $spans, $block) = @_;
    my $most = 1 / $block->{per_s} + 3e-7;
    return [grep { my ($got, $want) = ($rows->[$_], $spans->[$_]);
        "@$got[0, 1]" ne "@$want[0, 1]" || abs($got->[2] - ($want->[2] - 1_700_000_000)) > $most
            || grep { abs($got->[$_] - $want->[$_]) > $most } 3, 4 } 0 .. $#$spans];
}

my $few = profile(few => [['a', 1_000, 20_000, 0], ['b', 50_000, 10_000, 600_000], ['a', 200_000, 30_000, 0]],
    [['a', 7_000, 25_000, 4_000], ['slow', 100_000, 90_000, 5_000_000], ['b', 10_000, 10_000, 300_000]]);

subtest 'few requests' => sub {
    my ($rows, $block) = block_of($few);
    my @spans = spans_of($few);
    is(scalar @$rows, 6, 'all of them');
    is($block->{all}, 6, 'which is said');
    is_deeply(differences($rows, \@spans, $block), [], 'nytprofcsv has the same');
    is_deeply([block_of(spew("$dir/none.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1], [PID_END => 7, 2])))], [],
        'without spans there is no block');
};

if (valgrind()) {
    note('for memcheck the unit test has many spans, and a browser is no matter');
    done_testing();
    exit;
}

my @routes = map { "route/$_" } 1 .. 30;
srand 5;
my @random = map { [$routes[@routes * rand()**2], int rand 100_000, int(3000 * exp 6 * rand), rand() < 0.7 ? int rand 400_000 : 0] } 1 .. 3 * $MOST;
my $many = profile(many => map { [@random[$_ * $MOST .. ($_ + 1) * $MOST - 1]] } 0 .. 2);

subtest 'many requests' => sub {
    my ($rows, $block, $bytes) = block_of($many);
    my @spans = spans_of($many);
    is(scalar @spans, 3 * $MOST, 'there are more of them');
    is(scalar @$rows, $MOST, 'than are kept');
    is_deeply([@$block{qw(all slowest)}], [3 * $MOST, $SLOWEST], 'which the block says');
    cmp_ok($bytes / $MOST, '<=', 12, 'each takes 12 bytes at most');
    my (%of, %kept, @missing);
    push @{ $of{ $_->[0] } }, $_->[3] for @spans;
    push @{ $kept{ $_->[0] } }, $_->[3] for @$rows;
    for my $name (sort keys %of) {
        my @slowest = (sort { $b <=> $a } @{ $of{$name} })[0 .. $SLOWEST - 1];
        my @there   = (sort { $b <=> $a } @{ $kept{$name} })[0 .. $SLOWEST - 1];
        push @missing, $name if grep { abs($slowest[$_] - $there[$_]) > 1 / $block->{per_s} } 0 .. $#slowest;
    }
    is_deeply(\@missing, [], 'the slowest of each route are there');
};

if (!WebDriver->found) {
    note('no chromium and chromedriver');
    done_testing();
    exit;
}
browse(my $browser = WebDriver->new, $dir);

# What the page says of the chosen request: its name, and its facts by name.
sub chosen {
    my $facts = $browser->run('return [...document.querySelectorAll(".chosen-request .fact")].map(one => [...one.children].map(part => part.textContent.replaceAll("\u00a0", " ")))');
    return { map { ($_->[0] => $_->[1]) } ['Name', text_of('.chosen-request h2 a')], @$facts };
}
my %slowest = (Name => 'GET /slow', Latency => '509 ms', Work => '9.00 ms', 'Asleep (by names)' => '500 ms', Begin => '1.26 s', Process => '101', Meanwhile => '0 requests in other processes', 'p50 of all' => '509 ms');

# Where the mouse finds dots, in the window: {text of the tip, x, y}.
sub dots {
    return @{ $browser->run(<<'JS') };
        const canvas = document.querySelector('.request-plot'), box = canvas.getBoundingClientRect(), dots = [];
        for (let y = 0; y < box.height; y += 6)
            for (let x = 0; x < box.width; x += 6) {
                canvas.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + x, clientY: box.top + y}));
                const tip = document.querySelector('.request-frame .tip:not([hidden])'),
                    text = tip && [...tip.children].map(line => line.textContent.replaceAll('\u00a0', ' ')).join('; ');
                if (!text)
                    continue;
                if (!dots.some(one => one.text === text))
                    dots.push({text, xs: [], ys: []});
                const dot = dots.find(one => one.text === text);
                dot.xs.push(box.left + x);
                dot.ys.push(box.top + y);
            }
        const mean = list => list.reduce((a, b) => a + b) / list.length;
        return dots.map(({text, xs, ys}) => ({text, x: mean(xs), y: mean(ys)}));
JS
}

ok(shown(page_of(few => $few)), 'the page begins');

subtest 'the view' => sub {
    is(text_of('#views a + a'), 'Requests 6', 'its tab is the second one');
    $browser->click('#views a + a');
    ok($browser->wait_for('document.querySelector(".chosen-request .fact")'), 'a click leads there');
    is_deeply([map { join ' ', @$_{ 'Request', 'Requests', 'p50 (s)', 'Longest (s)', 'Work (s)', 'Asleep (by names) (s)' } } csv()],
        ['GET /slow 1 0.509 0.509 0.009 0.5', 'GET /a 3 0.0028991 0.003 0.0075 0.0004', 'GET /b 2 0.0309183 0.061 0.002 0.09'],
        'routes, by their work');
    is_deeply($browser->run('return [...document.querySelectorAll(".mini")].map(one => [...one.children].map(part => part.className + " " + parseFloat(part.style.flexBasis).toFixed(1)).join())'),
        ['work 1.8,asleep 98.2', 'work 0.5,asleep 0.0', 'work 0.2,asleep 8.8'], '... each with what a request is made of, as parts of the longest');
    is($browser->run('const block = document.querySelector(".data-table .block"); return block.offsetHeight - block.firstChild.offsetHeight'), 0, '... in rows of the height for which there is room');
    is_deeply(chosen(), \%slowest, 'the slowest request is chosen');
    is_deeply($browser->run(
        'return [...document.querySelectorAll("tr[data-request]")].map(row => row.cells[0].textContent + row.cells[4].textContent)'),
        ['509.00●GET /slow', '61.00◆GET /b', '31.00◆GET /b', '3.00■GET /a', '2.90■GET /a', '2.00■GET /a'], 'the slowest as a table, with the marks of routes by their work');
    $browser->run('document.querySelectorAll("tr[data-request] button")[1].click()');
    ok($browser->wait_for('document.querySelector(".calls-of-request table")'), 'what it did is there');
    is_deeply($browser->run(<<'JS'), ['.facts'], 'screen readers say its facts when it is chosen, and no tables');
        return ['.facts', 'table'].filter(
            one => document.querySelector('.chosen-request ' + one).closest('[aria-live]'));
JS
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".calls-of-request tbody tr")].map(row => [...row.cells].map(cell => cell.textContent.replaceAll("\u00a0", " ")).join(" "))'),
        ['60.00 60.00 1 main::CORE:sleep', '1.00 61.00 1 NYTProf::span GET /b', '61.00 100.0 % 1 /srv/shop.pl:3'],
        '... as tables of its subs and its lines');
    is($browser->run('return document.querySelector(".calls-of-request canvas").getAttribute("aria-label")'),
        'What the request did; the tables below have the numbers', '... and as a flame graph');
    $browser->keys(',');
    is(chosen()->{Latency}, '31.0 ms', 'a key leads to a shorter one of the route');
    is($browser->run('return [...document.querySelectorAll(".chosen-request h2 button")].map(one => one.disabled).join()'), 'true,false', 'there is none that is shorter still');
    $browser->click('.chosen-request h2 button:last-child');
    my %second = (Name => 'GET /b', Latency => '61.0 ms', Work => '1.00 ms', 'Asleep (by names)' => '60.0 ms', Begin => '7.10 ms', Process => '100', Meanwhile => '0 requests in other processes', 'p50 of all' => '30.9 ms');
    is_deeply(chosen(), \%second, 'a click on a row chooses it');
    like($browser->run('return location.hash'), qr/^#\/labels\/span\?request=\d$/, 'and the address has it');
    my $hash = $browser->run('return location.hash');
    go('#/subs', '.data-table');
    go($hash, '.chosen-request .fact');
    is_deeply(chosen(), \%second, 'which leads to it again');
    ok($browser->wait_for('document.querySelector(".calls-of-request a[data-line]")'), '... and to its lines');
    $browser->run('document.querySelector(".calls-of-request a[data-line]").click()');
    like($browser->run('return location.hash'), qr{^#/file//srv/shop.pl:3$}, '... which lead to their source');
    quiet('the view');
};

subtest 'requests in other processes' => sub {
    my $two = profile(beside => [['a', 1_000, 20_000, 15_000_000]], [['b', 7_000, 25_000, 4_000], ['b', 7_000, 25_000, 4_000], ['b', 5_000_000, 25_000, 4_000]]);
    ok(shown(page_of(beside => $two) . '#/labels/span?route=span:GET /a'), 'the page begins');
    is(chosen()->{Meanwhile}, '2 requests in other processes', 'those that another process had while the request went on are counted');
};

subtest 'a request of more statements than are kept' => sub {
    my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S], [PID_START => 7, 1, 1_700_000_000],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/NYTProf/Span.pm']);
    my @end = ([SUB_RETURN => 1, 1_650_000, 1_650_000, 'NYTProf::span GET /long'], [PID_END => 7, 1_700_000_001]);
    my $two = profile_bytes([TIME_LINE => 1, 1, 3], [TIME_LINE => 2, 1, 4]);
    ok(shown(page_of(long => spew("$dir/long.out", profile_bytes(@begin) . $two x 550_000 . profile_bytes(@end))) . '#/labels/span'), 'the page begins');
    ok($browser->wait_for('document.querySelector(".calls-of-request table")'), 'its subs are there');
    is(text_of('.calls-of-request > p.hint'), 'Its lines are not known: more than a million statements ran before it ended.', '... and why there are no lines');
};

ok(shown(page_of(few => $few)), 'the page begins again');

subtest 'the plot' => sub {
    go('#/labels/span', '.chosen-request .fact');
    $browser->run('scrollTo(0, 0)');
    my @dots = dots();
    is_deeply([sort map { $_->{text} } @dots],
        ['GET /a; 2.00 ms = 2.00 ms work; began at 100 µs', 'GET /a; 2.90 ms = 2.50 ms work + 400 µs asleep (by names); began at 1.25 s',
            'GET /a; 3.00 ms = 3.00 ms work; began at 88.1 ms', 'GET /b; 31.0 ms = 1.00 ms work + 30.0 ms asleep (by names); began at 1.77 s',
            'GET /b; 61.0 ms = 1.00 ms work + 60.0 ms asleep (by names); began at 7.10 ms', 'GET /slow; 509 ms = 9.00 ms work + 500 ms asleep (by names); began at 1.26 s'],
        'the mouse finds each request');
    # How many dashes each row of pixels has.
    my $dashes = sub {
        return $browser->run(<<'JS');
            const canvas = document.querySelector('.request-plot'), {width, height} = canvas, pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data,
                counts = [];
            for (let y = 0; y < height; y++) {
                const row = Array.from({length: width}, (one, x) => pixels[4 * (y * width + x)] + ' ' + pixels[4 * (y * width + x) + 3]);
                counts.push(row.filter((color, x) => x > 0 && x + 4 < width && color !== row[x - 1] && color === row[x + 3] && color !== row[x + 4]).length);
            }
            const most = Math.max(...counts);
            return {most, y: canvas.getBoundingClientRect().top + counts.indexOf(most) / devicePixelRatio};
JS
    };
    my $line = $dashes->();
    my ($only) = grep { $_->{text} =~ /slow/ } @dots;
    cmp_ok($line->{most}, '>', 50, 'the p50 of the route of the chosen request is a dashed line');
    cmp_ok(abs($line->{y} - $only->{y}), '<', 8, '... which goes through the only one of the route');
    my ($dot) = grep { $_->{text} =~ /^GET .b; 31/ } @dots;
    $browser->click_at(@$dot{qw(x y)});
    is(chosen()->{Latency}, '31.0 ms', 'a click chooses it');
    my ($higher, $lower) = map { my $text = $_; (grep { $_->{text} =~ $text } @dots)[0]{y} } qr/slow/, qr/2\.00 ms/;
    cmp_ok($higher, '<', $lower, 'slower ones are higher');
    $browser->run('document.querySelector(".request-plot").focus()');
    $browser->keys('ArrowUp');
    is(chosen()->{Latency}, '61.0 ms', 'arrows up and down walk by duration');
    $browser->keys('ArrowRight');
    is(chosen()->{Begin}, '88.1 ms', 'those left and right by begin');
    $browser->keys(('ArrowRight') x 9);
    is(chosen()->{Begin}, '1.77 s', 'and end at the last');
    go('#/labels/span', '.chosen-request .fact');
    $browser->click('.data-table tr:nth-child(3) .route-choice');
    ok($browser->wait_for('decodeURIComponent(location.hash) === "#/labels/span?route=span:GET /b" && '
        . 'document.querySelector(".route-choice[aria-pressed=true]")'), 'a click on a mark chooses a route');
    is_deeply([sort map { $_->{text} =~ s/;.*//r } dots()], ['GET /b', 'GET /b'], 'the others are not found by the mouse');
    is($browser->run('return document.querySelectorAll("tr[data-request]").length'), 2, 'nor among the slowest');
    go('#/label/span:GET /b', '.facts');
    $browser->click('#stage p a[href*=route]');
    ok($browser->wait_for('document.querySelector(".route-choice[aria-pressed=true]")'), 'the page of a route leads there, too');
    is($browser->run('return document.querySelector(".route-choice[aria-pressed=true]").closest("td").textContent'), '◆GET /b', 'the mark says so');
    go('#/labels/span?q=slow', '.chosen-request .fact');
    is(scalar(dots()), 1, 'a filter is for the plot, too');
    go('#/labels/span?process=100', '.chosen-request .fact');
    is(scalar(dots()), 3, 'and so is a process');
    quiet('the plot');
};

subtest 'more of a request' => sub {
    go('#/labels/span', '.chosen-request .fact');
    $browser->click('.chosen-request p a');
    ok($browser->wait_for('document.querySelector(".timeline")'), 'a link leads to the time line');
    my ($from, $to) = $browser->run('return location.hash') =~ /(\d+)-(\d+)/;
    is_deeply([map { $_ / $PER_S } $from, $to], [1.23815, 1.79805], 'where it is, with a little before and after it')
        or diag("$from $to");
    quiet('more of a request');
};

subtest 'a part of the profile' => sub {
    ok(shown(page_of(part => $few, '--process=101')), 'the page begins');
    go('#/labels/span', '.chosen-request .fact');
    is(chosen()->{Latency}, '509 ms', 'has its requests');
    quiet('a part of the profile');
};

# The fewest clicks from the overview.
subtest 'what a request did' => sub {
    ok(shown(page_of(again => $few)), 'the page begins');
    $browser->click('#views a + a');
    $browser->click('.chosen-request p a');
    ok($browser->wait_for('document.querySelector(".timeline")'), 'two clicks: the slowest, and what ran in it');
};

# GET /a waits 40 ms for its second part, while the process serves GET /b.
subtest 'a request of several parts' => sub {
    my $waits = [SUB_RETURN => 3, 20_000, 20_000, 'main::CORE:sleep'];
    my $parts = spew("$dir/parts.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S],
        [PID_START => 7, 1, 1_700_000_000], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [TIME_LINE => 10_000, 1, 1], [TIME_LINE => 50_000, 1, 3], [ATTRIBUTE => request => 5], [SUB_RETURN => 2, 50_000, 50_000, 'NYTProf::span GET /a'],
        [TIME_LINE => 300_000, 1, 4], [SUB_RETURN => 2, 300_000, 300_000, 'NYTProf::span GET /b'], [TIME_LINE => 100_000, 1, 1],
        $waits, [TIME_LINE => 70_000, 1, 5], [ATTRIBUTE => parts => 1], [ATTRIBUTE => request => 5], [SUB_RETURN => 2, 70_000, 50_000, 'NYTProf::span GET /a'],
        [ATTRIBUTE => request => '5 10000 530000'], [TIME_LINE => 100_000, 1, 1],
        [SUB_RETURN => 1, 620_000, 200_000, 'main::serve'],
        [SUB_CALLERS => 1, 3, 'main::serve', 1, 0.012, 0.01, 0, 0, 'NYTProf::span GET /a'],
        [SUB_CALLERS => 1, 3, 'main::serve', 1, 0.03, 0.03, 0, 0, 'NYTProf::span GET /b'], [PID_END => 7, 1_700_000_001]));
    my ($rows, $block) = block_of($parts);
    my @spans = spans_of($parts);
    is_deeply(differences($rows, \@spans, $block), [], 'nytprofcsv has the same');
    ok(shown(page_of(parts => $parts)), 'the page begins');
    go('#/labels/span?route=span:GET /a', '.chosen-request .fact');
    is_deeply(chosen(), {
        Name => 'GET /a', Latency => '52.0 ms', Work => '10.0 ms', 'Asleep (by names)' => '2.00 ms', 'Turns of others' => '40.0 ms',
        Begin => '1.00 ms', Process => '7', 'p50 of all' => '52.0 ms',
    }, 'what its time was');
    is_deeply($browser->run('return [...document.querySelectorAll(".chosen-request .share-bar > *")].map(one => one.className + " " + Math.round(parseFloat(one.style.flexBasis)))'),
        ['work 19', 'asleep 4', 'others 77'], 'as a bar, too');
    is_deeply([map { join ' ', @$_{ 'Request', 'Requests', 'p50 (s)', 'Work (s)', 'Asleep (by names) (s)' } } csv()],
        ['GET /b 1 0.03 0.03 0', 'GET /a 1 0.052 0.01 0.002'], 'and the routes have it');
    ok($browser->wait_for('document.querySelector(".calls-of-request table")'), 'what it did is there');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".calls-of-request tbody tr")].map(row => [...row.cells].map(cell => cell.textContent.replaceAll("\u00a0", " ")).join(" "))'),
        ['10.00 12.00 1 NYTProf::span GET /a', '2.00 2.00 1 main::CORE:sleep', '7.00 58.3 % 1 /srv/shop.pl:5', '5.00 41.7 % 1 /srv/shop.pl:3'],
        '... of both parts');
    ok((grep { /^GET \/a; 52\.0 ms = 10\.0 ms work \+ 2\.00 ms asleep \(by names\) \+ 40\.0 ms turns of others; / } map { $_->{text} } dots()), 'and the tip of its dot');
    quiet('a request of several parts');
};

subtest 'any width' => sub {
    ok(shown(page_of(many => $many)), 'the page of many begins');
    for my $width (320, 390, 800, 1600) {
        $browser->size($width, 844);
        go('#/labels/span', '.chosen-request .fact');
        cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width, "$width pixels: nothing sticks out");
    }
    like(text_of('.request-frame ~ .hint'), qr/^20,000 of 60,000 requests, the slowest 50 of each and a fair sample of the others/, 'how many are drawn');
    is($browser->run('return new Set([...document.querySelectorAll(".data-table .route")].map(one => one.className)).size'), 5, 'four routes have marks, and the others share one');
    my $long = 'route/' . 'abc/' x 30;
    shown(page_of(long_name => profile(long_name => [[$long, 1_000, 20_000, 0]])));
    for my $width (360, 800) {
        $browser->size($width, 844);
        go('#/labels/span', '.chosen-request .fact');
        is($browser->run(<<'JS'), "GET /$long", "$width pixels: a long name in the table begins with its letters");
            const cell = document.querySelector('.data-table td.name'), link = cell.querySelector('a');
            const [end, most] = [link, cell].map(one => one.getBoundingClientRect().right);
            return end <= most ? link.textContent : 'is hidden';
JS
    }
    quiet('any width');
};

$browser->quit;
done_testing();
