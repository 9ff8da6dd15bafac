# nytp-record as its user meets it: processes that end, execute something else, are stopped or start others; files,
# signals, messages.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use List::Util qw(sum0);
use NYTPTest qw(build_dir chunk_tags compiler fails_cleanly fewer run sanitized scratch_dir slurp spew top_dir
    until_true valgrind);
use POSIX ();
use Sampled qw(dump_of folded_of frames_of may_sample recorder recording sampled_perl start wait_for_sleep without_losses);
use StockModules ();
use Test::More;
use Time::HiRes qw(time);

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my ($top, $ours)      = (top_dir(), recorder());
my $out               = "$scratch/nytprof.out";
my $waits             = '$| = 1; sub outer { inner() } sub inner { print "ready\n"; sysread STDIN, my $x, 1 }';
my $busy = '$| = 1; print "busy\n"; sub a { b($_[0]) + 1 } sub b { my $s = 0; $s += $_ for 1 .. $_[0]; c($s) } sub '
    . 'c { $_[0] * 2 } ';

sub recorded { my (@arguments) = @_; return run([$ours, '-o', $out, @arguments], dir => $scratch) }
# A program that goes on until this file is there.
my $go         = "$scratch/go";
my $until_told = "select undef, undef, undef, 0.01 until -e '$go'";
sub let_go { spew($go, ''); return }

sub folded { my ($file) = @_; return folded_of($file // $out) }
sub samples { my ($got) = @_; return $got->{err} =~ /^nytp-record: (\d+) samples?/m ? $1 : undef }

# A recorder that goes on meanwhile: its pid, and what waits for it to end and returns its status.
sub in_background {
    my $recording = recording($out, \@_);
    return @$recording{qw(pid end)};
}

# Records a command until its stacks match; then it is told to end.
sub recorded_until {
    my ($pattern, @arguments) = @_;
    unlink $go;
    my $recording = recording($out, \@arguments, until => $pattern);
    let_go();
    return $recording->{end}->();
}

# ---- a command ----

{
    is(recorded_until(qr/^main::slow;main::CORE:sselect [1-9]/m, '-r', 500, $^X, '-e',
        "sub slow { $until_told } slow()"), 0, 'a command, whose perl is sampled');
    is(recorded_until(qr/ [1-9]/, $^X, '-e', "$until_told; exit 3"), 3 << 8, 'its exit status is that of the command');
    my $below = spew("$scratch/below.pl", "sub child { $until_told } child()");
    is(recorded_until(qr/^main::child/m, 'sh', '-c', "$^X $below; :"), 0, 'a perl below a shell is sampled');
    like(recorded('/nonexistent')->{err}, qr{^nytp-record: /nonexistent: cannot execute: No such file},
        'neither is what cannot be executed');
}

# With a rate of 1 the next sample is a second away on average.
SKIP: {
    skip 'how long recordings last depends on what else the machine does: set EXHAUSTIVE=1', 2 if !$ENV{EXHAUSTIVE};
    my $program  = start(sampled_perl(), '-e', "$waits outer();");
    my @rare     = ('-r', 1, '-d', 0.1, '-p', $program->{pid});
    my @lasted_s = map { recorded(@rare)->{err} =~ / samples? in ([\d.]+) s/ } 1 .. 8;
    cmp_ok(sum0(@lasted_s), '<', 3, 'a recording ends in time, also if samples are rarer') or diag("@lasted_s");
    @lasted_s = map { recorded('-r', 1, sampled_perl(), '-e', 'select undef, undef, undef, 0.2')->{err} =~
        / samples? in ([\d.]+) s/ } 1 .. 8;
    cmp_ok(sum0(@lasted_s), '<', 5, '... and when the program ends') or diag("@lasted_s");
    $program->{end}->();
}

# ---- the profile ----

{
    my $program = start(sampled_perl(), '-e', "$waits outer();");
    my $got     = recorded('-p', $program->{pid}, '-d', 1);
    my $count   = samples($got);
    my ($lasted_s) = $got->{err} =~ / samples? in ([\d.]+) s/;
    cmp_ok($count, '<=', 100 * ($lasted_s + 0.1) + 1, 'at most 100 samples a second');
    cmp_ok($count, '>=', 1, '... but some');
    my %tags = map { $_ => 1 } chunk_tags($out);
    ok($tags{$_}, "$_ is there") for qw(NEW_FID TIME_LINE SUB_ENTRY SUB_RETURN SUB_INFO SUB_CALLERS PID_END);
    my $chunks = run(["$build/test/dump-chunks", $out])->{out};
    like($chunks, qr/^ATTRIBUTE\t'sampled_hz\t'100$/m, 'with the rate as an attribute');
    like($chunks, qr/^ATTRIBUTE\t'collector\t'nytp-record%20\d+\.\d+\.\d+$/m, 'and the program that took them');
    like($chunks, qr/^ATTRIBUTE\t'process_cpu_s\t'\d+\.\d{6}\n(?:ATTRIBUTE.*\n)*PID_END/m,
        '... and its processor time, before its end');
    is(run(["$build/bin/$_", '--strict', '-o', "$scratch/$_.out", $out])->{err}, '', "$_ reads it")
        for qw(nytprofcalls nytprofcg nytp-dot nytp-tree nytprofmerge);
    my $stock = run([StockModules::command(), '-MDevel::NYTProf::Data', '-we', <<'PERL', $out], env => { PERL5LIB => undef });
my $profile = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 });
for my $sub (sort { $a->subname cmp $b->subname } values %{ $profile->subname_subinfo_map }) {
    printf "%s %.1f %s\n", $sub->subname, $sub->incl_time, ref $sub->caller_fid_line_places;
}
PERL
    like($stock->{out},
        qr/\Amain::CORE:sysread (\d+\.\d) HASH\nmain::RUNTIME 0.0 HASH\nmain::inner \1 HASH\nmain::outer \1 HASH\n\z/,
        "stock's reader reads it")
        or diag($stock->{err});
    is($stock->{err}, '', '... without a warning');

    # Calls were not counted: programs show samples.
    my ($calls) = run(["$build/bin/nytprofcalls", '--calls', $out])->{out} =~
        /^main::outer;main::inner;main::CORE:sysread (\d+)$/m;
    cmp_ok(abs($calls - $count), '<=', 5, 'nytprofcalls --calls has samples');
    like(run(["$build/bin/nytprofcg", '-o', '-', $out])->{out},
        qr/^event: Samples : Samples\n(?:event: .*\n)*events: Time Samples StmtTime(?: Work)?(?: Queued)? Asleep\n/m, 'nytprofcg, too');
    like(run(["$build/bin/nytp-tree", '-S', $out])->{out}, qr/^main::outer x $calls +\t/m, 'nytp-tree, too');
    like(run(["$build/bin/nytp-tree", '--table', $out])->{out}, qr/^Exclusive Times, sampled; %Time of those in subs\n%Time .* Sampls /m,
        '... in the table, too');
    my $dot = run(["$build/bin/nytp-dot", $out])->{out};
    like($dot, qr/sampled, \d+ samples/, 'and nytp-dot');
    unlike($dot, qr/\d calls?\b|calls: /, '... which has no numbers of calls');
    $program->{end}->();
}

# Names of packages are of the same kind in names of subs and of built-ins.
{
    my $script = spew("$scratch/utf8.pl",
        "use utf8; package Gr\xC3\xB6\xC3\x9Fe; \$| = 1; print \"ready\\n\"; sub waits { sysread STDIN, my \$x, 1 } "
        . "waits();");
    my $program = start(sampled_perl(), $script);
    is(recorded('-p', $program->{pid}, '-d', 0.3)->{status}, 0, 'a package whose name is UTF-8');
    my @names = run(["$build/test/dump-chunks", $out])->{out} =~ /^SUB_INFO\t.*\t(.Gr.*)$/mg;
    is_deeply([sort @names], [qw("Gr%C3%B6%C3%9Fe::CORE:sysread "Gr%C3%B6%C3%9Fe::waits)],
        '... is so for its subs and for built-ins');
    $program->{end}->();
}

# ---- the end of the process, and what becomes of it ----

{
    my $program = start(sampled_perl(), '-e', "$busy a(1000) while 1");
    my $recording = recording($out, ['-p', $program->{pid}], until => qr{^main::a}m);
    $program->{end}->();
    is($recording->{end}->(), 0, 'a process that is killed ends the recording');
    like(folded(), qr/^main::a/m, '... which is complete');

    unlink $go;
    my $other = spew("$scratch/other.pl", "sub other { $until_told } other()");
    my $exec  = "$scratch/exec";
    $program = start(sampled_perl(), '-e', "$busy a(10) until -e '$exec'; exec \$^X, '$other'");
    $recording = recording($out, ['-r', 1000, '-p', $program->{pid}], until => sub {
        my $stacks = folded();
        spew($exec, '') if $stacks =~ /^main::a/m;
        return $stacks =~ /^main::other;main::CORE:sselect \d/m;
    });
    let_go();
    is($recording->{end}->(), 0, 'a process that executes another perl is followed into that');
    $program->{wait}->();

    $program = start(sampled_perl(), '-e', "$waits outer(); exec 'sleep', 1000");
    my ($pid, $end) = in_background('-p', $program->{pid});
    $program->{go}->();
    is($end->(), 0, 'one that executes what is not a perl');
    like(slurp("$out-err"), qr{\d+: \S+ is not a perl}, '... ends it, and it says why');
    $program->{end}->();

    $program = start(sampled_perl(), '-e', "$waits outer()");
    kill STOP => $program->{pid};
    like(dump_of($program->{pid})->{out}, qr/^  main::inner at -e line 1$/m, 'a stopped process is read');
    kill CONT => $program->{pid};
    $program->{end}->();

    # A forked child says of its thread what it said in the parent, until it runs for the first time. One that was not made by
    # the C library says it for ever. The number of clone(2) is 56 on x86-64 and 220 on arm64.
    my $clone = $Config{archname} =~ /x86_64/ ? 56 : 220;
    $program = start(sampled_perl(), '-e', "\$| = 1; sub child { sleep 1000 } my \$pid = syscall $clone, 17, 0, 0, 0, 0; "
        . 'child() if !$pid; print "$pid\nready\n"; sleep 1000');
    my $got = recorded('-p', $program->{said}[0], '-d', 0.2);
    is($got->{status}, 0, 'a child that has not run yet') or diag($got->{err});
    like(folded(), qr/^main::child;main::CORE:sleep \d+$/m, '... is sampled');
    $program->{end}->();

    my $zombie = fork // die;
    POSIX::_exit(0) if $zombie == 0;
    until_true(sub { slurp("/proc/$zombie/stat") =~ /\) Z / });
    $got = dump_of($zombie);
    is($got->{status}, 1, 'a zombie is refused');
    like($got->{err}, qr/has ended \(a zombie\)/, '... as one');
    like(recorded('-p', $zombie)->{err}, qr/has ended \(a zombie\)/, '... by the recorder, too');
    waitpid $zombie, 0;
    like(dump_of($zombie)->{err}, qr/there is no such process/, 'so is a pid without a process');
    like(dump_of($$ == 1 ? 2 : 1)->{err}, qr/is not a perl|not permitted/, 'and a program that is no perl');
}

# ---- children, threads ----

{
    my $program = start(sampled_perl(), '-e',
        "$waits if (fork == 0) { sub child { sleep 100 } child() } outer(); sleep 2; kill KILL => -\$\$ if 0;");
    my $of_child = sub { map { folded($_) } glob "$out.*" };
    my $both     = sub {
        folded() =~ /^main::outer;main::inner/m && join('', $of_child->()) =~ /^main::child;main::CORE:sleep \d/m;
    };
    my $recording = recording($out, ['--children', '-p', $program->{pid}], until => $both);
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, 'a program and its child');
    is_deeply([glob "$out.*"], [], 'the profile of a child becomes part of that of its parent');
    like(folded(), qr/^main::child;main::CORE:sleep \d/m, '... with its stacks');
    like(folded(), qr/^main::outer;main::inner/m, '... beside those of the parent');
    $recording = recording($out, ['--children', '--separate', '-p', $program->{pid}], until => $both);
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, '--separate');
    my @files = glob "$out.*";
    is(scalar @files, 1, 'a child has a file of its own');
    like(folded($files[0]), qr/^main::child;main::CORE:sleep \d/m, '... with its stacks');
    unlike(folded(), qr/main::child/, '... which the parent does not have');
    like(without_losses($recording->{err}->()),
        qr/ and 1 more with \.PID appended\n.*: next: nytprofmerge \Q$out $out\E\.\[0-9\]\*\n\z/,
        '... and is told how to merge them');
    my ($child) = $files[0] =~ /\.(\d+)$/;
    kill KILL => $child if $child;
    unlink @files;
    $program->{end}->();
}

SKIP: {
    skip 'a perl without threads', 2 if !$Config{useithreads};
    my $program = start($^X, '-Mthreads', '-e',
        '$| = 1; my $t = threads->create(sub { while (1) { my $x = 1 } }); sub main_waits { sleep 100 } print '
        . '"ready\n"; main_waits()');
    my $got = recorded('-p', $program->{pid}, '-d', 0.5);
    like($got->{err}, qr/has 2 threads: only its first interpreter is sampled, unless --threads is given/,
        'threads: it says that there are others');
    like(folded(), qr/\Amain::main_waits 0\nmain::main_waits;main::CORE:sleep \d+\n\z/, '... and samples the first');
    $program->{end}->();

  SKIP: {
        skip 'the collector is for this perl', 2 if sampled_perl() ne $^X || !-e "$build/perl5/Devel/NYTProf.pm";
        # The library of a sanitizer must be loaded before perl.
        my @preload = defined $ENV{PRELOAD} ? ("LD_PRELOAD=$ENV{PRELOAD}", 'ASAN_OPTIONS=detect_leaks=0') : ();
        $program = start('env', @preload, "NYTPROF=file=$scratch/collected.out", $^X, "-I$build/perl5", '-d:NYTProf',
            '-e', '$| = 1; print "ready\n"; sleep 100');
        until_true(sub { (() = glob "/proc/$program->{pid}/task/*") == 2 }, $program->{pid});
        $got = recorded('-p', $program->{pid}, '-d', 0.3);
        is($got->{status}, 0, 'a thread of C code') or diag($got->{err});
        unlike($got->{err}, qr/interpreter/, '... has no interpreter, and is not spoken of');
        $program->{end}->();
    }
}

# ---- signals and files ----

{
    my $program = start(sampled_perl(), '-e', "$waits outer()");
    for my $signal (qw(INT TERM HUP)) {
        my ($pid, $end) = in_background('-p', $program->{pid});
        kill $signal => $pid;
        is($end->(), 0, "SIG$signal completes the profile");
        like(folded(), qr/^main::outer;main::inner;main::CORE:sysread [1-9]\d*$/m, '... which is good');
    }
    my ($pid, $end) = in_background('-p', $program->{pid});
    kill USR1 => $pid;
    my %tags;
    until_true(sub { %tags = map { $_ => 1 } chunk_tags($out); $tags{SUB_CALLERS} }, $pid);
    ok($tags{SUB_INFO} && $tags{SUB_CALLERS} && !$tags{PID_END},
        'SIGUSR1 has the file hold what readers need, and goes on');
    my $second = run([$ours, '-o', $out, '-p', $program->{pid}, '-d', 0.2]);
    like($second->{err}, qr/: \Q$out.$program->{pid}\E$/m, 'a profile that is still written keeps its name');
    kill INT => $pid;
    is($end->(), 0, 'and it is completed');
    is(scalar(() = run(["$build/test/dump-chunks", $out])->{out} =~ /^SUB_INFO\t\d+\t\d+\t\d+\t'main::inner$/mg), 1,
        '... with each sub once');
    spew($out, 'an old file');
    is(recorded('-p', $program->{pid}, '-d', 0.2)->{status}, 0, 'an old file is replaced');
    like(slurp($out), qr/\ANYTProf 5/, '... by the profile');
    is(recorded('--format=folded', '-p', $program->{pid}, '-d', 0.3)->{status}, 0, '--format=folded');
    like(slurp($out), qr/^main::RUNTIME;main::outer;main::inner;main::CORE:sysread \d+$/m, '... writes that');
    is(recorded('--format=callgrind', '-p', $program->{pid}, '-d', 0.3)->{status}, 0, '--format=callgrind');
    like(slurp($out), qr/^# callgrind format/, '... that');
    is(recorded('--stop', '-p', $program->{pid}, '-d', 0.3)->{status}, 0, '--stop');
    like(folded(), qr/^main::outer;main::inner;main::CORE:sysread \d+$/m, '... reads the same');
    for (1 .. 5) {
        my $stopped = recorded('--stop', '-r', 2000, $^X, '-e', '$x += $_ for 1 .. 1e7; exit 7');
        is($stopped->{status}, 7, "--stop keeps a command's exit status") or diag($stopped->{err});
    }
    {
        my $parent = start($^X, '-e', '$| = 1; print "ready\n"; sysread STDIN, my $x, 1; my $pid = fork // die;
            if (!$pid) { select undef, undef, undef, 0.1 for 1 .. 5; exit 7 } $SIG{ALRM} = sub { print "not told\n"; exit }; alarm 100; waitpid $pid, 0; print $? >> 8, "\n"');
        my ($recorder, $recorder_end) = in_background('--stop', '--children', '-p', $parent->{pid});
        $parent->{go}->();
        is(readline $parent->{from}, "7\n",
            '--stop --children: the parent learns that its child has ended while the recorder goes on');
        kill INT => $recorder;
        $recorder_end->();
        $parent->{wait}->();
    }
    {
        my $stopped = run([$ours, '--dump', '--stop', '-p', $program->{pid}]);
        is($stopped->{status}, 0, '--dump --stop');
        like($stopped->{out}, qr/^  main::inner at/m, '... prints the stack');
    }
    {
        my $alarms = 'use Time::HiRes "ualarm"; $SIG{ALRM} = sub { $alarms++ }; ualarm 20_000, 20_000; $x += $_ for '
            . '1 .. 1e7; ualarm 0; exit($alarms > 3 ? 7 : 8)';
        for my $more ([], ['--cpu']) {
            is(run([$ours, '--stop', @$more, '-o', $out, $^X, '-e', $alarms])->{status}, 7,
                "--stop @$more hands on the signals that a command gets");
        }
    }
    {
        my $state   = sub { slurp("/proc/$program->{pid}/stat") =~ /\) (\S)/ ? $1 : '' };
        my $becomes = sub {
            my ($wanted) = @_;
            my $now;
            until_true(sub { $now = $state->(); return $now eq $wanted }, $program->{pid});
            return $now;
        };
        kill STOP => $program->{pid};
        is($becomes->('T'), 'T', 'a program is stopped');
        my $recording = recording($out, ['--stop', '-r', 50, '-p', $program->{pid}],
            until => sub { $state->() eq 't' });
        my @waiting = grep { select undef, undef, undef, 0.01; $state->() eq 'S' } 1 .. 20;
        is("@waiting", '', '... and stays so with --stop');
        kill CONT => $program->{pid};
        is($becomes->('S'), 'S', '... until it goes on');
        kill TERM => $recording->{pid};
        is($recording->{end}->(), 0, '... without a word');
    }
    like(recorded('-o', '/dev/full', '-p', $program->{pid}, '-d', 0.2)->{err}, qr/No space left/,
        'a full disk is said');
    $program->{go}->();
    is($program->{wait}->(), 0, 'the program has noticed nothing');
}

# ---- what -o names ----

{
    my $program = start(sampled_perl(), '-e', "$waits outer()");
    my @short   = ('-p', $program->{pid}, '-d', 0.3);
    my $stacks  = qr/^main::outer;main::inner;main::CORE:sysread \d+$/m;
    my $with_root = qr/^main::RUNTIME;main::outer;main::inner;main::CORE:sysread \d+$/m;
    my $in_sh   = sub { my ($script) = @_; return run(['sh', '-c', $script, $ours, @short], dir => $scratch) };
    my $got     = $in_sh->(q{"$0" -o - "$@" > stdout.out});
    is($got->{status}, 0, '-o - into a file');
    like(without_losses($got->{err}), qr/\Anytp-record: \d+ samples? .*: standard output\n\z/, '... with messages on standard error');
    like(folded("$scratch/stdout.out"), $stacks, '... and the profile on standard output');
    ok(!-e "$scratch/-", '... and no file of that name');
    like($in_sh->(qq{"\$0" -o - "\$@" | '$build/bin/nytprofcalls' -})->{out}, $stacks, '-o - into a pipe');
    like($in_sh->(q{"$0" --format=folded -o - "$@"})->{out}, $with_root, '-o - with another format');
  SKIP: {
        skip 'no script(1)', 1 if system('script -qec true /dev/null > /dev/null 2>&1') != 0;
        like(run(['script', '-qec', "$ours -o - @short", '/dev/null'])->{out}, qr/not for a terminal/,
            '-o - on a terminal is refused');
    }
    for my $arguments (['--children', @short], [$^X, '-e', 1]) {
        $got = recorded('-o', '-', @$arguments);
        is($got->{status}, 2, "-o - @$arguments is wrong usage");
        is($got->{out}, '', '... and writes nothing');
        like($got->{err}, qr/-o - is for one process/, '... and says why');
    }
    $got = $in_sh->(qq{mkfifo fifo && { timeout 60 '$build/bin/nytprofcalls' fifo & "\$0" -o fifo "\$@"; wait; }});
    like($got->{out}, $stacks, 'a FIFO is written to');
    ok(-p "$scratch/fifo", '... and stays');

    my $target = spew("$scratch/target", 'an old file');
    symlink 'target', "$scratch/link" or die;
    is(recorded('-o', "$scratch/link", @short)->{status}, 0, 'a link to a file');
    is(slurp($target), 'an old file', '... is not followed');
    ok(!-l "$scratch/link", '... but replaced');
    like(folded("$scratch/link"), $stacks, '... by the profile');

  SKIP: {
        skip 'needs root and namespaces', 3
            if $> != 0 || system('unshare --mount mount -t tmpfs none /dev 2>/dev/null') != 0;
        my $devices = 'mount -t tmpfs none /dev && ln -s /proc/self/fd/1 /dev/stdout && : > /dev/null';
        my $record  = q{"$0" -o /dev/stdout "$@" > redirected.out; echo $?; readlink /dev/stdout};
        $got = run(['unshare', '--mount', 'sh', '-c', "$devices; $record", $ours, @short], dir => $scratch);
        is($got->{out}, "0\n/proc/self/fd/1\n", '/dev/stdout as root: the link stays') or diag($got->{err});
        like($got->{err}, qr{: /dev/stdout$}m, '... and keeps its name');
        like(folded("$scratch/redirected.out"), $stacks, '... and leads to the profile');
    }
    $program->{go}->();
    is($program->{wait}->(), 0, 'the program has noticed nothing');
}

# ---- time ----

# The processor time of a process, in s. The system counts it in hundredths.
sub cpu_s {
    my ($pid) = @_;
    my @fields = split ' ', slurp("/proc/$pid/stat") =~ s/.*\) //r;
    return ($fields[11] + $fields[12]) / 100;
}

sub recorded_s { return sum0(folded() =~ / (\d+)$/mg) / 1e7 }

{
    my $waiting = start(sampled_perl(), '-e', "$waits outer()");
    my $got     = recorded('--cpu', '-p', $waiting->{pid}, '-d', 1);
    is($got->{status}, 0, '--cpu');
    cmp_ok(recorded_s(), '<=', cpu_s($waiting->{pid}) + 0.01, '... has no time for what waits');
    # The last sample's time goes on until the profile is completed, so what counts is how long the command ran.
    my $begin_s = time;
    $got = recorded('--wall', '-p', $waiting->{pid}, '-d', 1);
    my $lasted_s = time - $begin_s;
    # What passes between samples that come too late is nobody's: beside other programs that may be most of it.
    cmp_ok(recorded_s(), '>', $ENV{EXHAUSTIVE} ? 0.5 : 0, '--wall has it');
    cmp_ok(recorded_s(), '<=', $lasted_s, '... but no more than passed');
    $waiting->{end}->();

    my $running = start(sampled_perl(), '-e', "$busy a(100) while 1");
    $begin_s = time;
    $got = recorded('--cpu', '-p', $running->{pid}, '-d', 1);
    $lasted_s = time - $begin_s;
    is($got->{status}, 0, '--cpu of what runs');
    cmp_ok(recorded_s(), '<=', $lasted_s, '... is no more than what passed');
    cmp_ok(recorded_s(), '>', 0, '... but some');
    $running->{end}->();
}

# ---- a busy program: no stack that there cannot be ----

{
    my $program   = start(sampled_perl(), '-e', "$busy a(20) while 1");
    my $recording = recording($out, ['-r', 2000, '-p', $program->{pid}],
        until => sub { 3 <= (() = folded() =~ /^main::a\S* \d+$/mg) });
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, 'a busy program');
    my @stacks = grep { $_ ne 'main::CORE:print' } map { s/ \d+$//r } split /\n/, folded(); # it said that it is ready
    is_deeply([sort @stacks], [qw(main::a main::a;main::b main::a;main::b;main::c)],
        '... has the stacks that there are');
    $program->{end}->();
}

# ---- evals that are within one another, as #line has it ----

{
    my $script = spew("$scratch/circle.pl", <<'PERL');
my $inner = qq{# line 1 "(eval 2)"\nsub inner { 1 until -e \$_[0] } inner(\$ARGV[0])};
my $outer = qq{# line 1 "(eval 1)"\neval \$inner; die \$@ if \$@};
# line 1 "(eval 2)"
eval $outer; die $@ if $@;
PERL
    is(recorded_until(qr/^main::inner(?:;\S+)? \d+$/m, $^X, $script, $go), 0,
        'evals that are within one another are recorded');
}

# ---- depths that vary: more calls than are wanted, more contexts than are read, and none again ----

{
    my $script = 'no warnings; use Time::HiRes "time"; $| = 1; print "busy\n"; sub spin { my $until = time + 0.03; '
        . '1 while time < $until }'
        . 'sub deep { my ($n) = @_; if ($n) { for my $once (1) { deep($n - 1) } } else { spin() } } while (1) { '
        . 'deep(9000); spin(); deep(500) }';
    my $program = start(sampled_perl(), '-e', $script);
    for my $depth (100, 20_000) {
        my $recording = recording($out, ['-r', 200, "--depth=$depth", '-p', $program->{pid}], until => sub {
            my %depths = map { tr/;// => 1 } split /\n/, folded();
            return (grep { $_ <= 1 } keys %depths) && (grep { $_ >= 99 } keys %depths);
        });
        kill INT => $recording->{pid};
        is($recording->{end}->(), 0, "--depth=$depth: shallow stacks and deep ones");
    }
    $program->{end}->();
}

# ---- refusals ----

{
    my $program = start($^X, '-e', "$waits outer()");
    my $table   = (glob "$build/share/nytprof/offsets/own-*.txt")[0];
    my $other   = spew("$scratch/other.txt", slurp($table) =~ s/^perl .*/perl 5.99.9/mr);
    my $got     = dump_of($program->{pid}, "--offsets=$other");
    is($got->{status}, 1, 'a perl that no table fits is refused');
    my $version = sprintf '%vd', $^V;
    like($got->{err}, qr/\Q$version\E.*5\.99\.9/s, '... named');
    like(dump_of($program->{pid}, '--offsets=' . spew("$scratch/bad.txt", slurp($table) =~ s/^cx_size .*\n//mr))->{err},
        qr/cannot be used, cx_size is missing/,
        'a table that lacks something is not used');
    like(dump_of($program->{pid}, '--offsets=/proc/self/mem')->{err}, qr/cannot be used, Input\/output error/,
        'a table that cannot be read: why');
    my $later = spew("$scratch/later.txt", slurp($table) =~ s/^perl (\d+\.\d+)\..*/perl $1.77/mr);
    $got = dump_of($program->{pid}, "--offsets=$later");
    is($got->{status}, 0, 'another release of a known series is used');
    like($got->{err},
        qr/\Anytp-record: perl \Q$version\E is not known: its structures are taken to be those of perl \d+\.\d+\.77\n\z/, '... and named');
    is(dump_of($program->{pid},
        '--offsets=' . spew("$scratch/later.txt", slurp($later) =~ s/^options .*/$& SOMETHING_NEW/mr))->{status}, 1,
        '... unless it was built otherwise');
    my @fields = slurp($table) =~ /^(?!perl|options|machine)(\w+) /mg;
    my (%refused, @bad);
    my @values = (4_294_967_294, 0, '-'); # of each field the first, of one in three all, with EXHAUSTIVE of all
    my $turn   = 0;
    for my $field (fewer(20, @fields)) {
        for my $value ($ENV{EXHAUSTIVE} || $turn++ % 3 == 0 ? @values : $values[0]) {
            $got = dump_of($program->{pid},
                '--offsets=' . spew("$scratch/bad.txt", slurp($table) =~ s/^\Q$field\E .*$/$field $value/mr));
            $refused{$field}++ if $got->{err} =~ /$field is not within its structure/;
            push @bad, "$field $value: signal $got->{signal}, $got->{err}"
                if $got->{signal} != 0 || ($got->{status} != 0 && $got->{err} !~ /\Anytp-record: .+\n\z/);
        }
    }
    is("@bad", '', 'whatever a table says, it is used or refused');
    ok($refused{$_}, "$_ outside of its structure is refused")
        for grep { !valgrind() } qw(si_type cx_sub_cv sv_any xpvcv_root cop_line);
  SKIP: {
        skip 'valgrind writes no log for another user', 2 if valgrind();
        skip 'needs root', 2 if $> != 0 || system("setpriv --reuid=65534 --clear-groups true 2>/dev/null") != 0;
        my $denied = run(['setpriv', '--reuid=65534', '--clear-groups', $ours, '--dump', '-p', $program->{pid}]);
        is($denied->{status}, 1, "another user's process");
        like($denied->{err}, qr/not permitted: it belongs to another user.*run this as root/,
            '... is refused with what to do');
    }
    $program->{end}->();
}

# ---- yama, and a container without the capability: what the messages depend on is put in their place ----

SKIP: {
    my @nobody = ('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups');
    skip 'valgrind executes no mount, which is setuid', 4 if valgrind();
    skip 'needs root and namespaces', 4 if $> != 0 || system("unshare --mount @nobody true 2>/dev/null") != 0;
    # A process of the same user that has a capability more may not be read, so yama is asked for.
    my $program = start(@nobody, '--inh-caps=+net_raw', '--ambient-caps=+net_raw', sampled_perl(), '-e',
        "$waits outer()");
    my $yama    =
        'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo "$0" > '
        . '/proc/sys/kernel/yama/ptrace_scope && exec "$@"';
    my %means   = (1 => qr/run this as root, or start the program with it/, 2 => qr/only root may read/,
        3 => qr/lets nobody read other processes/);
    for my $scope (sort keys %means) {
        my $got = run(['unshare', '--mount', 'sh', '-c', $yama, $scope, @nobody, $ours, '--dump', '-p',
            $program->{pid}]);
        like($got->{err}, qr/\Anytp-record: $program->{pid}: not permitted: .*$means{$scope}/,
            "ptrace_scope is $scope");
    }
    like(run(['setpriv', '--bounding-set=-sys_ptrace', $ours, '--dump', '-p', $program->{pid}])->{err},
        qr/root lacks the capability SYS_PTRACE/, 'root without the capability');
    $program->{end}->();
}

# ---- a kernel without lists of children: all of /proc is searched ----

SKIP: {
    my $source = spew("$scratch/no-lists.c", <<'C');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
FILE *fopen(const char *path, const char *mode)
{
    if (strstr(path, "/children") == NULL)
        return ((FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen"))(path, mode);
    errno = ENOENT;
    return NULL;
}
int access(const char *path, int mode)
{
    if (strstr(path, "/children") == NULL)
        return ((int (*)(const char *, int))dlsym(RTLD_NEXT, "access"))(path, mode);
    errno = ENOENT;
    return -1;
}
C
    my $library = "$scratch/no-lists.so";
    skip 'no libraries with sanitizers or under memcheck', 2 if valgrind() || sanitized();
    is(system(compiler(), '-shared', '-fPIC', '-o', $library, $source, '-ldl'), 0, 'a library that hides the lists');
    my $program = start(sampled_perl(), '-e', "$waits if (fork == 0) { sub child { sleep 100 } child() } outer()");
    my $recording = recording($out, ['--children', '-p', $program->{pid}], env => { LD_PRELOAD => $library },
        until => sub { join('', map { folded($_) } glob "$out.*") =~ /^main::child;main::CORE:sleep \d/m });
    kill INT => $recording->{pid};
    is($recording->{end}->(), 0, 'a child is found nevertheless');
    $program->{end}->();
}

# ---- a container: other files at the same paths, other pids ----

SKIP: {
    my @alone = ('unshare', '--pid', '--mount', '--fork', '--kill-child');
    skip 'needs root and namespaces', 2 if $> != 0 || system("@alone true 2>/dev/null") != 0;
    my $root = "$scratch/root";
    for my $file (sampled_perl(), run(['ldd', sampled_perl()])->{out} =~ m{(/\S+) \(0x}g) {
        my ($directory) = $file =~ m{(.*)/};
        system('mkdir', '-p', "$root$directory") == 0 && system('cp', '-L', $file, "$root$file") == 0 or die;
    }
    rename "$root" . sampled_perl(), "$root/else" or die;
    mkdir "$root/dev";
    spew("$root/dev/null", ''); # -e reads it
    my $contained = start('env', 'LC_ALL=C', @alone, 'chroot', $root, '/else', '-e',
        '$| = 1; print "ready\n"; sub contained { sysread STDIN, my $x, 1 } contained()');
    my ($pid) = map { m{(\d+)/stat} } grep { (eval { slurp($_) } // '') =~
        /\) \S $contained->{pid} / } glob '/proc/[0-9]*/stat';
    wait_for_sleep($pid);
    my $got = dump_of($pid);
    is($got->{status}, 0, 'a perl in a container, from its host') or diag($got->{err});
    like($got->{out}, qr/^  main::contained at -e line 1$/m, '... is read');
    $contained->{end}->();
}

# ---- the names of built-ins ----

{
    my $collectors = join ' ', slurp("$top/xs/ops/builtins.c") =~ /#define (?:BUILTIN|WAITING)_OPS\(OP\)(.*?[^\\])\n/sg;
    my ($samplers)   = slurp("$top/sampler/perl/optypes.c") =~ /builtins\[\] = \{(.*?)\}/s;
    my @collectors = map { lc } $collectors =~ /\bOP\((\w+)\)/g;
    cmp_ok(scalar @collectors, '>', 100, 'the collector has a list of built-ins, accept() and syscall() apart');
    is_deeply([sort $samplers =~ /"(\w+)"/g], [sort @collectors, qw(accept syscall)],
        'and the sampler has the same one');
}

for ([[], qr/which process/], [['-p', 'x'], qr/the number of a process/], [['-p', 1, 'true'], qr/not both/],
    [['--args', '-p', 1], qr/--dump/],
    [['-r', 20000, '-p', 1], qr/-r|--rate/], [['-d', 'soon', '-p', 1], qr/seconds/]) {
    my ($arguments, $message) = @$_;
    my $got = run([$ours, @$arguments]);
    is($got->{status}, 2, "'@$arguments' is wrong usage");
    like($got->{err}, $message, '... and it says what');
}

done_testing();
