# The pages of a run with NYTPROF=heap=1: its time and its memory. Which of them are there, and the links between them,
# also in Chromium.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MadeMemory qw(made_memory made_records);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportBrowser qw(browse go quiet text_of);
use Test::More;
use WebDriver;

my $dir = scratch_dir();

# A profile of time, as the collector writes it with heap=1.
sub made_time {
    my ($path, %option) = @_;
    my $pid = $option{pid} // 7;
    spew($path, profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => '/srv/shop.pl'],
        [ATTRIBUTE => ticks_per_sec => 1000], $option{alone} ? () : [ATTRIBUTE => heap => 1], $option{holders} ? [ATTRIBUTE => heap_holders => 1] : (),
        [PID_START => $pid, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/lib/Big.pm'], $option{alone} ? () : made_records($option{walk}),
        [SUB_ENTRY => 1, 4], [TIME_LINE => 400, 1, 2], [SUB_RETURN => 1, 400, 400, 'Shop::keep'],
        [SUB_INFO => 1, 'Shop::keep', 2, 2], [SUB_CALLERS => 1, 4, 'main::RUNTIME', 1, 0.4, 0.4, 0, 0, 'Shop::keep'],
        [PID_END => $pid, 2.5]));
    return $path;
}

# A run in a directory of its own.
my $runs = 0;
sub made_run {
    my $run = "$dir/run" . ++$runs;
    mkdir $run or die "$run: $!\n";
    made_time("$run/nytprof.out");
    return $run;
}

sub html { return run([build_dir() . '/bin/nytprofhtml', @_]) }
sub pages { my ($report) = @_; return join ' ', sort map { s{.*/}{}r } glob "$report/*" }
sub links { my ($page) = @_; return join ' ', slurp($page) =~ m{<nav id="pages".*?</nav>}s ? $& =~ /href="([^"]+)"/g : () }
sub lede { my ($page) = @_; return slurp($page) =~ m{<p id="lede" class="lede">(.*?)</p>}s ? $1 =~ s/<[^>]*>//gr : undef }

my $all = 'alloc.html index.html live.html peak.html';
my $run = made_run();
{
    my $got = html('-o', "$run/report", "$run/nytprof.out");
    is_deeply([@$got{qw(status out err)}], [0, '', ''], 'a run with memory: a report');
    is(pages("$run/report"), $all, '... of four pages');
    is(links("$run/report/$_"), 'index.html peak.html live.html alloc.html', "$_ has links to all") for split ' ', $all;
    like(slurp("$run/report/live.html"), qr{<a href="live.html" aria-current="page">Live</a>}, '... and says which it is');
    is(lede("$run/report/index.html"), 'shop.pl: 400 ms work.', 'the page of time');
    is(lede("$run/report/live.html"), '10.0 MiB of live memory, 1,797 blocks; peak of the process: 20.0 MiB.', '... of what was live');
    like(lede("$run/report/peak.html"), qr/^20\.0 MiB of memory at the peak,/, '... of the peak');
    like(lede("$run/report/alloc.html"), qr/^30\.0 MiB of allocated memory,/, '... of all');
    like(slurp("$run/report/peak.html"), qr{<title>shop\.pl, memory at the peak - Perl profile</title>}, 'titles tell them apart');
    is_deeply([html('-o', "$run/twice", "$run/nytprof.out")->{status},
        map { slurp("$run/twice/$_") eq slurp("$run/report/$_") ? () : $_ } split ' ', $all], [0], 'the same bytes again');
}

# ---- who holds it ----------------------------------------------------------------------------------

{
    my $held = made_run();
    made_time("$held/nytprof.out", holders => 1, walk => 1);
    my $got = html('-o', "$held/report", "$held/nytprof.out");
    is_deeply([@$got{qw(status out err)}], [0, '', ''], 'heap_holders=1');
    is(pages("$held/report"), 'alloc.html held.html index.html live.html peak.html', '... has one more page');
    is(links("$held/report/$_"), 'index.html peak.html live.html alloc.html held.html', "... to which $_ has a link") for 'index.html', 'held.html';
    is(lede("$held/report/held.html"), '10.0 MiB of held memory, 1,797 blocks; peak of the process: 20.0 MiB.', '... of what was live');
    like(slurp("$held/report/held.html") =~ s/<[^>]*>/ /gr, qr/3\.00 MiB\s+3\.00 MiB\s+40\s+my \@kept\s/, '... by variables');
    made_time("$held/nytprof.out", holders => 1);
    $got = html('-o', "$held/report", "$held/nytprof.out");
    is_deeply([@$got{qw(status out err)}, pages("$held/report")], [0, '', '', $all], 'a process that was killed has the other pages');
}

# ---- one file, or another selection ----------------------------------------------------------------

for my $where ("$run/one.html", '-') {
    my $got = html('-o', $where, "$run/nytprof.out");
    is($got->{status}, 0, "-o $where: done");
    like($got->{err}, qr/^nytprofhtml: the memory in \S+ becomes pages if -o names a directory$/, '... says what is left out');
    unlike($where eq '-' ? $got->{out} : slurp($where), qr/id="pages"/, '... and has no links');
}
made_memory("$run/live.old.out");
for my $memory (["$run/live.old.out"], ['--memory=live', "$run/nytprof.out"]) {
    is(html('-o', "$run/memory", @$memory)->{status}, 0, "@$memory: memory alone");
    is(pages("$run/memory"), 'index.html', '... is one page');
    like(lede("$run/memory/index.html"), qr/^10\.0 MiB of live memory, 1,797 blocks;/, '... with the same bytes');
}
for my $option ('--no-wait', '--range=0s..1s', '--span=Shop::keep') {
    my $got = html($option, '-o', "$run/part", "$run/nytprof.out");
    is_deeply([@$got{qw(status err)}, pages("$run/part")], [0, '', 'index.html'], "$option: memory is not divided so");
}

{
    my $alone = made_time("$run/alone.out", alone => 1);
    is_deeply([html('-o', "$run/alone", $alone)->{err}, pages("$run/alone")], ['', 'index.html'], 'a profile without samples of memory');
}

# ---- several processes -----------------------------------------------------------------------------

{
    my $forks = made_run();
    made_time("$forks/nytprof.out.8", pid => 8);
    my @files = ("$forks/nytprof.out", "$forks/nytprof.out.8");
    is(html('-o', "$forks/report", @files)->{status}, 0, 'two processes');
    is(pages("$forks/report"), $all, '... have pages');
    is(lede("$forks/report/live.html"), '20.0 MiB of live memory in 2 processes, 3,594 blocks; sum of their peaks: 40.0 MiB.',
        '... with what both have');
    like(slurp("$forks/report/live.html") =~ s/<[^>]*>/ /gr, qr/Processes\s+Program\s+Pid\s+Parent\s+Size\s+End\s+shop\.pl\s+7\s+1\s+10\.0 MiB\s+ended/,
        '... by process');
    is(html('--process=8', '-o', "$forks/eight", @files)->{status}, 0, 'one of them');
    is(pages("$forks/eight"), $all, '... has its own');
    is(lede("$forks/eight/live.html"), '10.0 MiB of live memory, 1,797 blocks; peak of the process: 20.0 MiB.', '... numbers');
    is(run([build_dir() . '/bin/nytprofmerge', '-o', "$forks/merged.out", @files])->{status}, 0, 'merged');
    html('--process=8', '-o', "$forks/merged", "$forks/merged.out");
    is(lede("$forks/merged/live.html"), '10.0 MiB of live memory, 1,797 blocks; peak of the process: 20.0 MiB.', '... it is in the merged profile');
}

# ---- what an older report left ---------------------------------------------------------------------

{
    my $later = made_run();
    html('-o', "$later/report", "$later/nytprof.out");
    made_time("$later/nytprof.out", alone => 1);
    is(html('-o', "$later/report", "$later/nytprof.out")->{err}, '', 'a later run without memory');
    is(pages("$later/report"), 'index.html', '... has no pages of the older one');
    is(html('-o', "$later/report/live.html", "$run/live.old.out")->{status}, 0, 'a page that a user put there');
    html('-o', "$later/report", "$later/nytprof.out");
    is(pages("$later/report"), 'index.html live.html', '... stays');
    is(html('-d', '-o', "$later/report", "$later/nytprof.out")->{status}, 0, '-d');
    is(pages("$later/report"), 'index.html', '... removes it');
    is(html('-d', '-o', "$later/report", "$run/nytprof.out")->{status}, 0, '-d, with memory');
    is(pages("$later/report"), $all, '... keeps the new pages');
    spew("$later/report/peak.html", 'mine');
    my $got = html('-d', '-o', "$later/report", "$later/nytprof.out");
    is_deeply([$got->{status}, $got->{err} =~ /this is not from a report/ ? 1 : 0, slurp("$later/report/peak.html")], [1, 1, 'mine'],
        '-d and a file that is not from a report');
}

# ---- the links -------------------------------------------------------------------------------------

SKIP: {
    skip 'no chromium and chromedriver', 1       if !WebDriver->found;
    skip 'a browser is no matter of memcheck', 1 if valgrind();
    browse(my $browser = WebDriver->new, $dir);
    my $ready = 'document.documentElement.dataset.ready';
    $browser->open("file://$run/report/index.html");
    ok($browser->wait_for($ready), 'the page of time begins');
    $browser->click('#pages a:nth-child(3)');
    ok($browser->wait_for("location.pathname.endsWith('live.html') && $ready"), 'a click leads to what was live');
    like(text_of('#lede'), qr/live memory/, '... which is shown');
    unlike(text_of('#bar'), qr/false/, '... under a bar without a switch for what waits');
    go('#/subs?sort=-incl', '.data-table tbody tr');
    $browser->click('#pages a:nth-child(2)');
    ok($browser->wait_for("location.pathname.endsWith('peak.html') && $ready && location.hash === '#/subs'"),
        'from a view to the same view of another page');
    go('#/kinds', '.data-table tbody tr');
    $browser->click('#pages a:nth-child(1)');
    ok($browser->wait_for("location.pathname.endsWith('index.html') && $ready"), 'to the page of time');
    is($browser->run('return document.body.dataset.view'), 'overview', '... which has no kinds: its overview');
    go('#/kinds', '#stage h1');
    like(text_of('#stage'), qr/Only a profile of memory has kinds/, '... as an address says');
    $browser->open("file://$run/report/live.html#/time");
    ok($browser->wait_for('document.querySelector("#stage .empty")'), 'an address of a time line, of memory');
    like(text_of('#stage'), qr/A profile of memory has no time line/, '... says so');
    quiet('links');
    $browser->quit;
}

done_testing();
