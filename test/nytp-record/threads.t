# All interpreters of a process with threads, and all perls of a machine.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir compiler run sanitized scratch_dir slurp spew until_true valgrind);
use Sampled qw(folded_of may_sample recorder recording sampled_perl start);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;
my $glibc = run(['getconf', 'GNU_LIBC_VERSION'])->{out} =~ /(\d+)\.(\d+)/ ? $1 * 100 + $2 : 0;

my ($build, $scratch) = (build_dir(), scratch_dir());
my ($ours, $out)      = (recorder(), "$scratch/nytprof.out");

sub chunks { return run(["$build/test/dump-chunks", $out])->{out} }

SKIP: {
    skip 'a perl without threads', 22 if !$Config{useithreads} || sampled_perl() ne $^X;
    skip 'glibc older than 2.34', 22 if $glibc < 234;
    my $more    = "$scratch/more";
    my $program = start($^X, spew("$scratch/threads.pl", <<'PERL'), $more);
use threads;
$| = 1;
my $more = shift;
sub waits { sleep 1000 }
sub works { my $n = 0; $n += $_ for 1 .. 1000 }
sub busy { works() while 1 }
sub later { select undef, undef, undef, 0.01 until -e "$more-end" }
sub main_loop { select undef, undef, undef, 0.01 until -e $more }
my @threads = map { threads->create($_) } qw(waits busy);
print "busy\n";
main_loop();
my $later = threads->create('later');
sub joins { $later->join }
joins();
waits();
PERL
    my $pid = $program->{pid};
    until_true(sub { (() = glob "/proc/$pid/task/*") == 3 }, $pid);
    my %dumped;
    until_true(sub {
        %dumped = map { my $one = decode_json($_); my @names = map { $_->{name} // '' } @{ $one->{frames} };
            (join(' ', @names) => $one) }
            split /\n/, run([$ours, '--dump', '--threads', '--json', '-p', $pid])->{out};
        return keys %dumped == 3;
    }, $pid);
    is(scalar(grep { $_->{pid} == $pid } values %dumped), 3, '--dump --threads has three interpreters of a process');
    is(join(' ', sort map { $_->{tid} } values %dumped), join(' ', sort map { m{(\d+)\z} } glob "/proc/$pid/task/*"),
        '... by the numbers of their threads');

    my $has       = sub {
        my ($pattern) = @_;
        return grep { folded_of($_) =~ $pattern } grep { !/-err\z/ } glob "$out*";
    };
    my $recording = recording($out, ['--threads', '-r', 500, '-p', $pid],
        until => sub { $has->(qr/^main::waits;main::CORE:sleep [1-9]/m)
            && $has->(qr/^main::busy;main::works [1-9]/m) });
    spew($more, '');
    ok(until_true(sub { kill USR1 => $recording->{pid}; $has->(qr/^main::later\S* [1-9]/m) }, $recording->{pid}),
        'a thread that begins later is sampled, too');
    spew("$more-end", '');
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, '--threads');
    my $folded = folded_of($out);
    like($folded, qr/^main::main_loop;main::CORE:sselect [1-9]/m, '... has the first interpreter');
    like($folded, qr/^$_ [1-9]/m, "... and $_ of a thread") for 'main::waits;main::CORE:sleep',
        'main::busy;main::works';
    my %parents = chunks() =~ /^PID_START\t(\d+)\t(\d+)\t/mg;
    is(scalar keys %parents, 4, '... as a process each');
    is(scalar(grep { $parents{$_} == $pid } keys %parents), 3,
        '... whose parent is the one with the first interpreter');
    unlike($recording->{err}->(), qr/threads: only/, '... without a word of others');
    is_deeply([grep { !/-err\z/ } glob "$out.*"], [], '... and become one profile');

    my $top = run(["$build/bin/nytp-top", '--threads', '-p', $pid, '--batch=1', '-d', 0.5]);
    like($top->{out}, qr/\Anytp-top: threads\.pl \(process $pid, 3 threads\), /, 'nytp-top --threads');
    like($top->{out}, qr/main::busy\n/, '... has one') or diag($top->{err});
    like($top->{out}, qr/main::CORE:sleep\n/, '... and another');
    my $stopped = run([$ours, '--stop', '--threads', '-d', 0.5, '-o', $out, '-p', $pid]);
    is($stopped->{status}, 0, '--stop --threads') or diag($stopped->{err});
    like(folded_of($out), qr/^main::busy;main::works [1-9]/m, '... stops each thread');
    is(run([$ours, '--threads', '--separate', '-d', 0.3, '-o', $out, '-p', $pid])->{status}, 0, '--threads --separate');
    cmp_ok(scalar(grep { /\.\d+\z/ } glob "$out.*"), '>=', 2, '... has files for them');
    unlink glob "$out.*";

  SKIP: {
        my @contained = ('unshare', '--pid', '--fork', '--kill-child', '--mount-proc');
        skip 'needs root and namespaces', 1 if $> != 0 || system("@contained true 2>/dev/null") != 0;
        my $inside = start(@contained, $^X, '-Mthreads', '-e',
            '$| = 1; threads->create(sub { sub inside { sleep 1000 } inside() }); print "ready\n"; sleep 1000');
        my ($in) = map { m{(\d+)/stat} } grep { (eval { slurp($_) } // '') =~
            /\) \S $inside->{pid} / } glob '/proc/[0-9]*/stat';
        ok(until_true(sub { run([$ours, '--dump', '--threads', '-p', $in])->{out} =~ /^  main::inside at/m }, $inside->{pid}),
            'threads that have other numbers in their container');
        $inside->{end}->();
    }
    $program->{end}->();
}

# ---- every perl ----

SKIP: {
    my @machine = ('unshare', '--pid', '--fork', '--kill-child', '--mount-proc');
    skip 'needs root and namespaces', 9 if $> != 0 || system("@machine true 2>/dev/null") != 0;
    my $perl   = sampled_perl();
    my $script = spew("$scratch/machine.sh", <<"SH");
'$perl' -e 'sub first { sleep 1000 } first()' &
sh -c "'$perl' -e 'sub second { sleep 1000 } second()'; :" &
( until [ -e '$out' ]; do sleep 0.1; done; exec '$perl' $scratch/later.pl ) &
'$ours' --every-perl -o '$out' & recorder=\$!
for try in \$(seq 300); do
    sleep 0.1
    kill -USR1 \$recorder
    for file in '$out'*; do '$build/bin/nytprofcalls' "\$file" 2>/dev/null; done >'$scratch/stacks'
    for name in first second later; do grep -q "^main::\$name;main::CORE:sleep [1-9]" '$scratch/stacks' || continue 2; done
    break
done
kill -TERM \$recorder
wait \$recorder
SH
    spew("$scratch/later.pl", "sub later { sleep 1000 } later();\n");
    my $got = run([@machine, 'sh', $script]);
    is($got->{status}, 0, '--every-perl') or diag($got->{err});
    my $folded = folded_of($out);
    like($folded, qr/^main::$_;main::CORE:sleep [1-9]/m, "... $_") for qw(first second later);
    like(chunks(), qr/^ATTRIBUTE\t'application\t'.*later\.pl/m, '... by name');

    # Another user sees only the own processes, and is told so. A perl whose $^P is set is no other program. The build
    # may be in a directory that others cannot enter.
    mkdir "$scratch/$_" or die $! for qw(copy copy/bin);
    run(['cp', $ours, "$scratch/copy/bin"]);
    run(['cp', '-r', "$build/share", "$scratch/copy"]);
    my $theirs = spew("$scratch/theirs.sh", <<"SH");
'$perl' -e 'sub one { open my \$begun, ">", "one"; close \$begun; sleep 1000 } one()' &
'$perl' -e 'BEGIN { \$^P = 0x100 } sub two { open my \$begun, ">", "two"; close \$begun; sleep 1000 } two()' &
until [ -e one ] && [ -e two ]; do sleep 0.01; done
'$scratch/copy/bin/nytp-record' --every-perl -d 1 -o '$scratch/theirs/nytprof.out'
SH
    mkdir "$scratch/theirs";
    chmod 0777, $scratch, "$scratch/theirs";
    run(['chmod', '-R', 'a+rX', "$scratch/copy", $theirs]);
    spew($script, <<"SH");
'$perl' -e 'sub roots { sleep 1000 } roots()' &
cd '$scratch/theirs'
setpriv --reuid=65534 --regid=65534 --clear-groups sh '$theirs'
SH
    $got = run([@machine, 'sh', $script]);
    is($got->{status}, 0, '--every-perl of another user') or diag($got->{err});
    like($got->{err}, qr/: perls of other users may be missing: \d+: not permitted: .*run this as root\n/,
        '... says what is missing');
    unlike($got->{err}, qr/same program/, '... and does not take perls for one program');
    is(run([@machine, $ours, '--every-perl', '-d', 0.2, '-o', $out])->{status}, 1,
        'a machine without perls is an error');
}
is(run([$ours, '--every-perl', @$_])->{status}, 2, "--every-perl @$_ is wrong usage") for ['-p', 1], ['true'],
    ['--children'], ['--dump', '-p', 1];

# ---- a program whose perl another thread executes ----

SKIP: {
    skip 'a perl without threads', 8 if !$Config{useithreads} || sampled_perl() ne $^X || $glibc < 234;
    skip 'instrumented programs are slow to build', 8 if sanitized() || valgrind();
    my $source = spew("$scratch/embeds.c", <<'C');
#include <EXTERN.h>
#include <perl.h>
#include <pthread.h>
EXTERN_C void boot_DynaLoader(pTHX_ CV *);
static void xs_init(pTHX) { newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__); }
static PerlInterpreter *begun(char *code)
{
    PerlInterpreter *my_perl = perl_alloc();
    PERL_SET_CONTEXT(my_perl);
    perl_construct(my_perl);
    char *args[] = {"", "-e", code};
    perl_parse(my_perl, xs_init, 3, args, NULL);
    return my_perl;
}
static PerlInterpreter *perl_of_main;
static void *run(void *code)
{
    PerlInterpreter *my_perl = perl_of_main ? perl_of_main : begun(code);
    PERL_SET_CONTEXT(my_perl);
    perl_run(my_perl);
    return NULL;
}
/* with a third argument the first thread makes the interpreter */
int main(int argc, char **argv, char **env)
{
    pthread_t thread;
    PERL_SYS_INIT3(&argc, &argv, &env);
    if (argc > 2)
        perl_of_main = begun(argv[1]);
    pthread_create(&thread, 0, run, argv[1]);
    pthread_join(thread, 0);
    return 0;
}
C
    my $embeds = "$scratch/embeds";
    my $built  = run(['sh', '-c', join(' ', compiler()) . " -w -o $embeds $source \$($^X -MExtUtils::Embed -e ccopts -e ldopts) -lpthread"]);
    skip 'no perl can be embedded', 8 if $built->{status} != 0;
    for my $maker ([], ['main']) {
        my $program = start($embeds, '$| = 1; print "busy\n"; sub plug { my $n = 0; $n += sqrt $_ for 1 .. 3000; $n } plug() while 1', @$maker);
        my $who = @$maker ? 'made by the first thread' : 'made by the thread that executes it';
        # A program that works all the time: without the right thread no sample sees it run, however many are taken.
        my $cpu = recording($out, ['--cpu', '-p', $program->{pid}], until => qr/main::plug [1-9]/);
        kill TERM => $cpu->{pid};
        is($cpu->{end}->(), 0, "--cpu of an interpreter $who");
        my $threads = recording($out, ['--threads', '-p', $program->{pid}], until => qr/main::plug [1-9]/);
        kill TERM => $threads->{pid};
        $threads->{end}->();
        is_deeply([glob "$out.[0-9]*"], [], '... --threads finds it once');
        unlike($threads->{err}->(), qr/processes and threads/, '... and says so');
        my $dumped = run([$ours, '--dump', '--threads', '--json', '-p', $program->{pid}])->{out};
        is(scalar(() = $dumped =~ /^\{/mg), 1, '... and so does --dump');
        $program->{end}->();
    }
}

done_testing();
