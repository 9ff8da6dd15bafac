# The collector locks nothing while signals can interrupt it: a handler that runs at once might wait for the same lock, or
# die, and leave it locked.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library exhaustive need_collector preload profiled);
use HardCase qw(readable);
use NYTPTest qw(run sanitized valgrind);
use Config;
use Test::More;

need_collector();
plan skip_all => 'a run under memcheck' if valgrind();

my $LIBRARY = clock_library('lock-check');
my $PROGRAM = <<'PERL';
sub keeps { my @k = map { 'x' x $_ } 1 .. $_[0]; return \@k }
my $kept = keeps(300);
for (1 .. 20) { my $gone = keeps(100); $kept->[$_] .= 'y' x 1000 }
system $^X, '-e', 1; # a program of the same libc
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
    is $got->{err} =~ s/^Devel::NYTProf: heap: not available.*\n//r, '', "$name: no lock is taken with signals unblocked";
}

# Handlers that perl runs at once. If one interrupted malloc(), it would wait for its lock for ever, because the process has
# had a second thread. The library sends signals from within malloc(), of which each is handled once malloc() has returned.
my $SENDER  = clock_library('signal-in-malloc');
my $HANDLES = <<'PERL';
use POSIX ();
my ($n, $told, $blocked, @kept) = (0, 0, 0);
my $is_blocked = sub {
    my $mask = POSIX::SigSet->new;
    POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, $mask);
    return !grep { !$mask->ismember($_) } @_;
};
sub handles {
    push @kept, 'x' x 3000;
    $n++;
    $told++    if ref $_[1] && $_[1]{pid} == $$;
    $blocked++ if $is_blocked->(POSIX::SIGUSR1(), $ARGV[0] ? POSIX::SIGHUP() : ());
}
sub handle_by {
    my ($code) = @_;
    return POSIX::sigaction(POSIX::SIGUSR1(), POSIX::SigAction->new($code, POSIX::SigSet->new(POSIX::SIGHUP()),
        POSIX::SA_SIGINFO())) if $ARGV[0];
    $SIG{USR1} = $code;
}
sub works { return map { 'y' x $_ } 1 .. 20 }
handle_by(\&handles);
for (1 .. 100) { my @done = works(); eval "sub f$_ { $_ }" }
handle_by('IGNORE');
print $n > 50 ? 'many' : $n, $told == $n ? ' told' : '', $blocked == $n ? ' blocked' : '', "\n";
for (1 .. 3) {
    my $dies = 1;
    eval { handle_by(sub { die "out\n" if $dies-- > 0 }); my @done = works() while 1 };
    handle_by('IGNORE');
    print $@, $is_blocked->(POSIX::SIGUSR1()) ? "blocked\n" : '';
}
PERL

sub handles_signals {
    my ($options) = @_;
    for my $with_sigaction (1, 0) {
        my $got = profiled('ours', ['-e', $HANDLES, $with_sigaction], options => $options,
            env => { LD_PRELOAD => preload($SENDER), PERL_SIGNALS => $with_sigaction ? undef : 'unsafe' });
        my $name = join(':', ($with_sigaction ? 'sigaction' : 'unsafe'), map { "$_=$options->{$_}" } sort keys %$options);
        is $got->{out}, ($with_sigaction ? "many told blocked\n" : "many blocked\n") . "out\n" x 3, "$name: signals are handled";
        is $got->{err}, '', "$name: no handler interrupts malloc()";
        readable($got->{files}[0], $name);
    }
    return;
}

SKIP: {
    skip 'the sanitizer has a malloc() of its own', 1 if sanitized();
    skip 'a libc without __libc_malloc()', 1          if !$Config{gnulibc_version};
    handles_signals($_) for {}, { thread => 0, calls => 2 }, { heap => 1, blocks => 1 };
}

# A handler that exits while perl allocates, wherever the signal comes.
my $EXITS = <<'PERL';
use POSIX ();
use Time::HiRes ();
my $exits = sub { exit 3 };
$ARGV[0] ? POSIX::sigaction(POSIX::SIGALRM(), POSIX::SigAction->new($exits)) : ($SIG{ALRM} = $exits);
Time::HiRes::ualarm(50_000 + rand 20_000);
my @kept; while (1) { @kept = map { 'y' x (50 + $_) } 1 .. 2000 }
PERL

for my $run (1 .. (exhaustive() ? 40 : 0)) {
    for my $with_sigaction (1, 0) {
        my $got = profiled('ours', ['-e', $EXITS, $with_sigaction], env => { PERL_SIGNALS => $with_sigaction ? undef : 'unsafe' });
        ok !$got->{timeout}, "run $run: a handler that exits, " . ($with_sigaction ? 'of sigaction()' : 'unsafe');
    }
}

done_testing();
