# nytprofhtml --diff: the numbers of nytp-diff, with the subs and files of the report; its tables and flame graph in
# Chromium.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use MadeCalls qw(made_calls);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

my $ours = build_dir() . '/bin/nytprofhtml';
my $dir  = scratch_dir();

sub difference {
    my ($name, @files) = @_;
    my $got = run([$ours, '-o', "$name.html", '--diff', @files], dir => $dir);
    is("$got->{status} $got->{err}", '0 ', "$name: written");
    return ReportPage->new(slurp("$dir/$name.html"))->{core};
}

# By name: [old, new, verdict] of a measure; times in seconds.
sub rows {
    my ($core, $suffix, $per_s) = @_;
    my $rows = $core->{difference}{subs};
    return { map { my $row = $_;
        $core->{subs}{name}[$rows->{number}[$row]] => [$rows->{"old$suffix"}[$row] / $per_s,
            $rows->{"new$suffix"}[$row] / $per_s, $rows->{"verdict$suffix"}[$row]] } 0 .. $#{ $rows->{number} } };
}

made_run("$dir/old", stacks => 1,
    calls => { 'main::f' => [3, 0.25], 'A::gone' => [1, 0.625], 'A::same' => [9, 0.125] });
made_run("$dir/new", stacks => 1,
    calls => { 'main::f' => [5, 0.75], 'A::fresh' => [1, 0.25], 'A::same' => [9, 0.125] });

subtest 'one of each' => sub {
    my $core = difference('one', 'old', 'new');
    my $rate = $core->{about}{ticks_per_s};
    my %of = map { $_->{name} =>
        $_ } @{ decode_json(run([build_dir() . '/bin/nytp-diff', '--json', 'old', 'new'],
            dir => $dir)->{out})->{rows} };
    my $rows = rows($core, '', $rate);
    is_deeply([map { "$_ @{ $rows->{$_} }[0, 1]" } grep { $of{$_} } sort keys %$rows],
        [map { "$_ $of{$_}{value}{old} $of{$_}{value}{new}" } sort keys %of], 'times are those of nytp-diff');
    is_deeply(rows($core, '_calls', 1)->{'main::f'}, [3, 5, 1], 'calls, which are exact');
    is_deeply($rows->{'A::gone'}, [0.625, 0, 4], 'what only OLD has is a sub of the report');
    my ($names, $stacks) = ($core->{subs}{name}, $core->{difference}{stacks});
    is_deeply({ map { $names->[$stacks->{sub}[$_]] => $stacks->{excl}[$_] / $rate } 0 .. $#{ $stacks->{sub} } },
        { 'main::f' => 0.25, 'A::gone' => 0.625, 'A::same' => 0.125 }, "OLD's stacks");
    like(slurp("$dir/one.html"), qr{Compared with old: <strong>[^<]+ \xE2\x86\x92 [^<]+</strong>},
        'the overview says so without a script');
};

# Large numbers of calls, and lines with long names: nothing covers anything, and lines have their numbers.
SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found || valgrind();
    my $file = '/srv/shop/lib/Shop/Storage.pm';
    for my $case (['large-old', 1_234_567], ['large-new', 12_345_678]) {
        my ($name, $calls) = @$case;
        spew("$dir/$name", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 1, 1, 1.5],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, $file], (map { [TIME_LINE => $calls / 10_000, 1, 1000 + $_] } 1 .. 3),
            (map { [SRC_LINE => 1, $_, "    return \$x->{of_this}{and_of_that};\n"] } 1 .. 1010),
            [SUB_INFO => 1, 'Shop::f', 1000, 1009],
            [SUB_CALLERS => 1, 1009, 'main::RUNTIME', $calls, $calls / 1e7, $calls / 1e7, 0, 0, 'Shop::f'], [PID_END => 1, 2.5]));
    }
    difference('large', 'large-old', 'large-new');
    my $browser = WebDriver->new;
    browse($browser, $dir);
    for my $width (1100, 1200, 1400) {
        $browser->size($width, 900);
        shown("file://$dir/large.html");
        is_deeply($browser->run(<<'JS'), [], "$width pixels: numbers have room");
            return [...document.querySelectorAll('#overview table.top :is(td, th).n')].filter(one => one.offsetParent && one.scrollWidth > one.clientWidth).map(one => one.textContent);
JS
        is_deeply($browser->run(<<'JS'), [], '... and those of lines, too');
            return [...document.querySelectorAll('table[aria-label^=Lines] td.name .inner')].filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent);
JS
    }
    $browser->quit;
}

subtest 'what caused it' => sub {
    my $labels = { labels => 'sql=DBI::st::execute' };
    my $price  = sub { ['main::price', $_[0], 0.01] };
    made_calls("$dir/why-old", $labels, ['main::report', 1, 0.05, ['DBI::st::execute SELECT 1', 1, 0.1]],
        ['NYTProf::span GET /list', 2, 0, ['main::list', 1, 0.005, $price->(10)]], ['NYTProf::span GET /', 2, 0.05]);
    made_calls("$dir/why-new", $labels, ['main::report', 1, 0.05, ['DBI::st::execute SELECT 2', 1, 0.1]],
        ['NYTProf::span GET /list', 2, 0, ['main::list', 1, 0.005, $price->(30)]], ['NYTProf::span GET /', 6, 0.05]);
    my $core = difference('why', 'why-old', 'why-new');
    my $html = slurp("$dir/why.html");
    my ($list) = $html =~ m{<section id="causes">(.*?)</section>}s;
    my @shown = map { s/<[^>]*>//gr =~ s/&quot;/"/gr } $list =~ s{ <span class="part">.*?</i></span>}{}gsr =~ m{<li data[^>]*>(.*?)</li>}gs;
    my $text = run([build_dir() . '/bin/nytp-diff', '--explain', 'why-old', 'why-new'], dir => $dir)->{out};
    is_deeply(\@shown, [map { /^ *(\S+ \S+)  (.*)/ ? "$1 $2" : () } split /\n/, $text =~ s/\n\n.*//sr],
        'the sentences are those of nytp-diff');
    like($list, qr{<h2>What differs \(one run each: may be chance\) <small>shares of \+600 ms</small></h2>}, '... as is their heading');
    like($html, qr{<h1>107 % slower, which may be chance: main::price is called 3 times as often \(20 to 60 calls\), by main::list</h1>}, '... and the answer');
    is_deeply([$list =~ /class="part">(.*?)</g], ['67 %', '33 %', '17 %', '-17 %', '100 %'], 'they add up to it');
    is_deeply([$list =~ /margin-left:([\d.]+)%;width:([\d.]+)%/g], ['0.00', '57.14', '57.14', '28.57', '85.71', '14.29', '85.71', '14.29', '0.00', '85.71'], '... as a waterfall');
    is_deeply([@shown[0, 1]], ['+400 ms main::price is called 3 times as often (20 to 60 calls), by main::list',
        '+200 ms request "GET /" comes 3 times as often (2 to 6 requests)'], 'the largest first');
    my %of = map { $_->{name} => $_ } @{ decode_json(run([build_dir() . '/bin/nytp-diff', '--by=labels', '--json',
        'why-old', 'why-new'], dir => $dir)->{out})->{rows} };
    my ($rows, $per_s) = ($core->{difference}{labels}, $core->{about}{ticks_per_s});
    my @kinds = (undef, qw(sql regex file command host http template call span));
    is_deeply({ map { my $row = $_;
        my $label = $rows->{number}[$row];
        "$kinds[$core->{labels}{kind}[$label]]: $core->{labels}{text}[$label]" => join ' ',
            (map { $rows->{$_}[$row] / $per_s } qw(old_incl new_incl)), map { $rows->{$_}[$row] } qw(old_calls new_calls)
        } 0 .. $#{ $rows->{number} } },
        { map { $_ => join ' ', @{ $of{$_}{value} }{qw(old new)},
            @{ $of{$_}{calls} }{qw(old new)} } keys %of }, 'labels have the numbers of nytp-diff --by=labels');
};

subtest 'the line that it is in' => sub {
    for my $case ([fast => 100], [slow => 400]) {
        my ($name, $ms) = @$case;
        spew("$dir/$name",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 1, 1, 1.5],
                [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop/p.pl'], [TIME_LINE => 50, 1, 2], [TIME_LINE => $ms, 1, 3],
            [TIME_LINE => 50, 1, 9], [SUB_INFO => 1, 'main::f', 2, 4],
            [SUB_CALLERS => 1, 9, 'main::RUNTIME', 1, ($ms + 50) / 1000, ($ms + 50) / 1000, 0, 0, 'main::f'],
            [PID_END => 1, 2.5]));
    }
    difference('line', 'fast', 'slow');
    like(slurp("$dir/line.html"), qr{f</span>\ itself\ takes\ 3\ times\ as\ long\ \(150\ ms\ to\ 450\ ms\)<small>,\ most\ of\ it\ at
        \ <span\ data-file="0"\ data-line="3">shop/p.pl:3</span>}x, 'has most of the difference');
};

subtest 'several of each' => sub {
    my @runs = map { my $side = $_;
        map { my $i = $_;
        made_run("$dir/$side$i", stacks => 1,
            calls => { 'main::f' => [3, ($side eq 'o' ? 0.25 : 0.75) + $i / 100],
                'A::same' => [9, 0.125 * (1 + ($i * ($side eq 'o' ? 3 : 5) % 7) / 50)] }); "$side$i" } 1 .. 5 } qw(o n);
    my $core = difference('several', @runs[0 .. 4], '--', @runs[5 .. 9]);
    my $rows = rows($core, '', $core->{about}{ticks_per_s});
    is_deeply($core->{difference}{shown}, ['o2', 'n3'], 'the runs that are shown are those with the median time');
    is_deeply([map { sprintf '%.2f', $_ } @{ $rows->{'main::f'} }[0, 1]], ['0.28', '0.78'], 'medians');
    is($rows->{'main::f'}[2], 2, 'more than chance');
    is($rows->{'A::same'}[2], 3, 'chance can explain it');
    my ($pairs, $names) = ($core->{difference}{pairs}, $core->{subs}{name});
    is_deeply([sort map { "$pairs->{caller}[$_] $names->[$pairs->{callee}[$_]] $pairs->{verdict}[$_]" } 0 .. $#{
        $pairs->{callee} }], ['-1 A::same 3', '-1 main::f 2'], 'calls by caller and callee are tested, too');
};

subtest 'samples' => sub {
    made_run("$dir/few",  samples => 900, calls => { 'main::f' => [3, 0.25], 'A::g' => [1, 0.5] });
    made_run("$dir/many", samples => 900, calls => { 'main::f' => [3, 0.75], 'A::g' => [1, 0.5] });
    my $core = difference('samples', 'few', 'many');
    my ($all, $row) = ($core->{totals}{ticks}, rows($core, '', 1)->{'main::f'});
    is_deeply([map { sprintf '%.3f', $_ / $all } @$row[0, 1]], [map { sprintf '%.3f', $_ } 0.25 / 0.85, 0.75 / 1.35],
        'shares of the time');
    is($row->[2], 2, 'which are tested, since the number of samples says how exact they are');
    like(slurp("$dir/samples.html"), qr/what chance can explain is grey/, 'as the overview says');
    my $got = run([$ours, '-o', 'mixed.html', '--diff', 'old', 'many'], dir => $dir);
    is($got->{status}, 1, 'samples and measured times');
    like($got->{err}, qr/many is a profile of sampled time and old one of time: they do not go together/,
        'are not compared');
};

# A profile of lines: text and milliseconds of each.
sub profile_of_lines {
    my ($path, @lines) = @_;
    return spew($path,
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [ATTRIBUTE => 'application', 'p.pl'], [PID_START => 1, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/p.pl'],
        (map { $lines[$_][1] ? [TIME_LINE => $lines[$_][1] * 10_000, 1, $_ + 1] : () } 0 .. $#lines),
        (map { [SRC_LINE => 1, $_ + 1, "$lines[$_][0]\n"] } 0 .. $#lines), [PID_END => 1, 2.5]));
}

profile_of_lines("$dir/before", ['a();', 10], ['b(); # </script>', 20], ['c();', 30]);
profile_of_lines("$dir/after",  ['# moved'], ['a();', 15], ['c();', 30], ['x();', 25]);

profile_of_lines("$dir/same-$_->[0]", (map { ["$_();", 30] } 'a' .. 'd'), ['e();', $_->[1]], (map { ["$_();", 30] } 'f' .. 'h')) for [old => 10], [new => 40];
difference('same', 'same-old', 'same-new');

subtest 'lines' => sub {
    for my $options ([], ['--no-source']) {
        my $core = difference('lines', @$options, 'before', 'after');
        my $lines = $core->{difference}{lines};
        is_deeply([map { my $row = $_;
            join ' ', $lines->{line}[$row], $lines->{line}[$row] + $lines->{old_line}[$row],
                map { $lines->{$_}[$row] / 10_000 } qw(old new) } 0 .. $#{ $lines->{line} }],
            ['2 1 10 15', '3 3 30 30', '4 0 0 25', '0 2 20 0'], "@$options: those that moved are the same");
        my $texts = $core->{difference}{texts};
        is_deeply([map { "@$_" } @$texts{qw(file runs old_line line lines)}], ['0', '2', '1 3', '1 0', '1 1'],
            '... and so are they in the source');
        is($texts->{bytes}[0], @$options ? 0 : 27, "... of which OLD's text is kept, if any is");
    }
    difference('lines', 'before', 'after');
};

subtest 'places of calls' => sub {
    # Calls of f by main::g: OLD's from lines 1 and 2, NEW's from what was line 1 and is 2, and from a new line.
    my $made = sub {
        my ($path, $text, %calls) = @_;
        return spew("$dir/$path",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 1, 1, 1.5],
                [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/p.pl'],
            (map { [TIME_LINE => 10, 1, $_] } 1 .. @$text),
            (map { [SRC_LINE => 1, $_, "$text->[$_ - 1]\n"] } 1 .. @$text), [SUB_INFO => 1, 'main::f', 9, 9],
            [SUB_INFO => 1, 'main::g', 1, 8],
            [SUB_CALLERS => 1, 9, 'main::RUNTIME', 1, 1, 0.1, 0, 0, 'main::g'],
            (map { [SUB_CALLERS => 1, $_, 'main::g', $calls{$_}, $calls{$_} / 10, $calls{$_} / 10, 0, 0,
                'main::f'] } sort keys %calls), [PID_END => 1, 2.5]));
    };
    $made->('placed', ['a();', 'b();', 'c();'], 1 => 2, 2 => 1);
    $made->('places', ['# moved', 'a();', 'c();', 'd();'], 2 => 3, 4 => 5);
    my $core = difference('places', 'placed', 'places');
    my ($rows, $names) = ($core->{difference}{places}, $core->{subs}{name});
    my @from_g = grep { $names->[$rows->{callee}[$_]] eq 'main::f' } 0 .. $#{ $rows->{callee} };
    is_deeply([sort map { my $row = $_;
        join ' ', $names->[$rows->{caller}[$row]],
            map { $rows->{$_}[$row] } qw(old_line line old_calls new_calls old new file) } @from_g],
        ['main::g 0 4 0 5 0 500 0', 'main::g 1 2 2 3 200 300 0', 'main::g 2 0 1 0 100 0 0'],
        'from a line that moved, a new one and one that is gone');
};

# A profile whose BEGIN blocks are uses: each with its milliseconds.
sub profile_of_uses {
    my ($path, @uses) = @_;
    my @numbered = map { ["main::BEGIN\@$_", $_, $uses[$_ - 1][1] * 10_000] } 1 .. @uses;
    return spew($path,
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
            [ATTRIBUTE => 'application', 'p.pl'], [PID_START => 1, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/p.pl'], (map { [TIME_LINE => $_->[2], 1, $_->[1]] } @numbered),
        (map { [SUB_RETURN => 1, $_->[2], $_->[2], $_->[0]] } @numbered),
        (map { ([SUB_INFO => 1, $_->[0], $_->[1], $_->[1]],
            [SUB_CALLERS => 1, $_->[1], 'main::RUNTIME', 1, $_->[2] / 10_000_000, $_->[2] / 10_000_000, 0, 0,
            $_->[0]]) } @numbered),
        (map { [SRC_LINE => 1, $_, "use $uses[$_ - 1][0];\n"] } 1 .. @uses), [PID_END => 1, 2.5]));
}

profile_of_uses("$dir/used", ['A', 200], ['C', 100]);
profile_of_uses("$dir/uses", ['A', 250], ['C', 100], ['D', 10]);
difference('uses', 'used', 'uses');
profile_of_uses("$dir/swapped", ['C', 110], ['A', 250]);
difference('swapped', 'used', 'swapped');

# What waited: of OLD and NEW, the work and all time are compared as nytp-diff does with --work and without.
my $waiting = sub {
    my ($name, $f_s, $g_s, $g_queued_s, @waited) = @_;
    made_run("$dir/$name", stacks => 1, calls => { 'main::f' => [2, $f_s], 'A::g' => [1, $g_s] },
        waited => { 'main::f' => [@waited], 'A::g' => [0, $g_queued_s] });
};
$waiting->('waits-old', 0.5,  0.5,   0.25,  0.125, 0);
$waiting->('waits-new', 1.25, 0.625, 0.125, 0.25,  0.25);
difference('waits', 'waits-old', 'waits-new');
ok(slurp("$dir/one.html") !~ /<span data-times/, 'a comparison in which nothing waited has times once');

# By sub: old and new exclusive and inclusive seconds of nytp-diff.
sub compared {
    my (@options) = @_;
    my %found;
    for my $value (qw(exclusive inclusive)) {
        my $json = decode_json(run([build_dir() . '/bin/nytp-diff', '--json', "--value=$value", @options, 'waits-old', 'waits-new'], dir => $dir)->{out});
        $found{ $_->{name} }{$value} = join ' ', @{ $_->{value} }{qw(old new)} for grep { $_->{name} =~ /::[fg]\z/ } @{ $json->{rows} };
        $found{whole} = join ' ', @{ $json->{whole}{value} }{qw(old new)};
    }
    return \%found;
}

subtest 'wrong usage' => sub {
    for my $case ([['old'], qr/expected two profiles, OLD NEW/], [['old', '--'], qr/no profile after --/],
        [['--no-merge-evals', 'old', 'new'], qr/merged evals/]) {
        my $got = run([$ours, '--diff', @{ $case->[0] }], dir => $dir);
        is($got->{status}, 2, "@{ $case->[0] }");
        like($got->{err}, $case->[1], 'says what is wrong');
    }
    my $got = run([$ours, '-o', 'none.html', '--diff', 'missing', 'new'], dir => $dir);
    is("$got->{status} " . (-e "$dir/none.html" ? 'there' : 'none'), '1 none', 'a profile that is missing');
};

SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found;
    skip 'a browser is no matter of memcheck', 1 if valgrind();
    browse(my $browser = WebDriver->new, $dir);
    ok(shown("file://$dir/one.html"), 'the page begins');
    is($browser->run('return document.querySelector("table[aria-label^=Subs] td.name").textContent'), 'A::gone',
        'what changed most comes first');
    go('#/subs', '.data-table tbody tr');
    is_deeply([map { "$_->{Sub} $_->{'Self old (s)'} $_->{'Self new (s)'} $_->{'Calls change'}" } (csv())[0 .. 2]],
        ['A::gone 0.625 0 -1', 'main::f 0.25 0.75 2', 'A::fresh 0 0.25 1'], 'a table of old, new and change');
    for my $case (['percent', 'A::gone', 'main::RUNTIME', 'A::same', 'main::f', 'A::fresh'],
        ['-percent', 'A::fresh', 'main::f', 'main::RUNTIME', 'A::same', 'A::gone']) {
        my ($sort, @subs) = @$case;
        go("#/subs?sort=$sort", '.data-table tbody tr');
        is_deeply([map { $_->{Sub} =~ s/ .*//r } csv()], \@subs, "sorted by $sort, also below 0, and stable");
    }
    go('#/sub/A::gone', 'h1.sub-name');
    like(text_of('.facts'), qr/625\sms → 0\.00\s\S+, gone/, 'a sub that is gone has a page');
    go('#/', '#changes table');
    is_deeply($browser->run('return [...document.querySelectorAll("[id^=top-]")].length'), 0, 'subs are listed once');
    go('#/?out=sub:A::gone', '#changes table');
    is($browser->run(
        'return [...document.querySelectorAll("#changes table[aria-label^=Subs] td.name")].map(cell => '
            . 'cell.textContent).includes("A::gone")'), JSON::PP::false, 'what is left out is in none of them');
    for my $case ([new => ['main::f', 'A::fresh', 'A::same']], [old => ['A::gone', 'main::f', 'A::same']]) {
        go("#/flame?side=$case->[0]", '.flame canvas');
        my $widths = $browser->run(<<'JS');
            const {layout} = report, all = [];
            for (let place = 1; place < layout.count; place++)
                if (layout.x1[place] > layout.x0[place] && layout.tree.key[layout.node[place]] >= 0)
                    all.push(layout.name_of(layout.tree.key[layout.node[place]]));
            return all;
JS
        is_deeply([grep { !/main::RUNTIME/ } @$widths], $case->[1], "the flame graph has the widths of $case->[0]");
    }
    quiet('--diff');

    ok(shown("file://$dir/waits.html"), 'a page of profiles that waited');
    my $shown = sub {
        return $browser->run(<<'JS');
            const {difference: {subs, whole}, about: {ticks_per_s}} = report.profile, both = (of, row = null) =>
                ['old', 'new'].map(side => (row === null ? of[side] : of[side][row]) / ticks_per_s).join(' ');
            const found = {whole: both(whole)};
            subs.number.forEach((sub, row) => {
                const name = report.sub_label(sub);
                if (/(f|g)$/.test(name))
                    found[report.profile.subs.name[sub]] = {
                        exclusive: both(subs, row),
                        inclusive: both({old: subs.old_incl, new: subs.new_incl}, row)
                    };
            });
            return found;
JS
    };
    my $visible = sub { $browser->run('return [...document.querySelectorAll(arguments[0])].filter(one => one.checkVisibility()).map(one => one.innerText).join("|").replace(/\u00a0/g, " ")', $_[0]) };
    is_deeply($shown->(), compared('--work'), 'first with the work of both, as nytp-diff --work has it');
    is($visible->('#lede'), 'Compared with waits-old: 725 ms → 1.35 s, +86.2 %.', '... says the overview');
    like(text_of('h1'), qr/\A86 % slower, .*: main::f itself takes 2 times as long/, '... and its answer');
    go('#/?all=1', '#waits [aria-pressed=true][data-all="1"]');
    is_deeply($shown->(), compared(), 'then with all time, as nytp-diff has it');
    is($visible->('#lede'), 'Compared with waits-old: 1.10 s → 1.98 s, +79.5 %.', '... in the overview, too');
    like(text_of('h1'), qr/\A80 % slower, .*: main::f itself takes/, '... and in its answer');
    like($visible->('#causes li'), qr/it waited longer for a processor \(250 ms to 375 ms\)/, '... and its causes');
    for my $case (['', '375.0|750.0|+100 %'], ['?all=1', '500.0|1,250.0|+150 %']) {
        my ($query, $times) = @$case;
        go("#/$query", '#changes table');
        like($visible->('table[aria-label^=Subs] tbody tr'), qr/f/, "$query: a table of subs");
        is($browser->run('return [...document.querySelectorAll("table[aria-label^=Subs] tbody tr")].map(row => [...row.cells].map(cell => '
            . 'cell.textContent).join("|").replace(/\u00a0/g, " ")).find(text => text.endsWith("main::f"))') =~ s/(%).*/$1/r, $times, '... has these times');
    }
    quiet('work and all time');

    # What got slower, and why, is one click away.
    ok(shown("file://$dir/why.html"), 'a page that explains');
    is($browser->run('return document.querySelectorAll(".lede:not([hidden]) strong").length'), 1, 'it has one pair of totals');
    $browser->click('#causes li:first-child a');
    is(text_of('h1.sub-name'), 'main::price', 'the first cause leads to its sub');
    like(text_of('.facts'), qr/Calls, old and new20 → 60, \+200/, '... with old and new calls');
    is_deeply($browser->run(
        'return [...document.querySelectorAll("[aria-label=\'Called from\'] tbody tr")].map(row => '
            . '[...row.cells].filter((cell, i) => i !== 4).map(cell => cell.textContent).join("|").replace(/\u00a0/g, " "))'),
        ['200.0|600.0|+200 %|20 → 60|main::list'], '... by caller');
    go('#/labels/span', '.data-table tbody tr');
    is_deeply([map { "$_->{'Time old (s)'} $_->{'Time new (s)'} $_->{'Requests old'} $_->{'Requests new'} $_->{Request}" } csv()],
        ['0.21 0.61 2 2 GET /list', '0.1 0.3 2 6 GET /'], 'requests are compared');
    go('#/labels/sql', '.data-table tbody tr');
    is_deeply([map { "$_->{'Time old (s)'} $_->{'Time new (s)'} $_->{'Runs old'} $_->{'Runs new'} $_->{Query}" } csv()],
        ['0 0.1 0 1 SELECT 2', '0.1 0 1 0 SELECT 1'], '... and queries');
    go('#/label/sql:SELECT%201', 'h1.label-text');
    like(text_of('.facts'), qr/100\sms → 0\.00\s\S+, gone.*1 → 0, gone/, 'a query that is gone has a page');
    quiet('what caused it');

    # The rows of the tables of code, each with its class.
    my $code = sub {
        my ($hash) = @_;
        go($hash, 'table[aria-label="Code that changed"]');
        return $browser->run('return [...document.querySelectorAll("table[aria-label=\'Code that changed\'] tbody tr")].filter(row => row.offsetParent).map(row => '
            . '[row.className, ...[...row.cells].map(cell => cell.textContent)].join("|").replace(/\u00a0/g, " "))');
    };
    my @changed = ('fresh|+ 1||||# moved', '|2|10.00|15.00|+50.0 %|a();', "gone|\x{2212} 2|20.00||gone|b(); # </script>", '|3|30.00|30.00|0 %|c();',
        'fresh|+ 4||25.00|new|x();');
    shown("file://$dir/lines.html");
    is_deeply($code->('#/'), \@changed, 'the overview has the lines of both that changed, in their order');
    is_deeply($code->('#/file//srv/p.pl'), \@changed, '... and so has the file');
    shown("file://$dir/same.html");
    is_deeply($code->('#/'), ['|4|30.00|30.00|0 %|d();', '|5|10.00|40.00|+300 %|e();', '|6|30.00|30.00|0 %|f();'],
        'a line whose code is the same and whose time has changed, with those beside it');
    shown("file://$dir/line.html");
    is_deeply($code->('#/'), ['|3|100.0|400.0|+300 %|'], '... without source, too');
    quiet('lines');

    # The rows of a table, and of what is opened to see one.
    my $rows = sub {
        my ($hash, $table) = @_;
        go($hash, $table);
        return $browser->run(
            'return [...document.querySelector(arguments[0]).querySelectorAll("tbody tr")].map(row => '
                . '[...row.cells].map(cell => cell.textContent).join("|").replace(/\u00a0/g, " "))', $table);
    };
    shown("file://$dir/one.html");
    go('#/subs?group=package', '.data-table tbody tr');
    is_deeply([map { "$_->{Package} $_->{'Self old (s)'} $_->{'Self new (s)'} $_->{'Calls change'}" } csv()],
        ['main 0.35 0.85 2', 'A 0.75 0.375 0'], 'packages');
    is_deeply([map { s/.*\|//r } @{ $rows->('#/map', '.as-table table') }], ['shop.pl'], 'the map of files');
    is_deeply([(map { s/^.*?\|//r } @{ $rows->('#/time', '.as-table table') })[0, 1, 2]],
        ['750.0|main::fnew', '625.0|A::goneold', '250.0|main::fold'], 'the longest calls of both');
    quiet('all views');
    shown("file://$dir/places.html");
    is_deeply($rows->('#/sub/main::f', 'table[aria-label="Called from"]'),
        ['0.0|500.0|new|0 → 5|/srv/p.pl:4|main::g', '200.0|300.0|+50.0 %|2 → 3|/srv/p.pl:2|main::g',
        '100.0|0.0|gone|1 → 0|/srv/p.pl:2only in old|main::g'], 'where a sub is called from');
    shown("file://$dir/uses.html");
    is_deeply([map { s/\|[^|]*$//r } @{ $rows->('#/modules', '.loads') }],
        ['200.0|250.0|+25.0 %|use A', '100.0|100.0|0 %|use C', '0.0|10.0|new|use D'], 'modules');
    shown("file://$dir/swapped.html");
    is_deeply([map { s/\|[^|]*$//r } @{ $rows->('#/modules', '.loads') }],
        ['200.0|250.0|+25.0 %|use A', '100.0|110.0|+10.0 %|use C'], 'uses that changed places');
    quiet('modules');

    shown("file://$dir/several.html#/subs");
    my $same = 'return [...document.querySelectorAll(".data-table tbody tr")].find(row => '
        . 'row.textContent.includes("A::same"))?.querySelector(".column-percent span").className || "none"';
    is($browser->run($same), 'none', 'what chance can explain is folded away');
    like(text_of('.controls'), qr/1 row within chance/, '... which a control says');
    go('#/subs?chance=1', '.data-table tbody tr');
    is($browser->run($same), 'chance', '... and shows, grey');
    go('#/', '#changes details');
    like(text_of('#changes details'), qr/1 row within chance/, 'on the overview, too');
    unlike(text_of('#changes table'), qr/A::same/, '... of which the table has none');
    for my $width (390, 1300) {
        $browser->size($width, 844);
        for my $hash ('#/', '#/subs', '#/files', '#/flame', '#/sub/main::f') {
            go($hash, 'h1');
            ok($browser->wait_for("document.documentElement.scrollWidth <= $width"),
                "$hash: no sideways scrolling in $width pixels");
        }
    }
    quiet('--diff of several');
}

done_testing();
