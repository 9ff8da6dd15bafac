# How often a request or a query ran, and how long a request lasted: all programs say the same.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector optional_module profiled);
use List::Util qw(max sum0);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;
use Written qw(rows_of written);

need_collector();

my $bin = build_dir() . '/bin';
my $dir = scratch_dir();

sub report { return ReportPage->new(written('nytprofhtml', '-o', '-', @_)) }

# By program: how often what has a label of that kind ran, by its text. Those that did not run are left out.
sub runs_by_program {
    my ($kind, @arguments) = @_;
    my %runs;
    for (split /\n/, written('nytp-tree', "--labels=$kind", '-q', '-O', -1, @arguments)) {
        my (undef, undef, undef, $count, undef, undef, $name) = split ' ', $_, 7;
        $runs{'nytp-tree'}{$name} = $count if defined $name && $count =~ /\A[0-9]+\z/;
    }
    $_->{kind} eq $kind and $runs{'nytprofcsv, labels'}{ $_->{label} } = $_->{label_runs} for rows_of('labels', @arguments);
    my $report = report(@arguments);
    my $labels = $report->{core}{labels};
    my $number = { sql => 1, span => 9 }->{$kind};
    $labels->{kind}[$_] == $number and $runs{report}{ $labels->{text}[$_] } = $labels->{runs}[$_] for keys @{ $labels->{text} };
    if ($kind eq 'span') {
        $runs{'nytprofcsv, spans'}{ $_->{span} }++ for rows_of('spans', @arguments);
        my $requests = $report->block('requests');
        $runs{'requests of the report'}{ $labels->{text}[$_] }++ for @{ $requests->{label} // [] };
    }
    for my $of (values %runs) {
        delete $of->{$_} for grep { $of->{$_} == 0 } keys %$of;
    }
    return \%runs;
}

sub have_runs {
    my ($name, $kind, $expected, @arguments) = @_;
    my $got = runs_by_program($kind, @arguments);
    is_deeply($got->{$_}, $expected, "$name: $_") for sort keys %$got;
    return;
}

# What of NAME a finding says: "ran 4 times".
sub found {
    my ($path, $name) = @_;
    my ($ran) = written('nytp-tree', '--findings', $path) =~ /^\Q$name\E (ran \w+(?: times)?)/m;
    return $ran;
}

# ---- what is within what ----

# Each job begins within the last part of the one before, and each level within that of its caller.
my $jobs = profiled('ours', ['-MNYTProf::Span', '-e', <<'END'])->{files}[0];
my $left = 10;
sub work { my $x = 0; $x += $_ for 1 .. 100; return $x }
sub job { my $job = NYTProf::Span->start('job'); work(); $job->wrap(sub { work(); job() if --$left; $job->end })->() }
sub level { my $span = span('level'); work(); level($_[0] - 1) if $_[0] > 1 }
job(); level(3);
END
have_runs('requests within requests', span => { job => 10, level => 3 }, $jobs);

SKIP: {
    skip 'needs IO::Async and Future::AsyncAwait', 1
        if !optional_module('Future::AsyncAwait', 'libfuture-asyncawait-perl') || !optional_module('IO::Async::Loop', 'libio-async-perl');
    my $async = profiled('ours', ['-MNYTProf::Span', '-MNYTProf::Span::Future', '-MIO::Async::Loop', '-e', <<'END'])->{files}[0];
use Future::AsyncAwait;
my $loop = IO::Async::Loop->new;
async sub job { my $job = NYTProf::Span->start('job'); await $loop->delay_future(after => 0.001); $job->end }
async sub worker { for my $i (1 .. 10) { await job() } }
worker()->get;
END
    have_runs('requests that await', span => { job => 10 }, $async);
}

# Methods of DBI call one another with the same statement; some of them do not execute it.
my @dbi = (
    (map { [2, 9, 9, 'DBI::connect dbi:SQLite:x'] } 1 .. 4),
    (map { ([4, 1, 1, 'DBI::st::execute SELECT a'], [4, 1, 1, 'DBI::st::fetch SELECT a'], [3, 2, 0, 'DBI::db::selectall_arrayref SELECT a']) } 1 .. 3),
    [3, 1, 1, 'DBI::db::prepare SELECT b'], [3, 1, 1, 'DBI::st::execute SELECT b'], [3, 1, 1, 'DBI::st::fetch SELECT b'],
    [2, 9, 0, 'NYTProf::span GET /'], [1, 45, 0, 'main::f'],
);
my $list    = join ',', 'sql', 'sql=DBI::connect', map { "sql=DBI::$_" } qw(st::execute st::fetch db::prepare db::selectall_arrayref);
my $queries = spew("$dir/queries.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'labels', $list],
    [PID_START => 7, 1, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'a.pl'], (map { ([TIME_LINE => $_->[2], 1, 3], [SUB_RETURN => @$_]) } @dbi),
    [PID_END => 7, 2]));
have_runs('queries and connects', sql => { 'dbi:SQLite:x' => 4, 'SELECT a' => 3, 'SELECT b' => 1 }, $queries);

# ---- forks ----

# A child has the spans of its parent as well, and so has its child.
my $forks = profiled('ours', ['-MNYTProf::Span', '-e', <<'END']);
sub work { my $x = 0; $x += $_ for 1 .. 200_000; return $x }
sub child { my ($code) = @_; defined(my $pid = fork) or die; return waitpid $pid, 0 if $pid; $code->(); exit 0 }
sub workers { my $span = span('workers'); my $request = NYTProf::Span->start('request'); for (1 .. 3) { child(sub { my $span = span('worker'); work(); child(\&work) }) } work() }
workers(); { my $span = span('rest'); work() }
END
my $merged = "$dir/forks.out";
written('nytprofmerge', '-o', $merged, @{ $forks->{files} });
my %of_forks = (workers => 1, request => 1, worker => 3, rest => 1);
have_runs('a span that is open across forks', span => \%of_forks, $merged);
have_runs('... of many files', span => \%of_forks, @{ $forks->{files} });
is(found($merged, 'workers'), 'ran once', '... which the finding says, too');

# ---- ranges ----

# Requests of 100 ticks, one after another or three at once, and spans of 100 ticks: ends of ranges divide them.
sub part {
    my ($id, $name, $ticks, @before) = @_;
    return ([TIME_LINE => $ticks, 1, 3], @before, [ATTRIBUTE => request => $id], [SUB_RETURN => 1, $ticks, $ticks, "NYTProf::span $name"]);
}
my @later    = ([ATTRIBUTE => parts => 1]);
my @requests = map { my ($id, $at) = ($_, 100 * $_); (
    part($id, 'GET /a', 30), part(100 + $id, 'GET /b', 10), [TIME_LINE => 10, 1, 1], part($id, 'GET /a', 30, @later), [ATTRIBUTE => request => "$id $at " . ($at + 80)],
    [TIME_LINE => 20, 1, 3], [SUB_RETURN => 1, 20, 20, 'NYTProf::span call'],
) } 0 .. 9;
my @ends   = map { my $id = $_; (part(100 + $id, 'GET /b', 1, @later), [ATTRIBUTE => request => 100 + $id . ' ' . (100 * $id + 30) . ' ' . (1001 + $id)]) } 0 .. 9;
my $ranged = spew("$dir/ranged.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'a.pl'],
    @requests, @ends, [PID_END => 7, 2.01]));
my %all = ('GET /a' => 10, 'GET /b' => 10, call => 10);
have_runs('requests in turns', span => \%all, $ranged);
for my $at (qw(0.315s 0.335s 0.345s 0.36s 0.39s 0.4s)) {
    my @halves = map { runs_by_program('span', "--range=$_", $ranged) } "..$at", "$at..";
    for my $program (sort keys %{ $halves[0] }) {
        my %sum;
        for my $half (@halves) { $sum{$_} += $half->{$program}{$_} for keys %{ $half->{$program} } }
        is_deeply(\%sum, \%all, "ranges to $at and from there add up: $program");
        is_deeply($halves[$_]{$program}, $halves[$_]{'nytp-tree'}, '... and are those of nytp-tree') for 0, 1;
    }
}

# ---- the slowest of several files ----

# The durations of spans, in ticks, by file; the second has a request.
my @durations = ([30, 10], [50, 20], [5], [40, 45]);
my @files     = map { my $i = $_; spew("$dir/slow$i.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7 + $i, 1, 1],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'a.pl'], (map { ([TIME_LINE => $_, 1, 3], [SUB_RETURN => 1, $_, $_, "NYTProf::span took $_"]) } @{ $durations[$i] }),
    $i == 1 ? (part(1, 'request', 7), [ATTRIBUTE => request => '1 70 130']) : (), [PID_END => 7 + $i, 2])) } 0 .. 3;
have_runs('--slowest=1 of four files', span => { request => 1 }, '--slowest=1', @files);
have_runs('--slowest=3 of four files', span => { request => 1, 'took 50' => 1, 'took 45' => 1 }, '--slowest=3', @files);
have_runs('--slowest=50% of four files', span => { request => 1, map { ("took $_" => 1) } 50, 45, 40 }, '--slowest=50%', @files);
have_runs('--slowest=1 of some spans of four files', span => { 'took 50' => 1 }, '--slowest=1', '--span=took *', @files);
have_runs('--slowest=1 of a file that is given twice', span => { request => 1 }, '--slowest=1', @files[1, 1]);
for my $program ('nytprofcalls --calls', 'nytp-speedscope', 'nytp-trace --json', 'nytprofcg -o -') {
    my @words = split ' ', $program;
    my $all   = written(@words, '--slowest=1', @files);
    ok($all =~ /request/ && $all !~ /took/, "$program has the same");
}
is(run(["$bin/nytp-tree", '--slowest=1', '-', @files])->{status}, 1, 'standard input cannot be one of them');

# ---- latencies ----

# By program: the longest of each span, in ms.
sub longest_by_program {
    my (@arguments) = @_;
    my %longest;
    for (rows_of('spans', @arguments)) {
        my $of = \$longest{'nytprofcsv, spans'}{ $_->{span} };
        $$of = max($$of // 0, 1e3 * $_->{latency_s});
    }
    for (split /\n/, written('nytp-tree', '--table', '--columns=max', '--unit=ms', '-q', '-O', -1, @arguments)) {
        my (@cells) = split ' ', $_, 8;
        $longest{'nytp-tree'}{$1} = $cells[6] if @cells == 8 && $cells[7] =~ /\ANYTProf::span (.*)/;
    }
    $_->{sub} =~ /\ANYTProf::span (.*)/ and $longest{'nytprofcsv, subs'}{$1} = 1e3 * $_->{max_s} for rows_of('subs', @arguments);
    my $core   = report(@arguments)->{core};
    my $labels = $core->{labels};
    $labels->{kind}[$_] == 9 and $longest{report}{ $labels->{text}[$_] } = 1e3 * $labels->{longest}[$_] / $core->{about}{ticks_per_s} for keys @{ $labels->{text} };
    return \%longest;
}

# What the collector itself takes is a part of the latency, as a client sees it, and not of the time in Perl.
SKIP: {
    skip 'needs Plack', 1 if !optional_module('Plack::Builder', 'libplack-perl');
    my $plack = profiled('ours', ['-e', <<'END'])->{files}[0];
use Plack::Builder;
sub f { return $_[0] + 1 }
my $app = builder { enable '+NYTProf::Span::Plack'; sub { my ($env) = @_; my $x = 0; $x = f($x) for 1 .. 50_000; return [200, [], [$x]] } };
$app->({ REQUEST_METHOD => 'GET', PATH_INFO => "/page/$_" }) for 1 .. 3;
$app->({ REQUEST_METHOD => 'GET', PATH_INFO => '/other' });
END
    have_runs('Plack', span => { 'GET /page/*' => 3, 'GET /other' => 1 }, $plack);
    my $longest  = longest_by_program($plack);
    my $expected = delete $longest->{'nytprofcsv, spans'};
    for my $program (sort keys %$longest) {
        for my $name (sort keys %$expected) {
            my $given = $longest->{$program}{$name} // 'none';
            my $shown = $given =~ /\A\d+(?:\.(\d+))?\z/ ? 10**-length($1 // '') : 0; # the last digit, of what is rounded
            ok($given ne 'none' && abs($given - $expected->{$name}) <= max(0.01, 0.51 * $shown), "$program: the longest $name is its latency") or diag("$given and $expected->{$name}");
        }
    }
    cmp_ok(sum0(map { $_->{latency_s} } rows_of('spans', $plack)), '>', sum0(map { $_->{label_inclusive_s} } rows_of('labels', $plack)),
        'which is more than the time in Perl');
}

done_testing();
