# The strip of time of a report, and the range that is chosen on it: by mouse, touch and keyboard, in addresses, and the
# numbers of all views then. They are sums of the slices of the report, and those of a profile that `nytprofmerge
# --range` cut at the same slices. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use List::Util qw(max min sum0);
use NYTPTest qw(build_dir record run sanitized scratch_dir slurp spew valgrind);
use POSIX ();
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck and sanitizers' if valgrind() || sanitized();

my ($dir, $PER_S) = (scratch_dir(), 1_000_000);
browse(my $browser = WebDriver->new, $dir);

# Two processes of 10 s. Each takes five requests of 1.9 s with a pause of 100 ms before each, in which it sleeps. The
# first serves with main::render and the second with main::search. A line has 100 ms.
sub process {
    my ($pid, $sub, $line) = @_;
    my @chunks;
    for my $i (0 .. 4) {
        push @chunks, [SUB_RETURN => 1, (100_000) x 2, 'main::CORE:sleep'], [TIME_LINE => 100_000, 1, 1],
            (map { ([SUB_RETURN => 2, (100_000) x 2, $sub], [TIME_LINE => 100_000, 1, $line]) } 1 .. 19),
            [SUB_RETURN => 1, 1_900_000, 0, "NYTProf::span GET /$pid"], [TIME_LINE => 1, 1, 1];
    }
    return ([PID_START => $pid, 1, 1_700_000_000], @chunks, [PID_END => $pid, 1_700_000_010]);
}
my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $PER_S], [ATTRIBUTE => 'application', 'shop.pl'],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl']);
my @subs = ([SUB_INFO => 1, 'main::render', 3, 4], [SUB_INFO => 1, 'main::search', 5, 6]);
my @arcs = map { [SUB_CALLERS => 1, $_->[0], $_->[1], $_->[2], @$_[3, 4], 0, 0, $_->[5]] } (
    [1, 'main::RUNTIME', 10, 1, 1, 'main::CORE:sleep'],
    (map { [2, 'main::RUNTIME', 5, 9.5, 0, "NYTProf::span GET /$_"] } 7, 8),
    [2, 'NYTProf::span GET /7', 95, 9.5, 9.5, 'main::render'], [2, 'NYTProf::span GET /8', 95, 9.5, 9.5, 'main::search']);
my $shop = spew("$dir/shop.out", profile_bytes(@begin, process(7, 'main::render', 3), process(8, 'main::search', 5), @subs, @arcs));

sub page_file { my ($name) = @_; return "$dir/$name.html" }

# {from, width, count}, in seconds, and cells by table: [row, process, slice, s, calls].
sub slices_of {
    my ($page) = @_;
    my ($slices, $block, $per_s) = ($page->block('slices'), $page->block('slice-cells'), $page->{core}{about}{ticks_per_s});
    my %made = (count => $slices->{count}, map { $_ => $slices->{$_} / $per_s } qw(from width));
    $made{quantum} = $block->{quantum} / $per_s;
    for (['stacks', 'node'], ['lines', 'row']) {
        my ($table, $name) = @$_;
        my $columns = $block->{$table};
        my ($row, $slice, $process) = (0, 0, -1);
        for my $i (0 .. $#{ $columns->{$name} }) {
            my $of = $columns->{process} ? $columns->{process}[$i] : 0;
            $slice = $columns->{slice}[$i] + ($i && !$columns->{$name}[$i] && $of == $process ? $slice : 0);
            ($row, $process) = ($row + $columns->{$name}[$i], $of);
            push @{ $made{$table} },
                [$row, $process, $slice, $columns->{ticks}[$i] * $made{quantum}, $columns->{calls}[$i]];
        }
    }
    return \%made;
}

# By row: [s, calls] in the slices from first to end of a process, or all.
sub sums {
    my ($cells, $first, $end, $process) = @_;
    my %sums;
    for (@$cells) {
        my ($row, $of, $slice, $s, $calls) = @$_;
        next if $slice < $first || $slice >= $end || defined $process && $process != $of;
        $sums{$row}[0] += $s;
        $sums{$row}[1] += $calls;
    }
    return \%sums;
}

# By the name of a sub: {self, incl, calls}, as its stacks have them. A call within another of the sub counts once.
sub sums_of_subs {
    my ($page, $of) = @_;
    my ($stacks, $names) = ($page->{core}{stacks}, $page->{core}{subs}{name});
    my (%subs, @path, @incl);
    for my $node (reverse 0 .. $#{ $stacks->{sub} }) {
        my $depth = $stacks->{depth}[$node];
        my ($s, $calls) = @{ $of->{$node} // [0, 0] };
        $#incl = $depth + 1 if $#incl < $depth + 1;
        my $incl = max($s, 0) + ($incl[$depth + 1] // 0);
        $incl[$depth + 1] = 0;
        $incl[$depth] += $incl;
        $path[$node] = [$names->[$stacks->{sub}[$node]], $depth, $s, $incl, $calls];
    }
    my @open;
    for (@path) {
        my ($name, $depth, $s, $incl, $calls) = @$_;
        $#open = $depth - 1;
        my $sub = $subs{$name} //= { self => 0, incl => 0, calls => 0 };
        $sub->{self}  += $s;
        $sub->{calls} += $calls;
        $sub->{incl}  += $incl if !grep { $_ eq $name } @open;
        $open[$depth] = $name;
    }
    delete @subs{ grep { my $sub = $subs{$_}; !grep { $_ } values %$sub } keys %subs };
    return \%subs;
}

# As the view of subs has them.
sub shown_subs {
    return { map { $_->{Sub} => { self => $_->{'Self (s)'}, incl => $_->{'Incl. (s)'}, calls => $_->{Calls} } } csv() };
}

# Names of what differs by more than a little.
sub differing {
    my ($got, $want, $s) = @_;
    my %all = (%$got, %$want);
    return [map { my $name = $_;
        my @wrong = grep { abs(($got->{$name}{$_} // 0) - ($want->{$name}{$_} // 0)) > ($_ eq 'calls' ? 0 : $s) } qw(self incl calls);
        map { "$name: $_ is " . ($got->{$name}{$_} // 'none') . ', not ' . ($want->{$name}{$_} // 'none') } @wrong } sort keys %all];
}

# Where a slice begins in the window.
sub x_of {
    my ($slice) = @_;
    my ($left, $width, $count) = @{ $browser->run(
        'const box = document.querySelector("#time-strip canvas").getBoundingClientRect(); return [box.left, box.width, '
            . 'report.profile.slices.count]') };
    return $left + $slice / $count * $width;
}

sub y_of { return $browser->run('return document.querySelector("#time-strip").getBoundingClientRect().top + 15') }

# The ends of the range by the sliders, and what is selected.
sub edges { return join ' ', @{ $browser->run('return [...document.querySelectorAll("#time-strip .edge")].map(one => one.getAttribute("aria-valuenow"))') } }
sub hash { return $browser->run('return decodeURIComponent(location.hash)') }
sub chip { return text_of('#selection .chip') =~ s/\x{A0}/ /gr }
sub at_edges { my ($want) = @_; return $browser->wait_for("[...document.querySelectorAll('#time-strip .edge')].map(one => one.getAttribute('aria-valuenow')).join(' ') === '$want'") }
sub hash_is { my ($want) = @_; return $browser->wait_for('decodeURIComponent(location.hash) === ' . JSON::PP->new->allow_nonref->encode($want)) }

ok(shown(my $shop_url = page_of(shop => $shop)), 'the page begins');
my $page   = ReportPage->new(slurp(page_file('shop')));
my $slices = slices_of($page);
my ($count, $width) = @$slices{qw(count width)};
sub slice_of { my ($s) = @_; return int(($s - $slices->{from}) / $width + 0.5) }
my ($three, $five) = map { slice_of($_) } 3, 5;

subtest 'dragging' => sub {
    is(edges(), "0 $count", 'all of the time');
    my $y = y_of();
    $browser->drag([[x_of($three) + 1, $y], [x_of(($three + $five) / 2), $y], [x_of($five) - 1, $y]]);
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'one drag chooses a range');
    my ($first, $end) = split ' ', edges();
    cmp_ok(abs($first - $three) + abs($end - $five), '<=', 2, 'from 3 s to 5 s') or diag("$first $end");
    like(hash(), qr/^#\/\?range=[\d.]+s\.\.[\d.]+s$/, 'which is in the address');
    like(chip(), qr/^[23]\.\d+ to [45]\.\d+ s \x{2715}$/, 'and on a chip');
    like(text_of('#selection p'), qr/slices of 31\.[23]\s+ms, and a range begins and ends with one/, 'with a hint');
    like(text_of('#overview h1'), qr/^shop\.pl.*, [23]\.\d+ to [45]\.\d+.s$/, 'and in the heading');
    my $before = hash();
    $browser->drag([[x_of($end) + 2, $y], [x_of($end + 20), $y]]);
    ok(at_edges("$first " . ($end + 20)), 'the end moves');
    $browser->drag([[x_of($first) - 2, $y], [x_of($first - 20), $y]]);
    ok(at_edges(($first - 20) . ' ' . ($end + 20)), 'and the begin');
    $browser->drag([[x_of($first - 20) - 2, $y], [x_of($end + 40), $y]]);
    ok(at_edges(($end + 20) . ' ' . ($end + 40)), 'beyond the end, they change places');
    $browser->back for 1 .. 3;
    ok(hash_is($before), 'Back leads to each');
    ok(at_edges("$first $end"), 'as it was');
    $browser->click_at(x_of($first + 3), $y);
    ok(hash_is('#/'), 'a click without a drag shows all of the time');
    $browser->click_at(x_of($first + 3), $y);
    is(hash(), '#/', 'and then nothing');
    $browser->drag([[x_of($three), $y], [x_of($five), $y]], held => 1);
    isnt(edges(), "0 $count", 'while the mouse is down');
    $browser->keys('Escape');
    is(edges(), "0 $count", 'Escape ends the drag');
    $browser->let_go;
    is(hash(), '#/', 'and nothing is chosen');
    $browser->drag([[x_of($three), $y], [x_of($five), $y]], type => 'touch');
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'a finger drags, too');
    $browser->click('#selection .chip');
    ok(hash_is('#/'), 'a click on the chip shows all of the time');
    is(edges(), "0 $count", 'on the strip, too');
    $browser->drag([[x_of(0) + 2, $y], [x_of($five), $y]]);
    ok(at_edges("$five $count"), 'without a range, the edges are at both ends');
    like(hash(), qr/^#\/\?range=[\d.]+s\.\.$/, 'an end that is that of the time is not in the address');
    quiet('dragging');
};

subtest 'the keyboard alone' => sub {
    go('#/subs', '.data-table td.name');
    $browser->point_at(5, 300);
    my $focused = sub { $browser->run('return document.activeElement.getAttribute("aria-label")') };
    my $value   = sub { $browser->run('return document.activeElement.getAttribute("aria-valuetext")') =~ s/\x{A0}/ /gr };
    $browser->keys('[');
    is($focused->(), 'Begin of the range', '[ leads to the begin');
    $browser->keys(('ArrowRight') x 3);
    is(edges(), "3 $count", 'which arrows move');
    is($value->(), sprintf('%.2f s', 3 * $width + $slices->{from}), 'the slider says the time');
    ok($browser->wait_for('location.hash.includes("range=")'), 'the address follows');
    is($focused->(), 'Begin of the range', 'and the focus stays');
    $browser->keys(']', 'ArrowLeft', 'PageDown');
    is($focused->(), 'End of the range', '] leads to the end');
    my $far = int($count / 16 + 0.5);
    ok(at_edges('3 ' . ($count - 1 - $far)), 'which moves, too');
    $browser->keys('Home');
    ok(at_edges('3 4'), 'a range has a slice at least');
    $browser->keys('End', '[', 'Home');
    ok(hash_is('#/subs'), 'at both ends it is all of the time');
    $browser->keys(('ArrowUp') x 2);
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'a range');
    $browser->keys('Escape');
    ok(hash_is('#/subs'), 'Escape ends it');
    $browser->point_at(x_of($three) + 1, y_of());
    $browser->keys('[');
    ok(at_edges("$three $count"), 'with the mouse on the strip, [ begins the range there');
    $browser->point_at(x_of($five) - 1, y_of());
    $browser->keys(']');
    ok(at_edges("$three $five"), 'and ] ends it there');
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'that is chosen');
    $browser->point_at(5, 300);
    go('#/flame?range=3s..5s', '.flame canvas');
    $browser->run('document.querySelector("h1").focus()');
    $browser->keys('Escape');
    ok(hash_is('#/flame'), 'Escape elsewhere, too');
    $browser->keys('?');
    like(text_of('#help'), qr/\[, \]/, 'the list of keys has them');
    $browser->keys('Escape');
    quiet('keyboard');
};

subtest 'addresses' => sub {
    for (['3s..5s', "$three $five"], ['3..5', "$three $five"], ['3000ms..5000000us', "$three $five"], ['3s..', "$three $count"],
        ['..5s', "0 $five"], ['0s..1h', "0 $count"], ['3s..3.001s', join ' ', map { $_, $_ + 1 } int((3.0005 - $slices->{from}) / $width)]) {
        my ($range, $want) = @$_;
        go("#/subs?range=$range", '.data-table td.name');
        ok(at_edges($want), $range) or diag(edges());
    }
    for my $wrong ('5s..3s', '3s', '..', 'x..5s', '3s..x', '3..', '20s..30s', '1e3..2e3', '-1s..-5s') {
        go("#/subs?range=$wrong", '.data-table td.name');
        ok(at_edges($wrong eq '3..' ? "$three $count" : "0 $count"), $wrong) or diag(edges());
    }
    go('#/subs?range=3s..5s', '.data-table td.name');
    my $link = $browser->run('return document.querySelector(".data-table td.name a").hash');
    like($link, qr/range=[\d.]+s\.\.[\d.]+s/, 'links keep the range');
    my ($from, $to) = $link =~ /range=([\d.]+)s\.\.([\d.]+)s/;
    cmp_ok(abs($from - $slices->{from} - $three * $width) + abs($to - $slices->{from} - $five * $width), '<', $width / 500,
        'of the slices, to a thousandth');
    $browser->click('#views a[data-view=flame]');
    ok($browser->wait_for('document.body.dataset.view === "flame" && location.hash.includes("range=")'), 'and so do the tabs');
    quiet('addresses');
};

# A run of 10.1 s that begins 5 s before a midnight of the reader. Line n runs from 10 n - 10 ms to 10 n ms.
my $midnight = POSIX::mktime(0, 0, 0, 15, 10, 123);
my $clocked  = spew("$dir/clocked.out", profile_bytes(@begin, [PID_START => 9, 1, $midnight - 5],
    (map { ([SUB_RETURN => 1, (10_000) x 2, 'main::render'], [TIME_LINE => 10_000, 1, $_]) } 1 .. 1010), [PID_END => 9, $midnight + 5.1], @subs,
    [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1010, 10.1, 10.1, 0, 0, 'main::render']));

# When the lines of a range begin and end, as nytprofcsv has them; empty if it has none.
sub ends_of {
    my ($range) = @_;
    my $got = run([build_dir() . '/bin/nytprofcsv', "--range=$range", '--table=lines', '-o', '-', $clocked]);
    return if $got->{status};
    my (undef, @rows) = split /\r?\n/, $got->{out};
    my @lines = sort { $a->[0] <=> $b->[0] } map { [(split /,/)[2, 4]] } @rows;
    my ($from, $to) = @lines[0, -1];
    return ($from->[0] / 100 - $from->[1], @lines == 1 || abs($to->[1] - 0.01) < 1e-9 ? $to->[0] / 100 : ($to->[0] - 1) / 100 + $to->[1]);
}

subtest 'texts that --range takes' => sub {
    my $date = POSIX::strftime('%Y-%m-%d', localtime $midnight);
    my $eve  = POSIX::strftime('%Y-%m-%d', localtime($midnight - 5));
    ok(shown(my $url = page_of(clocked => $clocked)), 'the page begins');
    my $of = slices_of(ReportPage->new(slurp(page_file('clocked'))));
    my $at = sub { my ($s) = @_; return min($of->{count}, max(0, int(($s - $of->{from}) / $of->{width} + 0.5))) };
    for my $range ('10%..20%', '..12.5%', '90%..', '33%..66.6%', '25%..7s', '2s..50%', '0m3s..5s', '1500ms1s..7000000us', '1s1s..', '.5..1.', '2h..',
        '23:59:57..00:00:02', '23:59:57.5..', '..00:00:02.25', '0:0..0:0:3', '23:59..0:1', '23:59:58..7s', '00:00:01..23:59:59', '12:00..', '..12:00',
        "${date}T00:00:01..${date}T00:00:03.5", "${eve}T23:59:56..$date", "$date..90%", "$date 00:00:02..", '3s..4s..5s', '3...5', '100.1%..', '10%..5%',
        '5%%..6%', '%..', '24:00..', '23:60..', '1:2:3:4..', '23:..', ':..', '1.5:00..', '23:59:60..', '2023-13-01..', '2023-11-32..', '2023-1-1..',
        "${date}T..", "${date}x..", "${date}T25:00..", '-1s..5s', '1h2..', '1d..', '3s-5s', '00:00:03..00:00:01') {
        my ($from, $to) = ends_of($range);
        my $want = !defined $from ? "0 $of->{count}" : join ' ', $at->($from), $to > 10.0999 ? $of->{count} : $at->($to);
        go('#/subs?range=' . ($range =~ s/%/%25/gr), '.data-table td.name');
        ok(at_edges($want), $range) or diag(edges() . ", not $want");
    }
    $browser->run('location.hash = "#/subs?range=10%..20%"');
    ok(at_edges(join ' ', map { $at->($_) } 1.01, 2.02), 'a percent sign as people type it');
    my ($from, $to) = $browser->run('return document.querySelector(".data-table td.name a").hash') =~ /range=([\d.]+)s\.\.([\d.]+)s/;
    ok(abs($from - 1.01) < $of->{width} && abs($to - 2.02) < $of->{width}, 'links have seconds');
    quiet('texts');
};

ok(shown($shop_url), 'the page of the shop again');

subtest 'all views' => sub {
    my $least = 2e-6;
    for (['3s..5s', undef, $three, $five], ['3s..5s', 1, $three, $five], [undef, 1, 0, $count]) {
        my ($range, $process, $first, $end) = @$_;
        my $more = join '&', 'all=1', ($range ? "range=$range" : ()), defined $process ? 'process=8' : ();
        my @of   = ($first, $end, $process);
        my ($subs, $lines) = (sums_of_subs($page, sums($slices->{stacks}, @of)), sums($slices->{lines}, @of));
        my ($of_subs, $of_lines) = (sum0(map { $_->{self} } values %$subs), sum0(map { $_->[0] } values %$lines));
        go("#/subs?$more", '.data-table td.name');
        is_deeply(differing(shown_subs(), $subs, $range ? $least : $slices->{quantum} * $count), [], "$more: subs");
        my $total = $browser->run('return report.profile.totals.ticks') / $PER_S;
        cmp_ok(abs($total - max($of_subs, $of_lines)), '<=', $range ? $least : $slices->{quantum} * $count, 'the total');
        go("#/files?$more", '.data-table td.name');
        my ($file) = csv();
        cmp_ok(abs($file->{'Self (s)'} - $of_lines), '<=', $least, 'files');
        is($file->{Statements}, sum0(map { $_->[1] } values %$lines), 'with their statements');
        go("#/file/shop.pl?$more", '.source tbody tr');
        is_deeply($browser->run(
            'return [...report.profile.lines.calls]'), [map { $lines->{$_}[1] // 0 } 0 .. $#{ $page->{core}{lines}{calls} }], 'lines');
        go("#/flame?$more", '.flame canvas');
        cmp_ok(abs($browser->run('return report.layout.total') / $PER_S - max($of_subs, $of_lines)), '<=', $slices->{quantum} * $count, 'the flame graph');
        go("#/labels/span?$more", '.data-table td.name');
        is_deeply([sort map { $_->{Request} } csv()], [map { "GET /$_" } defined $process ? 8 : (7, 8)], 'requests');
        go("#/sub/main::search?$more", '.facts');
        cmp_ok(abs($browser->run('const {subs} = report.profile; return subs.incl[subs.name.indexOf("main::search")]') / $PER_S - $subs->{'main::search'}{incl}),
            '<=', $range ? $least : $slices->{quantum} * $count, 'a sub');
        go("#/time?$more", 'canvas.timeline');
        my $calls = $browser->run('const {calls} = report.profile; return calls.sub.map((sub, i) => [calls.begin[i], calls.begin[i] + calls.ticks[i]])');
        my ($from, $to) = map { ($slices->{from} + $_ * $width) * $PER_S } $first, $end;
        is(scalar(grep { $_->[1] <= $from || $_->[0] >= $to } @$calls), 0, 'the time line') if $range;
        cmp_ok(scalar(@$calls), '>', 20, 'has calls');
        go("#/?$more", '#chosen:not([hidden])');
        is($browser->run('return document.querySelectorAll("#top-lines tbody tr").length'), defined $process ? 2 : 3, 'the overview has lines');
        quiet($more);
    }
    my $whole = $browser->run('return report.profile.calls.sub.length');
    go('#/labels/span?range=3s..5s', '.chosen-request .fact');
    is($browser->run('return document.querySelectorAll("tr[data-request]").length'), 4, 'requests that overlap it');
    go('#/labels/span?range=2.1s..3.9s', '.chosen-request .fact');
    is($browser->run('return document.querySelectorAll("tr[data-request]").length'), 2, 'those within one');
    go('#/subs?range=3s..5s', '.data-table td.name');
    is(shown_subs()->{'main::CORE:sleep'}{self}, 0, 'without all time, what sleeps has none');
    my $slept = sums_of_subs($page, sums($slices->{stacks}, $three, $five))->{'main::CORE:sleep'}{self};
    my $work  = $browser->run('return report.profile.totals.ticks') / $PER_S;
    cmp_ok(abs($work + $slept - sum0(map { $_->[0] } values %{ sums($slices->{lines}, $three, $five) })), '<=', 0.001, '... and neither has the total');
};

subtest 'lines' => sub {
    my $heads = 'return [...document.querySelectorAll(".source-heads th")].map(head => head.textContent.replaceAll("\u00a0", " ")).join(" | ")';
    go('#/file/0?all=1', '.source td.waits');
    is($browser->run($heads), 'Line | Runs | Time, s | Work, s | Asleep (by names), s | Calls | In subs, s | ', 'have what they waited');
    is($browser->run('return [...document.querySelectorAll(".source td.waits")].slice(0, 2).map(cell => cell.textContent).join(" ")'),
        '0.000 1.000', '... besides their work');
    go('#/file/0?all=1&range=3s..5s', '.source tbody tr');
    is($browser->run($heads), 'Line | Runs | Time, s | Work, s | Asleep (by names), s | Calls | In subs, s | ', 'in a range, too');
};

# What the picture has below the mouse.
sub tip_at {
    my ($slice) = @_;
    $browser->point_at(5, 300);
    $browser->point_at(x_of($slice + 0.5), y_of());
    return $browser->run('return [...document.querySelectorAll("#time-strip .tip div")].map(one => one.textContent.replaceAll("\u00a0", " "))');
}

subtest 'the picture' => sub {
    my $pause = int((4.05 - $slices->{from}) / $width);
    for (['', 62.5], ['?process=8', 31.3]) {
        my ($query, $ms) = @$_;
        go("#/subs$query", '.data-table td.name');
        my ($time, @rest) = @{ tip_at($three) };
        like($time, qr/^3\.00 to 3\.03 s$/, 'the mouse finds a slice');
        is_deeply(\@rest, ["own code $ms ms"], "$query: and what ran there");
        (undef, @rest) = @{ tip_at($pause) };
        is_deeply(\@rest, ["asleep $ms ms"], 'or that all waited');
    }
    quiet('the picture');
};

# The same two processes. One has 100 MiB, 200 from 2.05 s on, for a moment 300 at 5.05 s, and 150 from 8.05 s on; the other has
# 50 MiB, and ends 3 s before.
subtest 'memory' => sub {
    go('#/', '#overview h1');
    my $lanes = sub { $browser->run('return [...document.querySelectorAll("#time-strip .names:first-child > *")].map(one => one.textContent)') };
    is_deeply($lanes->(), ['run or queue', 7, 8], 'no lane has it if the profile has not');
    my %marks = (7 => [[0, 100], [2.05, 200], [5.05, 300], [5.06, 200], [8.05, 150], [10, 150]], 8 => [[0, 50], [7, 50]]);
    my @chunks = map { my $pid = $_; my ($begin, @rest) = process($pid, 'main::f', 3); my $end = pop @rest;
        my ($first, @marks) = map { [ATTRIBUTE => memory_at => join ' ', $_->[0] * $PER_S, $_->[1] * 2**20, 1000] } @{ $marks{$pid} };
        ($begin, $first, @rest, @marks, $end) } 7, 8;
    ok(shown(page_of(memory => spew("$dir/memory.out", profile_bytes(@begin, @chunks)))), 'the page begins');
    my $most = sub { $browser->run('return document.querySelector("#time-strip .names:first-child").lastChild.title') =~ s/\x{A0}/ /gr };
    my $rss  = sub { my ($s) = @_; (grep { /^RSS/ } @{ tip_at(int(($s - $slices->{from}) / $width)) })[0] // 'none' };
    my %by_hand = ('' => [350, [1, 150], [3, 250], [5.05, 350], [6, 250], [7.5, 200], [9, 150]],
        '?process=7' => [300, [1, 100], [3, 200], [5.05, 300], [6, 200], [9, 150]], '?process=8' => [50, [1, 50], [6, 50], [9]]);
    for my $query (sort keys %by_hand) {
        my ($at_most, @at) = @{ $by_hand{$query} };
        go("#/$query", '#overview h1');
        is($lanes->()->[-1], $query eq '?process=8' ? 'what ran' : 'memory', "$query: a lane, if it changes");
        is($most->(), "RSS $at_most" . ($at_most < 100 ? '.0' : '') . ' MiB at most' . ($query ? '' : ' of all processes'), "$query: the most of it") if $query ne '?process=8';
        is($rss->($_->[0]), defined $_->[1] ? "RSS $_->[1]" . ($_->[1] < 100 ? '.0' : '') . ' MiB' : 'none', "at $_->[0] s") for @at;
    }
    quiet('memory');
    ok(shown($shop_url), 'back');
};

# The fewest clicks from the overview.
subtest 'what a request did' => sub {
    ok(shown($shop_url), 'the page begins');
    $browser->click('#views a + a');
    $browser->run('document.querySelectorAll(".chosen-request p a")[1].click()');
    ok($browser->wait_for('document.body.dataset.view === "overview" && document.querySelector("#selection .chip")'),
        'two clicks: the slowest, and the lines of its process in that time');
    like(hash(), qr/[?&]process=[78](&|$)/, 'its process');
    my ($s) = text_of('#top-lines tbody td') =~ /^([\d.]+)/;
    cmp_ok(abs($s - 1.9), '<', 2 * $width, 'and its time, to a slice at either end') or diag($s);
    quiet('what a request did');
};

# What Data says of a profile: {subs: name to [calls, incl, self], lines: "file:line" to [s, runs]}.
my $PRINTS_DATA = <<'END';
use Devel::NYTProf::Data;
use JSON::PP;
my $data = Devel::NYTProf::Data->new({ filename => $ARGV[0], quiet => 1 });
my %subs  = map { $_->subname => [$_->calls, $_->incl_time, $_->excl_time] } values %{ $data->subname_subinfo_map };
my %lines;
for my $file ($data->all_fileinfos) {
    my $times = $file->line_time_data(['line']) or next;
    $lines{ $file->filename . ":$_" } = [@{ $times->[$_] }[0, 1]] for grep { $times->[$_] } 0 .. $#$times;
}
print JSON::PP->new->utf8->encode({ subs => \%subs, lines => \%lines });
END

sub data_of {
    my ($path) = @_;
    my $got = run([$^X, '-I' . build_dir() . '/perl5', '-e', $PRINTS_DATA, $path]);
    is("$got->{status} $got->{err}", '0 ', 'Data reads it');
    return JSON::PP->new->utf8->decode($got->{out});
}

# The same of the page, by its views of subs and of files.
sub shown_numbers {
    my ($range) = @_;
    go("#/subs?all=1&range=$range", '.data-table td.name');
    my %subs = map { $_->{Sub} => [@$_{ 'Calls', 'Incl. (s)', 'Self (s)' }] } csv();
    go("#/files?all=1&range=$range", '.data-table td.name');
    my $lines = $browser->run(<<'JS');
        const {files, about} = report.profile, found = {};
        for (let file = 0; file < files.count; file++)
            for (const [line, at] of report.statements_of(file, 'line'))
                if (at.calls || at.ticks)
                    found[files.name[file] + ':' + line] = [at.ticks / about.ticks_per_s, at.calls];
        return found;
JS
    return { subs => \%subs, lines => $lines };
}

# Lists what differs by more than it may: [count, s, ...] by name. A statement that an end of the range divides may
# count on the other side of it.
sub different {
    my ($what, $got, $want, $most_s) = @_;
    my @wrong;
    for my $name (sort keys %{ { %$got, %$want } }) {
        my ($shown, $exact) = map { $_->{$name} // [0, 0, 0] } $got, $want;
        for my $i (0 .. $#$exact) {
            my $is_count = $what eq 'subs' ? $i == 0 : $i == 1;
            my $most     = !$is_count ? $most_s : $what eq 'subs' ? 0 : 1;
            push @wrong, "$name: $shown->[$i], not $exact->[$i]" if abs($shown->[$i] - $exact->[$i]) > $most;
        }
    }
    return \@wrong;
}

# The 30 heaviest subs and lines have what a profile has that is cut there. A time is rounded to a quantum, a
# thousandth of a slice, in each slice, so it is right to that, times the slices of the range.
for (['a program', record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2)], ['two processes', $shop]) {
    my ($name, $profile) = @$_;
    subtest "the numbers: $name" => sub {
        ok(shown(page_of("cut-$name" => $profile)), 'the page begins');
        my $of = slices_of(ReportPage->new(slurp(page_file("cut-$name"))));
        for ([0.1, 0.3], [0.35, 0.4], [0.5, 1]) {
            my ($first, $end) = map { int($_ * $of->{count}) } @$_;
            my ($from, $to)   = map { sprintf '%.9fs', $of->{from} + $_ * $of->{width} } $first, $end;
            my $cut = "$dir/cut.out";
            my $got = run([build_dir() . '/bin/nytprofmerge', "--range=$from..$to", '-o', $cut, $profile]);
            is("$got->{status} $got->{err}", '0 ', "$from..$to: nytprofmerge cuts it");
            my ($shown, $exact) = (shown_numbers("$from..$to"), data_of($cut));
            my $most_s = $of->{quantum} * ($end - $first);
            my $numbers = 0;
            for my $what (qw(subs lines)) {
                my $by = $what eq 'subs' ? 2 : 0;
                # which string evals are merged, and what they are called then, depends on those that ran
                my $wanted = { map { $_ => $exact->{$what}{$_} } grep { !/\(eval / } keys %{ $exact->{$what} } };
                my @names = (sort { $wanted->{$b}[$by] <=> $wanted->{$a}[$by] || $a cmp $b } keys %$wanted)[0 .. min(29, keys(%$wanted) - 1)];
                $numbers += @names * @{ $wanted->{ $names[0] } };
                is_deeply(different($what, { map { $_ => $shown->{$what}{$_} // [0, 0, 0] } @names }, { map { $_ => $wanted->{$_} } @names }, $most_s), [], $what);
            }
            cmp_ok($numbers, '>=', $name eq 'a program' ? 30 : 10, "$numbers numbers");
            my $s = sum0(map { $_->[0] } values %{ $exact->{lines} });
            # built-ins, which are measured apart, can have more time in a short range than its statements
            cmp_ok(abs($browser->run('return report.profile.totals.ticks / report.profile.about.ticks_per_s') - $s), '<=', $most_s + $s / 20, 'the total');
        }
        quiet($name);
    };
}

subtest 'any page' => sub {
    ok(shown("$shop_url#/subs?range=3s..5s"), 'the page begins');
    for my $width (320, 800, 1600) {
        $browser->size($width, 800);
        for my $hash ('#/', '#/subs', '#/time') {
            go("$hash?range=3s..5s", 'main h1');
            cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width, "$hash, $width pixels: nothing sticks out");
        }
        ok($browser->wait_for('document.querySelector("#time-strip canvas").width === document.querySelector("#time-strip .plot").clientWidth'),
            'the picture is as wide as the strip');
    }
    $browser->command('Emulation.setDeviceMetricsOverride', width => 800, height => 800, deviceScaleFactor => 2, mobile => JSON::PP::false);
    ok($browser->wait_for('document.querySelector("#time-strip canvas").width === 2 * document.querySelector("#time-strip canvas").clientWidth'), 'it is sharp on any screen');
    $browser->size(1280, 900);
    $browser->command('Emulation.setEmulatedMedia', media => 'print');
    is($browser->run('return document.querySelector("#time-strip").offsetParent'), undef, 'and not on paper');
    $browser->command('Emulation.setEmulatedMedia', media => '');
    ok(shown(page_of(short => spew("$dir/short.out", profile_bytes(@begin, [PID_START => 7, 1, 1_700_000_000], [TIME_LINE => 10, 1, 1],
        [PID_END => 7, 1_700_000_010])))), 'a profile with little to see');
    ok($browser->run('return document.querySelector("#time-strip").hidden'), 'has no strip');
    ok(shown(page_of(compared => $shop, '--diff', $shop)), 'a report that compares');
    go('#/subs?all=1&range=3s..5s', '.data-table td.name');
    is_deeply(differing(shown_subs(), sums_of_subs($page, sums($slices->{stacks}, $three, $five)), 2e-6), [], 'has the numbers of a range alone');
    like(text_of('#selection p'), qr/nothing is compared here/, 'which it says');
    quiet('any page');
};

$browser->quit;
done_testing();
