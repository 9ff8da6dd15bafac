# nytp-record and the commands that it starts: their exit status, what they leave when they end, signals for both; and
# what it says of processes that it cannot read.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use NYTPTest qw(build_dir compiler run sanitized scratch_dir slurp spew top_dir until_true valgrind);
use POSIX ();
use Sampled qw(dump_of folded_of may_sample recorder recording sampled_perl start);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my ($ours, $out)      = (recorder(), "$scratch/nytprof.out");
my $top_program       = "$build/bin/nytp-top";
my $waits             = '$| = 1; print "ready\n"; sub outer { inner() } sub inner { sysread STDIN, my $x, 1 } outer()';

sub recorded { my (@arguments) = @_; return run([$ours, '-o', $out, @arguments], dir => $scratch) }

# ---- exit status ----

for (['exit 3', 3, 'that exits'], ['kill KILL => $$', 137, 'that a signal ends']) {
    my ($script, $status, $what) = @$_;
    is(recorded(sampled_perl(), '-e', $script)->{status}, $status, "a command $what at once: its exit status");
    is(recorded(sampled_perl(), '-e', "select undef, undef, undef, 0.3; $script")->{status}, $status,
        "... and that of a command $what later");
}

# ---- a command that becomes a perl later ----

{
    unlink $out;
    my $got = recorded('--duration=0.1', 'sh', '-c', 'sleep 0.3; exec "$@"', 'sh', sampled_perl(), '-e', 'sub waits { select undef, undef, undef, 1 } waits()');
    is($got->{status}, 0, '--duration of a command that becomes a perl after that time') or diag($got->{err});
    like(folded_of($out), qr/^main::waits;main::CORE:sselect [1-9]/m, '... is of the perl');
}

# ---- what cannot be executed ----

{
    my $script = spew("$scratch/script.pl", "sleep 1\n");
    my $got    = recorded($script);
    is($got->{status}, 126, 'a script that is not executable');
    like($got->{err}, qr/denied\n  \Q$script\E is a Perl script: nytp-record perl \Q$script\E\n\z/,
        '... is a Perl script');
    my $pid = qr/4711: cannot \w+: No such file or directory/;
    like(recorded(4711)->{err}, qr/\Anytp-record: $pid\n  to sample process 4711: nytp-record -p 4711\n\z/,
        'the number of a process without -p');
    like(run([$top_program, '--batch=1', 4711])->{err},
        qr/\Anytp-top: $pid\n  to watch process 4711: nytp-top -p 4711\n\z/,
        '... of nytp-top');
}

# ---- daemons ----

# A perl that forks twice and lets its parents end: it is a child of the recorder then.
{
    my $go     = "$scratch/go";
    my $script = spew("$scratch/daemon.pl", <<'PERL');
use POSIX ();
exit 4 if fork;
POSIX::setsid();
exit if fork;
sub daemon { select undef, undef, undef, 0.01 until -e $ARGV[0] }
daemon();
PERL
    my $recording = recording($out, [sampled_perl(), $script, $go],
        until => sub { join('',
            map { folded_of($_) } grep { !/-err\z/ } glob "$out*") =~ /^main::daemon;main::CORE:sselect [1-9]/m });
    spew($go, '');
    is($recording->{end}->() >> 8, 4, 'a command that leaves a daemon: its exit status');
    like(folded_of($out), qr/^main::daemon;main::CORE:sselect [1-9]/m,
        '... when the daemon, which is sampled, has ended');

    # What it leaves is not waited for if it is not a perl.
    my $pids = "$scratch/pids";
    my $got  = recorded('sh', '-c', "sleep 1000 >/dev/null 2>&1 & echo \$! > $pids; exit 6");
    is($got->{status}, 6, 'a command that leaves a process that is not a perl: the recording ends');
    kill KILL => slurp($pids) + 0;
}

# ---- signals ----

# Counts signals, and goes on after the first one until the file go is there. Its exit status is 6 and their number.
my $tidies = spew("$scratch/tidies.pl", <<'PERL');
my ($dir, $n) = (shift, 0);
$SIG{$_} = sub { $n++ } for qw(INT TERM);
sub note { open my $file, '>', "$dir/new" or die; print {$file} $_[1]; close $file; rename "$dir/new", "$dir/$_[0]" }
note(pid => getppid);
sub serves { select undef, undef, undef, 0.01 }
serves() until $n || -e "$dir/go";
note(got => $n);
serves() until -e "$dir/go";
exit 6 + $n;
PERL

END { spew("$scratch/go", '') if $scratch }    # if the test dies

# Starts it on a terminal with a recorder. Returns the terminal, when it is sampled, and the recorder's pid.
sub on_terminal {
    my ($script, @arguments) = @_;
    unlink $out, map { "$scratch/$_" } qw(pid got go err);
    my $command = join ' ', map { "'$_'" } $ours, '-o', $out, @arguments, sampled_perl(), $script, $scratch;
    my $of_terminal = open my $terminal, '|-', 'sh', '-c', 'exec script -qec "$1" /dev/null >/dev/null', 'sh',
        "exec $command 2>$scratch/err" or die $!;
    $terminal->autoflush;
    until_true(sub { -e "$scratch/pid" && -e $out }, $of_terminal) or die 'not started';
    return ($terminal, slurp("$scratch/pid"));
}

my $has_written = sub { slurp("$scratch/err") =~ /^nytp-record: next: /m };

for (
    ['Ctrl-C',                            sub { my ($terminal) = @_; print {$terminal} "\cC" }],
    ['SIGTERM for the recorder',          sub { my ($terminal, $recorder) = @_; kill TERM => $recorder }],
    ['Ctrl-C after the time to be sampled',
        sub { my ($terminal, $recorder) = @_; until_true($has_written, $recorder); print {$terminal} "\cC" },
        '--duration=0.1'],
) {
    my ($what, $ask, @arguments) = @$_;
    my ($terminal, $recorder) = on_terminal($tidies, @arguments);
    $ask->($terminal, $recorder);
    ok(until_true(sub { -e "$scratch/got" && $has_written->() }, $recorder), "$what: the command has it, the profile is written");
    spew("$scratch/go", '');
    close $terminal;
    is($? >> 8, 7, '... and the exit status is that with which the command ends later');
}

{
    my ($terminal, $recorder) = on_terminal(spew("$scratch/ignores.pl", <<'PERL'));
my ($dir) = @ARGV;
$SIG{INT} = 'IGNORE';
open my $file, '>', "$dir/new" or die;
print {$file} getppid;
close $file;
rename "$dir/new", "$dir/pid";
select undef, undef, undef, 0.01 until -e "$dir/go";
PERL
    until_true(sub { kill INT => $recorder; slurp("$scratch/err") =~ /^nytp-record: \S+ \(process \d+\) goes on$/m }, $recorder);
    close $terminal;
    is($? >> 8, 0, 'a command that ignores Ctrl-C: a later one ends the recorder');
    like(slurp("$scratch/err"), qr/^nytp-record: next: .*\n\S+ \S+ \(process \d+\) goes on$/m, '... which is said');
}

# ---- what a command writes to the terminal ----

{
    my $got = run(['script', '-qec', "'$ours' -o '$out' '" . sampled_perl() . "' '"
        . spew("$scratch/asks.pl", '$| = 1; print "name? "; select undef, undef, undef, 1.5; print "none"') . "'",
        '/dev/null'], env => { TERM => 'xterm' });
    like($got->{out}, qr/\Aname\? none\R?nytp-record: \d+ samples/, 'nothing is written into what a command writes');
}

# ---- processes that cannot be read ----

sub both_say {
    my ($pid, $pattern, $what, @prefix) = @_;
    like(run([@prefix, $ours, '--dump', '-p', $pid])->{err}, qr/\Anytp-record: $pattern/, "$what: nytp-record");
    like(run([@prefix, $top_program, '--batch=1', '-p', $pid])->{err}, qr/\Anytp-top: $pattern/, '... and nytp-top');
    return;
}

SKIP: {
    skip 'valgrind itself needs descriptors and mounts', 8 if valgrind();
    my $program = start(sampled_perl(), '-e', $waits);
    my @few     = ('sh', '-c', 'ulimit -n 4; exec "$@"', 'sh');
    both_say($program->{pid}, qr/$program->{pid}: cannot be opened: Too many open files; ulimit -n/,
        'too few descriptors', @few);

    SKIP: {
        skip 'needs root and namespaces', 6 if $> != 0 || system('unshare --pid --fork true 2>/dev/null') != 0;
        my @other = ('unshare', '--pid', '--fork');
        both_say($program->{pid}, qr/\/proc is that of another PID namespace/, 'the /proc of another PID namespace',
            @other);
        is(run([@other, $ours, '-o', $out, 'true'])->{status}, 1, '... so no command is started');
        my @hidden = ('unshare', '--mount', 'sh', '-c', 'mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"', 'sh');
        skip 'needs mounts and setpriv', 2 if system('unshare --mount setpriv --reuid=65534 --clear-groups true 2>/dev/null') != 0;
        both_say($program->{pid}, qr/$program->{pid}: \/proc hides this process, which exists/, 'hidepid', @hidden);
    }
    $program->{end}->();
}

# A family for which there are too few descriptors: those of the first processes are used up by their profiles.
SKIP: {
    skip 'valgrind itself needs descriptors', 3 if valgrind();
    my $program = start(sampled_perl(), '-e',
        '$| = 1; my @pids; for (1 .. 20) { my $pid = fork; if (!$pid) { sleep 1000 } push @pids, $pid } print "ready\n"; sleep 1000');
    my $got = run(['sh', '-c', 'ulimit -n 60; exec "$@"', 'sh', $ours, '--children', '--separate', '-d', 0.5, '-o', "$scratch/few", '-p', $program->{pid}]);
    my $said = () = $got->{err} =~ /Too many open files/g;
    is($said, 2, 'that there are too few descriptors is said once') or diag($got->{err});
    my $seen = () = glob "$scratch/few $scratch/few.*";
    my ($more) = $got->{err} =~ /Too many open files: (\d+) more could not be recorded; each needs \d+ descriptors: raise .*ulimit/;
    is($seen + ($more // 0), 20, '... and of how many, with what to do') or diag($got->{err});
    $program->{end}->();
}

SKIP: {
    skip 'no strace', 3 if system('strace -o /dev/null true 2>/dev/null') != 0;
    my $program = start(sampled_perl(), '-e', $waits);
    my $strace  = fork // die;
    if ($strace == 0) {
        open STDERR, '>', '/dev/null' or die;
        exec 'strace', '-o', '/dev/null', '-p', $program->{pid} or POSIX::_exit(127);
    }
    until_true(sub { slurp("/proc/$program->{pid}/status") =~ /^TracerPid:\s+$strace$/m }, $strace);
    my $says = qr/\Anytp-record: $program->{pid}: cannot be stopped, because process $strace \(strace .*\) traces it; without --stop it can be read\n/;
    like(recorded('--stop', '-p', $program->{pid})->{err}, $says,
        '--stop of a process that is traced names the tracer');
    like(dump_of($program->{pid}, '--stop')->{err}, $says, '... so does --dump --stop');
    is(recorded('-d', 0.2, '-p', $program->{pid})->{status}, 0, '... and without --stop it is sampled');
    kill KILL => $strace;
    waitpid $strace, 0;
    $program->{end}->();
}

# ---- a perl that is statically linked ----

SKIP: {
    my ($library) = glob "$Config{libs} $Config{archlibexp}/CORE/libperl.a /usr/lib/*/libperl.a";
    ($library) = grep { -e } "$Config{archlibexp}/CORE/libperl.a", glob '/usr/lib/*/libperl.a';
    skip 'another perl', 3 if sampled_perl() ne $^X;
    skip 'no libperl.a', 3 if !$library || sanitized() || valgrind();
    my $source = spew("$scratch/static.c", <<'C');
#include <EXTERN.h>
#include <perl.h>
int main(int argc, char **argv, char **env)
{
    PERL_SYS_INIT3(&argc, &argv, &env);
    PerlInterpreter *my_perl = perl_alloc();
    perl_construct(my_perl);
    return perl_parse(my_perl, NULL, argc, argv, NULL) || perl_run(my_perl);
}
C
    my $static = "$scratch/static-perl";
    my $built  = run(['sh', '-c',
        "exec " . join(" ", compiler())
        . " -w -static $Config{ccflags} -I$Config{archlibexp}/CORE -o $static $source $library -lm -lcrypt -lpthread"]);
    skip 'no static perl can be linked', 3 if $built->{status} != 0;
    my $program = start($static, '-e', $waits);
    like(dump_of($program->{pid})->{out}, qr/^  main::inner at -e line 1$/m, 'a statically linked perl is read');
    is(recorded('-d', 0.2, '-p', $program->{pid})->{status}, 0, '... and sampled');
    $program->{end}->();
    is(system('strip', $static), 0);
    $program = start($static, '-e', $waits);
    like(dump_of($program->{pid})->{err},
        qr/\Anytp-record: $program->{pid}: \Q$static\E is statically linked and has no symbols/,
        'one that is stripped, too, is said to be that');
    $program->{end}->();
}

# ---- Ctrl-Z ----

SKIP: {
    skip 'signals are late under valgrind', 3 if valgrind();
    my $program   = start(sampled_perl(), '-e',
        '$| = 1; $SIG{USR1} = sub { print "told\n" }; print "busy\n"; sub spins { 1 for 1 .. 1000 } spins() while 1');
    my $recording = recording($out, ['--stop', '-r', 200, '-p', $program->{pid}]);
    kill TSTP => $recording->{pid};
    ok(until_true(sub { slurp("/proc/$recording->{pid}/stat") =~ /\) T / }, $recording->{pid}), 'a recorder with --stop is stopped');
    kill USR1 => $program->{pid};
    is(readline $program->{from}, "told\n", '... and the program goes on, also when a signal comes');
    kill CONT => $recording->{pid};
    ok(until_true(sub { slurp("/proc/$program->{pid}/status") =~ /^TracerPid:\s+$recording->{pid}$/m }, $recording->{pid}),
        '... and it goes on with it later');
    kill TERM => $recording->{pid};
    $recording->{end}->();
    $program->{end}->();
}

# ---- options that would do nothing ----

for (
    [$ours, ['--dump', '-p', 1], ['-o', $out], ['--format=folded'], ['-r', 5], ['-d', 1], ['--wall'], ['--cpu'],
    ['--separate']],
    [$ours, ['-p', 1], ['--separate']],
    [$top_program, [$out], ['--children'], ['--cpu'], ['--rate=5'], ['--offsets=x'], ['--rows=5']],
) {
    my ($program, $base, @others) = @$_;
    for my $other (@others) {
        my $got = run([$program, @$other, @$base]);
        is($got->{status}, 2, ($program =~ s{.*/}{}r) . " @$base @$other is wrong usage");
        like($got->{err}, qr/ has no effect /, '... since that has no effect');
    }
}

done_testing();
