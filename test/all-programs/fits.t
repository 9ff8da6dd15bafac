# What programs show people fits a terminal of 40 and of 80 columns, in UTF-8 and in ASCII: no line is wider. nytp-dprofpp has dprofpp's lines,
# what programs read (JSON, CSV, Markdown) is not broken, and messages keep paths and commands whole.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use CoverRun qw(covered);
use MadeCalls qw(made_calls);
use MadeMemory qw(made_memory);
use NYTPTest qw(run scratch_dir spew top_dir);
use ProfileBytes qw(profile_bytes);
use Screens qw(screen);
use Test::More;

my $dir = scratch_dir();

# Several processes with requests, queries and waiting, and names that are too long wherever they stand.
my $long  = join '::', map { "A_package_with_a_long_name_$_" } 1 .. 4;
my $query = 'DBI::st::execute SELECT ' . join(', ', map { "column_$_" } 1 .. 20) . " FROM t\x{e9}";
my $file  = '/home/somebody/a/directory/that_has_a_long_name/' . ('x' x 60) . '.pm';
utf8::encode($query);

sub process {
    my ($pid) = @_;
    return profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000], [ATTRIBUTE => application => '/srv/a/program/with/a/long/path.pl'],
        [ATTRIBUTE => waits => 1], [ATTRIBUTE => labels => 'sql,sql=DBI::st::execute'], [PID_START => $pid, 1, 100], [NEW_FID => 1, 0, 0, 0x12, 0, 0, $file],
        [SUB_INFO => 1, "${long}::search", 5, 8],
        (map { ([TIME_LINE => 20 + $pid, 1, 6], [SUB_RETURN => 3, 20 + $pid, 20 + $pid, $query]) } 1 .. 20), [TIME_LINE => 100, 1, 7],
        [SUB_RETURN => 2, 500 + 20 * $pid, 100, "${long}::search"], [ATTRIBUTE => waited => '2 8000 500'], [SUB_RETURN => 2, 8510, 8510, 'main::idle'],
        [TIME_LINE => 8510, 1, 21], [TIME_LINE => 50, 1, 12], [SUB_RETURN => 1, 9060 + 20 * $pid, 50, 'NYTProf::span GET /a/request/' . 'with/parts/' x 9],
        [SUB_CALLERS => 1, 6, "${long}::search", 20, 0.04 + 0.002 * $pid, 0.04 + 0.002 * $pid, 0, 0, $query],
        [ATTRIBUTE => cumulative_overhead_ticks => 300], [PID_END => $pid, 101.16]);
}
spew("$dir/server$_.out", process($_)) for 1 .. 8;
made_calls("$dir/calls.out", ["${long}::run", 1, 0.001, [$long . '::' . 'a' x 90, 10, 0.002, ['DBI::st::execute', 2, 0.003]]]);
made_memory("$dir/memory.out");
spew("$dir/empty.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [PID_END => 7, 9]));
my ($real) = @{ profiled('ours', [top_dir() . '/test/scripts/calls.pl'])->{files} };
spew("$dir/branches.pl", 'my $x = shift; if ($x) { print "the text of a line that is a long one, which an editor shows in its window\n" } sub unused { 1 }');
covered($dir, ['branches.pl']);

my @profiles = ('server1.out', join(' ', map { "server$_.out" } 1 .. 8), 'calls.out', 'memory.out', 'empty.out', $real);
my @commands = (
    (map { my $by = $_; map { "nytp-table --by=$by $_" } @profiles } qw(summary subs lines requests queries processes findings)),
    (map { my $form = $_; map { "nytp-tree $form $_" } @profiles } '', '--wait --rows=0', '--from=main::idle', '--to=main::idle'),
    (map { my $by = $_; map { "nytp-diff --by=$by $_" } 'server1.out calls.out', 'server1.out server2.out', 'server[1-4].out -- server[5-8].out', 'memory.out memory.out' }
        qw(subs lines requests), 'subs --explain'),
    (map { "nytp-top --batch=1 --by=$_ server1.out" } qw(subs lines packages)),
    map { "nytp-cover $_ nytcover.out" } '', '--missing', '--only-by=branches.pl',
);

for my $command (@commands) {
    for my $env ([LC_ALL => 'C.UTF-8'], [LC_ALL => 'C']) {
        my @wide = map { my $columns = $_;
            utf8::decode(my $text = screen($columns, $dir, "$command 2>/dev/null", NO_COLOR => 1, @$env));
            map { "$columns: $_" } grep { length > $columns } split /\n/, $text } 40, 80;
        is_deeply(\@wide, [], "$command: @$env");
    }
}

like(screen(40, $dir, 'nytp-table --format=json --by=queries server1.out'), qr/column_1, column_2, column_3, column_4, column_5/, 'JSON is not broken');
like(screen(40, $dir, 'nytp-table --by=findings calls.out'), qr/\n  /, 'what is broken goes on indented');

done_testing();
