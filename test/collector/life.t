# Loading, options, enabling and disabling, files, and full disks.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector command exhaustive need_collector optional_module plain profiled same_behaviour);
use Config;
use List::Util qw(sum);
use NYTPTest qw(memory_is_limited sanitized slurp spew valgrind);
use ProfileCompare qw(calls_of count_of read_profile);
use StockModules ();
use Test::More;

need_collector();

sub ran { return profiled(collector(), @_) }

sub whole {
    my ($path, $name) = @_;
    my $profile = -e $path ? read_profile($path) : { arcs => {}, error => 'it is not there' };
    ok $profile->{complete}, "$name: whole" or diag "$path: ", $profile->{error} // 'no end of process';
    return $profile;
}

# ---- loading -----------------------------------------------------------------

my $F = 'sub f { 1 } f() for 1 .. 3;';
my $I = (command(collector()))[1];
for my $way (
    ['-d:NYTProf',           load => ['-d:NYTProf']],
    ['PERL5OPT',             load => [], env => { PERL5OPT => "$I -d:NYTProf" }],
    ['PERL5DB',              load => ['-d'], env => { PERL5DB => 'use Devel::NYTProf' }],
    ['-MDevel::NYTProf',     load => ['-MDevel::NYTProf']],
    ['-MDevel::NYTProf, -e', load => ['-MDevel::NYTProf', '-w']],
    ['-T',                   load => ['-T', '-d:NYTProf']],
    ['-w -W',                load => ['-wW', '-d:NYTProf']],
) {
    my ($name, %how) = @$way;
    my $got = ran(['-e', $F], %how);
    is $got->{err}, '', "$name: silent";
    is $got->{status}, 0, "$name: runs";
    is count_of(whole("$got->{profiles}/nytprof.out", $name), 'main::f'), 3, "$name: profiles";
}
{
    my $got = ran(['-c', '-e', "$F BEGIN { f() }"]);
    is $got->{err}, "-e syntax OK\n", '-c: syntax OK';
    is count_of(whole("$got->{profiles}/nytprof.out", '-c'), 'main::f'), 1, '-c: what ran at compile time';
}
{
    my $code = 'print "$^P ", join(" ", grep { !/NYTProf|XSLoader|^strict|^warnings/ }
        sort keys %INC), " ", scalar(@ARGV), eval "__FILE__", " $^W $0 @{[caller]}\n";
        sub f { print join("|", (caller(0))[1 .. 4]), "\n" } f(1);';
  SKIP: {
        skip 'this perl has no Devel::NYTProf of CPAN', 1 if !StockModules::are_there();
        my ($stock, $got) = map { profiled($_, ['-e', $code, 'x']) } 'stock', collector();
        is $got->{out}, $stock->{out}, 'what the program sees of perl is as under the stock collector';
    }

    my @see = ('-e',
        'my @seen = (0 + $!, "$@", $?, $., $0, "@ARGV", $|, "$,$\\", $", $;); sub f { 1 } $! = 5; f(); print "$!\n";
        print "$_\n" for @seen; die');
    same_behaviour(plain(\@see), ran(\@see), "perl's variables");
    my @turned = ('-e', 'for my $what (qw(disable enable finish enable finish)) { no strict "refs"; ($!, $@) = (5, "x");
        my $sub = "DB::${what}_profile"; defined &$sub and $sub->(); print "$what $! $@\n" } END { print $! + 0 } $! = 6; f(); sub f { 1 }');
    same_behaviour(plain(\@turned), ran(\@turned), 'on and off: errors');
    same_behaviour(plain(\@turned), ran(\@turned, options => { start => 'end' }), 'on at the end: errors');
    my @nowhere = ('-e', 'mkdir "gone"; chdir "gone"; rmdir "../gone"; my $pid = fork;
        if (!$pid) { $! = 5; DB::disable_profile() if defined &DB::disable_profile; print $! + 0; exit }
        waitpid $pid, 0; $! = 5; DB::set_option("file", "x.out") if defined &DB::set_option; print $! + 0');
    same_behaviour(plain(\@nowhere), ran(\@nowhere), 'in a directory that is gone: errors');
}

# ---- options -------------------------------------------------------------------

{
    my $got = ran(['-e', "$F print 'done'"], options => { bogus => 1 });
    like $got->{err}, qr/bogus/, 'an unknown option causes a warning';
    is "$got->{status} $got->{out}", '0 done', '... and ignored';
    $got = ran(['-e', "$F print 'done'"], options => { start => 'wrong' });
    isnt $got->{status}, 0, 'a bad start is fatal';
    is $got->{out}, '', '... before the program begins';
    like $got->{err}, qr/start.*wrong/, '... and it says so';
    $got = ran(['-e', 'eval { require Devel::NYTProf }; print 0 + DB::enable_profile(), "\n"'], load => [],
        options => { start => 'wrong' });
    is "$got->{status} $got->{out}", "0 0\n", '... but to those that go on: it cannot be enabled';
}
{
    my $PHASES = 'sub at { 1 } BEGIN { at("begin") } CHECK { at() } INIT { at() } END { at(); at() } at() for 1 .. 10;';
    my %calls  = (begin => 15, init => [12, 13], end => 2, no => undef);
    for my $start (sort keys %calls) {
        my $got  = ran(['-e', $PHASES], options => { start => $start });
        my $path = "$got->{profiles}/nytprof.out";
        if (!defined $calls{$start}) { ok !-e $path, "start=$start: no profile"; next }
        my $count    = count_of(whole($path, "start=$start"), 'main::at');
        my @expected = ref $calls{$start} ? @{ $calls{$start} } : $calls{$start};
        ok((grep { $_ == $count } @expected), "start=$start: $count calls");
    }
}
{
    my $got = ran(['-e', $F], options => { log => 'trace.log', trace => 1 });
    is $got->{err}, '', 'log: nothing on stderr';
    ok -s "$got->{dir}/trace.log", '... but in the file';
    my $size = -s "$got->{dir}/trace.log";
    ran(['-e', $F], dir => $got->{dir}, options => { log => 'trace.log', trace => 1 });
    cmp_ok -s "$got->{dir}/trace.log", '>', $size, '... appended';
    $got = ran(['-e', 'mkdir "sub"; chdir "sub"'], options => { log => 'trace.log', trace => 1 });
    like slurp("$got->{dir}/trace.log"), qr/finished/, 'log: the file stays where it was';
    $got = ran(['-e', 'print open(my $in, "<", "/dev/null") && fileno $in'],
        options => { log => 'trace.log', trace => 1 }, under => ['sh', '-c', 'exec "$@" <&-', 'sh']);
    is $got->{out},
        plain(['-e', 'print open(my $in, "<", "/dev/null") && fileno $in'],
            under => ['sh', '-c', 'exec "$@" <&-', 'sh'])->{out}, 'log: no descriptor stays open';
    $got = ran(['-e', $F], options => { log => '/nonexistent/trace.log', trace => 1 });
    like $got->{err}, qr/finished/, 'log: on stderr where it cannot be opened';
}
{
    my $got = ran(['-e', 'BEGIN { DB::set_option("slowops", 0);
        DB::set_option("calls", 2) } sub f { print "" } f();'], options => { start => 'init' });
    my $profile = whole("$got->{profiles}/nytprof.out", 'set_option');
    is "$profile->{options}{slowops} $profile->{options}{calls}", '0 2', 'set_option: is in the profile';
    for my $blocks (0, 1) {
        $got = ran(['-e', "sub f { 1 } f(); DB::set_option('blocks', 1 - $blocks); f(); DB::disable_profile();
            DB::set_option('blocks', $blocks); DB::enable_profile(); f();"], options => { blocks => $blocks });
        $profile = whole("$got->{profiles}/nytprof.out", "set_option: blocks, from $blocks");
        is sum(values %{ $profile->{executed} }), 9, "set_option: blocks, from $blocks: all statements";
    }
    $got = ran(['-e', 'package P; sub f { "a" =~ /a/ } f(); for (1, 0, 2) { DB::set_option("slowops", $_); f() }']);
    $profile = whole("$got->{profiles}/nytprof.out", 'set_option: slowops');
    is join(' ', map { calls_of($profile, $_) } qw(CORE::match P::CORE:match)), '1 2',
        'set_option: slowops, as stock names them then';
}

{
    # A file that List::Util requires has no package yet, so perl calls its BEGIN block List::Util::BEGIN.
    my $got = ran(['-e',
        'use List::Util (); { package List::Util; BEGIN { require "./Early.pm" } } List::Util::sum(1, 2)'],
        options => { start => 'init' },
        prepare => sub { spew("$_[0]/Early.pm", "BEGIN { 1 }\npackage Early;\nsub f { 1 }\n1;\n") });
    like whole("$got->{profiles}/nytprof.out", 'an xsub')->{xsubs}{'List::Util::sum'}, qr{List/Util\.pm\z},
        'an xsub is in the file of its package';
}
{
    # The script is the first file of each package, but few of their subs are in it. Here and there are subs of Turned,
    # too, which perl takes to end before they begin, since a #line precedes them.
    my %text_of = (
        'main.pl' => join('', map { "package $_; sub f { print qq(.) } " } qw(Few Lone main)) . "\n"
            . join('', map { "# line 90\nsub Turned::t$_ {\n# line 4\n}\n" } 1 .. 3)
            . 'require "./many.pl"; Few::f(); Few::g(); Lone::f(); Turned::f(); f(); Odd::f(); print "\n";' . "\n"
            . "# line 90\npackage Odd; sub f {\n# line 4\nprint qq(.) }\n",
        'many.pl' => "print qq(many\n);\npackage Few;\n"
            . "sub g { print qq(.) } sub h { } sub i { }\npackage Turned;\nsub f { print qq(.) }\npackage "
            . "main;\nsub g { } sub h { }\n1;\n",
    );
    my $got = ran(['main.pl'], prepare => sub { spew("$_[0]/$_", $text_of{$_}) for keys %text_of });
    is $got->{out}, "many\n......\n", 'packages in two files: runs';
    my $xsubs = whole("$got->{profiles}/nytprof.out", 'packages in two files')->{xsubs};
    for ([Few => 'many'], [Turned => 'many'], [main => 'many'], [Lone => 'main'], [Odd => 'main']) {
        my ($package, $file) = @$_;
        like $xsubs->{"${package}::CORE:print"}, qr{/$file\.pl\z},
            "... built-ins of $package are in the file with most of its subs";
    }
    like $xsubs->{'main::RUNTIME'}, qr{/main\.pl\z}, '... the main program is in the first file of its package';
}
{
    my $named = 'print $^P & 0x100 ? "evals " : "", $^P & 0x200 ? "subs " : "", $^P & 0x10 ? "lines" : ""; my $f = '
        . 'sub { 1 }; $f->(); eval "g()"; sub g { 1 }';
    my %expect = (nameevals => 'subs lines', nameanonsubs => 'evals lines');
    for my $option (sort keys %expect) {
        my $got     = ran(['-e', $named], options => { $option => 0 });
        my $profile = whole("$got->{profiles}/nytprof.out", "$option=0");
        is $got->{out}, $expect{$option}, "$option=0: drops its flag, and only that";
        my ($eval) = grep { /^\(eval 1\)/ } values %{ $profile->{name_of} };
        is $eval, $option eq 'nameevals' ? '(eval 1)' : '(eval 1)[-e:1]', "$option=0: the eval's name";
        is count_of($profile, $option eq 'nameevals' ? 'main::__ANON__[-e:1]' : 'main::__ANON__'), 1,
            "$option=0: the anonymous sub's name";
    }
}

# ---- files -----------------------------------------------------------------------

{
    my $got = ran(['-e', $F], options => { file => 'with:colon=and\\back' });
    is count_of(whole("$got->{dir}/with:colon=and\\back", 'an escaped name'), 'main::f'), 3,
        'an escaped name is that of the file';
}
{
    my $got = ran(['-e', $F], options => { file => 'old.out' }, prepare => sub { spew("$_[0]/kept", 'old');
        link "$_[0]/kept", "$_[0]/old.out" });
    is slurp("$got->{dir}/kept"), 'old', 'an existing file is not written over, but unlinked';
    whole("$got->{dir}/old.out", 'the new one');
    $got = ran(['-e', $F], options => { file => 'old.out' },
        prepare => sub { spew("$_[0]/kept", 'old'); symlink 'kept', "$_[0]/old.out" });
    is slurp("$got->{dir}/kept"), 'old', 'nor is what a symbolic link names';
    whole("$got->{dir}/old.out", 'the new one');
}
{
    my $got = ran(['-e', "$F chdir '/'; f(); print 'done'"], options => { file => 'here.out' });
    is count_of(whole("$got->{dir}/here.out", 'chdir'), 'main::f'), 4, 'chdir: the file stays where it was';
    $got = ran(['-e', "$F print 'done'"], options => { file => '/dev/null' });
    is "$got->{status} $got->{out} $got->{err}", '0 done ', '/dev/null will do';
  SKIP: {
        skip 'only root makes devices', 2 if $> != 0;
        $got = ran(['-e', "$F print 'done'"], options => { file => 'node' },
            prepare => sub { system 'mknod', "$_[0]/node", 'c', 1, 3 });
        skip 'no devices here', 2 if !-c "$got->{dir}/node" && !-f _;
        is "$got->{status} $got->{out} $got->{err}", '0 done ', 'so will a device in another directory';
        ok -c "$got->{dir}/node", 'which is not replaced by a file';
    }
}

# ---- on and off ---------------------------------------------------------------------

{
    my $code = 'my @r = (DB::enable_profile(), DB::disable_profile(), DB::disable_profile(), DB::enable_profile(),
        DB::enable_profile("two.out"), DB::disable_profile(), DB::enable_profile("three.out"));
        print "@r\n"; print scalar(DB::finish_profile()), scalar(DB::finish_profile()), "\n";';
    my $got = ran(['-e', $code]);
    is $got->{out}, "1 1 0 0 1 1 0\n10\n", 'what was is returned';
    whole($_, 'one of three') for "$got->{profiles}/nytprof.out", "$got->{dir}/two.out", "$got->{dir}/three.out";
}
{
    my $code = 'sub f { 1 } sub g { f() } f() for 1 .. 3; DB::enable_profile("two.out"); g() for 1 .. 4; DB::disable_profile();
        f() for 1 .. 5;
        DB::enable_profile(); f() for 1 .. 6; DB::finish_profile(); f() for 1 .. 7; kill KILL => $$;';
    my $got = ran(['-e', $code]);
    is count_of(whole("$got->{profiles}/nytprof.out", 'the first file'), 'main::f'), 3,
        'a new file: the old one is complete at once';
    my $two = whole("$got->{dir}/two.out", 'the second file');
    is count_of($two, 'main::f'), 10, 'a new file: has what was called while it was on';
    is count_of($two, 'main::g'), 4,  'a new file: and nothing from before';
}
{
    my $code = 'sub outer { inner() } sub inner { DB::disable_profile(); f(); 1 } sub f { 1 } outer(); f();';
    my $got  = ran(['-e', $code], options => { calls => 2 });
    my $profile = whole("$got->{profiles}/nytprof.out", 'disabled within');
    is calls_of($profile, "main::$_"), 1, "disabled within: $_ was begun and is completed" for qw(outer inner);
    is count_of($profile, 'main::f'), 0, 'disabled within: nothing begins afterwards';
}
{
    my $code = 'sub outer { inner() } sub inner { DB::enable_profile(); f(); 1 } sub f { 1 } outer(); f() for 1 .. 3;';
    my $got  = ran(['-e', $code], options => { start => 'no' });
    my $profile = whole("$got->{profiles}/nytprof.out", 'enabled within');
    is count_of($profile, 'main::f'), 4, 'enabled within: what is called from then on';
    is count_of($profile, "main::$_"), 0, "enabled within: $_ was begun before" for qw(outer inner);
}
{
    my $code = 'sub f { 1 } f() for 1 .. 3; print DB::enable_profile("/nonexistent/x"), "\n"; f() for 1 .. 4; print DB::disable_profile();
        DB::enable_profile("two.out"); f() for 1 .. 5';
    my $got = ran(['-e', $code]);
    is "$got->{status} $got->{out}", "0 1\n0", 'a new file that cannot be opened: the program goes on, not profiled';
    like $got->{err}, qr{\A[^\n]*/nonexistent/x[^\n]*\n\z}, '... one message';
    is count_of(whole("$got->{profiles}/nytprof.out", '... the old file'), 'main::f'), 3, '... has what came before';
    is count_of(whole("$got->{dir}/two.out", '... a later file'), 'main::f'), 5, '... has what comes after';
}

# ---- nothing leaks ----------------------------------------------------------------------

# Writes the growth in KiB between two moments to a file.
my $GROWTH = 'sub rss_kib { open my $in, "<", "/proc/self/status" or return 0; my ($kib) = join("", <$in>) =~ /VmRSS:\s+(\d+)/;
    return $kib }
    sub grown { open my $out, ">", "grown"; print {$out} rss_kib() - $_[0]; close $out } sub f { 1 } ';
SKIP: {
    skip 'no /proc', 2 if !-e '/proc/self/status';
    my ($times, $files) = valgrind() ? (1_000, 120) : (100_000, exhaustive() || collector() eq 'ours' ? 1000 : 200);
    # The writing thread may have 16 blocks of 256 KiB to write, if it has to wait for a processor, and zlib's tables.
    for my $run ([{ thread => 0 }, 512], [{}, 512 + 16 * 256 + 272]) {
        my ($options, $most_kib) = @$run;
        my $got = ran(['-e',
            $GROWTH . "my \$before; for my \$n (1 .. 1.1 * $times) { \$before = rss_kib() if \$n == $times / 10;
            DB::disable_profile(); f(); DB::enable_profile(); f() } DB::disable_profile(); grown(\$before);"],
            options => { calls => 0, stmts => 0, %$options });
        my $name = join ' ', "$times times off and on", %$options;
        # valgrind keeps freed memory
        cmp_ok slurp("$got->{dir}/grown"), '<', $most_kib, "$name: no more memory" if !valgrind();
        whole("$got->{profiles}/nytprof.out", $name);
    }

    my $got = ran(['-e', $GROWTH . "my \$before; for my \$n (1 .. $files) { \$before = rss_kib() if \$n == 100;
        DB::enable_profile('f' . \$n % 10); f() } DB::finish_profile(); grown(\$before); print scalar(() = glob '/proc/self/fd/*')"]);
    # The first two keep freed memory, and qemu-user, which knows no limit, 39 KiB for each thread.
    cmp_ok slurp("$got->{dir}/grown"), '<', 1024, "$files files: no more memory"
        if !$ENV{PRELOAD} && !valgrind() && memory_is_limited();
    cmp_ok $got->{out}, '<', valgrind() ? 24 : 12, "$files files: no open descriptors";
    whole("$got->{dir}/f$_", 'one of many') for 1, 5;
}

{
    my $tasks = 'sub f { 1 } f() for 1 .. 1000; sub tasks { scalar(() = glob "/proc/self/task/*") } print tasks();';
    my $alone = plain(['-e', $tasks])->{out};    # qemu-user has a thread of its own
    for my $options ({}, { thread => 0 }, { thread => 0, compress => 0 }) {
        my $got  = ran(['-e', "$tasks DB::finish_profile(); DB::enable_profile(); f() for 1 .. 1000; print tasks()"],
            options => $options);
        my $name = join ' ', 'threads of the process', %$options;
        my $ours = exists $options->{thread} ? 0 : ($ENV{PRELOAD} // '') =~ /tsan/ ? 2 : 1;    # it has one of its own beside others
        is $got->{out}, ($alone + $ours) x 2, $name;
        is count_of(whole($got->{files}[0], $name), 'main::f'), 1000, "$name: calls";
    }
    # An xsub that calls C's _exit(), or that only has its name, to which a program gives another one. Stock loses all
    # of it.
    if (optional_module('Coro', 'libcoro-perl')) {
        my @exit = ('-e', 'use Coro; sub f { 1 } f() for 1 .. 50_000; $| = 1; print "main\n"; Coro::Util::_exit(4)');
        my $got  = ran(\@exit);
        same_behaviour(plain(\@exit), $got, "an xsub that calls C's _exit()");
        my $profile = whole($got->{files}[0], "an xsub that calls C's _exit()");
        is count_of($profile, 'main::f') . ' ' . count_of($profile, 'Coro::Util::_exit'), '50000 1',
            '... has all calls';
    }
    my @names = ('-e',
        'use List::Util (); package X; sub f { 1 } BEGIN { no warnings; *List::Util::_exit = \&List::Util::max; '
        . '*_exit = eval { require Sub::Util; Sub::Util::set_subname("X::_exit", \&List::Util::max) } || sub { 1 } } '
        . 'f(); eval "sub late { 1 } late()"; print _exit($_) for 1 .. 3; f(); late(); print "end"');
    my $got     = ran(\@names);
    my $profile = whole($got->{files}[0], 'an xsub called _exit');
    same_behaviour(plain(\@names), $got, 'an xsub called _exit');
    is join(' ', map { count_of($profile, "X::$_") } qw(f _exit late)), '2 3 2', '... has all calls';
}

SKIP: {
    skip 'needs Test::LeakTrace', 1 if !optional_module('Test::LeakTrace', 'libtest-leaktrace-perl');
    my @leaks = ('-MTest::LeakTrace', '-e', <<'END');
sub f { 1 }
printf "%d %s\n", scalar(leaked_refs(sub { $_->[1]->() })), $_->[0] for ['call', \&f], ['again', \&f], ['anonymous', sub { my $s = sub { 2 }; $s->() }],
    ['built-ins', sub { 'abc' =~ /b/; my @x = sort { $a <=> $b } 2, 1; eval { die }; lc 'A' }], ['eval', sub { eval '1' }], ['a method', sub { Other->can('x'); eval { Other->x } }];
END
    same_behaviour(plain(\@leaks), ran(\@leaks, options => { savesrc => 0 }), 'SVs that a program counts');
}

SKIP: {
    skip 'a limit of address space disturbs valgrind and sanitizers', 1 if valgrind() || sanitized();
    skip 'the system keeps no limit of address space', 1 if !memory_is_limited();
    my $has_heap = collector() eq 'ours' && $Config{gnulibc_version};
    for my $case ([150, 1000, 0], [300, 1000, 0], $has_heap ? ([150, 1000, 1], [200, 100_000, 1]) : ()) {
        my ($limit_mib, $bytes, $heap) = @$case;
        my $name = "no more memory than $limit_mib MiB, heap=$heap";
        my @hog  = ('-e', '$| = 1; print "begun\n"; my @all; END { print "END\n" }'
            . "sub more { push \@all, 'x' x $bytes } more() while 1");
        my %run = (under => ['prlimit', '--as=' . ($limit_mib << 20)], options => $heap ? { heap => 1 } : {});
        my $got = ran(\@hog, %run);
        # Where perl's heap ends decides whether what is left is enough for END, with and without the collector.
        same_behaviour(plain(\@hog, %run), $got, $name, qr/(?<=Out of memory!\n)(?:Out of memory!\n)+/);
        my ($path) = grep { m{/nytprof\.out\z} } @{ $got->{files} };
        cmp_ok count_of(whole($path, $name), 'main::more'), '>', 1000, '... with all calls';
        is scalar @{ $got->{files} }, 1, '... in one file';
    }
}

# ---- where nothing can be written ----------------------------------------------------------

my $MUCH = 'use strict; sub f { my $x = lc $_[0]; return $x x 2 } my $n = 0; $n += length f($_) for 1 .. '
    . (valgrind() ? 20_000 : 200_000) . '; print "done\n"; exit 3';
my ($no_space, $no_directory) = ('/full: cannot write: No space left on device; the profile ends here',
    'No such file or directory; not profiling');
for my $case (
    ['a full disk',                $no_space,     { file => '/dev/full' }],
    ['a full disk, uncompressed',  $no_space,     { file => '/dev/full', compress => 0 }],
    ['a full disk, a long path',   $no_space,     { file => '/' . './' x 500 . 'dev/full' }],
    ['a limit on the size',        'File too large; the profile ends here', { calls => 2, compress => 0 },
    ['prlimit', '--fsize=32768']],
    ['a directory that is not',    $no_directory, { file => '/nonexistent/dir/x.out' }],
    ['the same, a long path',      $no_directory, { file => '/' . './' x 1000 . 'nonexistent/dir/x.out' }],
    ['a directory as file',        'Is a directory; not profiling', { file => '/proc' }],
) {
    my ($name, $reason, $options, $under) = @$case;

    my $got = ran(['-e', $MUCH], options => $options, under => $under // []);
    is $got->{out}, "done\n", "$name: the program prints";
    is $got->{status}, 3, "$name: ... and ends as usual";
    my @messages = split /\n/, $got->{err};
    is scalar @messages, 1, "$name: one message" or diag $got->{err};
    like $messages[0], qr/\Q$reason\E\z/, "$name: ... that ends with the reason";
}
for my $case (['closed', 'close STDERR', '\A\z'], ['another file', 'open STDERR, ">", "log" or die', 'cannot write'],
    ['in memory', 'local *STDERR; open STDERR, ">", \my $x', 'cannot write']) {
    my ($name, $done, $message) = @$case;
    my @program = ('-e',
        "$done; open my \$data, '>', 'data' or die; sub f { 1 } f() for 1 .. " . (valgrind() ? 2000 : 20_000)
        . '; print {$data} "data\n"');
    my $got = ran(\@program, options => { compress => 0 }, under => ['prlimit', '--fsize=32768']);
    my $log = -e "$got->{dir}/log" ? slurp("$got->{dir}/log") : '';
    is slurp("$got->{dir}/data"), "data\n", "STDERR is $name: no message in the program's own file";
    like "$got->{err}$log", qr/$message/, "STDERR is $name: ... but where it belongs";
}

done_testing();
