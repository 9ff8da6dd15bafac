# String evals in a report: frames of its flame graphs, which lead to the lines that run them. Its tables are those of the
# same profile without the marks of evals, also of one process, of a range and of a request.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run sanitized scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv go page_of quiet shown text_of);
use ReportPage;
use Test::More;
use WebDriver;

my ($dir, $ALL_TICKS) = (scratch_dir(), 4000);

# A tick is 1 ms. In each process a request runs main::shop, which runs an eval in line 3 (of which one in line 1 of its
# text) and calls main::db in and after it; a third eval is outside of subs.
sub process {
    my ($pid) = @_;
    return (
        [PID_START => $pid, 1, 1_700_000_000],
        [ATTRIBUTE => eval_begin => '2 1 3'],
        [SUB_RETURN => 3, 200, 200, 'main::db'], [TIME_LINE => 200, 1, 7], [TIME_LINE => 100, 2, 1],
        [ATTRIBUTE => eval_begin => '2 2 1'],
        [SUB_RETURN => 3, 300, 300, 'main::db'], [TIME_LINE => 300, 1, 7],
        [ATTRIBUTE => eval_end => '2 350'], [TIME_LINE => 50, 3, 1],
        [ATTRIBUTE => eval_end => '2 700'], [TIME_LINE => 50, 2, 1],
        [SUB_RETURN => 3, 500, 500, 'main::db'], [TIME_LINE => 500, 1, 7],
        [SUB_RETURN => 2, 1500, 500, 'main::shop'], [TIME_LINE => 300, 1, 4],
        [SUB_RETURN => 1, 1600, 100, "NYTProf::span GET /"], [TIME_LINE => 100, 1, 9],
        [ATTRIBUTE => eval_begin => '0 1 20'],
        [SUB_RETURN => 1, 40, 40, 'main::db'], [TIME_LINE => 40, 1, 7],
        [ATTRIBUTE => eval_end => '0 100'], [TIME_LINE => 360, 1, 20],
        [PID_END => $pid, 1_700_000_002]);
}

# with: whether there are marks.
sub shop {
    my ($name, $with) = @_;
    my @caller = map { [SUB_CALLERS => 1, @$_] } (
        [9, 'main::RUNTIME', 2, 3.2, 0.2, 0, 0, 'NYTProf::span GET /'],
        [9, 'NYTProf::span GET /', 2, 3, 1, 0, 0, 'main::shop'], [4, 'main::shop', 6, 2, 2, 0, 0, 'main::db'],
        [20, 'main::RUNTIME', 2, 0.08, 0.08, 0, 0, 'main::db']);
    return spew("$dir/$name.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000],
        [ATTRIBUTE => application => 'shop.pl'], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [NEW_FID => 2, 1, 3, 2, 0, 0, '(eval 1)[/srv/shop.pl:3]'],
        [NEW_FID => 3, 2, 1, 2, 0, 0, '(eval 2)[(eval 1)[/srv/shop.pl:3]:1]'],
        (grep { $with || $_->[0] ne 'ATTRIBUTE' } process(7), process(8)),
        [SUB_INFO => 1, 'main::shop', 2, 5], [SUB_INFO => 1, 'main::db', 6, 8],
        (map { [SRC_LINE => 1, $_, "line $_\n"] } 1 .. 20), @caller));
}
my ($marked, $plain) = map { shop($_, $_ eq 'marked') } qw(marked plain);

# ---- the data of the page ------------------------------------------------------

sub core {
    my ($profile, @options) = @_;
    my $got = run([build_dir() . '/bin/nytprofhtml', '-o', '-', @options, $profile]);
    is("$got->{status} $got->{err}", '0 ', "nytprofhtml @options");
    return ReportPage->new($got->{out})->{core};
}

for my $options ([], ['--process=7'], ['--range=0.5..1.9'], ['--span=GET /'], ['--no-wait']) {
    my ($with, $without) = map { core($_, @$options) } $marked, $plain;
    for my $table (qw(arcs lines totals files processes)) {
        is_deeply($with->{$table}, $without->{$table}, "@$options $table: as without evals");
    }
    my @evals = sort grep { /^string eval/ } @{ $with->{subs}{name} };
    is_deeply([grep { !/^string eval/ } @{ $with->{subs}{name} }], $without->{subs}{name}, "@$options: subs");
    is_deeply(\@evals, [map { "string eval at $_" } '(eval 0)[/srv/shop.pl:3]:1',
        "@$options" =~ /span/ ? () : '/srv/shop.pl:20', '/srv/shop.pl:3'], "@$options: evals are in its stacks");
}

# ---- the page ------------------------------------------------------------------

SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found;
    skip 'a browser is no matter of memcheck and sanitizers', 1 if valgrind() || sanitized();
    browse(my $browser = WebDriver->new, $dir);

    # What the tables of subs, callers and callees are in several selections.
    my $tables = sub {
        my ($profile) = @_;
        my @read;
        ok(shown(page_of('tables', $profile)), 'the page begins');
        for my $selection ('', '?process=7', '?range=0.5s..1.2s', '?process=8&range=0.5s..1.2s', '?out=sub:main::db') {
            go("#/subs$selection", '.data-table td.name');
            push @read, $selection, csv();
            go("#/sub/main::shop$selection", 'h1');
            push @read, $browser->run('return [...document.querySelectorAll("#stage table")].map(table => table.textContent).join("\n")');
        }
        go('#/labels/span', '.chosen-request .fact');
        push @read, $browser->run(
            'return [...document.querySelectorAll(".chosen-request table")].map(table => table.textContent).join("\n")');
        like($read[-1], qr/main::shop/, 'the request has a table of its subs');
        go('#/files', '.data-table td.name');
        push @read, csv();
        go('#/file/shop.pl', '.source td');
        push @read, text_of('#stage');
        return \@read;
    };
    is_deeply($tables->($marked), $tables->($plain), 'tables of subs, callers and callees as without evals');

    shown(page_of(evals => $marked));
    go('#/', '#overview-flame .legend li');
    my $shares = sub {
        my ($selector) = @_;
        return $browser->run('return [...document.querySelectorAll(arguments[0])].map(one => [...one.childNodes].map('
            . 'part => part.textContent.trim()).filter(Boolean).slice(0, 2).join(" "))', $selector);
    };
    my $flame = $shares->('#overview-flame .legend li');
    go('#/time', '#stage .legend li');
    is_deeply($shares->('#stage .legend li'), $flame, 'shares of the time line are those of the flame graph');
    like(text_of('#stage p'), qr/^\d+ calls and string evals\./, '... which has evals among the calls');
    go('#/flame?zoom=NYTProf::span%20GET%20/,main::shop', '.as-table td.name');
    is_deeply($browser->run('return [...document.querySelectorAll(".as-table tbody tr")].map(row => [...row.cells].map('
                . 'cell => cell.textContent).join(" "))'),
        ['1.400 0.300 2 string eval at /srv/shop.pl:3', '1.000 1.000 2 main::db'], 'what the sub leads to');
    $browser->run('[...document.querySelectorAll(".as-table a")].find(a => a.textContent.startsWith("string")).click()');
    ok($browser->wait_for('/^#.file.*shop.pl:3$/.test(location.hash)'), 'an eval leads to the line that runs it')
        or diag($browser->run('return location.hash'));
    go('#/flame?zoom=NYTProf::span%20GET%20/,main::shop,string%20eval%20at%20/srv/shop.pl:3', '.flame canvas');
    $browser->run('document.querySelector(".flame canvas").focus()');
    $browser->keys('ArrowDown', 'ArrowUp');
    $browser->run('document.querySelector(".flame-more").click()');
    ok($browser->wait_for('/^string eval/.test(document.querySelector(".menu p")?.textContent)'), 'its box has a menu')
        or diag(text_of('.menu p'));
    is($browser->run('const [first] = document.querySelectorAll("[role=menuitem]"); return first.textContent + " " + first.hash'),
        'Open the line that runs it #/file//srv/shop.pl:3', '... that leads there, too');
    $browser->keys('Escape');
    go('#/flame?packages=1', '.flame canvas');
    is($browser->run('const {tree} = report.layout; return tree.self.reduce((a, b) => a + b, 0)'), $ALL_TICKS, 'folded packages: all time');
    quiet('evals');
}

done_testing();
