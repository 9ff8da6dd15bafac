# The report in a real browser: every view by click, key and address; the numbers of its tables against
# Devel::NYTProf::Data; what it does without scripts, in a sandboxed frame, and with names that are HTML. Skipped where
# there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use IO::Socket::INET;
use JSON::PP ();
use LargeProfile qw(large_profile);
use List::Util qw(sum0);
use MadeCalls qw(made_calls);
use MIME::Base64 ();
use NYTPTest qw(build_dir record run sanitized scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use POSIX ();
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck and sanitizers' if valgrind() || sanitized();

use lib build_dir() . '/perl5';
require Devel::NYTProf::Data;

my $dir  = scratch_dir();
my $recorded = record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2);
browse(my $browser = WebDriver->new, $dir);

sub near { my ($got, $expected) = @_; return abs($got - $expected) <= 2e-6 + 1e-6 * abs $expected }

# The page shows the profile's name, which is to be as long as names get.
my $long_name = spew("$dir/" . 'profile' x 25 . '.out', slurp($recorded));
my $url = page_of(report => $long_name);
ok(shown($url), 'the page begins');
quiet('overview');
my $ready_ms = $browser->run('return performance.getEntriesByName("ready")[0].startTime');
diag(sprintf '%.1f MB, tables and flame graph painted after %.2f s', (-s "$dir/report.html") / 1e6, $ready_ms / 1000)
    if $ENV{EXHAUSTIVE};
my $data = Devel::NYTProf::Data->new({ filename => $recorded, quiet => 1 });

subtest 'findings' => sub {
    my $target = $browser->run('return document.querySelector("#findings li a").getAttribute("href")');
    is($browser->run(
        'const share = document.querySelector("#findings .share"), height = share.offsetHeight, text = '
            . 'share.textContent; share.textContent = "100 %"; const after = share.offsetHeight; share.textContent '
            . '= text; return after - height'), 0, '100 % has room on one line');
    $browser->click('#findings li a');
    ok($browser->wait_for("location.hash === '$target' && document.querySelector('tr.here, .sub-name, .loads')"),
        'a click goes to what the first one is about');
    quiet('findings');
};

subtest 'each view, by click, key and address' => sub {
    my %view = (subs => ['Subs', 's', '.data-table tbody tr'], flame => ['Flame graph', 'f', '.flame canvas'],
        files => ['Files', 'i', '.data-table tbody tr'],
        time => ['Time line', 'l', 'h1'],
        modules => ['Start-up', 'm', '.loads tbody tr']);
    go('#/files', '.controls a.button');
    $browser->click('.controls a.button');
    ok($browser->wait_for('document.body.dataset.view === "map" && document.querySelector("#stage .flame canvas")'), 'files have a map');
    is($browser->run('return document.querySelector("#views [aria-current]").textContent'), 'Files', '... which is one of their views');
    for my $name (sort keys %view) {
        my ($title, $key, $selector) = @{ $view{$name} };
        go('#/', '#overview:not([hidden]) h1');
        $browser->click("#views a[data-view=$name]");
        ok($browser->wait_for("document.body.dataset.view === '$name' && document.querySelector('#stage $selector')"),
            "$title by click");
        like(text_of('#stage h1'), qr/\A\Q$title/, 'its heading');
        is($browser->run('return document.querySelector("#views [aria-current]").textContent'), $title,
            'it is marked in the bar');
        $browser->keys('o');
        ok($browser->wait_for('document.body.dataset.view === "overview"'), 'overview by key');
        $browser->keys($key);
        ok($browser->wait_for("document.body.dataset.view === '$name'"), "$title by key");
        ok(shown("$url#/$name") && $browser->wait_for("document.querySelector('#stage $selector')"),
            "$title by address");
        quiet($title);
    }
};

subtest 'numbers of subs' => sub {
    my $subs = $data->subname_subinfo_map;
    go('#/subs', '.data-table tbody tr');
    my %row = map { $_->{Sub} => $_ } grep { $_->{Sub} !~ /\(eval / } csv();
    my @called = grep { !/\(eval / && $subs->{$_}->calls } keys %$subs;
    is(scalar keys %row, scalar @called, 'all that were called are there');
    my @wrong = grep {
        my ($row, $sub) = ($row{$_}, $subs->{$_});
        !$row || $row->{Calls} != $sub->calls || !near($row->{'Self (s)'}, $sub->excl_time)
            || !near($row->{'Incl. (s)'}, $sub->incl_time)
            || $row->{Recursion} != ($sub->recur_max_depth // 0)
    } @called;
    is_deeply(\@wrong, [], 'with their calls, times and recursion');
    my ($top) = sort { $subs->{$b}->excl_time <=> $subs->{$a}->excl_time || $a cmp $b } @called;
    is(text_of('.data-table tbody tr td.name a'), $top, 'the one with most time itself comes first');
};

subtest 'numbers of files and lines' => sub {
    go('#/files', '.data-table tbody tr');
    my %row = map { $_->{File} => $_ } csv();
    my %expected;
    for my $file (grep { !$_->eval_fid } $data->all_fileinfos) {
        my $lines = $data->{fid_line_time}[$file->fid] or next;
        $expected{ $file->filename } = [0, 0];
        for my $line (grep { $_ } @$lines) {
            $expected{ $file->filename }[0] += $line->[0];
            $expected{ $file->filename }[1] += $line->[1];
        }
    }
    my @wrong = grep { my $row = $row{$_};
        !$row || !near($row->{'Self (s)'}, $expected{$_}[0])
            || $row->{Statements} != $expected{$_}[1] } grep { $expected{$_}[1] } keys %expected;
    is_deeply(\@wrong, [], 'statements and times of files');
    for my $level (qw(line block sub)) {
        my ($name) = sort { $expected{$b}[1] <=> $expected{$a}[1] } keys %expected;
        my $got = $browser->run(<<'JS', $name, $level);
            const file = report.profile.files.name.indexOf(arguments[0]);
            return [...report.statements_of(file, arguments[1])].map(([line, at]) => [line, at.ticks / report.profile.about.ticks_per_s, at.calls]);
JS
        my %line = map { $_->[0] => $_ } @$got;
        my $lines = $data->{"fid_${level}_time"}[$data->fileinfo_of($name)->fid];
        my @bad = grep { my $is = $lines->[$_];
            $is && !($line{$_} && near($line{$_}[1], $is->[0]) && $line{$_}[2] == $is->[1]) } 0 .. $#$lines;
        is_deeply(\@bad, [], "$level level of the file with most statements");
    }
};

# The rows of the table of loads: [statement, place].
sub loads { return $browser->run('return [...document.querySelectorAll(".loads tbody tr")].map(row => [row.cells[3].textContent, row.cells[4].textContent])') }

subtest 'modules' => sub {
    shown("$url#/modules");
    ok($browser->wait_for('document.querySelector(".loads tbody tr")'), 'uses are shown');
    like(text_of('#stage'), qr/This is a lower bound/, 'without calls of require that is said');
    my ($of_bar) = $browser->run('const shares = [...document.querySelectorAll("#stage .share-bar strong")].map(one => parseFloat(one.textContent)); return shares.reduce((a, b) => a + b, 0)');
    ok($of_bar > 97 && $of_bar < 100.1, 'the parts of the bar are all of it, but for the smallest') or diag($of_bar);

    # How much each works decides the order. A processor of a virtual machine may stop within the work of any.
    mkdir "$dir/load";
    my $works = sub { my ($k) = @_; return "my \$x = 0; \$x += \$_ for 1 .. ${k}_000;" };
    spew("$dir/load/Outer.pm", "package Outer;\nuse Used;\nrequire Inner;\n1;\n");
    spew("$dir/load/Used.pm", "package Used;\nuse Deep 'x'; @{[$works->(300)]}\n1;\n");
    spew("$dir/load/Deep.pm", "package Deep;\nsub import { @{[$works->(100)]} }\n1;\n");
    spew("$dir/load/Inner.pm", "@{[$works->(200)]}\n1;\n");
    spew("$dir/load/conf.pl", "1;\n");
    my $program = spew("$dir/load/prog.pl",
        "use Used;\nsub load { require Outer }\nload();\nload();\ndo './conf.pl' for 1 .. 2;\n");
    my $out = "$dir/load/nytprof.out";
    my $ran = run([$^X, '-I' . build_dir() . '/perl5', "-I$dir/load", '-d:NYTProf', $program], dir => "$dir/load",
        env => { NYTPROF => "slowops=3:file=$out" =~ s/\\/\\\\/gr });
    is("$ran->{status} $ran->{err}", '0 ', 'a program with require at run time');
    shown(page_of(load => $out) . '#/modules');
    ok($browser->wait_for('document.querySelector(".loads tbody tr")'),
        'its calls of require are shown');
    is_deeply([sort { "@$a" cmp "@$b" } @{ loads() }], [['do ./conf.pl', 'load/prog.pl:5'], ['require Inner', 'load/Outer.pm:3'], ['require Outer', 'load/prog.pl:2'],
        ["use Deep 'x'", 'load/Used.pm:2'], ['use Used', 'load/Outer.pm:2'], ['use Used', 'load/prog.pl:1']], 'what is loaded, and where');
    my $self = $browser->run('return [...document.querySelectorAll(".loads tbody tr")].map(row => parseFloat(row.cells[0].textContent))');
    is_deeply($self, [sort { $b <=> $a } @$self], '... those with most time themselves first');
    my $in_order = sub { my ($what, $names, @rows) = @_;
        is_deeply([map { $_->[0] } @rows], [sort { $b <=> $a } map { $_->[0] } @rows], "$what: the longest first");
        is_deeply([sort map { $_->[1] } @rows], $names, '... and all are there') };
    $in_order->('how much each loads', [0, 1, 2], @{ $browser->run('return report.load_tree().list.map(item => [item.incl, item.list.length])') });
    $in_order->('how many modules the branches have, and who else asks for them', ['1 Deep, for Used alone', '3 Outer'],
        @{ $browser->run('return [...document.querySelectorAll("[aria-label=Branches] tbody tr")].map(row => [parseFloat(row.cells[0].textContent), [...row.cells].slice(1).map(cell => cell.textContent).join(" ")])') });
    go('#/modules?all=1', '.loads tbody tr');
    my $got = $browser->run(
        'const tree = report.load_tree(); return tree.list.map(item => [report.profile.subs.name[item.sub], '
            . 'item.calls, item.incl / report.profile.about.ticks_per_s])');
    my $subs = Devel::NYTProf::Data->new({ filename => $out, quiet => 1 })->subname_subinfo_map;
    is_deeply([grep { my ($sub, $calls, $incl) = @$_;
        $calls != $subs->{$sub}->calls || !near($incl, $subs->{$sub}->incl_time) } @$got], [],
            'with their calls and times');
    $browser->run('document.querySelector("#stage .flame canvas").focus()');
    $browser->keys('ArrowDown');
    like(text_of('#stage .details') =~ s/\x{A0}/ /gr, qr/^(?:use Used|require Outer) \x{B7} [\d.]+ m?s \([\d.]+ % of [\d.]+ m?s\)$/, 'and a flame graph');

    spew("$dir/load/Quiet.pm", "package Quiet;\n1;\n");
    my $many = spew("$dir/load/many.pl", "use strict; use warnings; # and use Nothing;\n"
            . "use Used; BEGIN { my \$x = 1 } use Quiet; use Deep 'y';\nrequire Inner;\n");
    $ran = run([$^X, '-I' . build_dir() . '/perl5', "-I$dir/load", '-d:NYTProf', $many], dir => "$dir/load",
        env => { NYTPROF => "file=$out" =~ s/\\/\\\\/gr });
    is("$ran->{status} $ran->{err}", '0 ', 'a program with several uses in a line');
    shown(page_of(many => $out) . '#/modules');
    ok($browser->wait_for('document.querySelector(".loads tbody tr")'), 'its uses are shown');
    is_deeply([sort map { $_->[0] } grep { $_->[1] =~ /many\.pl/ } @{ loads() }],
        ["use Deep 'y'", 'use Quiet', 'use Used', "use Used; BEGIN { my \$x = 1 } use Quiet; use Deep 'y';", 'use strict', 'use warnings'],
        'each by its own name');
    quiet('modules');
    ok(shown($url), 'and back');
};

# main::all calls main::most, which has 70 of 100 ms, main::some, which has 20, and 20 subs of 0.5 ms each.
subtest 'without stacks' => sub {
    my @without = (['--no-flame', record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2)],
        [spew("$dir/one.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [OPTION => 'subs', 1],
        [OPTION => 'stmts', 1], [OPTION => 'calls', 1], [PID_START => 1, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
        [TIME_LINE => 7, 1, 1], [PID_END => 1, 6]))]);
    for my $options (@without) {
        my $has_calls = @$options > 1;
        shown(page_of('no-stacks', reverse @$options));
        for my $hash ('#/', '#/flame', '#/modules', '#/time') {
            go($hash, 'main h1');
            next if $has_calls;
            my $text = $browser->run('return document.querySelector("main").innerText');
            like($text, qr/No calls were recorded/, "$hash: says that there were no calls");
            unlike($text, qr/calls=1|subs=0|no-flame/, '... and of no option');
        }
    }
    quiet('without stacks');
    ok(shown($url), 'and back');
};

subtest 'numbers of one sub' => sub {
    my ($sub) = sort { $b->calls <=> $a->calls || $a->subname cmp $b->subname } grep { ($_->fid || 0)
        && ($_->last_line || 0) > ($_->first_line || 0) } values %{ $data->subname_subinfo_map };
    my $number = $browser->run('return report.profile.subs.name.indexOf(arguments[0])', $sub->subname);
    go("#/sub/$number", '#stage h1');
    is(text_of('#stage h1'), $sub->subname, 'its name');
    my %facts = @{
        $browser->run(
            'return [...document.querySelectorAll(".fact")].flatMap(fact => [fact.querySelector("dt").textContent, '
                . 'fact.querySelector("dd").firstChild.textContent])') };
    is($facts{Calls} =~ s/,//gr, $sub->calls, 'its calls');
    ok($browser->wait_for('document.querySelector(".source tbody tr")'), 'its source');
    is($browser->run('return document.querySelector("#stage h2").textContent'), 'Source', '... comes first');
    ok($browser->run('const table = document.querySelector("[aria-label=\'Called from\']"); return table.rows[1].cells[0].textContent.includes("%") && table.rows[1].cells.length === table.rows[0].cells.length'),
        'and from where it is called, with shares');
};

subtest 'sorting and filtering' => sub {
    go('#/subs', '.data-table tbody tr');
    $browser->click('.heads th:nth-child(3) button');
    ok($browser->wait_for(
        'location.hash.includes("sort=-calls") && document.querySelector(".heads [aria-sort=descending]").textContent.startsWith("Calls")'),
        'a click on a head sorts');
    my @calls = map { $_->{Calls} } csv();
    is_deeply(\@calls, [sort { $b <=> $a } @calls], 'most calls first');
    $browser->click('.heads th:nth-child(3) button');
    ok($browser->wait_for('location.hash.includes("sort=calls")'), 'another one turns it round');
    $browser->back;
    ok($browser->wait_for('location.hash.includes("sort=-calls")'), 'Back undoes it');
    go('#/subs', '#filter');
    $browser->type('#filter', 'pkg:^Pod:: calls>1');
    ok($browser->wait_for('location.hash.includes("pkg")'), 'the filter is in the address');
    my @rows = csv();
    ok(@rows && !(grep { $_->{Sub} !~ /^Pod::/ || $_->{Calls} < 2 } @rows), 'package and calls');
    is($browser->run('return document.activeElement.id'), 'filter', 'and typing goes on');
    go('#/subs?q=kind:xsub', '#filter');
    my $kinds = $browser->run('const {subs} = report.profile; return Object.fromEntries(subs.name.map((name, sub) => [name, subs.kind[sub]]))');
    is_deeply([grep { $kinds->{ $_->{Sub} } != 1 } csv()], [], 'kind:xsub');
    go('#/subs?q=-kind:perl%20self%3E0.1%25', '#filter');
    is_deeply([grep { ($kinds->{ $_->{Sub} } // 0) == 0 } csv()], [], 'a word can be left out');
    go('#/subs?q=calls%3E1e3%20Pod', '#filter');
    like(text_of('.wrong'), qr/^calls>1e3 is left out: after > comes a number/, 'a measure without a number is named');
    is($browser->run('return document.querySelector("#filter").getAttribute("aria-invalid")'), 'true', 'to everyone');
    is_deeply([grep { $_->{Sub} !~ /Pod/i } csv()], [], 'the other words hold');
    for my $wrong ('calls%3E3ms', 'size%3E3', 'kind%3Ac', 'self%3E1.2.3', '-incl%3E') {
        go("#/subs?q=$wrong", '.wrong');
        cmp_ok(scalar(csv()), '>', 20, "$wrong is left out");
    }
    go('#/subs?q=self%3E%3D1.5us%20-kind:b', '#filter');
    is(text_of('.wrong'), undef, 'nothing is said where nothing is wrong');
    go('#/files?q=*(', '.wrong');
    like(text_of('.wrong'), qr/is not a regular expression/, 'nor a regular expression in another filter');
    go('#/subs?q=*(', '.wrong');
    quiet('a filter that is no regular expression');
    go('#/subs?q=(a%2B)%2B%24', '.wrong');
    like(text_of('.wrong'), qr/could take too long, and is looked for as it is/,
        'nor may one double its time with each letter');
    go('#/subs', '.data-table tbody tr');
    my %head = map { /^(\S+), (\S+)/ ? ($1 => $2)
        : ($_ => '') } @{
            $browser->run(
                'return [...document.querySelectorAll(".heads th")].map(one => one.textContent.replace(/ [^\w,.]$/, '
                    . '""))') };
    is($head{Self}, $head{'Incl.'}, 'the times of a table have one unit');
    is($head{'Per call'}, '', 'those that are much smaller');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".column-each:is(td)")].map(one => one.textContent).filter(text => '
            . '!/^[\d.,]+\u00a0(?:s|ms|\u00b5s)$/.test(text))'), [], 'have one of their own each');
    go('#/subs?group=package', '#filter');
    my @packages = csv();
    is(scalar @packages,
        $browser->run(
            'return new Set(report.profile.subs.package.filter((of, sub) => report.profile.subs.calls[sub] > 0)).size'),
                'by package: one row each');
};

subtest 'search' => sub {
    go('#/', '#overview h1');
    $browser->keys('/');
    is($browser->run('return document.activeElement.id'), 'search', '/ goes to the search field');
    my $name = (sort grep { /^Pod::Checker::\w+$/ } keys %{ $data->subname_subinfo_map })[0];
    $browser->type('#search', $name);
    ok($browser->wait_for('document.querySelector("#hits [role=option]")'), 'it finds');
    $browser->keys('Enter');
    ok($browser->wait_for('document.body.dataset.view === "sub"'), 'Enter opens');
    is(text_of('#stage h1'), $name, 'the sub');
    $browser->back;
    ok($browser->wait_for('document.body.dataset.view === "overview"'), 'Back returns');
    my $hits = sub {
        my ($text) = @_;
        $browser->run('document.getElementById("search").value = ""');
        $browser->type('#search', $text);
        return $browser->run('return [...document.querySelectorAll("#hits [role=option]")].map(one => one.querySelector(".tag").textContent + " " + one.querySelector(".hit-name").textContent)');
    };
    my @words = map { /^Pod::(\w+)::(\w+)$/ ? "$2 $1" : () } $name;
    ok((grep { $_ eq "sub $name" } @{ $hits->(lc $words[0]) }), 'words in any order') or diag(explain($hits->(lc $words[0])));
    is($hits->('Checker.pm:12')->[0] =~ s/ .*(?=\/)//r, 'line/Checker.pm:12', 'a line of a file');
    $browser->keys('Enter');
    ok($browser->wait_for('document.querySelector(".source tr.here")'), '... which Enter shows');
    go('#/', '#overview h1');
    my $letters = join '', map { substr $_, 0, 2 } split /\W+/, $name;
    ok((grep { $_ eq "sub $name" } @{ $hits->($letters) }), "letters in their order: $letters");
    is_deeply($hits->('zzqqzz'), [], 'and nothing where that is in no name');
};

subtest 'flame graph' => sub {
    go('#/flame', '.flame canvas');
    my $box = $browser->run(
        'const box = document.querySelector(".flame canvas").getBoundingClientRect(); return [box.left, box.top, '
            . 'box.width, box.height]');
    $browser->click_at($box->[0] + $box->[2] * 0.2, $box->[1] + 28);
    ok($browser->wait_for('location.hash.includes("zoom=")'), 'a click zooms');
    my $zoomed = text_of('.crumbs [aria-current]');
    like($zoomed, qr/::/, 'and says to what');
    like($browser->run('return decodeURIComponent(location.hash)'), qr/zoom=\Q$zoomed\E/, 'by name');
    $browser->keys('Escape');
    ok($browser->wait_for('!location.hash.includes("zoom=")'), 'Escape zooms out');
    $browser->back;
    ok($browser->wait_for('location.hash.includes("zoom=")'), 'Back zooms in again');
    is(text_of('.crumbs [aria-current]'), $zoomed, 'to the same');
    go('#/flame?q=%5EPod::', '.controls .quiet');
    like(text_of('.controls span.quiet'), qr/matched: [\d.]+/, 'the share that matches');
    for my $query ('by=calls', 'order=name', 'order=first', 'dir=bottom', 'way=callees', 'packages=1', 'recursion=0', 'only=pkg:Pod::Simple', 'only=file:1', 'only=file:Pod/Checker.pm',
        'only=sub:Pod::Checker::new', 'fold=3,4', 'fold=Pod::Checker::new,no::such,Pod::Checker::whitespace%25') {
        go("#/flame?$query", '.flame canvas');
        my $sum = $browser->run('return report.layout.tree.self.reduce((a, b) => a + b, 0)');
        cmp_ok($sum, '>', 0, "$query: has time") if $query ne 'only=file:1';
        quiet($query);
    }
    is_deeply($browser->run('return [...document.querySelectorAll(".chip")].map(one => one.textContent)'),
        ["\x{2715} Pod::Checker::new folded into its callers"], 'folded by name');
    my $ok = $browser->run(<<'JS');
        const sums = query => { const tree = report.build_tree(query); return [tree.self, tree.calls].map(list => list.reduce((a, b) => a + b, 0)); };
        const plain = sums({}), all = [{invert: true}, {packages: true}, {recursion: false}, {fold: new Set([5, 6])}, {invert: true, packages: true}];
        return all.filter(query => sums(query).some((sum, i) => Math.abs(sum - plain[i]) > 1)).length;
JS
    is($ok, 0, 'however it is turned and folded, time and calls stay');
    my %self;
    for (split /\n/, run([build_dir() . '/bin/nytprofcalls', '--unit=ns', $recorded])->{out}) {
        my ($stack, $ns) = /^(.*) (\d+)$/ or next;
        $self{ $stack =~ s/.*;//r } += $ns;
    }
    my $total = $browser->run(
        'return report.profile.stacks.excl.reduce((a, b) => a + Math.max(0, b), 0) / report.profile.about.ticks_per_s');
    my $expected = 0;
    $expected += $_ for values %self;
    ok(abs($total - $expected / 1e9) < 1e-4, 'the sum of all stacks is that of nytprofcalls')
        or diag("$total ", $expected / 1e9);
};

# The first row is the subs with what is their own; below one, its callers have parts of that.
subtest 'callees first' => sub {
    my @by_time = sort { $b->excl_time <=> $a->excl_time } grep { $_->calls } values %{ $data->subname_subinfo_map };
    my $top     = $by_time[0];
    my $rows = sub {
        $browser->run(
            'document.querySelector(".as-table").open = true; return [...document.querySelectorAll(".as-table '
                . 'tr")].map(row => [...row.cells].map(cell => cell.textContent))') };
    go('#/flame?way=callees', '.flame canvas');
    my ($heads, @subs) = @{ $rows->() };
    like("@$heads", qr/^Self, \S+ Calls Sub$/, 'the table has the own time of subs');
    like(text_of('.as-table summary'), qr/subs by self time/, 'as it says');
    my %unit = (s => 1, ms => 1e3, "\x{B5}s" => 1e6);
    my ($unit) = $heads->[0] =~ /, (\S+)/;
    is_deeply([$subs[0][2], $subs[0][1] =~ s/,//gr], [$top->subname, $top->calls],
        'the one with most of it comes first, with its calls');
    ok(abs($subs[0][0] / $unit{$unit} - $top->excl_time) < 0.01 * $top->excl_time, 'and its time')
        or diag("$subs[0][0] $unit, ", $top->excl_time);
    # One whose calls all come from other subs, and which has a line.
    my ($called) = grep { my @by = keys %{ $_->called_by_subnames };
        @by && !grep { /::(?:RUNTIME|NULL|BEGIN.*)\z/ } @by } grep { $_->subname !~ /::CORE:/ } @by_time;
    my $number = $browser->run('return report.profile.subs.name.indexOf(arguments[0])', $called->subname);
    go("#/flame?way=callees&zoom=$number", '.flame canvas');
    like(text_of('.details'), qr/^\Q@{[$called->subname]}\E \x{B7} \S+:\d+ \x{B7} [1-9.]\S+\s\S+ self \([\d.]+\s% of all time\) \x{B7} [1-9]/,
        'a sub with its own time and calls');
    like(text_of('.as-table summary'), qr/callers of \Q@{[$called->subname]}/, 'the table has its callers');
    my ($caller_heads, @callers) = @{ $rows->() };
    my $calls = 0;
    $calls += $_->[1] =~ s/,//gr for @callers;
    is($calls, $called->calls, 'whose calls are all of its calls');
    $browser->run('document.querySelector(".flame canvas").focus()');
    $browser->keys('ArrowDown');
    like(text_of('.details'),
        qr/^\Q$callers[0][2]\E \x{B7} (?:\S+ \x{B7} )?\S+\s\S+ \([\d.]+\s%\) of \S+\s\S+ self of \Q@{[$called->subname]}\E through this caller \x{B7} [1-9]/, 'a caller says how much came through it');
    quiet('callees first');
};

# main::outer, of which main::inner takes a quarter in two calls; all of it is the program's own.
subtest 'at the pointer' => sub {
    my $boxes = spew("$dir/boxes.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/shop/o.pl'], [TIME_LINE => 400, 1, 2],
        (map { [SUB_RETURN => 2, 50, 50, 'main::inner'] } 1, 2), [SUB_RETURN => 1, 400, 300, 'main::outer'],
        [SUB_INFO => 1, 'main::outer', 2, 4], [SUB_INFO => 1, 'main::inner', 7, 9],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 0.4, 0.3, 0, 0, 'main::outer'],
        [SUB_CALLERS => 1, 3, 'main::outer', 2, 0.1, 0.1, 0, 0, 'main::inner'], [PID_END => 7, 4.5]));
    shown(page_of(boxes => $boxes) . '#/flame');
    my ($left, $top, $width) = @{ $browser->run(
        'const {left, top, width} = document.querySelector(".flame canvas").getBoundingClientRect(); return [left, '
            . 'top, width]') };
    $browser->point_at($left + $width / 8, $top + 48);
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".tip:not([hidden]) div")].map(one => one.textContent.replace(/\\u00a0/g, " "))'),
            ['main::inner', 'shop/o.pl:7', '100 ms inclusive, 25.0 % of all time', '25.0 % of main::outer', '100 ms self',
            '2 calls, 50.0 ms each'], 'what a box is, where, its share of its caller, its calls and their time');
    $browser->point_at($left, $top - 20);
    ok($browser->wait_for('document.querySelector(".tip").hidden'), 'gone with the pointer');
    go('#/map', '#stage .flame canvas');
    ($left, $top, $width) = @{ $browser->run(
        'const {left, top, width} = document.querySelector("#stage .flame canvas").getBoundingClientRect(); return [left, top, width]') };
    $browser->point_at($left + $width * 3 / 8, $top + 28);
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".tip:not([hidden]) div")].map(one => one.textContent.replace(/\\u00a0/g, " "))'),
            ['srv/shop/o.pl', '400 ms, 100.0 % of all time', '100.0 % of shop', '1 statement'],
            'the same of a box of the map of files');
    $browser->point_at($left, $top - 20);
    ok($browser->wait_for('document.querySelector(".tip").hidden'), '... and gone with the pointer');
    go('#/flame', '.flame canvas');
    is_deeply($browser->run(
        'return [document.querySelector("#stage .legend").textContent.replace(/\u00a0/g, " "), '
            . '[...document.querySelectorAll("#stage select")].map(one => one.value).join(" ")]'),
            ['own code 100.0 %', 'callers'], 'the legend has what the picture shows alone');
    is_deeply($browser->run(
        'const context = document.createElement("canvas").getContext("2d"); return ["Foo::BEGIN@7", '
            . '"Foo::BEGIN@11"].map(name => report.fitted_name(context, name, 36).replace(/^B.*\u2026.*?(\\d+)$/, "B $1"))'),
            ['B 7', 'B 11'], 'names keep the end in which they differ');
    go('#/sub/main::outer', '.sub-name');
    is_deeply($browser->run(
        'return [...document.querySelectorAll("table[aria-label=Callees] tbody tr")].map(row => '
            . '[...row.cells].map(cell => cell.textContent.replace(/\u00a0/g, " ")).join(" "))'),
            ['75.0 % 300.0  its own time', '25.0 % 100.0 2 main::inner'], 'the shares of a sub add up');
    quiet('at the pointer');
};

# main::outer has 0.4 of 0.5 s, and 0.3 itself.
subtest 'one share on all pages' => sub {
    my $made = made_calls("$dir/shares.out", ['main::outer', 1, 0.3, ['main::inner', 2, 0.05]]);
    my %share = (self => '60.0 % of all time', incl => '80.0 % of all time');
    shown(page_of(shares => $made));
    my $row = 'const row = [...document.querySelectorAll(arguments[0])].find(row => row.textContent.includes("main::outer")); '
        . 'return [...row.cells].map(cell => cell.textContent)';
    $browser->keys(('u') x 4);
    go('#/', '#top-subs');
    is(join(' ', @{ $browser->run('return [...document.querySelectorAll("#top-subs th")].map(head => head.textContent)') }[0, 1]),
        'Self, % Incl., %', 'shares in tables');
    is(join(' ', @{ $browser->run($row, '#top-subs tbody tr') }[0, 1]), '60.00 80.00', 'the overview');
    go('#/subs', '.data-table tbody tr');
    is(join(' ', (grep { /^[\d.]+\z/ } @{ $browser->run($row, '.data-table tbody tr') })[0, 1]), '60.00 80.00', 'the table of subs');
    $browser->keys('u');
    go('#/sub/main::outer', '.facts');
    my $facts = text_of('.facts') =~ s/\x{A0}/ /gr;
    like($facts, qr/Inclusive400 ms *$share{incl}Self300 ms *$share{self}/, 'the facts of the sub');
    # The tip of a place in the first canvas that is shown: parts of its size.
    my $tip_at = sub {
        my ($x, $y) = @_;
        $browser->point_at(@{ $browser->run(
            'const canvas = [...document.querySelectorAll(".flame canvas")].find(one => one.offsetWidth); '
            . 'canvas.scrollIntoView({block: "center"}); const {left, top, width} = canvas.getBoundingClientRect(); '
            . 'return [left + width * arguments[0], top + arguments[1]]', $x, $y) });
        return $browser->run('return document.querySelector(".tip:not([hidden])")?.textContent') =~ s/\x{A0}/ /gr;
    };
    for my $page ('#/flame', '#/') {
        go($page, '.flame canvas');
        like($tip_at->(0.05, $page eq '#/' ? 9 : 28), qr/main::outer.*400 ms inclusive, $share{incl}/, "a box of $page");
        like($browser->run('return [...document.querySelectorAll(".details")].find(one => one.offsetWidth).textContent') =~ s/\x{A0}/ /gr,
            qr/main::outer .* 400 ms inclusive, $share{incl}/, '... and the line below it');
    }
    quiet('one share');
    shown($url);
};

# Own code, by the directories that the profile names, perl's built-ins, and namespaces of modules; what waits is told
# from other built-ins.
subtest 'colours by namespace' => sub {
    my @subs = (['main::own', 1, 1], ['Other::installed', 2, 1], ['strict::core', 3, 1], ['main::CORE:match', 1, 0],
        ['main::CORE:sselect', 1, 0], ['Time::HiRes::sleep', 0, 0]);
    my $namespaces = spew("$dir/namespaces.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
            (map { [ATTRIBUTE => @$_] } ['privlib', '/perl/core'], ['sitelib', '/perl/site'],
            ['inc', '/perl/core:/perl/site']), [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, 0, 0, 2, 0, 0,
            ('/srv/o.pl', '/perl/site/Other.pm', '/perl/core/strict.pm')[$_]] } 0 .. 2), [TIME_LINE => 600, 1, 2],
        (map { [SUB_RETURN => 1, 100, 100, $_->[0]] } @subs),
        (map { [SUB_INFO => $_->[1], $_->[0], $_->[2], $_->[2]] } grep { $_->[1] } @subs),
        (map { [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 0.1, 0.1, 0, 0, $_->[0]] } @subs),
        (map { [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, $_->[0]] } @subs[3 .. 5]), [PID_END => 7, 4.5]));
    shown(page_of(namespaces => $namespaces) . '#/flame?all=1');
    my %area = @{
        $browser->run('const {subs} = report.profile; return subs.name.flatMap((name, sub) => [name, (subs.area[sub] > 2 && report.profile.namespaces[subs.area[sub] - 3]) || subs.area[sub]])') };
    is_deeply([map { $area{ $_->[0] } } @subs], [0, 'Other', 'strict', 1, 1, 2], 'areas')
        or diag(explain(\%area));
    my $legend = 'return [...document.querySelectorAll("#stage .legend li")].map(one => '
        . 'one.textContent.replace(/\u00a0/, " ")).sort()';
    is_deeply($browser->run($legend), ['Other 16.7 %', 'asleep 33.3 %', 'built-ins 16.7 %', 'own code 16.7 %', 'strict 16.7 %'],
        'the legend, with the time of each');
    my $order = $browser->run(
        'return [...document.querySelectorAll(".as-table tbody td.name")].map(cell => cell.textContent)');
    my %color;
    @color{@$order} = @{ $browser->run('const canvas = document.querySelector(".flame canvas"), row = '
        . 'canvas.getContext("2d").getImageData(0, 27, canvas.width, 1).data, count = 6; return Array.from({length: '
        . 'count}, (none, i) => [...row.slice(Math.round((i + 0.97) * canvas.width / count) * 4).slice(0, 3)].join())') };
    my %seen = map { $_ => 1 } @color{ map { $_->[0] } @subs[0 .. 4] };
    is(scalar keys %seen, 5, 'each has a colour of its own') or diag(explain(\%color));
    for my $case (['#/flame?all=1&only=sub:main::own', 'own code 100.0 %'],
        ['#/flame?all=1&way=callees&only=pkg:main', 'asleep 33.3 %', 'built-ins 33.3 %', 'own code 33.3 %']) {
        go($case->[0], '.legend');
        is_deeply($browser->run($legend), [@$case[1 .. $#$case]], "$case->[0]: shares are parts of what is shown");
    }
    for my $hash ('#/?all=1', '#/time?all=1') {
        go($hash, '.legend');
        is($browser->run('return [...document.querySelectorAll(".legend li")].filter(one => one.offsetParent).length'),
            5, "$hash: has the legend");
    }
    go('#/flame?packages=1', '.flame canvas');
    quiet('colours by namespace');
};

# One bar is how long the program lasted, in parts; the other is its work, where it forks.
subtest 'where the work goes' => sub {
    my $bar = sub {
        $browser->run('return [...document.querySelectorAll(arguments[0] + " .share-bar > *")].map(one => '
            . '[Number(one.style.flexGrow), one.textContent.replace(/\u00a0/g, " ")])', $_[0]) };
    shown($url);
    my $parts = $browser->run('return [...document.querySelectorAll("#parts > *")].map(one => [Number(one.style.flexGrow), one.textContent])');
    cmp_ok(abs(sum0(map { $_->[0] } @$parts) - 1), '<', 1e-3, 'the parts are all of it');
    is(join(' + ', map { $_->[1] =~ s/\x{A0}/ /gr } @$parts), text_of('#lede') =~ s/.* = |\.\z|//gr =~ s/\x{A0}/ /gr, '... as the sentence has them');
    my $fork = $bar->('#fork');
    cmp_ok(scalar @$fork, '>', 2, 'the work forks');
    cmp_ok(abs(sum0(map { $_->[0] } @$fork) - 1), '<', 1e-3, '... into parts that are all of it');
    my ($work) = $parts->[0][1] =~ s/\x{A0}/ /gr =~ /\A(.*) work\z/;
    like(text_of('#fork figcaption') =~ s/\x{A0}/ /gr, qr/^Where the \Q$work\E of work fork; 100 % in all that follows$/, '... which is the same work');
    is_deeply([grep { $_->[1] !~ /^\d[\d.]* % \S/ } @$fork], [], '... each with its share');
    my $forking = spew("$dir/fork.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, '/o.pl'], [TIME_LINE => 1000, 1, 2],
        [SUB_ENTRY => 1, 1], [SUB_ENTRY => 1, 1], (map { [SUB_RETURN => 3, $_->[1], $_->[1], $_->[0]] } ['X::a', 300], ['Y::b', 500]),
        [SUB_RETURN => 2, 900, 100, 'main::trunk'], [SUB_RETURN => 1, 950, 50, 'main::run'],
        (map { [SUB_INFO => 1, $_, 1, 1] } qw(main::run main::trunk X::a Y::b)),
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 0.95, 0.05, 0, 0, 'main::run'], [SUB_CALLERS => 1, 2, 'main::run', 1, 0.9, 0.1, 0, 0, 'main::trunk'],
        [SUB_CALLERS => 1, 2, 'main::trunk', 1, 0.3, 0.3, 0, 0, 'X::a'], [SUB_CALLERS => 1, 2, 'main::trunk', 1, 0.5, 0.5, 0, 0, 'Y::b'],
        [PID_END => 7, 2.5]));
    shown(page_of(forking => $forking));
    is_deeply([map { $_->[1] } @{ $bar->('#fork') }], ['50.0 % Y::b', '30.0 % X::a', '20.0 % rest'], 'the trunk is no part');
    quiet('where the work goes');
};

subtest 'time outside of subs' => sub {
    my $outside = spew("$dir/outside.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/o.pl'],
        [TIME_LINE => 3000, 1, 2], [SUB_RETURN => 1, 1000, 1000, 'main::f'], [SUB_INFO => 1, 'main::f', 1, 1],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 1, 1, 0, 0, 'main::f'], [PID_END => 7, 4.5]));
    shown(page_of(outside => $outside) . '#/flame');
    ok($browser->wait_for('document.querySelector(".flame canvas")'), 'the flame graph');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".as-table tbody tr")].map(row => row.cells[3].textContent + " " + '
            . 'row.cells[0].textContent)'), ['outside of subs 2.000', 'main::f 1.000'], 'has a box of it');
    $browser->run('document.querySelector(".flame canvas").focus()');
    $browser->keys('ArrowDown', 'Enter');
    ok($browser->wait_for('document.querySelector(".crumbs [aria-current]")?.textContent === "outside of subs"'),
        'which can be opened');
    like(text_of('.details'), qr/^outside of subs \x{B7} 2\.00\ss inclusive, 66\.7\s% of all time$/, 'and says how much it is');
    quiet('outside of subs');
    shown($url);
};

subtest 'source' => sub {
    # Which file takes most time depends on what else the machine does, and may be a short one.
    my $file = $browser->run('const {ticks, bytes} = report.profile.files; '
        . 'return ticks.indexOf(Math.max(...ticks.filter((_, file) => bytes[file] > 20000)))');
    go("#/file/$file", '.source tbody tr');
    my $name = text_of('#stage h1');
    my @lines = split /\n/, slurp($name);
    is($browser->run(
        'return [...document.querySelectorAll(".source td.code")].slice(0, 20).map(cell => '
            . 'cell.textContent).join("\n")'), join("\n", @lines[0 .. 19]), 'the text');
    go("#/file/$file/200", '.source tr.here');
    is(text_of('.source tr.here td.line'), '200', 'goes to a line');
    ok($browser->wait_for(
        '(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector(".source '
            . 'tr.here").getBoundingClientRect())'), 'which is in the window');
    $browser->keys('n');
    ok($browser->wait_for('document.querySelector(".source tr.here td.line")?.textContent !== "200"'),
        'n goes to the next hot line');
    for my $query ('level=block', 'level=sub', 'hot=1', 'notes=0') {
        go("#/file/$file?$query", '.source tbody tr');
        quiet($query);
    }
    is($browser->run('return document.querySelectorAll(".source tr.note").length'), 0, 'without callers and callees');
    go("#/file/$file", '.source tr.note strong');
    is($browser->run(
        'return new Set([...document.querySelectorAll(".source-heads th")].map(one => /, '
            . '(.*)/.exec(one.textContent)?.[1]).filter(Boolean)).size'), 1, 'its times have one unit');
    is($browser->run(
        'return [...document.querySelectorAll(".source td.barred")].filter(one => '
            . '!one.textContent).length'), 0, 'no cell has a bar without a number');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".outline a")].map(link => '
            . 'Number(/\d+$/.exec(link.getAttribute("href"))[0]))'),
        $browser->run(
            'const {subs} = report.profile; return subs.first.filter((first, sub) => first > 0 && subs.file[sub] '
                . '=== arguments[0]).sort((a, b) => a - b)', $file),
                'an outline has the subs in the order of their lines');
    my $line = $browser->run(
        'document.querySelectorAll(".outline a")[8].click(); return document.querySelectorAll(".outline '
            . 'a")[8].getAttribute("href")');
    ok($browser->wait_for(
        "location.hash === '$line' && document.querySelector('.source tr.here td.line a')?.getAttribute('href') === "
            . "'$line'"), 'which it leads to');
    # The line at the top of the window need not be in a sub, but some line below it is.
    ok($browser->wait_for('(scrollBy(0, 20), document.querySelectorAll(".outline [aria-current]").length === 1)'),
        'and marks the one that the window shows');
    my $longest = $browser->run('return report.profile.files.bytes.indexOf(Math.max(...report.profile.files.bytes))');
    my $last = $browser->run('const done = arguments[0]; return report.profile.files.name[done]', $longest);
    my $count = () = slurp($last) =~ /\n/g;
    go("#/file/$longest/$count", '.source tr.here');
    ok($browser->wait_for(
        '(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector(".source '
            . 'tr.here").getBoundingClientRect())'), "the last line of $count is in the window");
};

# What is above the source stays there while the window scrolls, below a bar of any height.
subtest 'heads that stay' => sub {
    my $file = $browser->run('return report.profile.files.name.findIndex(name => /Pod\\/Checker\\.pm$/.test(name))');
    my $sub = $browser->run(
        'const {subs} = report.profile; return subs.name.findIndex((name, sub) => subs.file[sub] === arguments[0] '
            . '&& subs.lines[sub] > 20 && /^Pod::Checker::\\w+$/.test(name))', $file);
    my ($name, $line) =
        @{ $browser->run(
            'const {subs} = report.profile; return [subs.name[arguments[0]], subs.first[arguments[0]] + 10]', $sub) };
    my $gap = 'Math.abs(document.querySelector(arguments[0]).getBoundingClientRect().top - '
        . 'document.getElementById("bar").getBoundingClientRect().bottom)';
    my %rows;
    for my $width (860, 1300) {
        $browser->size($width, 800);
        go('#/subs', '.data-table tbody tr');
        $browser->run('scrollTo(0, 1000)');
        cmp_ok($browser->run("return $gap", '.data-table .heads'), '<', 1,
            "$width pixels: the heads of a table are below the bar");
        $rows{$width} = $browser->run('return document.getElementById("bar").offsetHeight');
        go("#/file/$file/$line", '.source tr.here');
        ok($browser->wait_for(
            "(scrollBy(0, document.querySelector('.source tr.here').getBoundingClientRect().top - "
                . "document.querySelector('.source-heads').getBoundingClientRect().bottom), "
                . "document.querySelector('.strip-where').textContent.endsWith(':$line in $name'))"),
            '... and the strip has file, line and sub') or diag(text_of('.strip-where'), " not $line $name");
        cmp_ok($browser->run("return $gap", '.source-top'), '<', 1, '... below the bar');
        my ($heads, $cells) =
            @{ $browser->run(
                'const lefts = list => [...list].map(one => Math.round(one.getBoundingClientRect().left)).join(" '
                    . '"); return [lefts(document.querySelectorAll(".source-heads th")), '
                    . 'lefts(document.querySelector(".source .block tr:not(.note)").cells)]') };
        is($heads, $cells, '... and the heads are above their columns');
    }
    is($rows{860}, $rows{1300}, 'the bar has one row in both');
    $browser->size(390, 800);
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".source-heads th")].filter(one => one.clientWidth > 1).map(one => '
            . 'one.textContent.replace(/,.*/, ""))'), ['Line', 'Time', 'Code'], 'in 390 pixels: line, time and code');
    $browser->size(1280, 900);
    quiet('heads');
};

subtest 'hot lines' => sub {
    # Two files: the first has one line with nearly all of the time, the second 40 lines with 0.2 % of it, of which ten
    # are hot.
    my %ticks = map { $_ => 10 + 97 * $_ % 401 } 1 .. 40;
    my $hot   = spew("$dir/hot.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            (map { [NEW_FID => $_, 0, 0, 2, 0, 0, "/hot$_.pl"] } 1, 2),
        [TIME_LINE => 4_000_000, 1, 1], (map { [TIME_LINE => $ticks{$_}, 2, $_] } 1 .. 40), [SRC_LINE => 1, 1, "1;\n"],
        (map { [SRC_LINE => 2, $_, "# $_\n"] } 1 .. 40), [PID_END => 7, 4010]));
    my @hot = (sort { $ticks{$b} <=> $ticks{$a} || $a <=> $b } keys %ticks)[0 .. 9];
    shown(page_of(hot => $hot));
    my $file = $browser->run('return report.profile.files.name.indexOf("/hot2.pl")');
    go('#/', '#overview h1');
    go("#/file/$file?notes=0", '.source tbody tr');
    like($browser->run(
        'return [...document.querySelectorAll(".source tr")].find(row => row.querySelector("td.line")?.textContent '
            . '=== arguments[0]).cells[2].getAttribute("style")', "$hot[0]"), qr/--part: 100%/,
            'the longest line of a file with little time has a whole bar');
    like(text_of('.strip-hot'), qr/10 hot lines/, 'and ten hot lines');
    $browser->run('scrollTo(0, 0)');
    for my $number (1 .. 3) {
        $browser->keys('n');
        ok($browser->wait_for("document.querySelector('.strip-hot').textContent.includes('hot line $number of 10')"),
            "n: $number of 10");
        my $at = text_of('.source tr.here td.line');
        ok((grep { $_ == $at } @hot), '... is one of them') or diag($at);
    }
    $browser->keys('p');
    ok($browser->wait_for('document.querySelector(".strip-hot").textContent.includes("hot line 2 of 10")'),
        'p goes back');
    $browser->click('.strip-hot button:last-child');
    ok($browser->wait_for('document.querySelector(".strip-hot").textContent.includes("hot line 3 of 10")'),
        'a button does it, too');
    quiet('hot lines');
};

subtest 'words that need explaining' => sub {
    my @names = ('main::CORE:sselect', 'main::CORE:fttext', 'main::NULL', 'main::f');
    my $words = spew("$dir/words.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'sampled_torn', 3],
            [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 2, 0, 0, '/w.pl'],
        [TIME_LINE => 300, 1, 1], [DISCOUNT => ()], [TIME_LINE => 3000, 1, 2],
        (map { [SUB_RETURN => 1, 100 * (@names - $_), 100, $names[$_]] } reverse 0 .. $#names),
        (map { [SUB_INFO => 1, $_, 1, 1] } @names),
        (map { [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 1, 1, 0, 0, $_] } @names),
        (map { [SRC_LINE => 1, $_, "# $_\n"] } 1, 2), [PID_END => 7, 4.5]));
    shown(page_of(words => $words) . '#/subs');
    my %title = @{
        $browser->run(
            'return [...document.querySelectorAll(".data-table td.name a")].flatMap(link => [link.textContent, '
                . 'link.title])') };
    like($title{'main::CORE:sselect'}, qr/: select with four arguments: waits/, 'sselect');
    like($title{'main::CORE:fttext'}, qr/: The file test -T$/, 'fttext');
    is($title{'main::f'}, 'main::f', 'a name that says it has none');
    go('#/', '#overview h1');
    like($browser->run(
        'return [...document.querySelectorAll("dt")].find(one => one.textContent === "sampled_torn").title'),
            qr/^Torn samples: the program changed/, 'torn');
    is_deeply($browser->run(
        'return [...document.querySelectorAll("#top-lines tbody td:nth-child(2)")].map(cell => cell.textContent)'),
            ['compiling', '1'], 'also among the hottest lines');
    go('#/file/0', '.source tbody tr');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".source tr:not(.note)")].map(row => '
            . 'row.cells[1]?.textContent).filter(text => text && text !== "Runs")'), ['1', 'compiling'],
            'a line with time on which nothing ran');
    shown(page_of('words-range' => $words, '--range=..1s') . '#/');
    is_deeply($browser->run(
        'return [...document.querySelectorAll("#top-lines tbody td:nth-child(2)")].map(cell => cell.textContent)'),
            ['0', '1'], 'in a range, the statement may have ended after it');
    shown(page_of(words => $words) . '#/file/0');
    like(text_of('.source-place .hint'), qr/^Time is that of the statements of a line.*In subs is the inclusive time/,
        'Time and In subs are explained above them');
    quiet('words');
    shown($url);
};

subtest 'units, keys, colours' => sub {
    go('#/subs', '.data-table tbody tr');
    for my $unit ('s', 'ms', "\x{B5}s", '%') {
        $browser->keys('u');
        ok($browser->wait_for("document.querySelector('.heads th button').textContent.includes(', $unit')"),
            "u: in $unit");
    }
    $browser->keys('u', '?');
    ok($browser->wait_for('document.querySelector("#help[open]")'), '? lists the keys');
    like(text_of('#help'), qr/Flame graph.*search everything/s, 'all of them');
    $browser->keys('Escape');
    ok($browser->wait_for('!document.querySelector("#help[open]")'), 'Escape closes it');
    for my $scheme (qw(dark light)) {
        $browser->scheme($scheme);
        my ($back, $ink) =
            @{ $browser->run(
                'const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]') };
        my ($dark, $light) = map { /(\d+), (\d+), (\d+)/ ? $1 + $2 + $3 : 0 } $scheme eq 'dark' ? ($back, $ink)
            : ($ink, $back);
        cmp_ok($light - $dark, '>', 500, "$scheme: readable");
    }
};

subtest 'headings, labels and names for screen readers' => sub {
    for my $hash ('#/', '#/subs', '#/sub/5', '#/flame', '#/files', '#/file/1', '#/map', '#/modules') {
        go($hash, 'h1');
        is($browser->run('return [...document.querySelectorAll("main h1")].filter(one => one.offsetParent).length'), 1,
            "$hash: one main heading");
        my $nameless = $browser->run(<<'JS');
            return [...document.querySelectorAll('input, select, button, canvas, a[href]')].filter(one => one.offsetParent && !one.closest('[aria-hidden]') &&
                !(one.textContent.trim() || one.getAttribute('aria-label') || one.title || one.closest('label') || one.getAttribute('aria-hidden'))).map(one => one.outerHTML.slice(0, 100));
JS
        is_deeply($nameless, [], 'everything that can be used has a name');
    }
};

subtest 'a saved page opens again' => sub {
    go('#/subs', '.data-table tbody tr');
    my $html = $browser->run('return "<!DOCTYPE html>" + document.documentElement.outerHTML');
    utf8::encode($html);
    spew("$dir/saved.html", $html);
    ok(shown("file://$dir/saved.html"), 'and begins');
    is($browser->run('return document.querySelectorAll("#views a").length'), 8, 'with one bar');
    is($browser->run('return document.querySelectorAll("#help").length'), 1, 'and one list of keys');
    go('#/subs', '.data-table tbody tr');
    quiet('a saved page');
};

subtest 'in a sandboxed frame' => sub {
    my $text = slurp("$dir/report.html") =~ s/&/&amp;/gr =~ s/"/&quot;/gr;
    spew("$dir/frame.html",
        qq{<!DOCTYPE html><title>frame</title><iframe sandbox="allow-scripts" style="width:1000px;height:600px" srcdoc="$text"></iframe>});
    $browser->open("file://$dir/frame.html");
    $browser->_call(POST => '/frame', { id => 0 });
    ok($browser->wait_for('document.documentElement.dataset.ready'), 'it begins');
    $browser->run('location.hash = "#/subs"');
    ok($browser->wait_for('document.querySelector(".data-table tbody tr")'), 'and shows its views');
    $browser->_call(POST => '/frame', { id => undef });
    is_deeply([grep { !/sandbox/ } $browser->console], [], 'nothing on the console');
};

subtest 'a phone' => sub {
    $browser->size(390, 800);
    shown($url);
    is($browser->run('return document.querySelector("#bar").offsetHeight < 60'), JSON::PP::true,
        'the bar has one row');
    $browser->run('document.getElementById("bar-menu").focus()');
    $browser->keys('Enter', 'ArrowDown', 'Enter');
    ok($browser->wait_for('localStorage["nytprof-unit"] === "s"'), 'its menu has the unit, by keys');
    $browser->keys('Enter', 'Enter');
    ok($browser->wait_for('localStorage["nytprof-unit"] === ""'), 'and back');
    shown(page_of(indented => spew("$dir/indented.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/srv/i.pl'], (map { [TIME_LINE => 100, 1, $_] } 1, 2),
            [SRC_LINE => 1, 1, "call_something_with_a_long_name_to_scroll_to();\n"], [SRC_LINE => 1, 2, "\tindented();\n"],
            [PID_END => 7, 4.5]))));
    for my $case ([1, 0], [2, 4]) {
        my ($line, $letters) = @$case;
        go("#/file//srv/i.pl:$line", '.source tr.here');
        my $shift = $browser->run(
            'const cell = document.querySelector(".source td.code"), range = document.createRange(); '
                . 'range.setStart(cell.firstChild.firstChild || cell.firstChild, 0); '
                . 'range.setEnd(cell.firstChild.firstChild || cell.firstChild, 4); return '
                . 'document.querySelector(".source-scroll").scrollLeft / range.getBoundingClientRect().width * 4');
        cmp_ok(abs($shift - $letters), '<', 0.5, "line $line: source is scrolled to its indentation") or diag($shift);
    }
    $browser->size(1280, 900);
    quiet('a phone');
};

subtest 'without scripts' => sub {
    $browser->scripts(0);
    $browser->open($url);
    my $source = $browser->run('return document.body.innerText');
    like($source, qr/Subs by self time.*Hottest lines.*Recorded/s, 'the overview is there');
    like($source, qr/JavaScript, which is off here/, 'and what is missing is said');
    cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', 1280, 'it fits');
    is($browser->run('return document.querySelectorAll("a[href^=\'#\']").length'), 0,
        'there are no links that lead nowhere');
    $browser->scripts(1);
};

subtest 'the menu of the flame graph' => sub {
    shown($url);
    go('#/flame', '.flame canvas');
    my $controls = $browser->run(
        'return [...document.querySelectorAll("#stage .controls[role=group] :is(select, input, button)")].length');
    cmp_ok($controls, '<=', 5, 'four controls and a menu');
    $browser->run('document.querySelector("#flame-menu").focus()');
    $browser->keys('Enter', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    ok($browser->wait_for('location.hash === "#/flame?order=name"'), 'by keys: an order') or diag($browser->run('return location.hash'));
    is($browser->run('return document.activeElement.id'), 'flame-menu', 'the focus stays');
    like(text_of('#stage .chip'), qr{order by name}, 'what is not usual has a way back');
    $browser->keys('Enter');
    is_deeply($browser->run(
        'return [...document.querySelectorAll(".menu [aria-checked=true]")].map(one => one.textContent)'),
            ['Width time', 'Order by name', 'Root at the top', 'Packages apart', 'Recursion as it is'],
            'what is chosen is marked');
    $browser->keys('Escape');
    $browser->click('#stage .chip');
    ok($browser->wait_for('location.hash === "#/flame"'), 'and back');
    quiet('menu');
};

subtest 'the flame graph as SVG' => sub {
    shown($url);
    go('#/flame', '.flame canvas');
    $browser->run(
        'URL.createObjectURL = blob => { window.saved = blob; return "#/flame"; }; '
            . 'document.querySelector("#flame-menu").click(); [...document.querySelectorAll(".menu '
            . '[role=menuitem]")].find(one => one.textContent === "Save as SVG").click()');
    my ($type, $svg, $boxes, $odd) = @{ $browser->run(<<'JS') };
        return saved.text().then(text => {
            const parsed = new DOMParser().parseFromString(text, 'image/svg+xml'), boxes = [...parsed.querySelectorAll('g > rect')];
            return [saved.type, parsed.documentElement.localName, boxes.length, boxes.filter(box => !/^#[0-9a-f]{6}$/.test(box.getAttribute('fill')) || !box.parentNode.querySelector('title').textContent).length];
        });
JS
    is("$type $svg $odd", 'image/svg+xml svg 0', 'has plain colours, and a title in each box');
    cmp_ok($boxes, '>', 5, 'and what is shown');
    quiet('SVG');
};

subtest 'a view that fails' => sub {
    $browser->run('window.kept = report.profile.files; report.profile.files = null');
    go('#/files', '#stage h1');
    is_deeply($browser->run('return [...document.querySelector("#stage").children].map(one => one.textContent)')->[0],
        'This view cannot be shown', 'leaves no half of it');
    like(text_of('#stage p'), qr/The page failed: .*null/, 'but says so');
    like(join(' ', $browser->console), qr/TypeError/, 'to who looks for it, too');
    $browser->run('report.profile.files = window.kept');
    go('#/subs', '.data-table tbody tr');
    is(text_of('#stage h1'), 'Subs', 'others are shown');
    quiet('after a failure');
};

subtest 'addresses by name' => sub {
    my @files = ('/srv/a/X.pm', '/srv/b/X.pm', 'p.pl', '(eval 1)[/srv/a/X.pm:3]', '/srv/a/w?i#t%h &+.pl', '7',
        "/srv/a/\xC3\xA4/Y.pm");
    my @subs  = ('X::f', 'main::__ANON__[/srv/a/X.pm:9]', 'main::__ANON__[(eval 1)[/srv/a/X.pm:3]:1]', 'main::a/b ?#%+',
        'main::~2', "main::\xFF");
    my $profile = spew("$dir/named.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'inc', '/srv/a:/srv/b'],
        [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, ($_ == 3 ? (1, 3) : (0, 0)), $_ == 3 ? 0x102 : 2, 0, 0, $files[$_]] } 0 .. $#files),
        (map { [TIME_LINE => 1000, $_ + 1, 3] } 0 .. $#files),
        (map { [SUB_INFO => 1 + $_ % 4, $subs[$_], 1, 9] } 0 .. $#subs),
        (map { [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1, 1e-4, 1e-4, 0, 0, $_] } @subs), [PID_END => 7, 2.5]));
    ok(shown(page_of(named => $profile)), 'the page begins');
    my $routes = $browser->run(
        'return [report.profile.files.name.map((name, file) => report.file_route(file, 12)), '
            . 'report.profile.subs.name.map((name, sub) => report.sub_route(sub))]');
    is_deeply([@{ $routes->[0] }[0 .. 5]],
        ['#/file/X.pm:12', '#/file//srv/b/X.pm:12', '#/file/p.pl:12', '#/file/(eval%200)%5BX.pm:3%5D:12',
        '#/file/w%3Fi%23t%25h%20%26%2B.pl:12', '#/file/7:12'],
        'files without their directory of @INC, unless another has that name');
    is_deeply([@{ $routes->[1] }[0, 1]], ['#/sub/X::f', '#/sub/main::__ANON__%5BX.pm:9%5D'],
        'subs, also those that are named after a file');
    my ($file, $sub) = (0, 0);
    for my $hash (map { @$_ } @$routes) {
        $browser->run('location.hash = arguments[0]', $hash);
        my $expected = $hash =~ /file/ ? $browser->run('return report.profile.files.name[arguments[0]]', $file++)
            : $browser->run('return report.sub_label(arguments[0])', $sub++);
        ok($browser->wait_for('document.querySelector("#stage h1")?.textContent === '
            . JSON::PP->new->allow_nonref->encode($expected)), $hash);
    }
    is_deeply($browser->run(
        'return ["/srv/a/X.pm:3", "2/3", "X.pm", "7", "none", "X.pm~2", "b/X.pm:4", "Y.pm", "m"].map(text => '
            . 'Object.values(report.place_at(text)))'),
            [[0, 3], [2, 3], [0, 0], [5, 0], [-1, 0], [-1, 0], [1, 4], [6, 0], [-1, 0]],
        'whole paths, their ends and numbers are understood, too');
    for my $case (['#/file/none.pm', 'No such file', '#/files'], ['#/sub/X::none', 'No such sub', '#/subs'],
        ['#/label/sql:none', 'No such label', '#/labels']) {
        go($case->[0], '#stage .empty + p a');
        is_deeply($browser->run(
            'return [document.querySelector("#stage h1").textContent, document.querySelector("#stage .empty + p '
                . 'a").getAttribute("href")]'), [@$case[1, 2]], "$case->[0]: says so, and where to go on");
    }
    quiet('addresses');
};

subtest 'names that are HTML do nothing' => sub {
    my @names = ('<img src=x onerror=alert(1)>::<b>x', 'main::</script><script>document.title="owned"</script>',
        'main::"onload="alert(1)', "main::\x{202E}<svg/onload=alert(1)>", 'main::&lt;i&gt;', '__proto__::constructor');
    my $files = join "\n", map { "/$_.pm" } @names;
    my $profile = spew("$dir/odd.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [ATTRIBUTE => 'application', '<script>alert(1)</script>'], [PID_START => 7, 1, 1.5],
        (map { [NEW_FID => $_ + 1, 0, 0, 2, 0, 0, "/$names[$_].pm"] } 0 .. $#names),
        (map { [TIME_LINE => 1000, $_ + 1, 3] } 0 .. $#names),
        (map { [SUB_RETURN => $_ + 1, 1000 * (@names - $_), 1000, $names[$_]] } reverse 0 .. $#names),
        (map { [SUB_INFO => $_ + 1, $names[$_], 1, 9] } 0 .. $#names),
        (map { [SUB_CALLERS => ($_ || 1), 3, ($_ ? $names[$_ - 1] : 'main::RUNTIME'), 1, 1e-4 * (@names - $_), 1e-4, 0,
            0, $names[$_]] } 0 .. $#names),
        (map { ([SRC_LINE => $_ + 1, 3, "</script><img src=x onerror=alert(1)> $names[$_]\n"]) } 0 .. $#names),
        [PID_END => 7, 2.5]));
    ok(shown(page_of(odd => $profile)), 'the page begins');
    for my $hash ('#/', '#/subs', '#/subs?group=package', '#/flame', '#/files', '#/map', '#/modules',
        map { ("#/sub/$_", "#/file/$_") } 0 .. $#names) {
        go($hash, 'h1');
        is($browser->run(
            'return document.querySelectorAll("img, script:not([id]):not(:last-of-type), main b, main i").length'), 0,
                "$hash: no element of theirs");
    }
    is($browser->run('return report.profile.subs.name.includes(arguments[0])', $names[0]), JSON::PP::true,
        'the names are all there');
    like($browser->run('return document.title'), qr/Perl profile/, 'nobody changed the title');
    quiet('odd names');
};

# Controls of writing direction make code look like other code; characters without width make names look alike.
subtest 'what would not be seen' => sub {
    my @odd  = grep { chr =~ /[\p{Cf}\p{Zl}\p{Zp}]/ } 0x80 .. 0x10FFFF;
    my $name = 'main::f' . join '', map { chr } @odd;
    my $code = qq{f(\$x, "a\x{202E}\x{2066}b"); # \x{200B}\e[31m\t\f};
    utf8::encode($_) for $name, $code;
    my $profile = spew("$dir/hidden.out", profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, '/x.pl'], [TIME_LINE => 1000, 1, 2],
        [SUB_RETURN => 1, 1000, 1000, $name], [SUB_INFO => 1, $name, 1, 3],
        [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 1e-4, 1e-4, 0, 0, $name],
        [SRC_LINE => 1, 1, "sub f {\n"], [SRC_LINE => 1, 2, "$code\n"], [SRC_LINE => 1, 3, "}\n"],
        [PID_END => 7, 2.5]));
    ok(shown(page_of(hidden => $profile)), 'the page begins');
    is_deeply($browser->run(
        'return arguments[0].filter(code => report.hidden.test(String.fromCodePoint(code)) === '
            . 'report.profile.subs.name.some(name => name.includes(String.fromCodePoint(code))))', \@odd),
        [], 'names and source show the same characters as escapes');
    for my $hash ('#/', '#/subs', '#/sub/0', '#/flame', '#/file/0') {
        go($hash, 'h1');
        unlike($browser->run('return document.body.textContent'),
            qr/[\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}\e]/, "$hash: nothing hidden");
    }
    is($browser->run('return document.querySelectorAll(".source td.code")[1].textContent'),
        qq{f(\$x, "a\\x{202e}\\x{2066}b"); # \\x{200b}\\x1b[31m\t\\x0c}, 'source: escapes');
    is($browser->run('return document.querySelectorAll(".source .escape").length'), 5,
        '... which can be told from text');
    quiet('hidden characters');
};

# Jenkins serves artefacts so: no scripts, no style elements, no style attributes.
subtest 'with the policy of a build server' => sub {
    my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', ReuseAddr => 1) or die $!;
    my $pid = fork // die $!;
    if ($pid == 0) {
        while (my $client = $server->accept) {
            my $line;
            do { $line = readline $client } while defined $line && $line =~ /\S/;
            my $page = slurp("$dir/report.html");
            print {$client} "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Length: " . length($page)
                . "\r\nContent-Security-Policy: sandbox allow-same-origin; default-src 'none'; img-src 'self'; "
                . "style-src 'self';\r\n\r\n$page";
            close $client;
        }
        POSIX::_exit(0);
    }
    $browser->scripts(1);
    $browser->open('http://127.0.0.1:' . $server->sockport . '/');
    like($browser->run('return document.body.innerText'), qr/ work.*Subs by self time.*[\d,]+ statements/s,
        'the overview can be read');
    kill TERM => $pid;
    waitpid $pid, 0;
    $browser->console; # which says what the policy refused
};

subtest 'printing' => sub {
    my $longest = shown($url)
        && $browser->run('return report.profile.files.bytes.indexOf(Math.max(...report.profile.files.bytes))');
    for my $hash ('#/', '#/subs', "#/file/$longest") {
        go($hash, 'h1');
        my $pdf = MIME::Base64::decode_base64($browser->command('Page.printToPDF')->{data});
        my $pages = () = $pdf =~ m{/Type\s*/Page\b}g;
        ok($pages >= 1 && $pages <= 80, "$hash: a document of $pages pages");
    }
} if $ENV{EXHAUSTIVE};

subtest 'rows that are not printed' => sub {
    shown($url);
    go('#/subs', '.data-table .block.unprinted');
    ok($browser->wait_for('document.querySelectorAll(".data-table .block a").length > 600'), 'many rows are there');
    my $rows = $browser->run(<<'JS');
        const count = () => document.querySelectorAll('.data-table tbody tr').length, link = [...document.querySelectorAll('.unprinted a')].pop();
        link.focus({preventScroll: true});
        const counts = [count()];
        for (const name of ['beforeprint', 'afterprint']) {
            window.dispatchEvent(new Event(name));
            counts.push(count());
        }
        return [...counts, document.activeElement === link];
JS
    is($rows->[1], 200, 'the browser need not look through those that are not printed');
    is($rows->[2], $rows->[0], 'and they come back');
    ok($rows->[3], '... with the focus');
    quiet('printing');
};

# 3,000 files with 28 MB of source, 30,000 subs, 100,000 stacks.
subtest 'a very large profile' => sub {
    my $large = page_of(large => spew("$dir/large.out", large_profile()));
    cmp_ok(-s "$dir/large.html", '<', 20e6, 'a file of at most 20 MB');
    ok(shown($large), 'begins');
    my $ready_s = $browser->run('return performance.getEntriesByName("ready")[0].startTime') / 1000;
    diag(sprintf '%.1f MB, painted after %.2f s', (-s "$dir/large.html") / 1e6, $ready_s);
    for my $hash ('#/subs', '#/flame', '#/files', '#/file/7', '#/map', '#/time', '#/modules') {
        ok(go($hash, '#stage h1'), $hash);
    }
    quiet('a very large profile');
} if $ENV{EXHAUSTIVE};

$browser->quit;
done_testing();
