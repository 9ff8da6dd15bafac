# Requests: spans that outlive the call that began them, from NYTProf::Span->start until they end. Times by a clock that
# passes only where the program says so.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CollectorRun qw(clock_library need_collector optional_module plain preload profiled same_behaviour tool);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use StockReaders qw(read_by_stock);
use Test::More;

need_collector();

my $scratch = scratch_dir();
my $told    = clock_library('told-clock');
my $lib     = '-I' . build_dir() . '/perl5';
my @recorded;

sub recorded {
    my ($script, %run) = @_;
    my $got = profiled('ours', ['-MNYTProf::Span', '-e', $script], %run,
        options => { clock => 0, waits => 0, %{ $run{options} // {} } }, env => { LD_PRELOAD => preload($told), %{ $run{env} // {} } });
    return $got;
}

# "NAME LATENCY WORK WAITING PARTS" of each request, times in ms, as nytprofcsv has them.
sub rows {
    my (@arguments) = @_;
    my $got = run([tool('nytprofcsv'), '--table=spans', '-o', '-', @arguments]);
    is("$got->{status} $got->{err}", '0 ', "nytprofcsv @arguments[0 .. $#arguments - 1]");
    my ($head, @rows) = split /\r\n/, $got->{out};
    return [map { my ($name, undef, undef, $latency, $work, $waiting, $parts) = split /,/;
        join ' ', $name, (map { sprintf '%.0f', 1e3 * $_ } $latency, $work, $waiting), $parts } @rows];
}

# "NAME ASLEEP QUEUED OTHERS REST", what passed between the parts, in the same form.
sub between {
    my ($path) = @_;
    my (undef, @rows) = split /\r\n/, run([tool('nytprofcsv'), '--table=spans', '-o', '-', $path])->{out};
    return [map { my @cell = split /,/; join ' ', $cell[0], map { sprintf '%.0f', 1e3 * $_ } @cell[8 .. 11] } @rows];
}

sub calls {
    my ($path, @options) = @_;
    my $got = run([tool('nytprofcalls'), '--calls', @options, $path]);
    my %calls;
    /([^;]+) (\d+)\z/ and $calls{$1} += $2 for split /\n/, $got->{out};
    return \%calls;
}

# Work takes as many ms as it is given, and so does waiting: by that clock, time() takes 1 ms.
my $LOOP = <<'END';
use Time::HiRes ();
my @due;
sub work { time for 1 .. $_[0]; return }
sub pause { select undef, undef, undef, $_[0] / 1e3; return }
sub after { my ($ms, $code) = @_; push @due, [Time::HiRes::clock_gettime(0) + $ms / 1e3, $code]; return }
sub loop {
    while (@due) {
        @due = sort { $a->[0] <=> $b->[0] } @due;
        my ($at, $code) = @{ shift @due };
        my $left = $at - Time::HiRes::clock_gettime(0);
        select undef, undef, undef, $left if $left > 0;
        $code->();
    }
}
END

# ---- latency, work and parts ----

my $SERVER = <<'END';
sub serve {
    my ($name, $ms) = @_;
    my $request = NYTProf::Span->start("GET /$name");
    work(2);
    after($ms, $request->wrap(sub { work(3); after(20, NYTProf::Span->wrap(sub { pause(4); $request->end; work(1) })) }));
}
serve('a', 100); serve('b', 150); serve('a', 300); work(7); loop();
END
my $server = recorded($LOOP . $SERVER);
my $path   = $server->{files}[0];
is($server->{err}, '', 'requests in turns: no message');
my @rows = ('GET /a 129 6 4 3', 'GET /b 179 6 4 3', 'GET /a 329 6 4 3');
is_deeply(rows($path), \@rows, 'the latency is that from begin to end, work and waiting are those of the parts');
is_deeply(between($path), ['GET /a 109 0 10 0', 'GET /b 153 0 16 0', 'GET /a 297 0 22 0'],
    'between them, the loop sleeps until something is due, and others have their turns');
my $calls = calls($path);
is_deeply([@$calls{'NYTProf::span GET /a', 'NYTProf::span GET /b', 'main::work'}], [2, 1, 10], 'each counts as one call');
my $table = sub { return { map { my @cell = split; ($cell[-1] => [@cell[3, 6, 7]]) } grep { m{GET /} }
    split /\n/, run([tool('nytp-tree'), '--table', '--columns=p50,max', '--unit=ms', '-q', '-O', -1, @_])->{out} } };
my $shown = $table->($path);
is($shown->{'/a'}[0], 2, 'nytp-tree counts two requests');
like(join(' ', @{ $shown->{'/a'} }[1, 2]), qr/^12[89].* 329/, '... and has percentiles of their latency');

# ---- filters ----

is_deeply(rows('--slowest=1', $path), [$rows[2]], '--slowest chooses by latency, and has all parts');
is_deeply(rows('--span=GET /a', '--slowest=1', $path), [$rows[2]], '... of a name');
is_deeply(rows('--span=GET /a', $path), [@rows[0, 2]], '--span');
is_deeply(rows('--span=GET /?', $path), \@rows, '... as a pattern');
is_deeply(calls($path, '--slowest=1')->{'main::work'}, 3, '... with what the parts called');
is(run([tool('nytprofmerge'), '-o', "$scratch/merged", $path, recorded($LOOP . $SERVER)->{files}[0]])->{status}, 0, 'two workers');
is_deeply(rows("$scratch/merged"), [@rows, @rows], '... are one profile');
is(run([tool('nytprofmerge'), '--span=GET /a', '-o', "$scratch/spans", $path])->{status}, 0, 'a file of spans');
is_deeply(rows("$scratch/spans"), [@rows[0, 2]], '... has them as they were');
is_deeply(rows('--slowest=1', "$scratch/spans"), [$rows[2]], '... and the slowest of them');
is(run([tool('nytprofmerge'), '--range=0%..100%', '-o', "$scratch/all", $path])->{status}, 0, 'a range of everything');
is_deeply(rows("$scratch/all"), \@rows, '... has them as they were');

# A range has the requests that begin in it, up to its end. In other ranges their parts have time.
my ($begin) = run([tool('nytprofcsv'), '--table=spans', '-o', '-', $path])->{out} =~ /GET \/a,\d+,([\d.]+)/;
my @halves  = map { rows($_, $path) } '--range=..0.06s', '--range=0.06s..';
is_deeply(\@halves, [['GET /a 60 2 0 1', 'GET /b 58 2 0 1', 'GET /a 56 2 0 1'], []], 'a range through the middle of requests');
my $in_perl_s = 0;
$in_perl_s += (split /,/)[6] for map { grep { /^span/ } split /\r\n/, run([tool('nytprofcsv'), '--table=labels', '-o', '-', $_, $path])->{out} }
    '--range=..0.06s', '--range=0.06s..';
is(sprintf('%.3f', $in_perl_s), '0.030', '... and their times add up to those of the whole');
is(calls($path, '--range=..0.06s')->{'NYTProf::span GET /a'} + calls($path, '--range=0.06s..')->{'NYTProf::span GET /a'}, 2,
    '... and count once');

# Each works 2 ms at first, one after the other.
my ($since) = run([tool('nytprofcsv'), '--table=processes', '-o', '-', $path])->{out} =~ /^[^,]*,\d+,\d+,([\d.]+)/m;
my $middle  = sprintf '%.6fs', $begin - $since + 0.003;
is_deeply(rows("--range=..$middle", $path), ['GET /a 3 2 0 1', 'GET /b 1 1 0 1'],
    'a range that ends in the first part of a request has its begin');
is(calls($path, "--range=$middle..")->{'NYTProf::span GET /b'}, 0, '... and counts it');

# The last part of each works 1 ms after the request has ended.
my $ended = sprintf '%.6fs', $begin - $since + 0.1294;
is_deeply(rows("--range=$ended..", $path), [], 'a range that begins after the end of a request, in its last part');

# ---- how they begin and end ----

# The requests that a script makes, as rows.
sub are_rows {
    my ($name, $script, @expected) = @_;
    my $got = recorded($LOOP . $script);
    is($got->{err}, '', "$name: no message");
    is_deeply(rows($got->{files}[0]), \@expected, $name);
    return $got;
}
are_rows('ends', <<'END', 'called 30 30 0 1', 'freed 20 20 0 1', 'void 0 0 0 1', 'returned 30 10 0 1', 'died 5 5 0 1', 'twice 5 5 0 1', 'open 50 40 0 2');
sub called { my $r = NYTProf::Span->start('called'); work(30); $r->end; work(4) } called();
{ my $r = NYTProf::Span->start('freed'); work(20) } work(1);
NYTProf::Span->start('void'); work(3);
our $kept; sub returned { $kept = NYTProf::Span->start('returned'); work(10) } returned(); work(20); undef $kept;
eval { my $r = NYTProf::Span->start('died'); work(5); die "x\n" }; work(2);
{ my $r = NYTProf::Span->start('twice'); work(5); $r->end; $r->end; $r->wrap(sub { work(5) })->() }
our $open; sub begin { $open = NYTProf::Span->start('open'); work(10); after(10, $open->wrap(sub { work(30) })) } begin(); loop();
END

are_rows('a callback keeps its request', <<'END', 'kept 42 2 0 2');
sub kept { my $r = NYTProf::Span->start('kept'); work(1); after(40, NYTProf::Span->wrap(sub { work(1) })) } kept(); loop(); work(9);
END

are_rows('within one another', <<'END', 'inner 22 2 0 2', 'outer 33 13 0 2');
my $inner;
sub outer {
    my $r = NYTProf::Span->start('outer'); work(1);
    after(20, NYTProf::Span->wrap(sub { NYTProf::Span->wrap(sub { work(1) })->(); $inner->(); work(10) }));
}
sub inner { my $r = NYTProf::Span->start('inner'); work(1); $inner = $r->wrap(sub { work(1); undef $inner }) }
outer(); inner(); loop();
END

are_rows('names', <<'END', 'GET /users/:id 33 3 0 3', '? 1 1 0 1', 'plain 1 1 0 1', 'spans 2 2 0 1', 'part 0 1 0 1');
sub named {
    my $r = NYTProf::Span->start('GET ?'); work(1); name_span('GET /users'); my $next;
    after(10, $r->wrap(sub { work(1); name_span('GET /users/:id'); after(20, NYTProf::Span->wrap(sub { work(1) })) }));
}
named(); loop();
{ my $r = NYTProf::Span->start(undef); work(1) }
{ my $r = NYTProf::Span->start('spans'); { my $s = span('plain'); work(1) } work(1) }
{ my $r = NYTProf::Span->start('part'); my $code = $r->wrap(sub { work(1) }); sub { $r->end; $code->() }->() }
END

# A sub that says the ids of spans runs when a part begins.
are_rows('ids', <<'END', 'GET /x 5 4 0 2');
sub ids { return ('a' x 32, 'b' x 16) } DB::on_span(sub { ids() });
sub traced { my $r = NYTProf::Span->start('GET /x'); work(1); return $r->wrap(sub { work(3) }) }
{ my $code = traced(); work(1); $code->(); undef $code } work(9);
END

# ---- what the program sees ----

# With the collector, and without it, where requests do nothing.
sub runs_alike {
    my ($name, $script, %run) = @_;
    my ($plain, $got) = (plain([$lib, '-MNYTProf::Span', '-e', $script], %run),
        profiled('ours', ['-MNYTProf::Span', '-e', $script], %run));
    push @recorded, @{ $got->{files} };
    same_behaviour($plain, $got, $name);
    return $got;
}
runs_alike('the calls of a sub that is wrapped', <<'END');
use strict; use warnings; use Carp ();
my $r = NYTProf::Span->start('r');
my $shows = $r->wrap(sub ($$) { print join('|', map { $_ // 'undef' } wantarray, (caller 0)[0 .. 2], scalar(@_), @_), "\n"; $_[0] = 'changed' if @_; return (4, 5, 6) });
print prototype($shows), ' ', ref $shows, "\n";
my $x = 'x';
my @list = &$shows($x, 'y'); my $scalar = &$shows($x); &$shows(); print "$x @list $scalar\n";
sub outer { &$shows; return } outer(1, 2);
my $dies = $r->wrap(sub { local $@; eval { die "inner\n" }; print $@; Carp::croak("outer") });
sub calls_it { $dies->() } eval { calls_it() }; print $@; eval { $dies->(1) }; print $@;
print "$_\n" for $r->wrap(sub { () })->(), scalar $r->wrap(sub { return })->() // 'nothing';
print join(',', $r->wrap(sub { map { $_ * 2 } @_ })->(1 .. 1000)) eq join(',', map { $_ * 2 } 1 .. 1000) ? "all\n" : "not all\n";
my $fact; $fact = $r->wrap(sub { my ($n) = @_; return $n < 2 ? 1 : $n * $fact->($n - 1) }); print $fact->(20), "\n";
print sort({ $b cmp $a } $r->wrap(\&CORE::lc)->('B')), "\n";
my $last = 0; LOOP: for (1 .. 3) { no warnings 'exiting'; $r->wrap(sub { $last++ })->(); last LOOP } print "$last\n";
print ref $r->wrap(bless sub { 1 }, 'Blessed'), ' ', $r->wrap('text'), ' ', defined $r->wrap(undef) ? 1 : 0, "\n";
{ package Freed; sub new { bless {}, shift } sub DESTROY { print "freed\n" } }
{ my $kept = Freed->new; my $code = $r->wrap(sub { $kept }); undef $kept; $code->(); print "kept\n"; }
my $self; $self = $r->wrap(sub { undef $self; return 'freed itself' }); print $self->(), "\n";
{ my $errno = $! = 2; $r->wrap(sub { 1 })->(); print $! + 0, "\n"; }
print ref NYTProf::Span->start('s'), ' ', ref bless($r, 'Other'), "\n";
{ package Mine; our @ISA = 'NYTProf::Span'; } print ref(Mine->start('m')), ' ', Mine->can('wrap') ? 1 : 0, "\n";
my @none = (scalar(NYTProf::Span::end()) // 'undef', NYTProf::Span->end // 'undef', NYTProf::Span::end('x') // 'undef'); print "@none\n";
exit 3;
END
runs_alike('a callback that exits', 'my $r = NYTProf::Span->start("r"); $r->wrap(sub { print "exits\n"; exit 4 })->()');
runs_alike('objects that perl frees at its end', 'our $r = NYTProf::Span->start("r"); our @all = map { NYTProf::Span->start($_) } 1 .. 50; our $code = $r->wrap(sub { @all }); print "end\n"');

# ---- other files, processes, threads and coroutines ----

my $got = recorded($LOOP . <<'END');
my $r = NYTProf::Span->start('r'); my $code = $r->wrap(sub { work(1) }); work(2);
if (my $pid = fork) { waitpid $pid, 0; $code->() } else { work(3); $code->(); $r->end; { my $own = NYTProf::Span->start('own'); work(4) } }
END
my ($of_parent, $of_child) = map { rows($_) } @{ $got->{files} };
is_deeply([map { s/ [\d.]+//r } @$of_parent], ['r 3 0 1'], 'a request belongs to the process that began it');
is_deeply([sort @$of_child], ['own 4 4 0 1'], '... also if a child is forked within it');
is(calls($got->{files}[1])->{'NYTProf::span r'}, 0, '... in which it has time alone');

$got = recorded($LOOP . <<"END");
my \$r; sub begin { \$r = NYTProf::Span->start('r'); work(1) } begin(); work(2); my \$code = \$r->wrap(sub { work(3) });
DB::enable_profile("$scratch/second.out"); work(4); \$code->(); \$r->end; DB::finish_profile();
END
is_deeply(rows($got->{files}[0]), ['r 3 1 0 1'], 'a request that goes on when another file begins ends there');
is_deeply(rows("$scratch/second.out"), [], '... counts there');
is(calls("$scratch/second.out")->{'NYTProf::span r'}, 0, '... and has time alone in the other one');

$got = recorded($LOOP . <<'END');
my $r; sub begin { $r = NYTProf::Span->start('r'); work(1) } begin(); my $code = $r->wrap(sub { work(3) });
DB::disable_profile(); work(20); $code->(); DB::enable_profile(); $code->(); DB::disable_profile(); work(5); $r->end; work(9);
my $s = NYTProf::Span->start('s'); DB::enable_profile(); $s->wrap(sub { work(1) })->(); $s->end;
END
is_deeply([map { my @cell = split; "$cell[0] $cell[2]" . ($cell[1] >= 32 && $cell[1] <= 33 ? '' : " $cell[1]") } @{ rows($got->{files}[0]) }],
    ['r 4'], 'while nothing is recorded, its time passes');

# A process that is killed: its profile ends anywhere.
my $bytes = slurp(recorded($LOOP . $SERVER, options => { compress => 0 })->{files}[0]);
my $begins_last = rindex $bytes, ':request=3';
for my $cut ([$begins_last, 3], [rindex($bytes, ':request=2 '), 3], [index($bytes, ':request=1 '), 3], [index($bytes, ':request=1'), 0]) {
    my ($length, $requests) = @$cut;
    my $killed = run([tool('nytprofcsv'), '--table=spans', '-o', '-', spew("$scratch/killed", substr $bytes, 0, $length)]);
    my @went   = map { (split /,/)[3] } grep { /^GET/ } split /\r\n/, $killed->{out};
    is(scalar @went, $requests, "cut at $length: the requests that had begun");
    is(scalar(grep { $_ > 0.4 } @went), 0, '... end there at the latest');
}

$got = recorded($LOOP . $SERVER, options => { stmts => 0 });
is_deeply(rows($got->{files}[0]), \@rows, 'without statements');
$got = recorded($LOOP . $SERVER, options => { calls => 0 });
is_deeply(rows($got->{files}[0]), [], 'without calls there are none');
like(run([tool('nytprofcsv'), '--table=subs', '-o', '-', $got->{files}[0]])->{out}, qr/^NYTProf::span GET \/a,.*?,2,/m, '... but sums');

if ($Config{useithreads}) {
    my $threads = recorded($LOOP . <<'END', options => { slowops => 0 });
use threads;
my $r = NYTProf::Span->start('r'); my $code = $r->wrap(sub { work(1) });
threads->create(sub { $code->(); $r->end; undef $r; { my $own = NYTProf::Span->start('own'); work(2) } })->join;
$code->(); $r->end;
END
    is($threads->{err}, '', 'threads: no message');
    my %names = map { (split)[0] => 1 } map { @{ rows($_) } } @{ $threads->{files} };
    is_deeply(\%names, { r => 1, own => 1 }, '... and a request is one of the thread that began it');
}

if (optional_module('Future::AsyncAwait', 'libfuture-asyncawait-perl')) {
    my $AWAITS = $LOOP . <<'END';
use Future; use Future::AsyncAwait; use NYTProf::Span::Future;
sub later { my ($ms) = @_; my $future = Future->new; after($ms, sub { $future->done($ms) }); return $future }
async sub handle {
    my ($name, $ms) = @_;
    my $request = NYTProf::Span->start($name);
    work(1);
    my $sum = await later($ms);
    work(2);
    for my $n (1 .. 2) { $sum += await later(10); work(1) }
    $sum += await later(5)->then(sub { work(3); return Future->done(1) });
    $request->end;
    return $sum;
}
async sub fails { my $request = NYTProf::Span->start('fails'); await later(7); die "it fails\n" }
my @all = map { handle(@$_) } ['a', 100], ['b', 30];
my $fails = fails();
loop();
print join(' ', map { $_->get } @all), ' ', $fails->failure;
END
    my $awaits = recorded($AWAITS);
    is("$awaits->{out}$awaits->{err}", "121 51 it fails\n", 'awaits: it runs');
    is_deeply([sort @{ rows($awaits->{files}[0]) }], ['a 133 8 0 6', 'b 63 8 0 6', 'fails 7 0 0 2'], '... and what follows an await is in the request')
        or diag(explain(rows($awaits->{files}[0])));
    runs_alike('awaits', $AWAITS);
}

# A coroutine that cedes within a wrapped sub gets a C stack of its own, and memcheck reports how Coro changes stacks.
if (!valgrind() && optional_module('Coro', 'libcoro-perl')) {
    my $coro = recorded($LOOP . <<'END');
use Coro;
sub job { my ($n) = @_; my $r = NYTProf::Span->start("job$n"); work(1); cede; work(2); my $code = $r->wrap(sub { work(3); cede; work(4) }); $code->(); $r->end }
$_->join for map { my $n = $_; async { job($n) } } 1, 2;
END
    is($coro->{err}, '', 'coroutines: no message');
    is_deeply([map { join ' ', (split)[0, 1, 2] } @{ rows($coro->{files}[0]) }], ['job1 16 10', 'job2 19 10'], '... and each has its own time');
}

# ---- many, and what reads them ----

$got = recorded($LOOP . <<'END');
sub serve { my ($n) = @_; my $r = NYTProf::Span->start("GET /$n"); after($n % 7, $r->wrap(sub { after(3, NYTProf::Span->wrap(sub { $r->end })) })) }
serve($_ % 10) for 1 .. 3000; loop();
END
my @many = @{ rows($got->{files}[0]) };
is(scalar(grep { (split)[-1] == 3 } @many), 3000, 'thousands at once');
push @recorded, @{ profiled('ours', ['-MNYTProf::Span', '-e', $LOOP . $SERVER])->{files} };
read_by_stock('requests', \@recorded);

done_testing();
