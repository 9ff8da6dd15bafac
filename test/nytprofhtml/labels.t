# The report's view of calls by label: its numbers, which are those of the outermost calls, and what is done with them:
# tabs, filter, addresses, what is left out, one process. The data are tested without a browser, too.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP ();
use NYTPTest qw(build_dir run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

my $dir = scratch_dir();

# Two requests: each selects by selectall_arrayref, which executes, and fetches. A template includes itself by another
# one. A tick is 1 ms. The list is as the collector writes it.
my $query = 'SELECT ... FROM t WHERE id = ? ~6dcf0775';
my $whole = 'SELECT id, name, price FROM t WHERE id = ?';
my $list  = 'sql,sql=DBI::db::selectall_arrayref,sql=DBI::st::execute,sql=DBI::st::fetch,template=Template::process,call=My::get';
my $nasty = q{</script><script>document.title = 'hacked'</script><img src=x onerror="document.title = 'hacked'">};

sub request {
    my ($name, $own) = @_;
    return ([5, 20, 20, "DBI::st::execute $query"], [4, 30, 10, "DBI::db::selectall_arrayref $query"],
        [4, 5, 5, "DBI::st::fetch $query"],
        [3, 45, 10, 'main::page'], [2, 45 + $own, $own, "NYTProf::span $name"]);
}
my @calls = (request('GET /a', 5), request('GET /a', 15), [4, 4, 4, 'Template::process a.tt'],
    [3, 6, 2, 'Template::process b.tt'], [2, 16, 10, 'Template::process a.tt'],
    [2, 1, 1, "My::get $nasty"], [1, 142, 5, 'main::run']);
my @arcs = ([3, 'main::page', 0.06, 0.02, "DBI::db::selectall_arrayref $query", 2],
    [9, "DBI::db::selectall_arrayref $query", 0.04, 0.04, "DBI::st::execute $query", 2],
    [4, 'main::page', 0.01, 0.01, "DBI::st::fetch $query", 2], [6, 'NYTProf::span GET /a', 0.09, 0.02, 'main::page', 2],
    [7, 'main::run', 0.11, 0.02, 'NYTProf::span GET /a', 2],
    [8, 'main::run', 0.016, 0.01, 'Template::process a.tt'],
    [1, 'Template::process a.tt', 0.006, 0.002, 'Template::process b.tt'],
    [1, 'Template::process b.tt', 0, 0.004, 'Template::process a.tt', 1, 0.004, 1],
    [8, 'main::run', 0.001, 0.001, "My::get $nasty"],
    [10, 'main::RUNTIME', 0.142, 0.005, 'main::run']);

sub callers {
    return map { [SUB_CALLERS => 1, $_->[0], $_->[1], $_->[5] // 1, @$_[2, 3], $_->[6] // 0, $_->[7] // 0,
        $_->[4]] } @_;
}

my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'labels', $list],
    [ATTRIBUTE => 'label_6dcf0775', $whole]);
my @subs  = ([NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [SUB_INFO => 1, 'main::page', 2, 5],
    [SUB_INFO => 1, 'main::run', 6, 9], [SUB_INFO => 1, 'main::unused', 11, 12],
    (map { [SUB_INFO => 1, $_, 0, 0] } 'DBI::st::execute', 'DBI::st::finish'), [SUB_INFO => 1, 'My::get', 13, 14],
    [SUB_INFO => 1, "My::get $nasty", 13, 14]);

sub profile {
    my ($name, $calls, $arcs) = @_;
    return spew("$dir/$name.out",
        profile_bytes(@begin, [PID_START => 7, 1, 1.5], $subs[0], (map { [TIME_LINE => $_->[2], 1, 3] } @$calls),
        (map { [SUB_RETURN => @$_] } @$calls), [PID_END => 7, 2.9], @subs[1 .. $#subs], callers(@$arcs)));
}
my $profile = profile(labels => \@calls, \@arcs);

sub page {
    my @arguments = @_;
    my $got = run([build_dir() . '/bin/nytprofhtml', '-o', '-', @arguments]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofhtml writes it');
    return ReportPage->new($got->{out});
}

# By label: the ticks of the outermost calls; of a span also median, 95th percentile and longest.
sub labels_of {
    my ($labels) = @{ page(@_)->{core} }{labels};
    my @columns = qw(incl median p95 longest);
    return { map { my $i = $_;
        ("$labels->{kind}[$i] $labels->{text}[$i]" => [map { $labels->{$_}[$i] } @columns]) } 0 .. $#{
        $labels->{kind} } };
}

my %expected = ("1 $query" => [70, 0, 0, 0], '9 GET /a' => [110, 50, 60, 60], '7 a.tt' => [16, 0, 0, 0],
    '7 b.tt' => [6, 0, 0, 0], "8 $nasty" => [1, 0, 0, 0]);
is_deeply(labels_of($profile), \%expected, 'the outermost calls count');
is_deeply(labels_of($profile, '--no-flame'), \%expected, 'whether there is a flame graph or not');
is_deeply(labels_of($profile, '--min=20'), \%expected, 'and whether small stacks are folded or not');
is_deeply(labels_of($profile, $profile)->{"1 $query"}, [140, 0, 0, 0], 'profiles add up');
ok(!exists page(spew("$dir/none.out",
    profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1], [SUB_RETURN => 1, 5, 5, 'main::f x'],
        [PID_END => 7, 2])))->{core}{labels}, 'without labels there is none of it');

subtest 'durations' => sub {
    srand 7;
    my @ms  = map { int 10 + 1000 * rand()**4 } 1 .. 1001;
    my $got = labels_of(profile(durations => [map { [1, $_, $_, 'NYTProf::span GET /'] } @ms], []))->{'9 GET /'};
    my ($median, $p95, $longest) = (sort { $a <=> $b } @ms)[500, 950, 1000];
    cmp_ok(abs($got->[1] - $median), '<=', 0.01 * $median + 1, 'the median is exact to 1 % and a tick');
    cmp_ok(abs($got->[2] - $p95), '<=', 0.01 * $p95 + 1, 'and so is the 95th percentile');
    is($got->[3], $longest, 'the longest is exact');
};

# Ids of traces: those of the longest request, if it has any.
my @requests = (['/a', 20, 'a'], ['/a', 30, 'b'], ['/a', 25], ['/b', 20, 'c'], ['/b', 30], ['/b', 10, 'd']);
my $traced   = spew("$dir/traced.out", profile_bytes(@begin, [PID_START => 7, 1, 1.5], (map { my ($name, $ms, $digit) = @$_;
    ([ATTRIBUTE => 'trace_context', $digit ? join ' ', 1, $digit x 32, $digit x 16 : 1],
        [SUB_RETURN => 1, $ms, $ms, "NYTProf::span GET $name"]) } @requests), [PID_END => 7, 2]));
{
    my $core = page($traced, '--trace-url=https://t.example/{trace_id}?s={span_id}')->{core};
    my %ids;
    @ids{ @{ $core->{labels}{text} } } = map { "$core->{labels}{trace_id}[$_] $core->{labels}{span_id}[$_]" }
        0 .. $#{ $core->{labels}{text} };
    is_deeply(\%ids, { 'GET /a' => 'b' x 32 . ' ' . 'b' x 16, 'GET /b' => ' ' }, 'the ids of the longest request');
    is($core->{about}{trace_url}, 'https://t.example/{trace_id}?s={span_id}', 'and how to make a link of them');
    ok(!exists page($profile)->{core}{labels}{trace_id}, 'without ids there is none of it');
}
like(run([build_dir() . '/bin/nytprofhtml', '-o', '-', '--trace-url=x{trace_id}', $profile])->{err},
    qr/\Anytprofhtml: warning: --trace-url: no span has the ids of a trace/, '--trace-url without ids: a warning');
for my $odd ('x{trace}', 'x{', ' javascript:alert(1)') {
    is(run([build_dir() . '/bin/nytprofhtml', '-o', '-', "--trace-url=$odd", $traced])->{status}, 2, "--trace-url=$odd is refused");
}

# 20 requests, each of which runs a query 30 times.
my $repeated =
    profile(repeated =>
        [(map { ((map { [4, 30, 30, "DBI::st::execute $query"] } 1 .. 30), [3, 950, 50, 'main::page'],
            [2, 960, 10, 'NYTProf::span GET /a']) } 1 .. 20),
    [1, 19_210, 10, 'main::run']], [[3, 'main::page', 18, 18, "DBI::st::execute $query", 600]]);
like(page($repeated)->static,
    qr{<li data-rule="repeated-query">.*<span data-label-of="\d+"[^>]*>main::page runs &quot;SELECT \.\.\. FROM t WHERE id = \? ~6dcf0775&quot; 600 times, 30 for each GET /a: 18\.0 s<},
    'a query that is repeated stands out')
    or diag(page($repeated)->static =~ /(<section id="findings".*?<\/section>)/s);

if (!WebDriver->found || valgrind()) {
    note('no chromium and chromedriver, or valgrind, for which a browser is no matter');
    done_testing();
    exit;
}
browse(my $browser = WebDriver->new, $dir);

# Rows of the table that is shown, by label: the columns.
sub rows {
    my ($name, @columns) = @_;
    return { map { my $row = $_; ($row->{$name} => join ' ', map { $row->{$_} } @columns) } csv() };
}

my $url = page_of(labels => $profile);
ok(shown($url), 'the page begins');

subtest 'the view' => sub {
    $browser->keys('r');
    ok($browser->wait_for('location.hash === "#/labels/span" && document.querySelector(".data-table td.name")'), 'a key leads there');
    is_deeply($browser->run('return [...document.querySelectorAll("#views a")].slice(0, 3).map(one => one.textContent + (one.getAttribute("aria-current") || ""))'),
        ['Overview', 'Requests 2page', 'Queries'], 'the bar says how many there are');
    $browser->keys('q');
    ok($browser->wait_for('location.hash === "#/labels/sql" && document.querySelector(".tabs a")'), 'another to the queries');
    is($browser->run(
        'return [...document.querySelectorAll(".tabs a")].map(one => one.textContent + '
            . '(one.getAttribute("aria-current") || "")).join(", ")'),
        'Queries 1page, Templates 2, Own rules 1', 'a tab for each kind of labels that there is');
    is_deeply(rows('Query', 'Time (s)', 'Runs', 'Called for', 'At'),
        { $whole => "0.07 2 GET /a 2 \x{D7} 1 /srv/shop.pl:3" },
        'queries, with their whole text');
    go('#/labels/span', '.data-table td.name');
    is_deeply(rows('Request', 'Time (s)', 'Requests', 'p50 (s)', 'p95 (s)', 'Longest (s)', 'Work (s)', 'Asleep (by names) (s)'),
        { 'GET /a' => '0.11 2 0.05 0.06 0.06 0.11 0' }, 'requests');
    go('#/labels/template', '.data-table td.name');
    is_deeply(rows('Template', 'Time (s)', 'Self (s)', 'Calls'),
        { 'a.tt' => '0.016 0.014 2', 'b.tt' => '0.006 0.002 1' }, 'recursion by another template counts once');
    go('#/labels/template?q=b', '.data-table td.name');
    is_deeply([keys %{ rows('Template', 'Calls') }], ['b.tt'], 'a filter');
    go('#/labels/template?sort=name', '.data-table td.name');
    is(join(' ', map { $_->{Template} } csv()), 'a.tt b.tt', 'an order');
    go('#/labels/file', '.empty');
    like(text_of('.tabs'), qr/Files 0/, 'a kind that there is none of');
    quiet('labels');
};

subtest 'runs' => sub {
    my $list   = join ',', 'sql', map { "sql=DBI::$_" } qw(connect db::prepare db::selectall_arrayref st::execute st::fetch);
    my @within = ([2, 9, 9, 'DBI::connect dbi:SQLite:x'], [4, 1, 1, 'DBI::st::execute SELECT a'], [3, 5, 4, 'DBI::db::prepare SELECT a'],
        [2, 9, 4, 'DBI::db::selectall_arrayref SELECT a'], [2, 1, 1, 'DBI::db::prepare SELECT b'], [2, 1, 1, 'DBI::st::fetch SELECT b']);
    my @calls = (@within, @within, [1, 42, 0, 'main::f']);
    shown(page_of(runs => spew("$dir/runs.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'labels', $list],
        [PID_START => 7, 1, 1.5], $subs[0], (map { ([TIME_LINE => $_->[2], 1, 3], [SUB_RETURN => @$_]) } @calls), [PID_END => 7, 2.9]))));
    my %runs = ('dbi:SQLite:x' => 2, 'SELECT a' => 2, 'SELECT b' => 0);
    go('#/labels/sql', '.data-table td.name');
    is_deeply(rows('Query', 'Runs'), \%runs, 'of queries and connects, and none of what is only prepared');
    like(text_of('#stage .controls'), qr/2 queries and 1 connect/, '... of which the page says how many there are');
    delete $runs{'dbi:SQLite:x'};
    go('#/labels/sql?out=label:sql:dbi:SQLite:x', '.data-table td.name');
    is_deeply(rows('Query', 'Runs'), \%runs, '... as the page itself counts them');
    quiet('runs');
    shown($url);
};

subtest 'a finding' => sub {
    shown(page_of(repeated => $repeated));
    $browser->run('document.querySelector("[data-rule=repeated-query] a").click()');
    ok($browser->wait_for('document.querySelector("h1.label-text")'), 'leads to');
    is(text_of('#stage h1'), $whole, 'the page of its label');
    quiet('a finding');
    shown($url);
};

subtest 'one label' => sub {
    go('#/labels/sql', '.data-table td.name');
    $browser->click('.data-table td.name a');
    ok($browser->wait_for('document.querySelector("h1.label-text")'), 'a click opens it');
    is(text_of('#stage h1'), $whole, 'its whole text');
    is($browser->run('return decodeURIComponent(location.hash)'), "#/label/sql:$query", 'its address has its name');
    my $tables = $browser->run(
        'return Object.fromEntries([...document.querySelectorAll("#stage table.top")].map(table => [table.getAttribute("aria-label"),
        [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent).join(" "))]))');
    is_deeply($tables,
        { 'Called in' => ['70.00 2 1 GET /a'],
        'Called from' => ['60.00 2 /srv/shop.pl:3selectall_arrayref main::page',
            "90.00 2 \x{2191} /srv/shop.pl:6 NYTProf::span GET /a", '10.00 2 /srv/shop.pl:4fetch main::page'] }, 'callers')
        or diag(JSON::PP->new->pretty->encode($tables));
    $browser->run(
        '[...document.querySelectorAll("#stage a")].find(one => one.textContent === "Flame graph of it").click()');
    ok($browser->wait_for('report.layout && document.querySelector(".chip")'), 'its flame graph');
    is($browser->run('return report.layout.total'), 70, 'has the outermost calls');
    go('#/label/span:GET /a', 'h1');
    like($browser->run('return document.querySelector("[aria-label=\'Within it\'] tbody").textContent'),
        qr/^70\.0021SELECT \x{2026} FROM t WHERE id = \?/, 'what is within a request, and how often in each');
    go('#/label/sql:nothing', 'h1');
    is(text_of('#stage h1'), 'No such label', 'one that there is not');
    quiet('one label');
};

subtest 'what is left out' => sub {
    go('#/label/template:b.tt', 'h1');
    $browser->run(
        '[...document.querySelectorAll("#stage button.link")].find(one => one.textContent === "Leave it out").click()');
    ok($browser->wait_for('document.querySelector("#selection .chip")'), 'a label is left out on its page');
    like(text_of('#selection .chip'), qr/b\.tt left out: 6\.00\s+ms/, 'a chip says so');
    go('#/labels/template?out=label:template:b.tt', '.data-table td.name');
    is_deeply(rows('Template', 'Time (s)', 'Self (s)', 'Calls'), { 'a.tt' => '0.01 0.01 1' }, 'with what it called');
    go('#/labels/sql?out=sub:main::page', '.empty');
    go('#/labels/span?out=sub:main::page', '.data-table td.name');
    is_deeply(rows('Request', 'Time (s)', 'Requests'), { 'GET /a' => '0.02 2' },
        'requests are without a sub that is left out');
    unlike(text_of('.heads'), qr/p50/, 'and have no median then');
    quiet('left out');
};

subtest 'subs' => sub {
    go('#/subs?unused=1', '.data-table td.name');
    is_deeply([sort grep { !/ / } map { $_->{Sub} } csv()],
        [sort qw(DBI::st::finish main::RUNTIME main::page main::run main::unused)],
        'a sub whose calls have labels is not one that was never called');
    go('#/sub/My::get', 'h1');
    like(text_of('#stage'), qr/Calls were recorded by label, one of Own rules: </, 'its view leads to them');
    go('#/sub/DBI::st::execute ' . $query =~ s/\?/%3F/r, 'h1');
    like(text_of('#stage'), qr/Its label: \Q$whole\E/, 'and that of a sub with a label, too');
    go('#/file/0', '.source tr.note');
    quiet('subs');
};

subtest 'hostile labels' => sub {
    for my $hash ('#/labels/call', '#/label/call:' . $nasty, '#/subs', '#/sub/My::get', '#/file/0',
        '#/labels/call?out=label:call:' . $nasty =~ s/%/%25/gr =~ s/,/%2C/gr, '#/') {
        $browser->run(
            'location.hash = "#/" + arguments[0].slice(2).split("?").map((part, i) => i ? part : '
                . 'encodeURIComponent(part).replace(/%2F/g, "/")).join("?")', $hash);
        $browser->settle;
        is($browser->run('return document.querySelectorAll("img").length'), 0, "$hash: text is text");
    }
    go('#/labels/call', '.data-table td.name');
    is_deeply([keys %{ rows('Label', 'Calls') }], [$nasty], 'as it is');
    unlike($browser->run('return document.title'), qr/hacked/, 'no script has run');
    quiet('hostile labels');
};

subtest 'widths' => sub {
    for my $width (390, 800, 1300) {
        $browser->size($width, 844);
        for my $hash ('#/labels/sql', '#/labels/span', '#/labels/template', '#/label/span:GET /a',
            '#/label/template:a.tt') {
            go($hash, '#stage h1');
            cmp_ok($browser->run('return document.documentElement.scrollWidth'), '<=', $width,
                "$hash, $width pixels: nothing sticks out");
            is_deeply($browser->run(
                'return [...document.querySelectorAll("#stage td.n, #stage th.n, .heads button")].filter(cell => '
                    . 'cell.offsetParent && cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)'), [],
                '... and no number and no title is cut');
        }
    }
    quiet('widths');
};

# Two processes, of which one has a request.
subtest 'one process' => sub {
    my $both = spew("$dir/both.out",
        profile_bytes(@begin, [PID_START => 7, 1, 1.5], $subs[0], (map { [SUB_RETURN => @$_] } @calls),
            [PID_END => 7, 2.9],
        [PID_START => 8, 7, 1.6], (map { [SUB_RETURN => @$_] } request('GET /a', 30)), [PID_END => 8, 2.9],
        @subs[1 .. $#subs],
        callers([3, 'main::page', 0.09, 0.03, "DBI::db::selectall_arrayref $query", 3],
            [9, "DBI::db::selectall_arrayref $query", 0.06, 0.06, "DBI::st::execute $query", 3],
            [4, 'main::page', 0.015, 0.015, "DBI::st::fetch $query", 3],
            [6, 'NYTProf::span GET /a', 0.135, 0.03, 'main::page', 3],
            [7, 'main::run', 0.11, 0.02, 'NYTProf::span GET /a', 2],
            [7, 'main::RUNTIME', 0.075, 0.03, 'NYTProf::span GET /a', 1], @arcs[5 .. $#arcs])));
    ok(shown(page_of(both => $both)), 'the page begins');
    go('#/labels/span', '.data-table td.name');
    is_deeply(rows('Request', 'Time (s)', 'Requests', 'Longest (s)'), { 'GET /a' => '0.185 3 0.075' }, 'both');
    go('#/labels/span?process=8', '.data-table td.name');
    is_deeply(rows('Request', 'Time (s)', 'Requests'), { 'GET /a' => '0.075 1' }, 'one');
    go('#/labels/sql?process=8', '.data-table td.name');
    is_deeply(rows('Query', 'Time (s)', 'Runs'), { $whole => '0.035 1' }, 'and its queries');
    quiet('processes');
};

subtest 'calls one by one were not recorded' => sub {
    ok(shown(page_of(summed => profile(summed => [], \@arcs))), 'the page begins');
    go('#/labels/template', '.data-table td.name');
    is_deeply(rows('Template', 'Self (s)', 'Calls'), { 'a.tt' => '0.014 2', 'b.tt' => '0.002 1' },
        'self times and calls are there');
    unlike(text_of('.heads'), qr/Time/, 'and no time that is not known');
    like(text_of('#stage .hint'), qr/time of the outermost calls is not known/, 'which is said');
    quiet('summed');
    ok(shown(page_of(none => "$dir/none.out")), 'a page without labels');
    is($browser->run('return document.querySelector("#views a[data-view=labels]").className'), 'quiet', 'says in its bar that there is none');
    $browser->keys('r');
    ok($browser->wait_for('document.querySelector("#stage .empty")'), 'a key leads there');
    is(text_of('.empty'), 'No request was recorded: NYTProf::Span::Plack or NYTProf::Span::Mojolicious makes a span of each.', '... and it says how to record them');
    $browser->keys('q');
    ok($browser->wait_for('document.querySelector(".empty")?.textContent === "No query was recorded: NYTPROF=labels=sql records them."'), 'queries, too');
    go('#/labels/file', '#stage .empty');
    quiet('none');
};

subtest 'traces' => sub {
    my $hrefs = 'return [...document.querySelectorAll("#stage a[href^=https]")].map(one => one.href).join(" ")';
    my $trace = 'https://t.example/' . 'b' x 32 . '?s=' . 'b' x 16;
    ok(shown(page_of(traced => $traced, '--trace-url=https://t.example/{trace_id}?s={span_id}')), 'the page begins');
    go('#/labels/span', '.data-table td.name');
    is($browser->run($hrefs), $trace, 'a link to the trace of the longest request that has ids');
    go('#/label/span:GET%20/a', '.facts');
    is($browser->run($hrefs), $trace, 'and on the page of the request');
    go('#/label/span:GET%20/b', '.facts');
    is($browser->run($hrefs), '', 'which has none if the longest has none');
    quiet('traces');
    ok(shown(page_of(untraced => $traced)), 'without a template');
    go('#/labels/span', '.data-table td.name');
    unlike(text_of('.heads'), qr/Trace/, 'there is no column');
};

done_testing();
