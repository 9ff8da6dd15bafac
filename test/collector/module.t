# What the collector's modules do when they are loaded, and what a program can see of them. Other tests check the
# contents of profiles.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector plain profiled same_behaviour);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use StockModules ();
use Test::More;

need_collector();

my $perl5   = build_dir() . '/perl5';
my @modules =
    map { "$perl5/Devel/$_" } qw(NYTProf.pm NYTProf/Core.pm NYTProf/Data.pm NYTProf/RawData.pm NYTProf/ReadStream.pm
    NYTProf/Stock.pm NYTProf/Test.pm);
my %LOADS   = (
    '-d:NYTProf'       => {},
    '-MDevel::NYTProf' => { load => ['-MDevel::NYTProf'] },
    'PERL5DB'          => { perl5db => 'use Devel::NYTProf' },
    'PERL5OPT'         => { load => [], env => { PERL5OPT => "-I$perl5 -d:NYTProf" } },
    'both PERL5OPT and use' => { load => ['-MDevel::NYTProf'], env => { PERL5OPT => "-I$perl5 -d:NYTProf" } },
);

sub ours { return profiled('ours', @_) }

# With the modules in @INC, but not loaded.
sub beside { return ours([@_], load => []) }

# A complete file, ended by the process that began it.
sub is_whole {
    my ($path, $name) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $got = run([build_dir() . '/test/dump-chunks', $path // 'no-profile']);
    my %count;
    $count{ (split ' ', $_, 2)[0] }++ for split /\n/, $got->{out};
    return ok($got->{status} == 0 && $count{PID_START} && $count{PID_START} == ($count{PID_END} // 0), $name)
        || diag($got->{err} || $got->{out});
}

# ---- loading ----

my $sees = <<'END';
print join(' ', sort map { $_ } keys %INC), "\n";
printf "%x %d '%s'\n", $^P, $!, $@;
print defined &{"DB::$_"} ? 1 : 0 for qw(enable_profile disable_profile finish_profile set_option DB);
print " $Devel::NYTProf::VERSION\n";
END
for my $load (sort keys %LOADS) {
    my $got = ours(['-e', $sees], %{ $LOADS{$load} });
    is($got->{out},
        "Devel/NYTProf.pm Devel/NYTProf/BuiltFor.pm Devel/NYTProf/Core.pm XSLoader.pm strict.pm\nf10 0 ''\n11110 "
        . "6.12\n", "$load: what a program finds");
    is($got->{err}, '', "$load: nothing is said");
    is($got->{status}, 0, "$load: and it runs");
    is(scalar @{ $got->{files} }, 1, "$load: one profile");
    is_whole($got->{files}[0], "$load: which is whole");
}

my @BITS = (
    [{ savesrc => 0 }, '310'], [{ optimize => 0 }, 'f14'], [{ optimise => 0 }, 'f14'], [{ nameevals => 0 }, 'e10'],
    [{ nameanonsubs => 0 }, 'd10'], [{ use_db_sub => 1 }, 'f32'],
);
for (@BITS) {
    my ($options, $bits) = @$_;
    is(ours(['-e', 'printf "%x", $^P'], options => $options)->{out}, $bits, "\$^P with @{[%$options]}");
}
is(ours(['-e', 'print defined &DB::DB; $DB::single = 1; f(); sub f { print 2 }'],
    options => { use_db_sub => 1 })->{out},
    '12', 'there is a DB::DB with use_db_sub=1');
same_behaviour(plain(['-e', $_]), ours(['-e', $_]), 'breakpoints')
    for '$DB::single = 1; eval q{$DB::single = 1; 1}; print 1';
is(ours(['-e', 'require Devel::NYTProf; sub f { 1 } print f()'], load => [])->{out}, 1, 'loaded at run time');

# ---- what a program can see ----

my $errors = 'print $! + 0, "|$@|$?|$0|@ARGV|", join("|", map { $_ // "undef" } (caller 0)[0 .. 7]), "\n";';
my %PROGRAMS = (
    'variables'             => ['-e', "BEGIN { $errors } INIT { $errors } $errors END { $errors }", 'a', 'b'],
    'variables, taint mode' => ['-T', '-e', "BEGIN { $errors } $errors"],
    'variables, -n'         => ['-ne', $errors],
    'variables, script'     => ['errors.pl'],
    'variables, stdin'      => ['-'],
    'signals'               => ['-e', 'print join ",", map { "$_=$SIG{$_}" } grep { defined $SIG{$_} } sort keys %SIG'],
    'warnings'              => ['-we',
        'my @a; print "$a[0]"; BEGIN { $SIG{__WARN__} = sub { print "W@_" } } print undef . 1'],
    'hints'                 => ['-e',
        'BEGIN { print "${^WARNING_BITS}|$^S|", %^H } use strict; eval q{$x = 1}; print $@'],
    'handlers'              => ['-e', 'BEGIN { $SIG{__DIE__} = sub { print "D@_" } } eval { die "x\n" }; print $@'],
    'exit in BEGIN'         => ['-e', 'END { print "end $?\n" } BEGIN { exit 3 }'],
    'exit in BEGIN, no END' => ['-e', 'BEGIN { exit 3 }'],
    'exit in a sub'         => ['-e', 'sub f { exit 5 } f()'],
    'exit in INIT'          => ['-e', 'INIT { exit 6 }'],
    'exit in END'           => ['-e', 'END { $? = 7 } die "x\n"'],
    'syntax error'          => ['-e', 'END { print "end\n" } 1 1'],
    'missing module'        => ['-e', 'use No::Such::Module'],
    'die in INIT'           => ['-e', 'INIT { die "in init\n" }'],
    'die in END'            => ['-e', 'END { die "in end\n" }'],
    'die with $!'           => ['-e', '$! = 9; die "x\n"'],
    '-c'                    => ['-c', '-e',
        'CHECK { print "check\n" } INIT { print "init\n" } END { print "end\n" } print 1'],
    '-c, exit'              => ['-c', '-e', 'END { print "end\n" } BEGIN { exit 4 }'],
    'no script'             => ['no-such-script.pl'],
);
my $script = "BEGIN { $errors } $errors print <STDIN>;";
for my $name (sort keys %PROGRAMS) {
    my %run = (stdin => "$script\n__END__\n", prepare => sub { spew("$_[0]/errors.pl", $script) });
    my $got = ours($PROGRAMS{$name}, %run);
    # valgrind ignores that signal
    same_behaviour(plain($PROGRAMS{$name}, %run), $got, $name, valgrind() ? qr/,RTMAX=IGNORE/ : undef);
    is_whole($got->{files}[0], "$name: the profile is whole") if $name !~ /no script/;
}

# ---- run-time control ----

my $states = <<'END';
my @states = (DB::enable_profile(), DB::disable_profile(), DB::disable_profile(), DB::enable_profile(),
    DB::enable_profile(undef), DB::enable_profile(''), DB::enable_profile("$ENV{SECOND}"), DB::finish_profile(), DB::finish_profile(),
    DB::disable_profile());
my @list = DB::finish_profile();
print "@states @list\n";
END
my $dir = scratch_dir();
my $got = ours(['-e', $states], env => { SECOND => "$dir/second" });
is($got->{out}, "1 1 0 0 1 1 1 1 0 0 0\n", 'the functions give the former state');
is_whole($_, "$_ is whole") for $got->{files}[0], "$dir/second";
is(ours(['-e', 'print DB::set_option("compress", 3) // "", defined &DB::enable_profile'])->{out}, 1,
    'options can be set');
is(beside('-MDevel::NYTProf::Test', '-e',
    'print DB::enable_profile(), DB::disable_profile(), DB::finish_profile(), $^P')->{out},
    '0000', 'without Devel::NYTProf there is nothing to control');

# ---- options ----

sub with_options {
    my ($value, $program) = @_;
    return ours(['-e', $program // 'print 1'], env => { NYTPROF => $value }, dir => scratch_dir());
}

like(with_options('bogus=1')->{err}, qr/\A.*'bogus'.*\n\z/, 'an unknown option is named in one line');
like(with_options('bl\:ocks=1:blocks=1')->{err}, qr/\A.*'bl:ocks'.*\n\z/, 'and no other');
is(with_options('bogus=1')->{out}, 1, 'and ignored');
for my $value ('start=bogus', 'blocks=1:start=begi') {
    $got = with_options($value);
    is($got->{out}, '', "$value: the program does not run");
    like($got->{err}, qr/start=/, "$value: the message says why");
    isnt($got->{status}, 0, "$value: failure");
}
like(with_options($_)->{err}, qr/\ADevel::NYTProf: [^\n]+\n\z/, "'$_' is complained about")
    for 'blocks', '=1', 'blocks=abc', 'sigexit=INT,NOSUCH', 'usecputime=1';
like(with_options("$_=")->{err}, qr/\ADevel::NYTProf: '$_=' [^\n]* has no value\n\z/, "'$_=' has no value")
    for 'blocks', 'file', 'clock';
is(with_options($_)->{err}, '', "'$_' is fine") for '', ':', '::blocks=1:', 'blocks=0x1', 'compress=0',
    'sigexit=int,HUP', 'forkdepth=-1',
    'clock=2', 'calls=2', 'slowops=3', 'trace=0', 'compress=9', 'evals=0', 'blocks=0:stmts=0',
    'subs=0:calls=0:slowops=0', 'leave=0:use_db_sub=1';
for (['compress=12', 9], ['compress=-1', 0], ['slowops=9', 3], ['calls=3', 2], ['forkdepth=-2', -1], ['clock=-2', -1],
    ['stmts=2', 1],
    ['forkdepth=99999999999', 2**31 - 1], ['leave=-1', 0]) {
    my ($value, $nearest) = @$_;
    $got = with_options($value);
    like($got->{err}, qr/\ADevel::NYTProf: $value: values are [^\n]* so $nearest is used\n\z/,
        "$value is out of range");
    is($got->{out}, 1, "$value: the program runs");
}
like(with_options('clock=99')->{err}, qr/\ADevel::NYTProf: clock=99: [^\n]* no such clock, so 0 is used\n\z/,
    'a clock that is not there');
my $nowhere = 'file=/nonexistent/nytprof.out';
$got = with_options($nowhere);
is($got->{out}, 1, 'a file that cannot be written: the program runs');
like($got->{err}, qr{\ADevel::NYTProf: [^\n]*/nonexistent/nytprof\.out[^\n]*\n\z},
    'and one line says why there is no profile');
for my $start ('begin', 'init') {
    $got = with_options("$nowhere:strict=1:start=$start");
    is($got->{out}, '', "strict=1, start=$start: the program does not run");
    isnt($got->{status}, 0, "strict=1, start=$start: failure");
    like($got->{err}, qr{/nonexistent/nytprof\.out.*strict=1}s, "strict=1, start=$start: the messages say why");
}
is(with_options('strict=1:start=no', 'eval { DB::enable_profile("/nonexistent/x"); 1 } or print "dies"')->{out}, 'dies',
    'strict=1: DB::enable_profile() dies');
is(with_options('strict=1')->{out}, 1, 'strict=1: with a file the program runs');
$got = with_options("$nowhere:strict=1:start=no",
    'use Config; exit if !$Config{useithreads}; require threads; DB::set_option("file", "x"); DB::enable_profile();
    DB::set_option("file", "/nonexistent/x"); my $thread = threads->create(sub { print "runs"; 7 }); print $thread->join');
like("$got->{status} $got->{out}", qr/\A0 (?:runs7)?\z/, 'strict=1: a thread goes on');
$got = ours(['-e',
    'package T; sub TIESCALAR { bless [$_[1]] } sub FETCH { $_[0][0] } package main; for ("tied", undef) { tie my '
    . '$name, "T", $_; DB::enable_profile($name) }']);
is_whole("$got->{dir}/tied", 'a name that is tied');
for my $name ('a:b', 'a=b', 'a\\b', 'a b', "\xe4") {
    my $escaped = $name =~ s/([\\:=])/\\$1/gr;
    $got = with_options("file=$escaped");
    ok(-s "$got->{dir}/$name", "file=$escaped") or diag($got->{err});
}

# In which of perl's phases the profile exists first. The END block of a string eval is the first to run.
my $phases = <<'END';
sub seen { print -e $ENV{PROFILE} ? "$_[0] " : '' }
BEGIN { seen('begin') } INIT { seen('init') } seen('run');
END { seen('end') } eval q{END { seen('late') }};
END
my %FIRST = (begin => 'begin init run late end ', init => 'init run late end ', end => 'end ', no => '');
for my $start (sort keys %FIRST) {
    my $profile = "$dir/$start";
    $got = ours(['-e', $phases], env => { NYTPROF => "start=$start:file=$profile", PROFILE => $profile });
    is($got->{out}, $FIRST{$start}, "start=$start");
    $got = ours(['-e', 'require Devel::NYTProf; END { print -e $ENV{PROFILE} ? 1 : 0 }'], load => [],
        env => { NYTPROF => "start=$start:file=$profile.late", PROFILE => "$profile.late" });
    is($got->{out}, $start eq 'no' ? 0 : 1, "start=$start, loaded at run time");
}

# ---- ends ----

my $dies_of =
    'BEGIN { $SIG{HUP} = sub { print "own\n" } } END { print "end $?\n" } kill $ARGV[0] => $$; sleep 1; print '
    . '"alive\n"';
my @SIGNALS = (
    ['1', 'INT', "end 1\n", 1], ['1', 'PIPE', "end 1\n", 1], ['1', 'SEGV', "end 1\n", 1],
    ['1', 'HUP', "own\nalive\nend 0\n", 0],
    ['int,USR1', 'USR1', "end 1\n", 1], ['1', 'USR1', '', undef], ['0', 'INT', '', undef],
);
for (@SIGNALS) {
    my ($value, $signal, $out, $status) = @$_;
    $got = ours(['-e', $dies_of, $signal], options => { sigexit => $value });
    is($got->{out}, $out, "sigexit=$value, $signal");
    is($got->{status}, $status, "sigexit=$value, $signal: status");
    is_whole($got->{files}[0], "sigexit=$value, $signal: whole") if defined $status;
}
$got = ours(['-e', 'kill HUP => $$; print 1'], options => { sigexit => 1 },
    under => ['sh', '-c', 'trap "" HUP; exec "$@"', 'sh']);
is($got->{out}, 1, 'sigexit leaves ignored signals ignored');

for my $way ('use POSIX; POSIX::_exit(4)', 'use POSIX "_exit"; _exit(4)',
    'eval q{require POSIX}; POSIX->can("_exit")->(4)') {
    $got = ours(['-e', "\$| = 1; print 1; $way"], options => { posix_exit => 1, subs => 0 });
    is($got->{status}, 4, "posix_exit=1, $way: status");
    is_whole($got->{files}[0], "posix_exit=1, $way: whole");
}
is(ours(['-e', 'print exists $INC{"POSIX.pm"} || exists $main::{"POSIX::"} ? 1 : 0'],
    options => { posix_exit => 1 })->{out},
    0, 'posix_exit does not load POSIX');
$got = ours(['-e', 'END { print "end" }'], options => { endatexit => 1 });
is($got->{out}, 'end', 'endatexit: END blocks run');
is_whole($got->{files}[0], 'endatexit: complete');

# ---- Devel::NYTProf::Test ----

my $tests = <<'END';
use Devel::NYTProf::Test qw(example_sub example_xsub example_xsub_eval set_errno ticks_for_usleep);
print "code: ", scalar(my @none = example_xsub(0, sub { print "called with '@_' "; 1 .. 3 })), "\n";
print "eval: ", scalar(@none = example_xsub(0, 'eval', 'print "evaluated "; 5')), "\n";
print "die: ", eval { example_xsub(0, 'die'); 1 } ? 'no' : $@;
print "die in code: ", eval { example_xsub(0, sub { die "inner\n" }); 1 } ? 'no' : $@;
print "die in eval: ", eval { example_xsub(0, 'eval', 'die "inner\n"'); 1 } ? 'no' : $@;
print "nothing: ", scalar(@none = (example_xsub(), example_xsub_eval(), example_sub(1))), "\n";
set_errno(5);
print "errno: ", $! + 0, "\n";
my ($elapsed, $overflow, $per_s, $clock) = ticks_for_usleep(20_000);
print "slept: ", ($elapsed >= 0.02 * $per_s ? 'at least 20 ms' : $elapsed), ", $overflow, $per_s, $clock\n";
END
my $said = <<'END';
called with '' code: 0
evaluated eval: 0
die: example_xsub(die) at -e line 4.
die in code: inner
die in eval: inner
nothing: 0
errno: 5
slept: at least 20 ms, 0, 10000000, 1
END
is(beside('-e', $tests)->{out}, $said, 'Devel::NYTProf::Test');
is(ours(['-e', $tests])->{out}, $said, 'Devel::NYTProf::Test, profiled');
is(beside('-e', 'use Devel::NYTProf::Test; print $^P, defined &example_xsub ? 1 : 0')->{out}, '00',
    'it profiles and exports nothing by itself');

# ---- what is installed ----

my %so = (Devel__NYTProf => 'NYTProf.so', Devel__NYTProf__ReadStream => 'ReadStream/ReadStream.so');
for my $name (sort keys %so) {
    my $so = "$perl5/auto/Devel/NYTProf/$so{$name}";
    unlike(run(['ldd', $so])->{out}, qr/glib|not found/, "$so{$name}: no GLib");
    is_deeply([run(['nm', '-D', '--defined-only', '--format=posix', $so])->{out} =~ /^(\S+)/mg], ["boot_$name"],
        "$so{$name}: nothing else is exported");
}
is(ours(['-e', 1], env => { PERL_DL_NONLAZY => 1 })->{err}, '', 'nothing is undefined');
for my $module (@modules) {
    my $checked = run(['podchecker', '-warnings', $module]);
    like("$checked->{out}$checked->{err}", qr/pod syntax OK/, "$module: its documentation");
}

like(run([build_dir() . '/test/dump-chunks', ours(['-e', 1])->{files}[0]])->{out},
    qr/^ATTRIBUTE\t'collector\t'Devel::NYTProf%206\.12%20of%20nytprof-tools%20\d+\.\d+\.\d+$/m,
    'the profile names the collector');

# The readers of the stock distribution find their core, which comes after ours in @INC.
SKIP: {
    my $why_not = StockModules::why_not();
    skip $why_not, 1 if $why_not;
    $got = ours(['-e', 'sub f { 1 } f()']);
    my $reads = 'my %n; for_chunks(sub { $n{$_[0]}++ }, filename => $ARGV[0], quiet => 1); print "$n{PID_END} '
        . '$n{SUB_CALLERS}"';
    is(beside("-I$perl5/", '-MDevel::NYTProf::ReadStream=for_chunks', '-e', $reads, $got->{files}[0])->{out}, '1 1',
        'stock readers work beside it');
}

done_testing();
