# Memory over time in the report of a profile of time: each number of the view is one that the programs show with
# --memory. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector need_collector profiled tool);
use JSON::PP ();
use List::Util qw(max sum0);
use MemoryProfile qw(memory_view);
use NYTPTest qw(run sanitized scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use POSIX ();
use ReportBrowser qw(browse go page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

need_collector();
plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'sanitizers and memcheck have a malloc() of their own' if sanitized() || valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);
$browser->size(1600, 1000);

my $CODE = <<'PERL';
package Shop; our (%cache, @log);
sub load  { my ($n) = @_; $cache{$n} = { id => $n, rows => [map { "row $_ of $n" } 1 .. 30] }; return }
sub churn { my @x = map { "t$_" x 20 } 1 .. 3000; return }
sub note  { push @log, 'line ' x 20; return }
package main;
for my $n (1 .. 1500) { Shop::load($n); Shop::note() for 1 .. 4; Shop::churn() if $n % 50 == 0 }
delete $Shop::cache{$_} for 1 .. 800;
PERL

sub recorded {
    my ($code, %options) = @_;
    my $got = profiled(collector(), ['shop.pl'], prepare => sub { spew("$_[0]/shop.pl", $code) },
        options => { heap => 1, %options }, env => { NYTPROF_TEST_HEAP => '8192,3' });
    is($got->{status}, 0, 'recorded') or diag($got->{err});
    return $got->{profiles};
}

# The rows of a table: {name => {title of the column => bytes}}.
sub rows_of {
    my ($title) = @_;
    return $browser->run(<<'JS', $title);
        const table = [...document.querySelectorAll('.memory-table')].find(one => one.querySelector('h2').firstChild.textContent === arguments[0]);
        for (let more; more = table.querySelector('tr.more button');)
            more.click();
        const heads = [...table.querySelectorAll('thead th')].map(head => head.textContent.replace(/,.*/, '')), rows = {};
        for (const row of table.querySelectorAll('tbody tr:not(.inner-row)'))
            rows[row.querySelector('.name').textContent] = Object.fromEntries([...row.querySelectorAll('td.n')].map((cell, i) => [heads[i], Number(cell.dataset.bytes)]));
        return rows;
JS
}

# The bytes of a view by sub, without compiled code, which is a row of its own, and by kind.
sub truth_of {
    my ($file, $view, @options) = @_;
    my (%subs, %kinds);
    my $memory = memory_view($file, $view, @options);
    for my $site (@{ $memory->{sites} }) {
        my $sub = $site->{stack}[-1] // 'main::RUNTIME (outside of subs)';
        $subs{ $site->{kind} eq 'code' ? 'compiled code' : $sub } += $site->{bytes};
        $kinds{ $site->{kind} } += $site->{bytes};
    }
    return (\%subs, \%kinds);
}

# Bytes are rounded by site in the one, and by place in the other.
sub same_bytes {
    my ($rows, $column, $truth, $name, $far) = @_;
    my @off = grep { abs(($rows->{$_}{$column} // 0) - ($truth->{$_} // 0)) > ($far // 60) }
        keys %{ { map { $_ => 1 } keys %$truth, grep { abs $rows->{$_}{$column} > 60 } keys %$rows } };
    return is_deeply([map { "$_: " . ($rows->{$_}{$column} // 0) . ', ' . ($truth->{$_} // 0) . ' is true' } @off], [], $name);
}

my $profiles = recorded($CODE, heap_holders => 1);
my $file     = "$profiles/nytprof.out";
ok(shown(page_of(shop => $file)), 'the page begins');

subtest 'the whole run' => sub {
    go('#/memory', '.memory-table');
    my ($rows, $kinds) = (rows_of('Sites'), rows_of('Kinds'));
    for (['Peak', 'peak'], ['End', 'live', '--range=0s..']) {    # in a range, arenas are of those that needed them
        my ($column, @view) = @$_;
        my ($subs, $of_kinds) = truth_of($file, @view);
        same_bytes($rows, $column, $subs, "$column by sub");
        same_bytes($kinds, $column, $of_kinds, "$column by kind");
    }
    my ($alloc) = truth_of($file, 'alloc');
    for my $sub (qw(load churn note)) {
        my $got = $rows->{"Shop::$sub"}{Allocated};
        ok(abs($got / $alloc->{"Shop::$sub"} - 1) < 0.01, "allocated: $sub") or diag("$got, $alloc->{\"Shop::$sub\"}");
    }
    my $whole = sum0(map { $_->{Peak} } values %$rows);
    my ($said) = text_of('#stage') =~ /Peak ([\d.]+)\x{a0}MiB/;
    ok(abs($said - $whole / 2**20) < 0.06, 'a sentence has the peak, which is the sum of the rows') or diag("$said, $whole");
};

subtest 'a moment' => sub {
    my ($x, $y) = @{ $browser->run('const {left, top, width, height} = document.querySelector("canvas.memory-chart").getBoundingClientRect(); return [left + width * 0.6, top + height / 2]') };
    $browser->click_at($x, $y);
    my ($at) = $browser->run('return location.hash') =~ /\bat=([\d.]+s)/;
    ok($at, 'a click on the picture chooses it') or return;
    my ($subs, $kinds) = truth_of($file, "at=$at");
    same_bytes(rows_of('Sites'), 'Then', $subs,  "$at: what --memory=at= shows");
    same_bytes(rows_of('Kinds'), 'Then', $kinds, '... by kind');
    cmp_ok(scalar keys %$subs, '>', 3, '... which is something');
    $browser->run('document.querySelector("canvas.memory-chart").focus()');
    $browser->keys('ArrowRight');
    my ($next) = $browser->run('return location.hash') =~ /\bat=([\d.]+)s/;
    ok($next > $at =~ tr/s//dr, 'an arrow leads to the next one') or diag("$at, $next");
    go("#/memory?by=kind&at=$at", '.memory-table');
    same_bytes(rows_of('Kinds'), 'Then', $kinds, 'layers by kind: their table');
    my $legend = $browser->run('return [...document.querySelectorAll("#stage .legend li")].map(one => one.textContent)');
    my ($strings) = grep { /^strings / } @$legend;
    my ($size, $unit) = $strings =~ /([\d.]+)\x{a0}([KM])iB/;
    ok(abs($size * ($unit eq 'M' ? 2**20 : 1024) / $kinds->{strings} - 1) < 0.01, '... and the legend') or diag($strings);
    $browser->keys('Escape');
    unlike($browser->run('return location.hash'), qr/at=/, 'Escape leads back to the peak');
};

subtest 'by package' => sub {
    go('#/memory?by=package', '.memory-table');
    my %sites;
    for my $site (@{ memory_view($file, 'peak')->{sites} }) {
        my $sub = $site->{stack}[-1] // 'main::RUNTIME';
        $sites{ $sub =~ s/::[^:]*$//r } += $site->{bytes};
    }
    same_bytes(rows_of('Packages'), 'Peak', \%sites, 'the sums of their subs');
};

subtest 'a range' => sub {
    my ($width, $length) = @{ $browser->run('const {slices, about} = report.profile; return [slices.width, slices.length].map(ticks => ticks / about.ticks_per_s)') };
    my $of_memory = ReportPage->new(slurp("$dir/shop.html"))->block('memory')->{width_s};
    my $step  = max($width, $of_memory);
    my ($begin, $end) = map { $step * int $length * $_ / $step } 0.1, 0.4;
    go("#/memory?range=${begin}s..${end}s", '.memory-table');
    my ($grown) = truth_of($file, "grown=${begin}s..${end}s");
    my ($alloc) = truth_of($file, 'alloc', "--range=${begin}..${end}");
    my $rows = rows_of('Sites');
    for my $sub ('Shop::load', 'Shop::note') {
        same_bytes({ $sub => $rows->{$sub} }, 'Came', { $sub => $alloc->{$sub} }, "$sub: came");
        # Of a sub, --memory=grown= leaves out what has shrunk, such as an array that moved while it grew.
        same_bytes({ $sub => $rows->{$sub} }, 'Stays', { $sub => $grown->{$sub} }, '... stays', $sub eq 'Shop::note' ? 3 * 8192 : 60);
        my $row = $rows->{$sub};
        ok(abs($row->{Came} - $row->{Went} - $row->{Stays}) <= 2, '... and the rest went') or diag(explain($row));
    }
};

subtest 'who holds it' => sub {
    go('#/memory', '.memory-table');
    my %held;
    $held{ $_->[1] } += $_->[0] for @{ $browser->run(<<'JS') };
        const table = [...document.querySelectorAll('.memory-table')].find(one => /^Held/.test(one.querySelector('h2').textContent));
        for (let more; more = table.querySelector('tr.more button');)
            more.click();
        return [...table.querySelectorAll('tbody tr')].map(row => [Number(row.querySelector('.n').dataset.bytes), row.querySelector('code').textContent]);
JS
    my %truth;
    $truth{ $_->{stack}[-1] } += $_->{bytes} for @{ memory_view($file, 'held')->{sites} };
    ok(abs($held{$_} - $truth{$_}) < 60, $_) or diag("$held{$_}, $truth{$_}") for grep { $truth{$_} > 1e5 } sort keys %truth;
    ok($held{'%Shop::cache{*}{rows}[*]'}, '... among them a path');
};

subtest 'a row that is opened' => sub {
    my $names = $browser->run(<<'JS');
        const row = [...document.querySelectorAll('.memory-table tbody tr')].find(one => one.textContent.includes('Shop::note'));
        row.querySelector('.toggle').click();
        return [row.nextSibling.className, row.nextSibling.querySelector('.n').dataset.bytes === row.querySelector('.n').dataset.bytes];
JS
    is_deeply($names, ['inner-row', JSON::PP::true], 'its stacks');
    quiet('memory over time');
};

subtest 'processes' => sub {
    my $got = recorded(<<'PERL', addpid => 1);
our @kept;
sub grow  { push @kept, 'x' x 1000 for 1 .. $_[0]; select undef, undef, undef, 0.1; return }
sub first { grow(4000); @kept = (); grow(100) }
sub both  { my ($n) = @_; grow($n) }
both(3000);
if (!fork) { @kept = (); first(); exit 0 }
wait;
if (!fork) { both(2000); exit 0 }
wait; grow(10);
PERL
    my $merged = "$dir/merged.out";
    is(run([tool('nytprofmerge'), '-o', $merged, glob "$got/nytprof.out.*"])->{status}, 0, 'merged');
    ok(shown(page_of(merged => $merged)), 'the page begins');
    go('#/memory', '.memory-table');
    my ($peak) = truth_of($merged, 'peak');
    same_bytes(rows_of('Sites'), 'Peak', $peak, 'the peak of their sum');
    my $page   = ReportPage->new(slurp("$dir/merged.html"))->block('memory');
    my $slices = int 0.5 * $page->{count};
    # A process that ends within a slice is counted in the slice, but not at the slice's end.
    $slices++ while grep { POSIX::ceil($_ / $page->{width_s}) == $slices } @{ $page->{ends_s} };
    my $s = $page->{width_s} * $slices;
    go("#/memory?at=${s}s", '.memory-table');
    my ($at) = truth_of($merged, "at=${s}s");
    same_bytes(rows_of('Sites'), 'Then', $at, 'a moment of all');
    my @pids = map { /(\d+)$/ } glob "$got/nytprof.out.*";
    for my $pid (@pids) {
        go("#/memory?process=$pid", '.memory-table');
        my ($live) = truth_of($merged, 'live', "--process=$pid");
        same_bytes(rows_of('Sites'), 'End', $live, 'the end of one process');
    }
    quiet('processes');
};

subtest 'screens' => sub {
    for my $width (390, 768, 1024, 1280, 1600) {
        $browser->size($width, 900);
        go('#/memory', '.memory-table');
        cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width, "$width pixels: no sideways scrolling");
    }
};

subtest 'a request that leaves values' => sub {
    my $leaks = recorded('use NYTProf::Span; my %kept; for my $n (1 .. 600) { my $span = span($n % 2 ? "GET /leak" : "GET /ok"); '
        . '$kept{$n} = { text => "x" x 2000 } if $n % 2; my @other = map { "y" x 500 } 1 .. 20 }');
    ok(shown(page_of(leaks => "$leaks/nytprof.out")), 'the page begins');
    go('#/memory', '.memory-table');
    is(text_of('#stage h1'), 'GET /leak leaves 3 values each time', 'is what comes first');
};

# More places than have room: the smallest are one, and nothing of the sums is lost.
subtest 'many places' => sub {
    my $subs = join '', map { "sub f$_ { push \@k, 'x' x " . (2000 + $_ % 997 * 10) . "; splice \@k, rand \@k, 1 if \@k > 3000 }\n" } 1 .. 6000;
    my $many = recorded("our \@k;\n${subs}for my \$round (1 .. 6) { no strict 'refs'; &{\"f\$_\"}() for 1 .. 6000 }\n") . '/nytprof.out';
    my $url  = page_of(many => $many);
    my $page = slurp("$dir/many.html");
    my ($deflated) = $page =~ m{id="memory">(.*?)</script>}s;
    cmp_ok(length $deflated, '<', length($page) / 5, 'the block has its share of the page');
    my $memory = ReportPage->new($page)->block('memory');
    ok((grep { $_ eq '(smaller places)' } @{ $memory->{names}{text} }), '... so that smaller places are one');
    my (undef, $kinds) = truth_of($many, 'peak');
    my $truth = sum0(values %$kinds);
    ok(abs(sum0(@{ $memory->{peaks}{bytes} }) - $truth) < 1e-3 * $truth, '... and the peak is whole');
    ok(shown($url), 'the page begins');
    go('#/memory', '.memory-table');
    my ($mib) = text_of('#stage') =~ /Peak ([\d.]+)\x{a0}MiB/;
    ok(abs($mib - $truth / 2**20) < 0.1, '... and says so') or diag($mib);
    same_bytes(rows_of('Kinds'), 'Peak', $kinds, '... and the kinds are those of all', 1e-3 * $truth);
    quiet('many places');
};

subtest 'without samples' => sub {
    ok(shown(page_of(none => spew("$dir/none.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000], [PID_START => 7, 1, 1],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [TIME_LINE => 5, 1, 1], [PID_END => 7, 2])))), 'the page begins');
    unlike(text_of('#bar'), qr/Memory/, 'no tab');
    go('#/memory', '#stage h1');
    like(text_of('#stage'), qr/NYTPROF=heap=1/, 'an address says how to record it');
};

$browser->quit;
done_testing();
