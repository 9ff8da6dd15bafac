# The collector locks nothing while signals can interrupt it: a handler that runs at once might wait for the same lock, or
# die, and leave it locked.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library need_collector preload profiled);
use NYTPTest qw(run valgrind);
use Config;
use Test::More;

need_collector();
plan skip_all => 'a run under memcheck' if valgrind();

my $LIBRARY = clock_library('lock-check');
my $PROGRAM = <<'PERL';
sub keeps { my @k = map { 'x' x $_ } 1 .. $_[0]; return \@k }
my $kept = keeps(300);
for (1 .. 20) { my $gone = keeps(100); $kept->[$_] .= 'y' x 1000 }
system 'true';
for my $n (1 .. 2) { my $pid = fork; if (!$pid) { keeps(50); exit 0 } waitpid $pid, 0 }
DB::heap_snapshot('snapshot.out') if defined &DB::heap_snapshot;
DB::disable_profile(); keeps(20); DB::enable_profile(); keeps(20);
DB::finish_profile(); DB::enable_profile('another.out'); keeps(20);
if ($ARGV[0]) { require threads; threads->create(sub { keeps(20) })->join; keeps(20) }
require POSIX; keeps(20);
{ no warnings; exec '/nonexistent/program' }
print "done\n";
PERL

for my $options ({}, { thread => 0 }, { heap => 1 }, { heap => 1, thread => 0, calls => 2, compress => 0 }) {
    my $got = profiled('ours', ['-e', $PROGRAM, $Config{useithreads} ? 1 : 0], options => $options,
        env => { LD_PRELOAD => preload($LIBRARY), NYTPROF_TEST_HEAP => '200,7' });
    my $name = join(':', map { "$_=$options->{$_}" } sort keys %$options) || 'no options';
    is $got->{out}, "done\n", "$name: the program runs";
    is $got->{err}, '', "$name: no lock is taken with signals unblocked";
}

# The malloc() of glibc takes a lock while there are several threads. A handler that interrupts it would wait.
my $threads = 'DB::enable_profile(); print scalar(() = glob "/proc/self/task/*")';
for my $signals (undef, 'unsafe') {
    my $got = profiled('ours', ['-e', $threads], env => { PERL_SIGNALS => $signals });
    is $got->{out}, defined $signals ? 1 : 2, ($signals // 'usual') . ' signals: as many threads as there may be';
}

done_testing();
