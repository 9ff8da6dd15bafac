# The recipe of doc/fleets.md for a Slurm cluster, on a cluster of this machine alone: an array job records profiles, an
# array job merges parts of them, and a last job the rest. The result is that of merging all at once.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use MergedData qw(data_of differing);
use NYTPTest qw(build_dir run scratch_dir slurp spew top_dir until_true);
use Test::More;

my @packages = qw(munge slurm-client slurmctld slurmd);
plan skip_all => 'set EXHAUSTIVE=1' if !$ENV{EXHAUSTIVE};
plan skip_all => 'a cluster needs root' if $> != 0;
for my $daemon (qw(munged slurmctld slurmd sbatch)) {
    plan skip_all => "no $daemon: EXHAUSTIVE=1 uses Debian's @packages, which .ci/deps does not install"
        if !grep { -x "$_/$daemon" } split /:/, "$ENV{PATH}:/usr/sbin";
}

my ($TASKS, $MERGES) = (20, 10);
my $dir = scratch_dir();
my $bin = build_dir() . '/bin';

# ---- the cluster ----

mkdir "$dir/$_" or die "$dir/$_: $!" for qw(controller daemon prof);
spew("$dir/munge.key", join '', map { chr rand 256 } 1 .. 128);
chmod 0600, "$dir/munge.key" or die $!;
my ($controller_port, $daemon_port) = (20_000 + $$ % 10_000, 30_000 + $$ % 10_000);
spew("$dir/slurm.conf", <<"CONF");
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=$controller_port
SlurmdPort=$daemon_port
SlurmUser=root
AuthInfo=socket=$dir/munge.socket
ProctrackType=proctrack/pgid
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
StateSaveLocation=$dir/controller
SlurmdSpoolDir=$dir/daemon
SlurmctldPidFile=$dir/controller.pid
SlurmdPidFile=$dir/daemon.pid
SlurmctldLogFile=$dir/controller.log
SlurmdLogFile=$dir/daemon.log
NodeName=localhost CPUs=2 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES State=UP
CONF

local $ENV{SLURM_CONF} = "$dir/slurm.conf";
local $ENV{PATH}       = "$bin:$ENV{PATH}:/usr/sbin";
local $ENV{PERL5LIB}   = build_dir() . '/perl5';

sub pids { return map { -e $_ ? slurp($_) =~ /(\d+)/ : () } map { "$dir/$_.pid" } qw(daemon controller munge) }

END {
    my $status = $?;
    my @pids = $dir ? pids() : ();
    kill TERM => @pids;
    until_true(sub { !kill 0 => @pids });
    $? = $status;
}

my @starts = (
    ['munged', '--force', "--key-file=$dir/munge.key", "--socket=$dir/munge.socket", "--pid-file=$dir/munge.pid",
    "--log-file=$dir/munge.log", "--seed-file=$dir/munge.seed"],
    ['slurmctld'],
    ['slurmd', '-N', 'localhost'],
);
for my $start (@starts) {
    my $got = run(['sh', '-c', 'exec "$@" >start.log 2>&1', 'start', @$start], dir => $dir);
    plan skip_all => "$start->[0] does not start, which control groups may forbid: " . slurp("$dir/start.log")
        if $got->{status} != 0;
}
ok(until_true(sub { run(['sinfo', '-h', '-o', '%T'])->{out} eq "idle\n" }), 'the node is idle')
    or die slurp("$dir/controller.log");

# ---- the recipe ----

my ($recipe) = slurp(top_dir() . '/doc/fleets.md') =~ /^```console\n(\$ tasks=.*?)^```/ms or die 'no recipe';
$recipe =~ s/^(?:\$| ) //mg;
is(($recipe =~ s/--array=1-1000/--array=1-$TASKS/), 1, 'the recipe has its array job');
spew("$dir/task.pl", <<'PERL');
my ($task) = @ARGV;
require "./part" . $task % 3 . ".pl";
sub work { my $sum = 0; $sum += $_ for 1 .. $_[0]; return $sum }
work($_) for 1 .. $task;
PERL
spew("$dir/part$_.pl", "sub part$_ { return $_ }\npart$_() for 1 .. \$ARGV[0];\n1;\n") for 0 .. 2;
my $got = run(['sh', '-euc', $recipe], dir => $dir);
is("$got->{status} $got->{err}", '0 ', 'the jobs are taken');
ok(until_true(sub { run(['squeue', '-h'])->{out} eq '' }), 'all jobs have ended');

my @profiles = map { "$dir/prof/$_.out" } 1 .. $TASKS;
is(scalar(grep { -s } @profiles), $TASKS, 'each task wrote a profile');
is(join('', map { slurp($_) } glob "$dir/slurm-*.out"), '', 'and no job said a word');
my @by_digit = map { my $digit = $_; grep { /$digit\.out$/ } sort @profiles } 0 .. $MERGES - 1;
is(run(['nytprofmerge', '-o', "$dir/at-once.out", @by_digit])->{status}, 0, 'merged at once');
my $data = data_of("$dir/all.out");
is_deeply([differing($data, data_of("$dir/at-once.out"))], [], 'the result is that of merging at once');
is_deeply([map { $data->{$_}[0] } grep { /-> main::work$/ } keys %$data], [$TASKS * ($TASKS + 1) / 2],
    '... and has the calls of all tasks');

done_testing();
