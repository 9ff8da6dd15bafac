# Processes and threads: which one writes which file, and that the files are complete.

use strict;
use warnings;

use Config;
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector command exhaustive need_collector plain profiled same_behaviour tool);
use HardCase qw(profile_with readable);
use NYTPTest qw(run scratch_dir spew valgrind);
use ProfileCompare qw(calls_of count_of read_profile);
use POSIX ();
use Test::More;

need_collector();

# Runs code with and without the collector, which must behave the same. Returns the run and its profiles.
sub ran {
    my ($name, $code, %run) = @_;
    my $plain = plain(['-e', $code], map { $_ => $run{$_} } grep { exists $run{$_} } qw(env prepare));
    my $got   = profiled(collector(), ['-e', $code], %run);
    same_behaviour($plain, $got, $name) if !$run{differs};
    my @profiles = map { read_profile($_) } @{ $got->{files} };
    for my $profile (@profiles) {
        ok $profile->{complete},
            "$name: whole" or diag $profile->{path} . ': ' . ($profile->{error} // 'no end of process');
    }
    return ($got, @profiles);
}

# ---- generations ----------------------------------------------------------------

# The main process, its child, the child's child and so on. Each calls a sub of its own.
my $GENERATIONS = <<'END';
sub generation { my ($n) = @_; no strict 'refs'; eval "sub of_$n { 1 }"; &{"of_$n"}() for 1 .. 3; return if $n == 3;
    my $pid = fork // die; if (!$pid) { generation($n + 1); exit $n } waitpid $pid, 0; print $? >> 8, "\n"; after($n) }
sub after { 1 }
$| = 1;
generation(0);
END

for my $depth (-1, 0, 1, 2, 3) {
    my ($got, @profiles) = ran("forkdepth=$depth", $GENERATIONS, options => { forkdepth => $depth });
    my $deepest = $depth < 0 ? 3 : $depth;
    is scalar @profiles, $deepest + 1, "forkdepth=$depth: a profile for each generation that is to have one";
    for my $n (0 .. 3) {
        my $profile = profile_with(\@profiles, "main::of_$n");
        is count_of($profile, "main::of_$n"), $n <= $deepest ? 3 : 0, "forkdepth=$depth: calls of generation $n";
        is count_of($profile, 'main::after'), $n < 3 ? 1 : 0, "forkdepth=$depth: what comes after the fork in $n"
            if $n <= $deepest;
        is count_of($profile, 'main::of_' . ($n - 1)), 0, "forkdepth=$depth: nothing inherited in $n"
            if $n && $n <= $deepest;
    }
    my %name = map { /nytprof\.out(.*)/ => 1 } @{ $got->{files} };
    ok $name{''}, "forkdepth=$depth: the first one has the name that was asked for";
    my @children = grep { $_->{path} =~ /out\.(\d+)$/ && $1 == $_->{starts}[0]{pid} } @profiles;
    is scalar @children, $deepest, "forkdepth=$depth: the children's have their process number";
}
{
    my ($got, @profiles) = ran('addpid', $GENERATIONS, options => { addpid => 1 });
    is scalar(grep { $_->{path} =~ /out\.(\d+)$/ && $1 == $_->{starts}[0]{pid} }
        @profiles), 4, 'addpid=1: every name has the process number';
    my %by_pid = map { $_->{starts}[0]{pid} => $_ } @profiles;
    is scalar(grep { $by_pid{ $_->{starts}[0]{ppid} } } @profiles), 3, 'addpid=1: profiles name the parents';
}
{
    my ($got, @profiles) = ran('addtimestamp', '1', options => { addtimestamp => 1 });
    like $got->{files}[0], qr/out\.\d{10}$/, 'addtimestamp=1: the name has the time';
    ($got, @profiles) = ran('both', '1', options => { addtimestamp => 1, addpid => 1 });
    like $got->{files}[0], qr/out\.\d+\.\d{10}$/, 'addpid and addtimestamp: first the process, then the time';
}
{
    my $count = exhaustive() ? 300 : valgrind() ? 12 : 99;
    my ($got, @profiles) = ran("$count children at once", <<"END");
sub kid { 1 }
sub generation {
    my (\$n, \$children) = \@_;
    my \@pids = map { my \$pid = fork // die; if (!\$pid) { kid() for 1 .. 10; generation(\$n + 1, 1) if \$n < 3; exit 0 } \$pid } 1 .. \$children;
    waitpid \$_, 0 for \@pids;
    return scalar \@pids;
}
print generation(1, $count / 3);
END
    is scalar(grep { count_of($_, 'main::kid') == 10 } @profiles), $count,
        "$count children at once, in three generations: each has its file";
    is scalar @profiles, $count + 1, "$count children at once, in three generations: no more";
}
for my $options ({}, { stmts => 0, subs => 0 }) {
    my $name = join ' ', 'a child that forks before its first event', %$options;
    my ($got, @profiles) = ran($name,
        'my $p = fork; if (!$p) { my $q = fork; exit 0 if !$q; waitpid $q, 0; exit 0 } waitpid $p, 0; print "ok\n"',
        options => $options, timeout_s => 20);
    is scalar @profiles, 3, "$name: a profile for each";
    ($got, @profiles) = ran("$name, forkdepth=1",
    'my $p = fork; if (!$p) { my $q = fork; exit 0 if !$q; waitpid $q, 0; exit 0 } waitpid $p, 0',
        options => { %$options, forkdepth => 1 });
    is scalar @profiles, 2, "$name, forkdepth=1: none for the child's child";
}
{
    my ($got, @profiles) = ran('start=end',
        'sub f { 1 } f(); my $p = fork; if (!$p) { f(); exit 0 } waitpid $p, 0; END { f() for 1 .. 3 }',
        options => { start => 'end' });
    is join(' ', map { count_of($_, 'main::f') } @profiles), '3 3', 'start=end: the child has its file, too';
}
{
    my ($got) = ran('the last generation that is profiled',
        'my $p = fork; if (!$p) { DB::finish_profile() if defined &DB::finish_profile;
        DB::enable_profile("again") if defined &DB::enable_profile; exit 0 } waitpid $p, 0',
        options => { forkdepth => 1 });
    my @again = glob "$got->{dir}/again*";
    is scalar @again, 1, 'the last generation that is profiled: can begin another file';
}
{
    my ($got, @profiles) = ran('a child that begins a profile itself',
        'sub f { 1 } my $p = fork; if (!$p) { f(); DB::enable_profile() if defined &DB::enable_profile;
        f() for 1 .. 5; my $q = fork; f() for 1 .. 7; waitpid $q, 0 if $q; exit 0 } waitpid $p, 0',
        options => { forkdepth => 0 });
    is join(' ', sort map { count_of($_, 'main::f') } @profiles), '0 12',
        'a child that begins a profile itself has one, its own child has none';
}
{
    my ($got, @profiles) = ran(
        'fork while disabled',
        'sub f { 1 } f(); DB::disable_profile() if defined &DB::disable_profile; my $p = fork; if (!$p) { f() for 1 .. 5;
            DB::enable_profile() if defined &DB::enable_profile; f() for 1 .. 7; exit 0 } waitpid $p, 0; f() for 1 .. 9;',
    );
    my ($parent) = grep { $_->{path} =~ /out$/ } @profiles;
    my ($child)  = grep { $_->{path} !~ /out$/ } @profiles;
    is count_of($parent, 'main::f'), 1, 'fork while disabled: the parent stays so';
    is count_of($child // { arcs => {} }, 'main::f'), 7, 'fork while disabled: the child can be enabled';
}

# ---- ends -------------------------------------------------------------------------

my $CALLS = 'sub f { 1 } sub deep { my $n = shift; return $n ? deep($n - 1) : last_one() } f() for 1 .. 5; ';
my @ENDS  = (
    ['exit',                     {},                                    'exit 3'],
    ['die',                      {},                                    'die "x\n"'],
    ['POSIX::_exit',             {},                                    'require POSIX; POSIX::_exit(4)'],
    ['POSIX::_exit, posix_exit', { posix_exit => 1 },                   'require POSIX; POSIX::_exit(4)'],
    ['POSIX::_exit, subs=0',     { posix_exit => 1, subs => 0 },        'require POSIX; POSIX::_exit(4)'],
    ['exec',                     {},                                    'exec $^X, "-e", "exit 5"'],
    ['exec of a shell',          {},                                    'exec "exit 6;"'],
    ['endatexit',                { endatexit => 1 },                    'exit 8'],
    ['end of file',              {},                                    '1'],
    ['exit in END',              {},                                    'END { exit 9 } 1'],
    ['exit in an eval',          {},                                    'eval { exit 2 }'],
    ['exit in a sort',           {},                                    'my @x = sort { exit 2 } 2, 1'],
    ['exit in DESTROY',          {},                                    'sub D::DESTROY { exit 2 } { bless [], "D" }'],
    ['die in a signal handler',  {},
    '$SIG{USR1} = sub { die "sig\n" }; kill USR1 => $$; sleep 1'],
    ['use of a bad module',      {},                                    'eval "use Not::There; 1" or print "none\n"'],
);
for my $case (@ENDS) {
    my ($name, $options, $end) = @$case;
    my ($got, @profiles) = ran("end by $name", "$CALLS sub last_one { $end } deep(3);",
        options => { calls => 2, %$options });
    is scalar @profiles, 1, "end by $name: one profile" or next;
    next if ($options->{subs} // 1) == 0;
    is count_of($profiles[0], 'main::f'), 5, "end by $name: with the calls";
    is calls_of($profiles[0], 'main::deep'), 4, "end by $name: with those that were open";
}
for my $want (['INT', 1], ['TERM', 'INT,TERM'], ['HUP', 1], ['PIPE', 1]) {
    my ($signal, $sigexit) = @$want;
    my ($got, @profiles) = ran("sigexit on $signal", "$CALLS sub last_one { kill $signal => \$\$;
        sleep 1 } deep(3);", options => { sigexit => $sigexit }, differs => 1);
    is $got->{status}, 1, "sigexit=$sigexit: $signal ends it with 1";
    is count_of($profiles[0] // { arcs => {} }, 'main::f'), 5, "sigexit=$sigexit: $signal leaves the profile";
}
{
    my ($got, @profiles) = ran('no sigexit', '$SIG{INT} = sub { print "own\n" }; kill INT => $$;
        sub f { 1 } f();', options => { sigexit => 0 });
    is count_of($profiles[0], 'main::f'), 1, "a program's own handler stays";
}
{
    my ($got, @profiles) = ran(
        'system and backticks',
        'sub f { 1 } f(); print `echo a; exit 2`; print $? >> 8, "\n"; print system("exit 3;") >> 8, "\n";
            print system({ "true" } "x"), "\n"; print system("/nonexistent") == -1 ? "no\n" : "?"; f();
            print qx(echo $$) == $$ ? "" : "other\n"; f();',
    );
    is scalar @profiles, 1, 'system and backticks: no profiles of what they run';
    is count_of($profiles[0], 'main::f'), 3, 'system and backticks: all calls are there';
}
{
    my $code = 'sub k { 1 } k() for 1 .. $ARGV[0]; if ($ARGV[0] < 3) { system $^X, $0, $ARGV[0] + 1; k() }';
    my $got  = profiled(
        collector(), ['k.pl', 1],
        load    => [],
        prepare => sub { NYTPTest::spew("$_[0]/k.pl", $code) },
        options => { addpid => 1 },
        env     => { PERL5OPT => join ' ', (command(collector()))[1], '-d:NYTProf' },
    );
    my @counts = sort map { count_of(read_profile($_), 'main::k') } @{ $got->{files} };
    is "@counts", '2 3 3', 'perls that start perls, by PERL5OPT: each has its file' or diag $got->{err};
}
if ($Config{archname} =~ /^x86_64-linux/) { # on other systems fork(2) has another number, or none
    my $code = 'sub f { 1 } sub kid { 1 } f() for 1 .. 3; my $p = syscall 57; if (!$p) { select undef, undef, '
        . 'undef, 0.5; ';
    my ($got, @profiles) = ran("a fork without libc",
        $code . 'kid() for 1 .. 10; exit 3 } waitpid $p, 0; print $? >> 8; f()', timeout_s => 30);
    is scalar @profiles, 2, "a fork without libc: a profile for each";
    my $child = profile_with(\@profiles, 'main::kid');
    is count_of($child, 'main::kid'), 10, "a fork without libc: the child's calls";
    is count_of($child, 'main::f'), 0, "a fork without libc: nothing inherited";
    is count_of(profile_with(\@profiles, 'main::f'), 'main::f'), 4, "a fork without libc: the parent goes on";
    ran("a fork without libc, and an end at once", 'my $p = syscall 57; exit 3 if !$p; waitpid $p, 0; print $? >> 8',
        timeout_s => 30);
    ran("a fork without libc, and an exec", 'my $p = syscall 57; exec "false" if !$p; waitpid $p, 0; print $? >> 8',
        timeout_s => 30);
    for my $call (60, 231) {
        my ($got, $profile) = ran("an exit without libc, $call", "$CALLS sub last_one { syscall $call, 3 } deep(3);",
            options => { calls => 2 }, timeout_s => 20);
        is count_of($profile, 'main::f'), 5, "an exit without libc, $call: with the calls";
        is calls_of($profile, 'main::deep'), 4, "an exit without libc, $call: with those that were open";
    }
    for my $options ({}, { slowops => 0 }, { compress => 0 }) {
        my $name = join ' ', 'a user namespace', %$options;
        my ($got, @profiles) = ran($name,
            'sub f { 1 } sub kid { 1 } sub enter { f() for 1 .. $_[0]; my $own = (stat "/proc/self/ns/user")[1];
            $! = 5; my $done = syscall 272, 0x10000000; print "$done $!\n"; print $own == (stat "/proc/self/ns/user")[1] ? "same\n" : "own\n";
            f() for 1 .. $_[0] } $| = 1; my $pid = fork; if (!$pid) { kid(); enter(20_000); exit 4 } waitpid $pid, 0; print $?; enter(3)',
            options => $options);
        is count_of(profile_with(\@profiles, 'main::kid'), 'main::f'), 40_000, "$name: the child's profile goes on";
        is count_of((grep { !count_of($_, 'main::kid') } @profiles)[0], 'main::f'), 6,
            "$name: and so does the parent's";
    }
}

# ---- threads ------------------------------------------------------------------------

# The process ends while a detached thread waits for its output, a pipe that nothing has been read from. The thread only
# calls a sub, so it is asleep when all blocks are full.
sub waiting_for_the_reader {
    my ($path, $name) = (scratch_dir() . '/piped.out', 'a detached thread waits for the reader of its profile');
    my $code = 'use threads; no warnings "threads"; sub f { 1 } sub asleep { my @states = map { open my $in, "<", "$_/stat"; <$in> }
            grep { !m{/$$\z} } glob "/proc/$$/task/*"; return !grep { !/\((?:nytprof|memcheck\S*)\)| S / } @states }
        threads->create(sub { DB::enable_profile("/dev/fd/" . shift); f() while 1 }, shift)->detach; my $times = 0;
        while ($times < 5) { select undef, undef, undef, 0.02; $times = asleep() ? $times + 1 : 0 } open my $out, ">", "asleep"; exit 3';
    my $dir  = scratch_dir();
    my $pipe = "$dir/pipe";
    POSIX::mkfifo($pipe, 0600) or die "$pipe: $!\n";
    my $end = profiled(collector(), ['-e', $code, 9], dir => $dir, under => ['sh', '-c', 'exec "$@" 9>"$0"', $pipe],
        options => { start => 'no', compress => 0 }, async => 1);
    open my $reading, '<', $pipe or die "$pipe: $!\n";
    for (1 .. 6000) { last if -e "$dir/asleep"; select undef, undef, undef, 0.01 }
    my ($bytes, $part, $parts) = ('', '', 0);
    while (sysread $reading, $part, 1 << 14) {
        $bytes .= $part;
        select undef, undef, undef, 0.01 if $parts++ < 20;
    }
    spew($path, $bytes);
    is $end->()->{status}, 3, "$name: the usual end of the process";
    ok read_profile($path)->{complete}, "$name: its profile is whole";
    return;
}

SKIP: {
    skip 'perl without threads', 1 if !$Config{useithreads};
    my %threads = (
        # When a process exits from a thread, perl may warn about running threads, depending on which one is faster.
        'R9: exit in a thread' =>
            ['use threads; no warnings "threads"; sub f { 1 } f() for 1 .. 3; threads->create(sub { f() for 1 .. 5; '
            . 'exit 0 })->join;', 3],
        'threads that do much' =>
        ['use threads; sub f { 1 } f() for 1 .. 3; my @t = map { threads->create(sub { f() for 1 .. 500;
            $_[0] }, $_) } 1 .. 4; print join(" ", map { $_->join } @t), "\n"; f();', 4],
        'a detached thread'    =>
        ['use threads; use threads::shared; my $done : shared; sub f { 1 } threads->create(sub { f();
            $done = 1 })->detach;
                select undef, undef, undef, 0.01 while !$done; select undef, undef, undef, 0.2; f();', 1],
        'a thread that dies'   =>
        ['use threads; sub f { 1 } f(); threads->create(sub { die "in a thread\n" })->join; f();', 2],
        'a fork in a thread'   =>
        ['use threads; no warnings "threads"; sub f { 1 } f(); threads->create(sub { my $p = fork; if (!$p) { f();
            exit 0 } waitpid $p, 0 })->join; f();', 2],
        'a fork in a thread that ends' =>
        ['use threads; no warnings "threads"; $| = 1; sub f { 1 } f(); threads->create(sub {
            my $p = fork; if ($p) { waitpid $p, 0; print "ended with $?\n" } else { f() for 1 .. 7 } })->join; f();',
            2],
    );
    for my $name (sort keys %threads) {
        my ($code, $calls) = @{ $threads{$name} };
        my ($got, @profiles) = ran($name, $code);
        my ($main) = grep { $_->{path} =~ /nytprof\.out$/ } @profiles;
        is count_of($main // { arcs => {} }, 'main::f'), $calls, "$name: the main thread's calls";
        is scalar(grep { count_of($_, 'main::f') == 500 } @profiles), 4, "$name: a file for each" if $name =~ /much/;
        is scalar(grep { count_of($_, 'main::f') == 7 } @profiles), 1, "$name: the child's calls"
            if $name =~ /that ends/;
    }
    my $deep = 'use threads; no warnings; sub deep { my $n = shift; my $x; $x = deep($n - 1) if $n; 1 }
        threads->create(sub { deep(3000) while 1 })->detach for 1 .. 2; select undef, undef, undef, 0.1; exit 3';
    my @ended = map { profiled(collector(), ['-e', $deep]) } 1 .. 12;
    is scalar(grep { ($_->{status} // 'none') eq '3' } @ended), 12,
        'detached threads that run at the end: it is the usual one';
    my @files = map { @{ $_->{files} } } @ended;
    my $read = run([tool('nytprofcalls'), '--strict', '--depth=1', '-o', '/dev/null', @files]);
    is "$read->{status} $read->{err}", '0 ',
        'detached threads that run at the end: complete';
    ok read_profile($files[0])->{complete}, "... for stock's reader, too";
    waiting_for_the_reader();
    my (undef, @too_deep) = ran('a thread in a generation that is not profiled',
        'use threads; my $p = fork; if (!$p) { threads->create(sub {
        DB::enable_profile() if defined &DB::enable_profile })->join; exit 0 } waitpid $p, 0',
        options => { forkdepth => 0 });
    is scalar @too_deep, 2, 'a thread in a generation that is not profiled has a profile if it asks for one';
    my ($got) = ran(
        'R8: enabling in a thread',
        'use threads; sub q1 { 1 } threads->create(sub { DB::enable_profile("t.out") if defined &DB::enable_profile;
            q1() for 1 .. 3; DB::finish_profile() if defined &DB::finish_profile })->join; q1();',
    );
    my ($profile) = readable("$got->{dir}/t.out", 'R8: the file of the thread');
    is count_of($profile, 'main::q1'), 3, 'R8: ... with its calls';
}

done_testing();
