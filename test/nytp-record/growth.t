# Ten minutes beside a program that does an eval each millisecond and starts 50 processes a second: the memory of
# nytp-record and nytp-top does not grow in the second half. With EXHAUSTIVE=1; GROWTH_S is another number of seconds.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(max);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use POSIX ();
use Sampled qw(may_sample recorder start);
use Test::More;

plan skip_all => 'takes ten minutes: set EXHAUSTIVE=1' if !$ENV{EXHAUSTIVE};
my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch, $seconds) = (build_dir(), scratch_dir(), $ENV{GROWTH_S} // 600);
my $program = start($^X, '-MTime::HiRes=sleep,time', spew("$scratch/program.pl", <<'PERL'));
$| = 1;
$SIG{CHLD} = 'IGNORE';
print "busy\n";
my ($evals, $next, $parent) = (0, time, $$);
sub evals { my ($until) = @_; while (time < $until) { eval 'sub { my $x = $evals++; $x + 1 }->(); sleep 0.0005' . ' ' x ($evals % 50); } }
while (1) {
    $next += 0.02;
    evals($next);
    my $pid = fork // next;
    next if $pid;
    evals(time + 0.15);
    POSIX::_exit(0);
}
use POSIX ();
PERL

sub in_background {
    my ($name, @command) = @_;
    my $pid = fork // die;
    return { name => $name, pid => $pid, kb => [] } if $pid;
    open STDOUT, '>', "$scratch/$name.out" or die;
    open STDERR, '>', "$scratch/$name.err" or die;
    exec @command or POSIX::_exit(127);
}

my @watched = (
    in_background('nytp-record', recorder(), '--children', '-o', "$scratch/nytprof.out", '-p', $program->{pid}),
    in_background('nytp-top', "$build/bin/nytp-top", '--children', '--by=lines', '--batch=1000000', '--rows=5', '-p',
        $program->{pid}),
);
my $end = time + $seconds;
while (time < $end) {
    sleep 1;
    for my $one (@watched) {
        push @{ $one->{kb} }, slurp("/proc/$one->{pid}/status") =~ /^VmRSS:\s+(\d+)/m;
    }
}
my @profiles = glob "$scratch/nytprof.out.*";
cmp_ok(scalar @profiles, '>', $seconds, scalar(@profiles) . ' processes were sampled');
for my $one (@watched) {
    kill INT => $one->{pid};
    waitpid $one->{pid}, 0;
    is($?, 0, "$one->{name} is done") or diag(slurp("$scratch/$one->{name}.err"));
    my @kb     = @{ $one->{kb} };
    my $middle = int(@kb / 2);
    my ($first, $second) = (max(@kb[0 .. $middle - 1]), max(@kb[$middle .. $#kb]));
    note(sprintf '%s: kB after each tenth of the time: %s', $one->{name}, join ' ',
        map { $kb[$_ * $#kb / 10] } 1 .. 10);
    cmp_ok($second, '<=', $first + 1024, "$one->{name}: at most $second kB in the second half, $first kB in the first");
}
$program->{end}->();
my $evals = () = run(["$build/test/dump-chunks", "$scratch/nytprof.out"])->{out} =~ /^NEW_FID\t.*\(eval%20/mg;
ok($evals > 100 && $evals < 1000, "$evals evals in the profile");

local $ENV{EXHAUSTIVE} = 1;
is(run(["$build/test/unit/nytp-record/growth"])->{status}, 0, 'ten million evals, without a program');

done_testing();
