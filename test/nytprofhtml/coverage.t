# --cover: what tests have run beside the times of a profile, in the page's data and, where there is chromium, on its screen.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use CoverRun qw(covered recordings);
use NYTPTest qw(build_dir run sanitized scratch_dir spew valgrind);
use ReportBrowser qw(browse go shown);
use ReportPage;
use Test::More;
use WebDriver;

preloaded();

my $dir = scratch_dir();
mkdir "$dir/$_" or die for qw(lib t);
spew("$dir/lib/Sign.pm", <<'END');
package Sign;
sub sign { my ($n) = @_;
  if ($n < 0) {
    return -1 }
  elsif ($n && $n > 5) {
    my $s = 0; $s += $_ for 1 .. 50_000;
    return $s ? 1 : 0 }
  return $n ? 1 : 0 }
1;
END
spew("$dir/lib/Other.pm", "package Other;\n1;\n");
spew("$dir/t/a.t",  'use lib "lib"; use Sign; Sign::sign(3); Sign::sign(0);');
spew("$dir/prog.pl", "use lib 'lib'; use Sign;\nuse Other;\nSign::sign(\$_) for 1 .. 9;\n");
is(covered($dir, ['t/a.t'])->{status}, 0, 'a test has run');
is(run([$^X, '-I' . build_dir() . '/perl5', '-d:NYTProf', 'prog.pl'], dir => $dir, env => { NYTPROF => 'file=nytprof.out' })->{status}, 0,
    'a program was profiled');

my $tool = build_dir() . '/bin/nytprofhtml';
my $made = run([$tool, '--cover=nytcover.out', '-o', 'report.html', 'nytprof.out'], dir => $dir);
is("$made->{status} $made->{err}", '0 ', 'a report with both');
my $page     = ReportPage->new(NYTPTest::slurp("$dir/report.html"));
my $coverage = $page->{core}{coverage};
my $file     = $page->file_number("$dir/lib/Sign.pm") // $page->file_number('lib/Sign.pm');
my $before   = 0;
$before += $coverage->{count}[$_] for 0 .. $file - 1;
my %line = map { $coverage->{line}[$_] => "$coverage->{ran}[$_] $coverage->{branches}[$_]" } $before .. $before + $coverage->{count}[$file] - 1;
is_deeply(\%line, { 2 => '1 ', 3 => '1 2', 4 => '0 ', 5 => '1 23', 6 => '0 ', 7 => '0 0', 8 => '1 3', 9 => '1 ' }, 'lines that ran, and ways of branches');
my $other = $page->file_number("$dir/lib/Other.pm") // $page->file_number('lib/Other.pm');
is($coverage->{count}[$other], 0, 'a file that the tests have not loaded has nothing');
ok(!exists ReportPage->new(run([$tool, '-o', '-', 'nytprof.out'], dir => $dir)->{out})->{core}{coverage}, 'without --cover, no report has any');

for (['--cover=nosuch', 1, qr/nosuch: there is neither/], ['--cover=nytprof.out', 1, qr/nothing was recorded/], ['--cover=nytcover.out', '--diff', 2, qr/--cover has no effect with --diff/]) {
    my ($status, $says) = (@$_)[-2, -1];
    my @words = @$_[0 .. $#$_ - 2];
    my $got = run([$tool, @words, '-o', 'wrong.html', 'nytprof.out', grep({ /diff/ } @words) ? 'nytprof.out' : ()], dir => $dir);
    is($got->{status}, $status, "@words");
    like($got->{err}, $says, '... says why');
}

SKIP: {
    skip 'no chromium and chromedriver', 1 if !WebDriver->found;
    skip 'a browser is no matter of memcheck and sanitizers', 1 if valgrind() || sanitized();
    browse(my $browser = WebDriver->new, $dir);
    ok(shown("file://$dir/report.html"), 'the page begins');
    my $rows = 'return [...document.querySelectorAll("%s")].map(row => [...row.cells].map(cell => cell.textContent.trim()).join("|"))';
    my @untested = @{ $browser->run(sprintf $rows, '#top-untested tbody tr') };
    like($untested[0], qr/Sign\.pm:6/, 'the first line that is hot and untested');
    is(scalar(grep { /Sign\.pm:[2358]\b|prog\.pl|Other\.pm/ } @untested), 0, '... and none that has run, or is not known');
    go($browser->run('return document.querySelector("#top-untested a").getAttribute("href")'), '.source tr.here');
    my %shown = map { /^(\d+)\|([^|]*)\|([^|]*)\|/ ? ($1 => "$2|$3") : () } @{ $browser->run(sprintf $rows, '.source tbody tr') };
    is_deeply({ map { $_ => $shown{$_} } 1, 3 .. 8 }, { 1 => '|', 3 => '✓ yes|✗ only false', 4 => '✗ not run|', 5 => '✓ yes|✗ only false, ✓ both', 6 => '✗ not run|',
            7 => '✗ not run|✗ not seen', 8 => '✓ yes|✓ both' }, 'the columns of the source, in signs and words') or diag(explain(\%shown));
}

done_testing();
