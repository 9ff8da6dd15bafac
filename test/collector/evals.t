# String evals as frames: the collector says where each begins and ends, and nytprofcalls --evals shows them, whatever
# way they are left, with their own time, and with the time of the subs as without it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(parsed);
use JSON::PP ();
use CollectorRun qw(clock_library need_collector optional_module plain preload profiled same_behaviour tool);
use NYTPTest qw(build_dir run scratch_dir slurp spew until_true);
use StockModules ();
use Test::More;

need_collector();

sub collapsed {
    my ($profile, @options) = @_;
    my $got = run([tool('nytprofcalls'), @options, $profile]);
    is("$got->{status} $got->{err}", '0 ', "nytprofcalls @options");
    return parsed($got->{out});
}

# The same stacks, with the time of each string eval added to the sub that runs it.
sub without_evals {
    my ($stacks) = @_;
    my %sum;
    for my $stack (keys %$stacks) {
        my @subs = grep { !/^string eval at / } split /;/, $stack;
        $sum{ join ';', @subs } += $stacks->{$stack} if @subs;
    }
    return \%sum;
}

# Ticks of each stack must be the same with and without evals.
sub same_ticks {
    my ($name, $profile) = @_;
    is_deeply(without_evals(collapsed($profile, '--root', '--evals')), collapsed($profile, '--root'),
        "$name: sums without the evals");
    return;
}

# Records a script, which must do the same as without the collector. Returns its calls, by stack, of the subs main::X,
# with evals as "eval LINE", and the profile.
sub evals_of {
    my ($name, $script, %run) = @_;
    my @how = (prepare => sub { spew("$_[0]/program.pl", $script) });
    my $got = profiled('ours', ['program.pl'], @how, %run, options => { slowops => 0, %{ $run{options} // {} } });
    same_behaviour(plain(['program.pl'], @how), $got, $name);
    my $profile = "$got->{profiles}/nytprof.out";
    same_ticks($name, $profile);
    return (shown(collapsed($profile, '--calls', '--evals')), $profile);
}

# A stack with short names: "main::f;string eval at /dir/program.pl:3" is "f eval 3", and an eval that this one runs in
# its first line "eval 1 in 3".
sub short {
    my ($stack) = @_;
    return join ' ', map { s/^main:://r =~ s/^string eval at \(eval 0\)\[.*:(\d+)\]:(\d+)\z/eval $2 in $1/r =~
            s/^string eval at .*:(\d+)\z/eval $1/r } split /;/, $stack;
}

# Values by short stack, of those without subs of other packages.
sub shown {
    my ($stacks) = @_;
    my %shown;
    $shown{ short($_) } += $stacks->{$_} for grep { !/BEGIN|(?<!main)::/ } keys %$stacks;
    return \%shown;
}

my ($calls, $left) = evals_of('ways to leave an eval', <<'END');
no warnings;
sub w { return 1 }
sub end     { eval 'w(); w()'; w() }
sub dies    { eval 'w(); die 1'; w() }
sub wrong   { eval 'w( ;'; w() }
sub begins  { eval 'BEGIN { w() } w()'; w() }
sub returns { my $r = eval 'w(); return 3; w()'; w() }
sub lasts   { for (1, 2) { eval 'w(); last'; w() } w() }
sub nexts   { for (1, 2) { eval 'w(); next'; w() } w() }
sub jumps   { eval 'w(); goto OUT'; w(); OUT: w() }
sub nests   { eval q{eval 'w()'; w()}; w() }
sub rec     { my ($n) = @_; $n ? eval "rec($n - 1)" : w() }
sub inner   { eval { w(); die 1 }; w() }
sub catches { eval 'inner(); die { a => 1 }'; w() }
sub dies_in { die 2 }
sub passes  { eval { eval 'dies_in()'; die $@ }; w() }
sub many    { eval 'w()' for 1 .. 1000 }
sub sorts   { my @x = sort { eval 'w()'; $a <=> $b } 2, 1; w() }
package T { sub TIESCALAR { bless [] } sub FETCH { main::tied() } }
sub tied    { eval 'w(); die 1'; w(); eval 'w()'; w(); return 1 }
tie my $t, 'T';
for my $f (qw(end dies wrong begins returns lasts nexts jumps nests catches passes many sorts)) { &$f() }
rec(3);
eval 'w()'; w();
my $value = "$t";
eval 'w(); exit 0';
END
is_deeply($calls, {
    'end' => 1, 'end eval 3' => 1, 'end eval 3 w' => 2, 'end w' => 1,
    'dies' => 1, 'dies eval 4' => 1, 'dies eval 4 w' => 1, 'dies w' => 1,
    'wrong' => 1, 'wrong eval 5' => 1, 'wrong w' => 1,
    'begins' => 1, 'begins eval 6' => 1, 'begins eval 6 w' => 1, 'begins w' => 1,
    'returns' => 1, 'returns eval 7' => 1, 'returns eval 7 w' => 1, 'returns w' => 1,
    'lasts' => 1, 'lasts eval 8' => 1, 'lasts eval 8 w' => 1, 'lasts w' => 1,
    'nexts' => 1, 'nexts eval 9' => 2, 'nexts eval 9 w' => 2, 'nexts w' => 1,
    'jumps' => 1, 'jumps eval 10' => 1, 'jumps eval 10 w' => 1, 'jumps w' => 1,
    'nests' => 1, 'nests eval 11' => 1, 'nests eval 11 w' => 1, 'nests w' => 1, 'nests eval 11 eval 1 in 11' => 1,
    'nests eval 11 eval 1 in 11 w' => 1,
    (map { ('rec' . ' eval 12 rec' x $_ => 1) } 0 .. 3), (map { ('rec' . ' eval 12 rec' x $_ . ' eval 12' => 1) } 0 .. 2),
    'rec eval 12 rec eval 12 rec eval 12 rec w' => 1,
    'catches' => 1, 'catches eval 14' => 1, 'catches eval 14 inner' => 1, 'catches eval 14 inner w' => 2, 'catches w' => 1,
    'passes' => 1, 'passes eval 16' => 1, 'passes eval 16 dies_in' => 1, 'passes w' => 1,
    'many' => 1, 'many eval 17' => 1000, 'many eval 17 w' => 1000,
    'sorts' => 1, 'sorts eval 18' => 1, 'sorts eval 18 w' => 1, 'sorts w' => 1,
    'eval 24' => 1, 'eval 24 w' => 1, 'w' => 1, 'eval 26' => 1, 'eval 26 w' => 1,
}, 'ways to leave an eval: calls') or diag(explain($calls));
my $tied = collapsed($left, '--calls', '--evals');
is_deeply([sort map { short($_) . " $tied->{$_}" } grep { /^T::FETCH;/ } keys %$tied],
    ['T::FETCH tied 1', 'T::FETCH tied eval 20 2', 'T::FETCH tied eval 20 w 2', 'T::FETCH tied w 2'],
    'ways to leave an eval: in a sub that C calls');

# ---- time --------------------------------------------------------------------

# time() takes 1 ms, clock_gettime() 100 ns (test/programs/told-clock.c); ticks of 100 ns.
sub ms { my ($ticks) = @_; return sprintf '%.0f', $ticks / 10_000 }

my $TIMED = <<'END';
sub w { time; time; time }
sub f { time; eval 'time; w(); time; eval q{time; w()}; die 1'; time; eval 'time; time'; w() }
f(); eval 'time; w()'; time;
END
my @told = (options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
my (undef, $timed) = evals_of('time', $TIMED, @told);
my $took = shown(collapsed($timed, '--evals'));
is_deeply({ map { ($_ => ms($took->{$_})) } keys %$took }, {
    'f' => 2, 'f w' => 3, 'f eval 2' => 4, 'f eval 2 w' => 3, 'f eval 2 eval 1 in 2' => 1, 'f eval 2 eval 1 in 2 w' => 3,
    'eval 3' => 1, 'eval 3 w' => 3,
}, 'time: own and of callees') or diag(explain($took));

# Viewers are told where the statement is.
my $scope = run([tool('nytp-speedscope'), '--evals', '-o', '-', $timed]);
my @frames = grep { $_->{name} =~ /^string eval at .*program.pl:2$/ } @{ JSON::PP->new->decode($scope->{out})->{shared}{frames} };
is_deeply([map { [$_->{file} =~ /program\.pl$/ ? 1 : 0, $_->{line}] } @frames], [[1, 2]], 'nytp-speedscope: where it is');

# In the course of time they begin and end as calls do: [begin, duration], in ms since the first of them.
SKIP: {
    my $trace = run([tool('nytp-trace'), '--evals', '--json', '-o', '-', $timed]);
    is("$trace->{status} $trace->{err}", '0 ', 'nytp-trace --evals');
    my (@open, @slices);
    for (grep { ($_->{cat} // '') eq 'perl' } @{ JSON::PP->new->decode($trace->{out})->{traceEvents} }) {
        push @slices, $_ if $_->{ph} eq 'B';
        push @open,   $_ if $_->{ph} eq 'B';
        (pop @open)->{end} = $_->{ts} if $_->{ph} eq 'E';
    }
    @slices = grep { $_->{name} =~ /^main::[fw]\z|^string eval/ } @slices;
    my $from_us = $slices[0]{ts};
    my @want = (['f', 0, 16], ['eval 2', 1, 9], ['w', 2, 3], ['eval 1 in 2', 6, 4], ['w', 7, 3], ['eval 2', 11, 2],
        ['w', 13, 3], ['eval 3', 16, 4], ['w', 17, 3]);
    is_deeply([map { sprintf '%s %.0f', short($_->{name}), ($_->{end} - $_->{ts}) / 1000 } @slices],
        [map { "$_->[0] $_->[2]" } @want], 'nytp-trace: how long they took');
    my @off_ms = map { abs(($slices[$_]{ts} - $from_us) / 1000 - $want[$_][1]) } 0 .. $#slices;
    is_deeply([grep { $_ > 1.1 } @off_ms], [], 'nytp-trace: when they began, to the statement that ran') or diag("@off_ms");
}

# ---- profiles that are divided, merged, cut, or read by others ---------------

# Slices of the run have the time of the whole, eval by eval.
my %sum;
my @slices = map { '--range=' . 10 * $_ . '%..' . 10 * ($_ + 1) . '%' } 0 .. 9;
for my $slice (@slices) {
    my $part = collapsed($timed, '--evals', $slice);
    $sum{$_} += $part->{$_} for keys %$part;
    is_deeply(without_evals($part), without_evals(collapsed($timed, $slice)), "$slice: sums without the evals");
}
my $all = collapsed($timed, '--evals');
is_deeply({ map { ($_ => $sum{$_}) } grep { $sum{$_} } keys %sum }, { map { ($_ => $all->{$_}) } grep { $all->{$_} } keys %$all },
    'ten slices add up to the whole');

my $dir = scratch_dir();
my $merged = run([tool('nytprofmerge'), '-o', "$dir/merged", $left, $timed]);
is($merged->{status}, 0, 'merged') or diag($merged->{err});
my %both = %$all;
my $ways = collapsed($left, '--evals');
$both{$_} += $ways->{$_} for keys %$ways;
is_deeply(collapsed("$dir/merged", '--evals'), \%both, 'merged: the stacks of both');
for my $cut ('--range=20%..70%', '--no-wait', '--process=' . (run([build_dir() . '/test/dump-chunks', $timed])->{out} =~ /^PID_START\t(\d+)/m)[0]) {
    run([tool('nytprofmerge'), '-o', "$dir/cut", $cut, $timed]);
    for my $options (['--evals'], ['--evals', '--calls'], []) {
        is_deeply(collapsed("$dir/cut", @$options), collapsed($timed, @$options, $cut), "merged with $cut: @$options");
    }
}

# calls=2 has a SUB_ENTRY for each call.
my ($entered) = evals_of('calls=2', $TIMED, options => { calls => 2 });
is_deeply($entered, shown(collapsed($timed, '--calls', '--evals')), 'calls=2: the same stacks');
for my $option (qw(calls subs)) {
    my $off = profiled('ours', ['-e', $TIMED], options => { $option => 0, compress => 0 });
    ok(index(slurp($off->{files}[0]), ':eval_') < 0, "$option=0: no marks");
}

SKIP: {
    my $why_not = StockModules::why_not();
    skip "stock: $why_not", 2 if $why_not;
    my (undef, $plain) = evals_of('read by stock', $TIMED, options => { compress => 0 });
    spew("$dir/unmarked", slurp($plain) =~ s/:eval_(?:begin|end)=\d+[\d ]*\n//gr);
    is(-s $plain > -s "$dir/unmarked", 1, 'there are marks to take away');
    my $dump = 'use Data::Dumper; use Devel::NYTProf::Data; $Data::Dumper::Sortkeys = $Data::Dumper::Indent = 1;'
        . 'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 }); delete @{ $p->{attribute} }{qw(eval_begin eval_end)};'
        . 'print Dumper($p->{fid_fileinfo}, $p->{sub_subinfo}, $p->{fid_line_time}, $p->{attribute}, $p->{option})';
    my @read = map { run([StockModules::command(), '-e', $dump, $_]) } $plain, "$dir/unmarked";
    is($read[0]{out}, $read[1]{out}, 'stock reads the same data');
    is("$read[0]{status} $read[0]{err}", '0 ', '... without a word');
}

# Killed in an eval: the calls that have returned are there.
my $killed = profiled('ours', ['-e', <<'END'], options => { slowops => 0 });
sub w { return 1 }
sub f { eval 'w(); w()'; eval 'w(); $| = 1; print "x"; sleep 1; kill KILL => $$' } f();
END
is($killed->{signal}, 9, 'killed in an eval');
my $cut = run([tool('nytprofcalls'), '--calls', '--evals', "$killed->{profiles}/nytprof.out"]);
is($cut->{status}, 0, 'killed in an eval: read') or diag($cut->{err});
is_deeply([map { s/.*(?=:2;)//r } grep { /main::w/ } split /\n/, $cut->{out}], [':2;main::w 3'], 'killed in an eval: its calls') or diag($cut->{out});

# ---- other places --------------------------------------------------------------

my $files = profiled('ours', ['-e', <<'END'], options => { slowops => 0 });
sub w { return 1 }
sub forks { eval 'w(); if (my $p = fork) { waitpid $p, 0 } w(); w()'; w() } forks();
sub again { eval 'w(); DB::enable_profile("second"); w()'; w() } again();
END
my ($parent, $child) = map {
    my $stacks = collapsed($_, '--calls', '--evals');
    +{ map { (short($_) => $stacks->{$_}) } keys %$stacks }
} @{ $files->{files} };
is($_->[0]{'forks eval 2 w'}, $_->[1], "$_->[2]: its part of an eval that forks")
    for [$parent, 3, 'the parent'], [$child, 2, 'the child'];
my ($second) = glob "$files->{dir}/second*";
my $later = collapsed($second, '--calls', '--evals');
is_deeply([map { short($_) . " $later->{$_}" } grep { /again;string.*;main::w\z/ } keys %$later], ['again eval 3 w 1'],
    'another file that begins in an eval');

my ($spans) = evals_of('spans', <<'END');
sub w { return 1 }
sub kept { my $s = eval q{DB->can('begin_span') ? DB::begin_span('kept') : 1}; w(); undef $s; w(); eval 'w()' }
sub outlives { eval q{$r = DB->can('begin_span') && NYTProf::Span->can('start') ? NYTProf::Span->start('r') : 1; w()}; w(); undef $r; w() }
sub ended { my $s = DB->can('begin_span') ? DB::begin_span('ended') : 1; eval 'w(); undef $s; w()'; w() }
our $r; kept(); ended(); outlives();
END
is_deeply([@$spans{'kept w', 'kept eval 2 w', 'ended w'}], [1, 1, 2], 'spans that end in another place than they begin');

SKIP: {
    skip 'needs Coro', 1 if !optional_module('Coro', 'libcoro-perl');
    my (undef, $path) = evals_of('coroutines', <<'END');
use Coro;
sub w { return 1 }
sub a { eval 'w(); cede; w(); cede; w()'; w(); cede; w() }
sub b { w(); cede; eval 'w(); cede; w()'; w() }
$_->join for (async { a() }), (async { b() });
eval 'w(); cede; w()';
END
    my $stacks = collapsed($path, '--calls', '--evals');
    my %under;
    for (keys %$stacks) { $under{$1} += $stacks->{$_} if short($_) =~ /((?:\b[ab] )?(?:eval \d )?\bw)\z/ }
    is_deeply(\%under, { 'a eval 3 w' => 3, 'a w' => 2, 'b eval 4 w' => 2, 'b w' => 2, 'eval 6 w' => 2 },
        'coroutines: each call has its eval') or diag(explain(\%under));
}

SKIP: {
    skip 'needs a perl with threads', 1 if !eval { require threads; 1 };
    my $got = profiled('ours', ['-Mthreads', '-e', <<'END'], options => { slowops => 0 });
sub w { return 1 }
sub f { eval 'w()'; w() }
threads->create(\&f)->join;
END
    my ($thread) = grep { /\.t1$/ } @{ $got->{files} };
    my $of = collapsed($thread, '--calls', '--evals');
    is_deeply([sort map { short($_) } grep { /^main::f/ } keys %$of], ['f', 'f eval 2', 'f eval 2 w', 'f w'], 'a thread');
}

# Without statements and with few calls, the stream has nothing of an eval's time: so the clock says each 2 ms of one how much
# was counted.
subtest 'without statements' => sub {
    my $script = 'sub all { eval $_[0]; work() } sub work { 1 } all(q{work();} . q{$x = 1;} x (1_000 * $_)) for 1 .. 6;';
    my $profile = (evals_of('evals', $script, options => { stmts => 0 }))[1];
    my ($counted, $before, $long, @wrong) = (0, 0, 0);
    for my $line (split /\n/, run([build_dir() . '/test/dump-chunks', $profile])->{out}) {
        $counted = $1       if $line =~ /'clock\t.*%20(\d+)$/;
        $before  = $counted if $line =~ /'eval_begin\t/;
        next if $line !~ /'eval_end\t'\d+%20(\d+)$/ || $1 < 40_000;
        $long++;
        push @wrong, "$1 ticks, of which " . ($counted - $before) . ' are counted' if $counted - $before < $1 - 20_000;
    }
    cmp_ok($long, '>=', 2, 'long evals');
    is_deeply(\@wrong, [], '... are counted but for 2 ms');
};

done_testing();
