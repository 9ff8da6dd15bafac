# What a reader wants to know of a server, of memory and of a comparison, in how many clicks from opening the report, and that the numbers have one base:
# the work. Skipped where there is no chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use MadeMemory qw(made_records);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir run scratch_dir spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse csv page_of quiet shown text_of);
use Test::More;
use WebDriver;

plan skip_all => 'no chromium and chromedriver' if !WebDriver->found;
plan skip_all => 'a browser is no matter of memcheck' if valgrind();

my $dir = scratch_dir();
browse(my $browser = WebDriver->new, $dir);

# Of 1,750 ms, 500 are asleep. Ten requests of GET /cat take 110 ms each, of which 80 are 20 runs of one query.
my $query = 'DBI::st::execute SELECT a';
my @cat   = ((map { ([TIME_LINE => 5, 1, 6], [SUB_RETURN => 3, 4, 4, $query], [SUB_RETURN => 2, 5, 1, 'main::price_of']) } 1 .. 20),
    [TIME_LINE => 10, 1, 8], [SUB_RETURN => 1, 110, 10, 'NYTProf::span GET /cat']);
my @login = ([TIME_LINE => 20, 1, 9], [SUB_RETURN => 1, 20, 20, 'NYTProf::span GET /login']);
my $profile = spew("$dir/server.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'application', 'shop.pl'],
    [ATTRIBUTE => 'labels', 'sql=DBI::st::execute'], [PID_START => 7, 1, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
    [TIME_LINE => 30, 1, 1], [SUB_RETURN => 1, 30, 30, 'main::BEGIN@1'], (map { @cat } 1 .. 10), (map { @login } 1 .. 5),
    [TIME_LINE => 500, 1, 3], [SUB_RETURN => 1, 500, 500, 'main::CORE:sleep'], [TIME_LINE => 20, 1, 2],
    [SUB_INFO => 1, 'main::price_of', 5, 6], [SUB_INFO => 1, 'main::BEGIN@1', 1, 1],
    (map { [SUB_CALLERS => 1, $_->[0], $_->[1], $_->[2], $_->[3], $_->[4], 0, 0, $_->[5]] } [1, 'main::NULL', 1, 0.03, 0.03, 'main::BEGIN@1'],
        [6, 'main::price_of', 200, 0.8, 0.8, $query], [8, 'NYTProf::span GET /cat', 200, 1, 0.2, 'main::price_of'],
        [2, 'main::RUNTIME', 10, 1.1, 0.1, 'NYTProf::span GET /cat'], [2, 'main::RUNTIME', 5, 0.1, 0.1, 'NYTProf::span GET /login'],
        [3, 'main::RUNTIME', 1, 0.5, 0.5, 'main::CORE:sleep']), [PID_END => 7, 2.75]));

my $shares = 'return [...document.querySelectorAll(arguments[0])].map(one => parseFloat(one.textContent))';

subtest 'without a click' => sub {
    ok(shown(page_of(server => $profile)), 'the report');
    is(text_of('#overview h1') =~ s/\x{A0}/ /gr, 'main::price_of runs "SELECT a" 200 times, 20 for each GET /cat: 800 ms, 64 % of the work', 'why it is slow');
    is(text_of('#findings .share') =~ s/\x{A0}/ /gr, '64 %', '... which is what stands out first');
    unlike(text_of('#findings'), qr/GET \/cat ran|shop\.pl:6 is a hot line/, '... and neither its route nor its line once more');
    is(text_of('#top-lines td.name .inner'), 'shop.pl:6', 'the hottest line');
    is(text_of('#lede') =~ s/\x{A0}/ /gr, 'shop.pl: 1.75 s = 1.25 s work + 500 ms asleep (by names).', 'how long it lasted');
    is_deeply($browser->run($shares, '#fork .share-bar strong'), [88, 8, 4], 'where the work forks: routes, and the rest');
    is(text_of('#fork figcaption') =~ s/\x{A0}/ /gr, 'Where the 1.25 s of work fork; 100 % in all that follows', '... of the work');
    cmp_ok(abs(sum0(@{ $browser->run($shares, '#overview-flame .legend li .quiet') }) - 100), '<', 0.1, 'the legend of the flame graph adds up to that');
    is($browser->run('return report.profile.totals.ticks'), 1250, 'what waits is left out');
    quiet('the overview');
};

subtest 'one click' => sub {
    $browser->click('#top-subs td.name a');
    ok($browser->wait_for('document.querySelector("h1.sub-name")'), 'the hottest sub');
    like(text_of('[aria-label="Called from"]') // '', qr/main::price_of \x{2191} span GET \/cat/, '... says who calls it, and who calls that');
    shown(page_of(server => $profile));
    $browser->click('#findings a[href*="label/sql"]');
    ok($browser->wait_for('document.querySelector(".histogram .bars")'), 'a query');
    like($browser->run('return document.querySelector(".histogram .bars").getAttribute("aria-label")'), qr/^200 calls by duration/, '... says how long its runs took');
    shown(page_of(server => $profile));
    $browser->click('#views a[data-view=queries]');
    ok($browser->wait_for('document.querySelector(".histogram .bars")'), 'the queries open the first of them');
    is(text_of('#stage h1') =~ s/\x{A0}/ /gr, 'One query takes 64.0 % of the work: 200 runs, 20 in each GET /cat', '... say what it takes');
    is(join(' ', map { @$_{ 'Of the work', 'Runs', 'p50 (s)', 'p95 (s)', 'Longest (s)', 'Called for' } } csv()), "64.000% 200 0.004 0.004 0.004 GET /cat 10 \x{D7} 20", '... how long its runs are, and for whom');
    is(text_of('#stage .sub-parts p'), '20 runs in each GET /cat. One query with IN (...), or a join, would do.', '... and what to do');
    is_deeply($browser->run('return [...document.querySelectorAll("[aria-label=\'Called from\'] tbody a")].map(one => one.textContent)'),
        ['/srv/shop.pl:6', 'main::price_of', '/srv/shop.pl:8', 'NYTProf::span GET /cat'], '... where it is called, and from where that is');
    shown(page_of(server => $profile));
    $browser->click('#views a[data-view=labels]');
    ok($browser->wait_for('document.querySelector(".chosen-request .fact")'), 'the requests');
    like(text_of('.chosen-request h2'), qr/GET \/cat/, '... begin with the slowest');
    ok($browser->wait_for('document.querySelector("[aria-label^=\'Its queries\'] tbody tr")'), '... say what it ran');
    my $cells = 'return [...document.querySelectorAll(arguments[0])].map(row => [...row.cells].map(cell => cell.textContent.replaceAll("\u00a0", " ")).join("|"))';
    is_deeply($browser->run($cells, '[aria-label^="Its queries"] tr'), ['Time, ms|Runs|Each|p50 of all|Kind|Label', '80.00|20|4.00 ms|4.00 ms|query|SELECT a'], '... how often, and how long each took');
    like($browser->run($cells, '[aria-label=Longest] tr')->[1], qr/^110\.0\|.*\|20\|\S*GET \/cat/, '... and how many queries each has');
    local $ENV{PATH} = build_dir() . "/bin:$ENV{PATH}";
    like(text_of('.chosen-request code'), qr/^nytp tree --span='GET \/cat' --range=\S+ --wait /, '... with the command');
    like(run(['sh', '-c', text_of('.chosen-request code')], dir => $dir)->{out}, qr/80\.0.*20.*SELECT a/, '... that prints its calls');
    shown(page_of(server => $profile));
    $browser->click('#views a[data-view=modules]');
    ok($browser->wait_for('document.querySelector(".loads tbody tr")'), 'start-up');
    shown(page_of(server => $profile));
    $browser->click('#waits [aria-pressed=false]');
    ok($browser->wait_for('report.profile.totals.ticks === 1750'), 'all time');
    is($browser->run($shares, '#fork .share-bar strong')->[0], 62.9, '... which is the base of shares then');
    quiet('one click');
};

subtest 'memory, in one click' => sub {
    my $heap = spew("$dir/heap.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => 'shop.pl'], [ATTRIBUTE => ticks_per_sec => 1000], [ATTRIBUTE => heap => 1],
        [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/lib/Big.pm'], made_records(), [PID_END => 7, 2.5]));
    shown(page_of(heap => $heap));
    $browser->click('#views a[data-view=memory]');
    ok($browser->wait_for('document.querySelector("[aria-label=Lines] tbody tr")'), 'the view');
    is_deeply($browser->run('return [...document.querySelector("[aria-label=Lines] tbody tr").cells].filter((cell, i, all) => !i || i === all.length - 1).map(cell => cell.textContent)'),
        ['8.00', 'lib/Big.pm:1'], 'the line with the most memory');
    like(text_of('#stage p') =~ s/\x{A0}/ /gr, qr/^Peak 20\.0 MiB after [\d.]+ m?s; /, 'when the peak was');
    quiet('memory');
};

subtest 'since yesterday, without a click' => sub {
    made_run("$dir/yesterday", stacks => 1, calls => { 'main::f' => [3, 0.25], 'A::same' => [9, 0.125] });
    made_run("$dir/today",     stacks => 1, calls => { 'main::f' => [3, 0.75], 'A::same' => [9, 0.125] });
    is(run([build_dir() . '/bin/nytprofhtml', '-o', "$dir/since.html", '--diff', "$dir/yesterday", "$dir/today"])->{status}, 0, 'written');
    shown("file://$dir/since.html");
    like(text_of('#overview h1') =~ s/\x{A0}/ /gr, qr/^105 % slower, which may be chance: main::f itself takes 3 times as long in each call/, 'how much slower it is, and by what');
    is_deeply($browser->run('return [...document.querySelector("[aria-label^=Subs] tbody tr").cells].map(cell => cell.textContent.replace(/\u00a0/g, " "))'), ['250.0', '750.0', '+200 %', '3', 'main::f'], '... and the sub');
    quiet('a comparison');
};

$browser->quit;
done_testing();
