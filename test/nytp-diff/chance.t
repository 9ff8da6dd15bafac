# nytp-diff must not call chance a change: two sets of runs of one program, with the spread that runs have.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use MadeRuns qw(made_run);
use NYTPTest qw(build_dir fewer run scratch_dir);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-diff';
my $scratch = scratch_dir();
my $rounds  = $ENV{EXHAUSTIVE} ? 1000 : 100;
my $runs    = 5;
my @subs    = map { "main::f$_" } 1 .. 20;

# Runs of programs on shared machines: a factor for the whole run, one for each sub, and now and then a run that was
# disturbed. Each is always the same one, whatever perl's rand does.
my $seed = 1;
sub uniform { $seed = ($seed * 16807) % 2147483647; return $seed / 2147483647 }

sub normal { my $sum = -6; $sum += uniform() for 1 .. 12; return $sum }

sub one_run {
    my ($path) = @_;
    my $of_run = exp(0.05 * normal()) * (uniform() < 0.1 ? 1.5 : 1);
    my $i      = 0;
    return made_run($path, outside => 0.1 * $of_run,
        calls => { map { ($_ => [++$i, 0.01 * $i * $of_run * exp(0.03 * normal())]) } @subs });
}

my ($whole_alarms, $row_alarms, $rows) = (0, 0, 0);
for my $round (fewer(20, 1 .. $rounds)) {
    my @old = map { one_run("$scratch/old$_") } 1 .. $runs;
    my @new = map { one_run("$scratch/new$_") } 1 .. $runs;
    my $got = run([$ours, '--json', @old, '--', @new]);
    die "exit status $got->{status}: $got->{err}\n" if $got->{status} != 0;
    my $json = decode_json($got->{out});
    $whole_alarms += $json->{whole}{value}{verdict} eq 'significant';
    $row_alarms   += grep { $_->{value}{verdict} eq 'significant' } @{ $json->{rows} };
    $rows         += grep { $_->{value}{verdict} =~ /^(?:significant|chance)$/ } @{ $json->{rows} };
}

cmp_ok($whole_alarms, '<=', $rounds / 20, "$rounds pairs of the same program: at most one false alarm in twenty");
cmp_ok($rows, '>', $rounds * 10 / (NYTPTest::valgrind() ? 20 : 1), 'rows were tested');
note(sprintf 'false alarms: %d of %d programs, %d of %d rows (%.1f %%)', $whole_alarms, $rounds, $row_alarms, $rows,
    100 * $row_alarms / $rows);

done_testing();
