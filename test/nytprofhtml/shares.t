# Every share in a report says of what it is, and is that: the percentages of all views are read as a reader does, with the
# times beside them and the heading above. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use MadeCalls qw(made_calls);
use MadeMemory qw(made_memory made_records);
use NYTPTest qw(build_dir record run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go page_of quiet shown);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my ($dir, $UNIT, $SHARE) = (scratch_dir(), qr/(?:s|ms|\x{B5}s|[GMK]iB|B)/, qr/(-?[\d.]+) %/);
my $TIME = qr/-?[\d.,]+ $UNIT/;
browse(my $browser = WebDriver->new, $dir);
my %in = (s => 1, ms => 1e-3, "\x{B5}s" => 1e-6, B => 1, KiB => 2**10, MiB => 2**20, GiB => 2**30);

# A number as it is shown: what it is in base units, and by how much it may be rounded.
sub shown_number {
    my ($text, $unit) = @_;
    my ($number) = $text =~ /(-?[\d.,]+)/ or return;
    my ($decimals) = $number =~ /\.(\d+)/;
    my $base = $in{$unit} // 1;
    return ($number =~ tr/,//dr * $base, 0.5 * $base * 10**-length($decimals // ''));
}

sub seconds { my ($text) = @_; my ($unit) = $text =~ /($UNIT)\z/ or return shown_number($text, ''); return shown_number($text, $unit) }

# Each text with a percentage in the view, and where it is: {text, and of a table: head, and cells by their heads; of a bar or
# a legend: title, and caption (which says what 100 % are); of a list: heading}. Source and settings of the program are left out.
my $FOUND = <<'JS';
    const plain = text => text.replace(/\s+/g, ' ').trim(), walker = document.createTreeWalker(document.getElementById('view'), NodeFilter.SHOW_TEXT), found = [];
    const is_shown = element => !element.closest('[hidden], style, .settings, code, .source td.code') && !element.closest('details.as-table summary');
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!/\d\s?%/.test(node.textContent) || !is_shown(element))
            continue;
        const cell = element.closest('td'), part = element.closest('.share-bar > *'), item = element.closest('.legend li'), one = {};
        if (cell) {
            const table = cell.closest('[role=table]') || cell.closest('table'), heads = [...table.querySelectorAll('th')].map(head => plain(head.textContent).replace(/ [\u25be\u25b4]$/, ''));
            const cells = [...cell.parentNode.cells].map(other => plain(other.textContent));
            Object.assign(one, {head: heads[cell.cellIndex], cells: cells.map((text, i) => [heads[i], text]), text: plain(cell.textContent), name: table.getAttribute('aria-label')});
        } else if (part)
            Object.assign(one, {title: plain(part.title), text: plain(part.querySelector('strong').textContent), caption: plain(part.closest('figure')?.querySelector('figcaption')?.textContent || '')});
        else if (item)
            Object.assign(one, {title: plain(item.title), text: plain(element.textContent), caption: getComputedStyle(item.parentNode, '::after').content.replace(/"/g, '') === 'none' ? '' : '100 % is ' + plain(item.parentNode.dataset.whole)});
        else if (element.matches('#causes .part'))
            Object.assign(one, {text: plain(element.textContent), title: ': ' + plain(element.previousElementSibling.textContent).replace('+', ''), heading: plain(document.querySelector('#causes h2').textContent)});
        else if (element.matches('#findings .share'))
            Object.assign(one, {text: plain(element.textContent), title: plain(element.nextElementSibling.textContent), heading: plain(document.querySelector('#findings h2').textContent)});
        else
            one.text = plain((element.closest('p, h1, h3, dd, li, figcaption, .chip') || element).textContent);
        found.push(one);
    }
    return found;
JS

# What the first group of a pattern has in a text; undef: it does not match.
sub part_of { my ($text, $pattern) = @_; return ($text // '') =~ $pattern ? $1 : undef }

# {share, ticks (a text), of (the name of the base, or its amount)} for each share that a text has.
sub claims_of {
    my ($one)  = @_;
    my %claim  = (share => part_of($one->{text}, $SHARE));
    my $amount = qr/($TIME|[\d,]+ calls?)/;
    if (exists $one->{head}) {
        my ($old, $new) = map { my $side = $_; (grep { $_->[0] =~ /\A(?:Self |Time )?$side, /i } @{ $one->{cells} })[0] } qw(old new);
        return { share => $claim{share}, sides => [map { "$_->[1] " . $_->[0] =~ s/.*, //r } $old, $new] } if $one->{head} =~ /\AChange/ && $old;
        $claim{of} = part_of($one->{head}, qr/\AOf (.*)/);
        my @with = grep { ($claim{of} // '') eq 'calls' ? $_->[0] eq 'Calls' : $_->[0] =~ /, $UNIT\z/ } @{ $one->{cells} };
        my $with = $with[0];
        $claim{ticks} = $with && join ' ', $with->[1], grep { defined } part_of($with->[0], qr/, (\S+)\z/);
    }
    elsif (exists $one->{caption}) { @claim{qw(of ticks)} = (part_of($one->{caption} =~ /100 %/ ? $one->{caption} : '', $amount), $one->{title} =~ s/.*: //r) }
    elsif (exists $one->{heading}) { @claim{qw(of ticks)} = (part_of($one->{heading}, qr/shares of \+?(.*)/), part_of($one->{title}, qr/.*: ($TIME)/)) }
    return \%claim if exists $claim{of};
    return () if $one->{text} =~ /100 % (?:here|is|in all)|exact to/;
    return () if $one->{text} =~ /% (?:slower|faster|longer|shorter)/;    # than OLD
    my (@changes, @claims);
    push @changes, { sides => [$1, $2], share => $3 } while $one->{text} =~ s/([\d.,]+(?: $UNIT)?)(?: \x{2192} |, new )([\d.,]+(?: $UNIT)?), \+?$SHARE//;
    while ($one->{text} =~ /(?:($TIME)[^%]*?)?$SHARE(?:\)? of (the work|all time|all memory|live memory|what is shown|it\b|$TIME))?/g) { push @claims, { ticks => $1, share => $2, of => $3 } }
    $_->{of} = $claims[0]{ticks}, delete $_->{ticks} for grep { ($_->{of} // '') eq 'it' } @claims;
    return (@changes, @claims);
}

# Looks at all shares of the view that is shown. base: seconds of each name of a base. Returns how many there are.
sub look {
    my ($view, %base) = @_;
    my ($count, @wrong) = (0);
    for my $one (@{ $browser->run($FOUND) }) {
        for my $claim (claims_of($one)) {
            $count++;
            if ($claim->{sides}) {
                my ($old, $old_error, $new, $new_error) = map { seconds($_) } @{ $claim->{sides} };
                my ($share, $share_error) = map { $_ / 100 } shown_number($claim->{share}, '');
                next if $old == $new && !$share;
                if (!$old) { push @wrong, "$claim->{share} % of $claim->{sides}[0]"; next }
                my $may_be = $share_error + ($new_error + $old_error * abs($new / $old)) / $old + 1e-9;
                push @wrong, "$claim->{share} % is not from $claim->{sides}[0] to $claim->{sides}[1]" if abs($share - ($new - $old) / $old) > $may_be;
                next;
            }
            my $of = $claim->{of} // '';
            my ($whole, $whole_error) = exists $base{$of} ? ($base{$of}, 0) : $of =~ /\A(?:$TIME|[\d,]+ calls?)\z/ ? seconds($of) : ();
            if (!$whole) { push @wrong, ($one->{name} // '') . " $one->{text}: of '$of'"; next }
            next if !defined $claim->{ticks};
            my ($ticks, $error) = seconds($claim->{ticks});
            my ($share, $share_error) = map { $_ / 100 } shown_number($claim->{share}, '');
            my $may_be = $share_error + ($error + $whole_error * $share) / $whole + 1e-9;
            push @wrong, "$one->{text}: $claim->{share} % is not $claim->{ticks} of $of ($whole s)" if abs($share - $ticks / $whole) > $may_be;
        }
    }
    is_deeply(\@wrong, [], "$view: $count shares, each of what its heading says");
    return $count;
}

# Seconds of all rows of the table whose shares are "Of these"; 0: there is none.
sub sum_of_these {
    my $rows = $browser->run(<<'JS') or return 0;
        const found = [...document.querySelectorAll('.sub-parts table')].find(table => [...table.querySelectorAll('th')].some(head => head.textContent === 'Of these'));
        return found && [...found.querySelectorAll('tbody tr')].map(row => row.cells[1].textContent + ' ' + found.querySelectorAll('th')[1].textContent.split(', ')[1]);
JS
    return sum0(map { (seconds($_))[0] } @$rows);
}

# Two workers. The first has 1,250 ms of work and is asleep for 500: ten requests of GET /cat take 110 ms, 80 of which are 20
# runs of one query. The second one has 200 ms of work, of a sub that calls itself. Seconds of each base, by what is asked for.
my $query = 'DBI::st::execute SELECT a';
my @cat   = ((map { ([TIME_LINE => 5, 1, 6], [SUB_RETURN => 3, 4, 4, $query], [SUB_RETURN => 2, 5, 1, 'Shop::price_of']) } 1 .. 20),
    [TIME_LINE => 10, 1, 8], [SUB_RETURN => 1, 110, 10, 'NYTProf::span GET /cat']);
my @login  = ([TIME_LINE => 20, 1, 9], [SUB_RETURN => 1, 20, 20, 'NYTProf::span GET /login']);
my $server = spew("$dir/server.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'application', 'shop.pl'],
    [ATTRIBUTE => 'labels', 'sql=DBI::st::execute'], [PID_START => 7, 1, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
    [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/usr/share/perl5/Shop/Kit.pm'], [TIME_LINE => 30, 2, 1], [SUB_RETURN => 1, 30, 30, 'main::BEGIN@1'],
    (map { @cat } 1 .. 10), (map { @login } 1 .. 5), [TIME_LINE => 500, 1, 3], [SUB_RETURN => 1, 500, 500, 'main::CORE:sleep'], [TIME_LINE => 20, 1, 2],
    [SUB_INFO => 1, 'Shop::price_of', 5, 6], [SUB_INFO => 1, 'main::BEGIN@1', 1, 1], [SUB_INFO => 2, 'Shop::Kit::deep', 1, 9],
    (map { [SUB_CALLERS => 1, $_->[0], $_->[1], $_->[2], $_->[3], $_->[4], 0, 0, $_->[5]] } [1, 'main::NULL', 1, 0.03, 0.03, 'main::BEGIN@1'],
        [6, 'Shop::price_of', 200, 0.8, 0.8, $query], [8, 'NYTProf::span GET /cat', 200, 1, 0.2, 'Shop::price_of'],
        [2, 'main::RUNTIME', 10, 1.1, 0.1, 'NYTProf::span GET /cat'], [2, 'main::RUNTIME', 5, 0.1, 0.1, 'NYTProf::span GET /login'],
        [3, 'main::RUNTIME', 1, 0.5, 0.5, 'main::CORE:sleep']), [PID_END => 7, 2.75],
    [PID_START => 8, 7, 1], (map { ([TIME_LINE => 20, 2, 4], [SUB_RETURN => 3, 10, 10, 'Shop::Kit::deep'], [SUB_RETURN => 2, 20, 10, 'Shop::Kit::deep']) } 1 .. 10),
    (map { [SUB_CALLERS => @$_] } [2, 4, 'Shop::Kit::deep', 10, 0.1, 0.1, 0.1, 1, 'Shop::Kit::deep'], [1, 2, 'main::RUNTIME', 10, 0.2, 0.1, 0, 0, 'Shop::Kit::deep']),
    [PID_END => 8, 1.2]));
my @views = ('#/', '#/labels/span', '#/labels/sql', '#/label/span:GET /cat', '#/label/sql:SELECT a', '#/flame', '#/flame?way=callees', '#/flame?by=calls', '#/time', '#/subs',
    '#/subs?group=package', '#/subs?group=tree', '#/sub/Shop::price_of', '#/sub/main::RUNTIME', '#/sub/Shop::Kit::deep', '#/files', '#/file/shop.pl', '#/map', '#/modules');

subtest 'a server' => sub {
    shown(page_of(server => $server));
    for my $case (['', 'the work', 1.45], ['all=1', 'all time', 1.95], ['process=8', 'what is shown', 0.2], ['process=7&all=1', 'what is shown', 1.75],
        ['out=pkg:Shop', 'what is shown', 0.45]) {
        my ($query_text, $of, $s) = @$case;
        my $count = 0;
        for my $view (@views) {
            my $hash = $view . ($query_text && ($view =~ /\?/ ? '&' : '?') . $query_text);
            go($hash, 'main h1');
            # What stands out is of the whole profile, whatever is shown; the facts of a sub have what "the sub" is.
            my $sub_s = $view =~ m{#/sub/} && $browser->run('return report.profile.subs.incl[report.profile.subs.name.indexOf(arguments[0])] / 1000', $view =~ s{#/sub/}{}r);
            my %base = ($of => $s, 'all time' => 1.95, 'the work' => 1.45, ($sub_s ? ('the sub' => $sub_s) : ()), it => 0.11); # a GET /cat
            $base{calls} = $browser->run('const all = document.querySelector(".histogram .bars"); return all && parseInt(all.getAttribute("aria-label").replace(/,/g, ""), 10)') || 0;
            $base{these} = sum_of_these();
            $count += look($hash, %base);
        }
        cmp_ok($count, '>', 25, "$of: there are many");
    }
    quiet('a server');
};

subtest 'a program' => sub {
    shown(page_of(program => record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2)));
    my ($sub) = @{ $browser->run('const {excl, name} = report.profile.subs; return [name[excl.indexOf(Math.max(...excl))]]') };
    my $s = $browser->run('return report.profile.totals.ticks / report.profile.about.ticks_per_s');
    for my $view ('#/', '#/flame', '#/time', '#/files', '#/map', '#/modules', "#/sub/$sub") {
        go($view, 'main h1');
        my $sub_s = $browser->run('const {subs, about} = report.profile; return subs.incl[subs.name.indexOf(arguments[0])] / about.ticks_per_s', $sub);
        my $calls = $browser->run('const all = document.querySelector(".histogram .bars"); return all && parseInt(all.getAttribute("aria-label").replace(/,/g, ""), 10)');
        look($view, 'the work' => $s, 'all time' => $s, 'the sub' => $sub_s, calls => $calls || 0);
    }
    quiet('a program');
};

subtest 'a comparison' => sub {
    my $labels = { labels => 'sql=DBI::st::execute' };
    my $made   = sub {
        my ($file, $calls, $requests) = @_;
        return made_calls("$dir/$file", $labels, ['main::report', 1, 0.05, ['DBI::st::execute SELECT 1', $calls, 0.1]],
            ['NYTProf::span GET /list', 2, 0, ['main::list', 1, 0.005, ['main::price', $calls * 10, 0.01]]], ['NYTProf::span GET /', $requests, 0.05]);
    };
    $made->(old => 1, 2), $made->(new => 3, 5);
    is(run([build_dir() . '/bin/nytprofhtml', '-o', "$dir/diff.html", '--diff', "$dir/old", "$dir/new"])->{status}, 0, 'written');
    shown("file://$dir/diff.html");
    my ($s, $count) = ($browser->run('return report.profile.totals.ticks / report.profile.about.ticks_per_s'), 0);
    for my $view ('#/', '#/labels/span', '#/labels/sql', '#/label/sql:SELECT 1', '#/subs', '#/subs?group=package', '#/subs?compare=0', '#/flame', '#/flame?side=old', '#/sub/main::price',
        '#/sub/main::list', '#/files', '#/map', '#/modules') {
        go($view, 'main h1');
        my $sub_s = $view =~ m{#/sub/} && $browser->run('return report.profile.subs.incl[report.profile.subs.name.indexOf(arguments[0])] / report.profile.about.ticks_per_s', $view =~ s{#/sub/}{}r);
        my $calls = $browser->run('const all = document.querySelector(".histogram .bars"); return all && parseInt(all.getAttribute("aria-label").replace(/,/g, ""), 10)');
        my $latency = $browser->run('return [...document.querySelectorAll(".chosen-request .fact")].find(one => one.textContent.startsWith("Latency"))?.querySelector("dd").textContent.replace(/\u00a0/g, " ")');
        $count += look($view, it => $latency ? (seconds($latency))[0] : 0, 'all time' => $s, 'the work' => $s, ($sub_s ? ('the sub' => $sub_s) : ()), calls => $calls || 0);
    }
    cmp_ok($count, '>', 25, 'there are many');
    quiet('a comparison');
};

# All has 10 MiB; what a kind or a sub has is the base of what is in it.
subtest 'memory' => sub {
    shown(page_of(bytes => made_memory("$dir/bytes.out", source => 1)));
    my $count = 0;
    for my $view ('#/', '#/flame', '#/flame?way=callees', '#/subs', '#/sub/Shop::keep', '#/sub/Shop::again', '#/files', '#/file/shop.pl', '#/map', '#/kinds', '#/kinds/strings', '#/modules', '#/labels/span') {
        go($view, 'main h1');
        my ($sub) = $view =~ m{#/sub/(.*)};
        my $bytes = $sub && $browser->run('return report.profile.subs.incl[report.profile.subs.name.indexOf(arguments[0])]', $sub);
        my $these = $browser->run('const rows = [...document.querySelectorAll("#stage table")].filter(table => /Of these/.test(table.textContent)).map(table => [...table.querySelectorAll("tbody tr")].reduce((sum, row) => sum + parseFloat(row.cells[1].textContent), 0)); return rows[0] || 0');
        my $heads = $browser->run('return document.querySelector("#values, [aria-label=\'Heads of values\'] tbody") ? [...document.querySelectorAll("[aria-label=\'Heads of values\'] tbody tr")].reduce((sum, row) => sum + parseInt(row.cells[1].textContent.replace(/,/g, ""), 10), 0) : 0');
        $count += look($view, 'all memory' => 10 * 2**20, 'live memory' => 10 * 2**20, all => 10 * 2**20, ($bytes ? ('the sub' => $bytes) : ()), these => $these * 2**20, heads => $heads);
    }
    cmp_ok($count, '>', 25, 'there are many');
    shown(page_of(heap => spew("$dir/heap.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => 'shop.pl'], [ATTRIBUTE => ticks_per_sec => 1000],
        [ATTRIBUTE => heap => 1], [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/lib/Big.pm'],
        made_records(), [SUB_INFO => 1, 'Shop::keep', 2, 2], [PID_END => 7, 2.5]))));
    go('#/memory', '.memory-table tbody tr');
    is($browser->run('return document.querySelector("#stage h1").textContent.replace(/\u00a0/g, " ")'), '40 % of the peak is compiled code; Shop::keep holds 30 %', 'memory over time: shares of the peak');
    is_deeply($browser->run('return [...document.querySelectorAll(".memory-table tbody tr")].filter(row => /compiled code|Shop::keep/.test(row.textContent)).slice(0, 2).map(row => row.cells[0].dataset.bytes / 2 ** 20)'), [8, 6], '... which has 20 MiB');
    quiet('memory');
};

$browser->quit;
done_testing();
