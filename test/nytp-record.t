# nytp-record as its user meets it: processes that end, execute something else, are stopped or start others; files,
# signals, messages.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use Config;
use List::Util qw(sum);
use NYTPTest qw(build_dir chunk_tags compiler fails_cleanly fewer patience run scratch_dir slurp spew top_dir valgrind);
use POSIX ();
use Sampled qw(dump_of frames_of may_sample recorder sampled_perl start wait_for_sleep);
use Test::More;

my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

my ($build, $scratch) = (build_dir(), scratch_dir());
my ($top, $ours)      = (top_dir(), recorder());
my $out               = "$scratch/nytprof.out";
my $waits             = '$| = 1; sub outer { inner() } sub inner { print "ready\n"; sysread STDIN, my $x, 1 }';
my $busy = '$| = 1; print "busy\n"; sub a { b($_[0]) + 1 } sub b { my $s = 0; $s += $_ for 1 .. $_[0]; c($s) } sub c { $_[0] * 2 } ';

sub recorded { my (@arguments) = @_; return run([$ours, '-o', $out, @arguments], dir => $scratch) }
sub folded { my ($file) = @_; return run(["$build/bin/nytprofcalls", $file // $out])->{out} }
sub samples { my ($got) = @_; return $got->{err} =~ /^nytp-record: (\d+) samples?/m ? $1 : undef }

# A recorder that goes on meanwhile: its pid, and what waits for it to end and returns its status.
sub in_background {
    my (@arguments) = @_;
    my $pid = fork // die;
    if ($pid == 0) {
        open STDERR, '>', "$scratch/err" or die;
        exec $ours, '-o', $out, @arguments or POSIX::_exit(127);
    }
    select undef, undef, undef, 0.5;
    return ($pid, sub { waitpid $pid, 0; return $? });
}

# Shares of time in a program that goes on, and in the same one stopped for each sample: percents by key. times: returns
# the times of a recording by key.
sub running_and_stopped {
    my ($script, $seconds, $times) = @_;
    my $program = start(sampled_perl(), $script);
    my @shares;
    for my $option ('--wall', '--stop') {
        recorded($option, '-r', 1000, '-p', $program->{pid}, '-d', $seconds);
        my %time = $times->();
        my $all  = sum(values %time);
        push @shares, { map { $_ => 100 * $time{$_} / $all } keys %time };
    }
    $program->{end}->();
    return @shares;
}

# ---- a command ----

{
    my $got = recorded('-r', 500, $^X, '-e', 'sub slow { select undef, undef, undef, 0.5 } slow()');
    is($got->{status}, 0, 'a command') or diag($got->{err});
    like(folded(), qr/^main::slow;main::CORE:sselect \d{7}$/m, 'its perl was sampled');
    is(recorded($^X, '-e', 'select undef, undef, undef, 0.3; exit 3')->{status}, 3, 'its exit status is that of the command');
    is(recorded('sh', '-c', "$^X -e 'sub child { select undef, undef, undef, 0.4 } child()'; :")->{status}, 0, 'a perl below a shell');
    like(folded(), qr/^main::child/m, '... was sampled');
    $got = recorded('true');
    is($got->{status}, 1, 'no perl at all is an error');
    like($got->{err}, qr/^nytp-record: true ended before a perl could be sampled/, '... that says so');
    like(recorded('/nonexistent')->{err}, qr{^nytp-record: /nonexistent: cannot execute: No such file}, 'neither is what cannot be executed');
}

# ---- the profile ----

{
    my $program = start(sampled_perl(), '-e', "$waits outer();");
    my $started = time;
    my $got     = recorded('-p', $program->{pid}, '-d', 1);
    my $count   = samples($got);
    ok($count > 50 && $count < 130, "100 samples a second: $count");
    my %tags = map { $_ => 1 } chunk_tags($out);
    ok($tags{$_}, "$_ is there") for qw(NEW_FID TIME_LINE SUB_ENTRY SUB_RETURN SUB_INFO SUB_CALLERS PID_END);
    my $chunks = run(["$build/test/dump-chunks", $out])->{out};
    like($chunks, qr/^ATTRIBUTE\t'sampled_hz\t'100$/m, 'with the rate as an attribute');
    like($chunks, qr/^ATTRIBUTE\t'collector\t'nytp-record%20\d+\.\d+\.\d+$/m, 'and the program that took them');
    is(run(["$build/bin/$_", '--strict', '-o', "$scratch/$_.out", $out])->{err}, '', "$_ reads it") for qw(nytprofcalls nytprofcg nytp-dot nytp-tree nytprofmerge);
    my $stock = run([$^X, '-MDevel::NYTProf::Data', '-we', <<'PERL', $out], env => { PERL5LIB => undef });
my $profile = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 });
for my $sub (sort { $a->subname cmp $b->subname } values %{ $profile->subname_subinfo_map }) {
    printf "%s %.1f %s\n", $sub->subname, $sub->incl_time, ref $sub->caller_fid_line_places;
}
PERL
    like($stock->{out}, qr/\Amain::CORE:sysread (0\.[89]|1\.0) HASH\nmain::RUNTIME 0.0 HASH\nmain::inner \1 HASH\nmain::outer \1 HASH\n\z/, "stock's reader reads it")
        or diag($stock->{err});
    is($stock->{err}, '', '... without a warning');

    # Calls were not counted: programs show samples.
    my ($calls) = run(["$build/bin/nytprofcalls", '--calls', $out])->{out} =~ /^main::outer;main::inner;main::CORE:sysread (\d+)$/m;
    cmp_ok(abs($calls - $count), '<=', 5, 'nytprofcalls --calls has samples');
    like(run(["$build/bin/nytprofcg", '-o', '-', $out])->{out}, qr/^event: Samples : Samples\n(?:.*\n)?events: Time Samples StmtTime\n/m, 'nytprofcg, too');
    like(run(["$build/bin/nytp-tree", $out])->{out}, qr/^main::outer x $calls +\t/m, 'nytp-tree, too');
    like(run(["$build/bin/nytp-tree", '--table', $out])->{out}, qr/^Exclusive Times, sampled\n%Time .* Sampls /m, '... in the table, too');
    my $dot = run(["$build/bin/nytp-dot", $out])->{out};
    like($dot, qr/sampled, \d+ samples/, 'and nytp-dot');
    unlike($dot, qr/\d calls?\b|calls: /, '... which has no numbers of calls');
    $program->{end}->();
}

# Names of packages are of the same kind in names of subs and of built-ins.
{
    my $script = spew("$scratch/utf8.pl", "use utf8; package Gr\xC3\xB6\xC3\x9Fe; \$| = 1; print \"ready\\n\"; sub waits { sysread STDIN, my \$x, 1 } waits();");
    my $program = start(sampled_perl(), $script);
    is(recorded('-p', $program->{pid}, '-d', 0.3)->{status}, 0, 'a package whose name is UTF-8');
    my @names = run(["$build/test/dump-chunks", $out])->{out} =~ /^SUB_INFO\t.*\t(.Gr.*)$/mg;
    is_deeply([sort @names], [qw("Gr%C3%B6%C3%9Fe::CORE:sysread "Gr%C3%B6%C3%9Fe::waits)], '... is so for its subs and for built-ins');
    $program->{end}->();
}

# ---- the end of the process, and what becomes of it ----

{
    my $program = start(sampled_perl(), '-e', "$busy a(1000) while 1");
    my ($pid, $end) = in_background('-p', $program->{pid});
    $program->{end}->();
    is($end->(), 0, 'a process that is killed ends the recording');
    like(folded(), qr/^main::a/m, '... which is complete');

    $program = start(sampled_perl(), '-e', "$busy for (1 .. 30000) { a(10) } exec \$^X, '-e', 'sub other { select undef, undef, undef, 0.6 } other()'");
    is(recorded('-r', 1000, '-p', $program->{pid})->{status}, 0, 'a process that executes another perl is followed');
    like(folded(), qr/^main::other;main::CORE:sselect \d/m, '... into that');
    $program->{wait}->();

    $program = start(sampled_perl(), '-e', "$waits outer(); exec 'sleep', 3");
    ($pid, $end) = in_background('-p', $program->{pid});
    $program->{go}->();
    is($end->(), 0, 'one that executes what is not a perl');
    like(slurp("$scratch/err"), qr{\d+: \S+ is not a perl}, '... ends it, and it says why');
    $program->{end}->();

    $program = start(sampled_perl(), '-e', "$waits outer()");
    kill STOP => $program->{pid};
    like(dump_of($program->{pid})->{out}, qr/^  main::inner at -e line 1$/m, 'a stopped process is read');
    kill CONT => $program->{pid};
    $program->{end}->();

    my $zombie = fork // die;
    POSIX::_exit(0) if $zombie == 0;
    select undef, undef, undef, 0.1;
    my $got = dump_of($zombie);
    is($got->{status}, 1, 'a zombie is refused');
    like($got->{err}, qr/has ended \(a zombie\)/, '... as one');
    like(recorded('-p', $zombie)->{err}, qr/has ended \(a zombie\)/, '... by the recorder, too');
    waitpid $zombie, 0;
    like(dump_of($zombie)->{err}, qr/there is no such process/, 'so is a pid without a process');
    like(dump_of($$ == 1 ? 2 : 1)->{err}, qr/is not a perl|not permitted/, 'and a program that is no perl');
}

# ---- children, threads ----

{
    my $program = start(sampled_perl(), '-e', "$waits if (fork == 0) { sub child { sleep 100 } child() } outer(); sleep 2; kill KILL => -\$\$ if 0;");
    my $got     = recorded('--children', '-p', $program->{pid}, '-d', 1);
    my @files   = glob "$out.*";
    is(scalar @files, 1, 'a child has a file of its own');
    like(folded($files[0]), qr/^main::child;main::CORE:sleep \d/m, '... with its stacks');
    like(folded(), qr/^main::outer;main::inner/m, 'and the parent has its own');
    my ($child) = $files[0] =~ /\.(\d+)$/;
    kill KILL => $child if $child;
    unlink @files;
    $program->{end}->();
}

SKIP: {
    skip 'a perl without threads', 2 if !$Config{useithreads};
    my $program = start($^X, '-Mthreads', '-e', '$| = 1; my $t = threads->create(sub { while (1) { my $x = 1 } }); sub main_waits { sleep 100 } print "ready\n"; main_waits()');
    my $got = recorded('-p', $program->{pid}, '-d', 0.5);
    like($got->{err}, qr/has 2 threads: only its first interpreter is sampled/, 'threads: it says that there are others');
    like(folded(), qr/\Amain::main_waits 0\nmain::main_waits;main::CORE:sleep \d+\n\z/, '... and samples the first');
    $program->{end}->();
}

# ---- signals and files ----

{
    my $program = start(sampled_perl(), '-e', "$waits outer()");
    for my $signal (qw(INT TERM HUP)) {
        my ($pid, $end) = in_background('-p', $program->{pid});
        kill $signal => $pid;
        is($end->(), 0, "SIG$signal completes the profile");
        like(folded(), qr/^main::outer;main::inner;main::CORE:sysread \d{6,}$/m, '... which is good');
    }
    my ($pid, $end) = in_background('-p', $program->{pid});
    kill USR1 => $pid;
    select undef, undef, undef, 0.3;
    my %tags = map { $_ => 1 } chunk_tags($out);
    ok($tags{SUB_INFO} && $tags{SUB_CALLERS} && !$tags{PID_END}, 'SIGUSR1 has the file hold what readers need, and goes on');
    my $second = run([$ours, '-o', $out, '-p', $program->{pid}, '-d', 0.2]);
    like($second->{err}, qr/: \Q$out.$program->{pid}\E$/m, 'a profile that is still written keeps its name');
    kill INT => $pid;
    is($end->(), 0, 'and it is completed');
    is(scalar(() = run(["$build/test/dump-chunks", $out])->{out} =~ /^SUB_INFO\t\d+\t\d+\t\d+\t'main::inner$/mg), 1, '... with each sub once');
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
        my $parent = start($^X, '-e', '$| = 1; print "ready\n"; sysread STDIN, my $x, 1; my $begin = time; my $pid = fork // die;
            if (!$pid) { select undef, undef, undef, 0.1 for 1 .. 5; exit 7 } waitpid $pid, 0; print $? >> 8, time - $begin < 3 ? " soon\n" : " late\n"');
        my ($recorder, $recorder_end) = in_background('--stop', '--children', '-p', $parent->{pid}, '-d', 4);
        $parent->{go}->();
        is(readline $parent->{from}, "7 soon\n", '--stop --children: the parent learns at once that its child has ended');
        kill INT => $recorder;
        $recorder_end->();
        $parent->{wait}->();
    }
    {
        my $stopped = run(['timeout', '-k', 1, 20, $ours, '--dump', '--stop', '-p', $program->{pid}]);
        is($stopped->{status}, 0, '--dump --stop');
        like($stopped->{out}, qr/^  main::inner at/m, '... prints the stack');
    }
    {
        my $alarms = 'use Time::HiRes "ualarm"; $SIG{ALRM} = sub { $alarms++ }; ualarm 20_000, 20_000; $x += $_ for 1 .. 1e7; ualarm 0; exit($alarms > 3 ? 7 : 8)';
        for my $more ([], ['--cpu']) {
            is(run(['timeout', '-k', 1, 20, $ours, '--stop', @$more, '-o', $out, $^X, '-e', $alarms])->{status}, 7, "--stop @$more hands on the signals that a command gets");
        }
    }
    {
        my $state   = sub { slurp("/proc/$program->{pid}/stat") =~ /\) (\S)/ ? $1 : '' };
        my $becomes = sub {
            my ($wanted) = @_;
            for (1 .. patience(10) * 100) { last if $state->() eq $wanted; select undef, undef, undef, 0.01 }
            return $state->();
        };
        kill STOP => $program->{pid};
        is($becomes->('T'), 'T', 'a program is stopped');
        my ($recorder, $end) = in_background('--stop', '-r', 50, '-p', $program->{pid}, '-d', 30);
        $becomes->('t');
        my @waiting = grep { select undef, undef, undef, 0.01; $state->() eq 'S' } 1 .. 20;
        is("@waiting", '', '... and stays so with --stop');
        kill CONT => $program->{pid};
        is($becomes->('S'), 'S', '... until it goes on');
        kill TERM => $recorder;
        is($end->(), 0, '... without a word');
    }
    like(recorded('-o', '/dev/full', '-p', $program->{pid}, '-d', 0.2)->{err}, qr/No space left/, 'a full disk is said');
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
    like($got->{err}, qr/\Anytp-record: \d+ samples? .*: standard output\n\z/, '... with messages on standard error');
    like(folded("$scratch/stdout.out"), $stacks, '... and the profile on standard output');
    ok(!-e "$scratch/-", '... and no file of that name');
    like($in_sh->(qq{"\$0" -o - "\$@" | '$build/bin/nytprofcalls' -})->{out}, $stacks, '-o - into a pipe');
    like($in_sh->(q{"$0" --format=folded -o - "$@"})->{out}, $with_root, '-o - with another format');
  SKIP: {
        skip 'no script(1)', 1 if system('script -qec true /dev/null > /dev/null 2>&1') != 0;
        like(run(['script', '-qec', "$ours -o - @short", '/dev/null'])->{out}, qr/not for a terminal/, '-o - on a terminal is refused');
    }
    for my $arguments (['--children', @short], [$^X, '-e', 1]) {
        $got = recorded('-o', '-', @$arguments);
        is($got->{status}, 2, "-o - @$arguments is wrong usage");
        is($got->{out}, '', '... and writes nothing');
        like($got->{err}, qr/-o - takes one profile only/, '... and says why');
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
        skip 'needs root and namespaces', 3 if $> != 0 || system('unshare --mount mount -t tmpfs none /dev 2>/dev/null') != 0;
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

{
    my $program = start(sampled_perl(), '-e', "$busy \$SIG{ALRM} = sub { exit }; alarm 20; while (1) { my \$until = time + 1; a(100) while time < \$until; sleep 1 }");
    is(recorded('--cpu', '-p', $program->{pid}, '-d', 3)->{status}, 0, '--cpu');
    my %time = folded() =~ /^(\S+) (\d+)$/mg;
    cmp_ok($time{'main::CORE:sleep'} // 0, '<', 0.1e7, '... has no time for what waits, but for its beginning');
    is(recorded('--wall', '-p', $program->{pid}, '-d', 4)->{status}, 0, '--wall');
    %time = folded() =~ /^(\S+) (\d+)$/mg;
    ok($time{'main::CORE:sleep'} > 0.8e7 && $time{'main::CORE:sleep'} < 3.2e7, 'does') or diag(explain(\%time));
    $program->{end}->();
}

# A program that knows how long it slept where. Shares, since a sampler that came late has less time in all.
{
    my $program = start(sampled_perl(), '-MTime::HiRes=sleep,time', '-e', <<'PERL');
$| = 1;
print "ready\n";
sysread STDIN, my $go, 1;
my %slept;
sub long { sleep 0.06 }
sub short { sleep 0.02 }
sub busy { my $until = time + 0.02; 1 while time < $until }
for (1 .. 20) { my $begun = time; main->$_, $slept{$_} += time - $begun, $begun = time for qw(long short busy) }
print "$_ $slept{$_}\n" for keys %slept;
PERL
    my ($pid, $end) = in_background('-p', $program->{pid}, '-r', 200);
    $program->{go}->();
    my %slept = map { split } readline $program->{from};
    is($end->(), 0, 'a program with known sleeps');
    my (%sum, $slept, $all);
    $slept += $_ for values %slept;
    my $folded = folded();
    $sum{$1} += $2, $all += $2 while $folded =~ /^main::(long|short|busy)(?:;\S+)? (\d+)$/mg;
    cmp_ok(abs(($sum{$_} // 0) / ($all || 1) - $slept{$_} / $slept), '<', 0.1, "... has the share of $_") for sort keys %slept;
}

# ---- a busy program: no stack that there cannot be ----

{
    my $program = start(sampled_perl(), '-e', "$busy a(20) while 1");
    my $got     = recorded('-r', 2000, '-p', $program->{pid}, '-d', 3);
    my @stacks  = map { s/ \d+$//r } split /\n/, folded();
    is_deeply([grep { !/\Amain::a(?:;main::b(?:;main::c)?)?\z/ } @stacks], [], 'no stack that there cannot be');
    is(scalar @stacks, 3, 'all that there are');
    my ($torn) = $got->{err} =~ /(\d+) torn/;
    cmp_ok($torn, '<=', samples($got) * 0.05, "few are torn, where subs last 100 ns: $torn of " . samples($got));
    $program->{end}->();
}

# ---- code that comes and goes: subs that are defined anew 3,000 times a second, closures that live for 10 us ----

{
    my $script = spew("$scratch/passing.pl", <<'PERL');
use Sub::Util qw(set_subname);
$| = 1; print "busy\n";
sub spin { my $n = 0; $n += $_ for 1 .. $_[0]; return $n }
sub sub0 { spin(200) } sub sub1 { spin(200) } sub sub2 { spin(200) } sub sub3 { spin(200) }
for (my $round = 0; ; $round++) {
    my ($kind, $line) = ($round % 4, $round % 4 + 10);
    no warnings 'redefine';
    eval "#line $line \"round$kind\"\nsub foo { sub$kind() }" if $round % 2;
    eval "#line $line \"round$kind\"\n*foo = sub { sub$kind() }" if !($round % 2);
    foo() for 1 .. 20;
    set_subname('main::named', sub { spin($_[0]) })->(3000 + $_) for 1 .. 2;
    for my $n (200 .. 220) { sub { spin($n) }->(); sub { my $x = $n; spin($x) }->() }
}
PERL
    my $program = start(sampled_perl(), $script);
    recorded('-r', 2000, '-p', $program->{pid}, '-d', 4);
    $program->{end}->();
    my (%seconds, %wrong);
    for (split /\n/, run(["$build/bin/nytprofcsv", '--table=calls', '-o', '-', $out])->{out}) {
        my ($callee, $caller, $file, $line, $seconds) = (split /,/)[0 .. 3, 5];
        my $of = $line eq 'line' ? next : $callee =~ /::sub\d/ ? 'foo' : $callee =~ /::spin/ && $caller !~ /::sub\d/ ? 'closures' : next;
        my $is_right = $of eq 'foo' ? "$callee $file $line" =~ m{\Amain::sub(\d) \S*round\1 1\1\z} : "$caller $line" =~ /\Amain::named 11\z|\Amain::__ANON__\S+:12\] 12\z/;
        $seconds{$of} += $seconds;
        $wrong{$of}   += $seconds if !$is_right;
    }
    cmp_ok($seconds{$_} // 0, '>', 0.5, "$_: not lost, although what they are must be read in less time than they live for") for qw(foo closures);
    cmp_ok($wrong{$_} // 0, '<', 0.05 * ($seconds{$_} // 0), '... and hardly ever taken for one another') for qw(foo closures);
}

# ---- a sub that lasts for less time than its stack is read in, against what the program measures itself ----

{
    my $script = spew("$scratch/short.pl", <<'PERL');
use Time::HiRes qw(time);
sub short { my $obj = shift; my $name = ref $obj; $name =~ s/^.*:://; return $name }
sub calls { my ($o) = @_; my $n = 0; for (1 .. 100) { short($o); $n += $_ * 2 for 1 .. 10 } return $n }
sub does_not { my ($o) = @_; my $n = 0; for (1 .. 100) { $n += $_ * 2 for 1 .. 10 } return $n }
my ($object, @least) = (bless({}, 'Some::Class'), 9, 9);
sub least { my ($n, $code) = @_; my $begun = time; $code->($object) for 1 .. 20; my $took = time - $begun; $least[$n] = $took if $took < $least[$n] }
for (1 .. 200) { least(0, \&calls); least(1, \&does_not) }
open my $out, '>', $ARGV[0] or die; print $out 100 * (1 - $least[1] / $least[0]); close $out;
$| = 1; print "busy\n";
calls($object) while 1;
PERL
    my $program = start(sampled_perl(), $script, "$scratch/share");
    recorded('-r', 1000, '-p', $program->{pid}, '-d', 2);
    $program->{end}->();
    my %time;
    for (split /\n/, folded()) {
        my ($stack, $time) = /^(.*) (\d+)$/ or next;
        $time{all} += $time;
        $time{short} += $time if $stack =~ /;main::short/;
    }
    my ($shown, $share) = (100 * $time{short} / $time{all}, slurp("$scratch/share"));
    cmp_ok(abs($shown - $share), '<', 10, sprintf 'it has %.0f %% of the samples, and %.0f %% of the time', $shown, $share);
}

# ---- subs that perl calls on stacks of their own, which come and go, against samples of the same program that is stopped ----

{
    my $script = spew("$scratch/stacks.pl", <<'PERL');
package Number { use overload '+' => sub { my ($n, $more) = @_; my $sum = ($n->[0] + $more) % 1000; $sum *= 2; return $sum } }
package Scalar { sub TIESCALAR { bless [1] } sub FETCH { my ($s) = @_; my $sum = ($s->[0] + 1) % 1000; $sum *= 2; return $sum } }
package Object { sub DESTROY { my ($o) = @_; my $sum = ($o->[0] + 1) % 1000; $sum *= 2; $main::last = $sum } }
package main;
sub spin { my ($sum) = @_; $sum += $_ for 1 .. 10; return $sum }
my $number = bless [1], 'Number';
tie my $scalar, 'Scalar';
$| = 1; print "busy\n";
while (1) { spin($number + $_), spin($scalar), spin(bless [$_], 'Object') for 1 .. 100 }
PERL
    my ($running, $stopped) = running_and_stopped(
        $script, 2,
        sub {
            my %time;
            for (split /\n/, folded()) {
                my ($class, $time) = /(?:(Number|Scalar|Object)::\S+)? (\d+)$/ or next;
                $time{ $class // 'main' } += $time;
            }
            return %time;
        }
    );
    my %all;
    for my $class (qw(Number Scalar Object)) {
        my ($samples, $true) = map { $_->{$class} // 0 } $running, $stopped;
        cmp_ok($samples, '>', $true / 2, sprintf '%s has %.0f %% of the samples, and %.0f %% of those of the stopped program', $class, $samples, $true);
        $all{running} += $samples;
        $all{stopped} += $true;
    }
    cmp_ok(abs($all{running} - $all{stopped}), '<', 0.25 * $all{stopped}, sprintf 'together they have %.0f %%, and %.0f %%', @all{qw(running stopped)});
}

# ---- lines of a short sub, which ends while its sample is read ----

{
    my $script = spew("$scratch/lines.pl", <<'PERL');
sub short {
    my $text = shift;
    $text =~ s/^.*:://;
    return $text;
}
sub other { my ($n) = @_; return $n + 1 }
$| = 1; print "busy\n";
while (1) { short("Some::Class"), other($_) for 1 .. 100 }
PERL
    my ($running, $stopped) = running_and_stopped(
        $script, 3,
        sub { return run(["$build/bin/nytprofcsv", '--table=lines', '-o', '-', $out])->{out} =~ /lines\.pl,(\d+),\d+,(\S+)/g }
    );
    for my $line (2 .. 4, 6, 8) {
        my ($samples, $true) = map { $_->{$line} // 0 } $running, $stopped;
        cmp_ok(abs($samples - $true), '<', 6, sprintf 'line %d has %.0f %% of the samples, and %.0f %% of those of the stopped program', $line, $samples, $true);
    }
}

# ---- evals that are within one another, as #line has it ----

{
    my $script = spew("$scratch/circle.pl", <<'PERL');
my $inner = qq{# line 1 "(eval 2)"\nsub inner { 1 while time < \$_[0] } inner(time + 2)};
my $outer = qq{# line 1 "(eval 1)"\neval \$inner; die \$@ if \$@};
# line 1 "(eval 2)"
eval $outer; die $@ if $@;
PERL
    my $got = recorded($^X, $script);
    is($got->{status}, 0, 'evals that are within one another') or diag($got->{err});
    like(folded(), qr/^main::inner \d+$/m, '... are recorded');
}

# ---- depths that vary: more calls than are wanted, more contexts than are read, and none again ----

{
    my $script = 'no warnings; use Time::HiRes "time"; $| = 1; print "busy\n"; sub spin { my $until = time + 0.03; 1 while time < $until }'
        . 'sub deep { my ($n) = @_; if ($n) { for my $once (1) { deep($n - 1) } } else { spin() } } while (1) { deep(9000); spin(); deep(500) }';
    my $program = start(sampled_perl(), '-e', $script);
    for my $depth (100, 20_000) {
        my $got = recorded('-r', 200, "--depth=$depth", '-p', $program->{pid}, '-d', 1);
        is($got->{status}, 0, "--depth=$depth") or diag($got->{err});
        my ($torn) = $got->{err} =~ /(\d+) torn/;
        cmp_ok($torn, '<=', samples($got) / 20, "$torn of " . samples($got) . ' samples are torn');
        my %depths = map { tr/;// => 1 } split /\n/, folded();
        ok((grep { $_ <= 1 } keys %depths) && (grep { $_ >= 99 } keys %depths), 'shallow stacks and deep ones');
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
    like(dump_of($program->{pid}, '--offsets=' . spew("$scratch/bad.txt", slurp($table) =~ s/^cx_size .*\n//mr))->{err}, qr/cannot be used, cx_size is missing/,
        'a table that lacks something is not used');
    my @fields = slurp($table) =~ /^(?!perl|options)(\w+) /mg;
    my (%refused, @bad);
    for my $field (fewer(20, @fields)) {
        for my $value (0, 4_294_967_294, '-') {
            $got = dump_of($program->{pid}, '--offsets=' . spew("$scratch/bad.txt", slurp($table) =~ s/^\Q$field\E .*$/$field $value/mr));
            $refused{$field}++ if $got->{err} =~ /$field is not within its structure/;
            push @bad, "$field $value: signal $got->{signal}, $got->{err}" if $got->{signal} != 0 || ($got->{status} != 0 && $got->{err} !~ /\Anytp-record: .+\n\z/);
        }
    }
    is("@bad", '', 'whatever a table says, it is used or refused');
    ok($refused{$_}, "$_ outside of its structure is refused") for grep { !valgrind() } qw(si_type cx_sub_cv sv_any xpvcv_root cop_line);
  SKIP: {
        skip 'needs root', 2 if $> != 0 || system("setpriv --reuid=65534 --clear-groups true 2>/dev/null") != 0;
        my $denied = run(['setpriv', '--reuid=65534', '--clear-groups', $ours, '--dump', '-p', $program->{pid}]);
        is($denied->{status}, 1, "another user's process");
        like($denied->{err}, qr/not permitted: it belongs to another user.*run this as root/, '... is refused with what to do');
    }
    $program->{end}->();
}

# ---- yama, and a container without the capability: what the messages depend on is put in their place ----

SKIP: {
    my @nobody = ('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups');
    skip 'needs root and namespaces', 4 if $> != 0 || system("unshare --mount @nobody true 2>/dev/null") != 0;
    # A process of the same user that has a capability more may not be read, so yama is asked for.
    my $program = start(@nobody, '--inh-caps=+net_raw', '--ambient-caps=+net_raw', sampled_perl(), '-e', "$waits outer()");
    my $yama    = 'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo "$0" > /proc/sys/kernel/yama/ptrace_scope && exec "$@"';
    my %means   = (1 => qr/run this as root, or start the program with it/, 2 => qr/only root may read/, 3 => qr/lets nobody read other processes/);
    for my $scope (sort keys %means) {
        my $got = run(['unshare', '--mount', 'sh', '-c', $yama, $scope, @nobody, $ours, '--dump', '-p', $program->{pid}]);
        like($got->{err}, qr/\Anytp-record: $program->{pid}: not permitted: .*$means{$scope}/, "ptrace_scope is $scope");
    }
    like(run(['setpriv', '--bounding-set=-sys_ptrace', $ours, '--dump', '-p', $program->{pid}])->{err}, qr/root lacks the capability SYS_PTRACE/, 'root without the capability');
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
    skip 'no libraries with sanitizers or under memcheck', 2 if valgrind() || join(' ', compiler()) =~ /-fsanitize/;
    is(system(compiler(), '-shared', '-fPIC', '-o', $library, $source, '-ldl'), 0, 'a library that hides the lists');
    my $program = start(sampled_perl(), '-e', "$waits if (fork == 0) { sub child { sleep 100 } child() } outer()");
    unlink glob "$out.*";
    my $got = run([$ours, '-o', $out, '--children', '-p', $program->{pid}, '-d', 1], env => { LD_PRELOAD => $library });
    my ($file, $child) = map { ($_, /\.(\d+)\z/) } glob "$out.*";
    like(folded($file), qr/^main::child;main::CORE:sleep \d/m, 'a child is found nevertheless') or diag($got->{err});
    kill KILL => $child if $child;
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
    my $contained = start('env', 'LC_ALL=C', @alone, 'chroot', $root, '/else', '-e', '$| = 1; print "ready\n"; sub contained { sysread STDIN, my $x, 1 } contained()');
    my ($pid) = map { m{(\d+)/stat} } grep { (eval { slurp($_) } // '') =~ /\) \S $contained->{pid} / } glob '/proc/[0-9]*/stat';
    wait_for_sleep($pid);
    my $got = dump_of($pid);
    is($got->{status}, 0, 'a perl in a container, from its host') or diag($got->{err});
    like($got->{out}, qr/^  main::contained at -e line 1$/m, '... is read');
    $contained->{end}->();
}

# ---- the names of built-ins ----

{
    my ($collectors) = slurp("$top/xs/builtins.c") =~ /#define BUILTIN_OPS\(OP\)(.*?)clang-format on/s;
    my ($samplers)   = slurp("$top/sampler/perl/optypes.c") =~ /builtins\[\] = \{(.*?)\}/s;
    my @collectors = map { lc } $collectors =~ /\bOP\((\w+)\)/g;
    cmp_ok(scalar @collectors, '>', 100, 'the collector has a list of built-ins, accept() and syscall() apart');
    is_deeply([sort $samplers =~ /"(\w+)"/g], [sort @collectors, qw(accept syscall)], 'and the sampler has the same one');
}

for ([[], qr/which process/], [['-p', 'x'], qr/the number of a process/], [['-p', 1, 'true'], qr/not both/], [['--args', '-p', 1], qr/--dump/],
    [['-r', 20000, '-p', 1], qr/-r|--rate/], [['-d', 'soon', '-p', 1], qr/seconds/]) {
    my ($arguments, $message) = @$_;
    my $got = run([$ours, @$arguments]);
    is($got->{status}, 2, "'@$arguments' is wrong usage");
    like($got->{err}, $message, '... and it says what');
}

done_testing();
