# Spans: a frame that the program names, from DB::begin_span() until its guard is freed or the sub returns. Call trees,
# names, and what programs do with guards.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Config;
use CollectorRun qw(clock_library exhaustive need_collector optional_module plain preload profiled same_behaviour tool);
use NYTPTest qw(build_dir run slurp spew top_dir);
use StockReaders qw(read_by_stock);
use Test::More;

need_collector();

# The stacks of a profile: { 'main::f;NYTProf::span x' => calls }.
sub stacks {
    my ($path, $only) = @_;
    my $got = run([tool('nytprofcalls'), '--calls', $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofcalls reads it');
    return { map { /^(.*) (\d+)$/ } grep { /$only/ && !/BEGIN@/ } split /\n/, $got->{out} };
}

my @recorded;

# The calls of spans.
sub table {
    my ($got) = @_;
    push @recorded, @{ $got->{files} };
    my $table = run([tool('nytp-tree'), '--labels=span', '-q', '-O', -1, $got->{files}[0]]);
    diag($got->{err}, $table->{err}) if "$got->{err}$table->{err}" ne '';
    return { map { my @cell = split ' ', $_, 7; ($cell[6] => $cell[3]) } split /\n/, $table->{out} };
}

# With the collector, and without it, where NYTProf::Span does nothing.
sub spanned {
    my ($name, $script, $only, $expected, %run) = @_;
    my $lib = '-I' . build_dir() . '/perl5';
    my ($plain, $got) = (plain([$lib, '-MNYTProf::Span', '-e', $script], %run),
        profiled('ours', ['-MNYTProf::Span', '-e', $script], %run, options => { slowops => 0, stmts => 0 }));
    same_behaviour($plain, $got, $name);
    push @recorded, @{ $got->{files} };
    my $stacks = stacks($got->{files}[0], $only);
    is_deeply($stacks, $expected, "$name: stacks") or diag(explain($stacks));
    return $got;
}

spanned('spans', <<'END', qr/^main::|^NYTProf::span/, {
sub w { return 1 }
sub f { my ($n) = @_; my $span = span("GET /$n"); w(); g(); undef $span; w() }
sub g { my $span = span('?'); w(); name_span('b;<i>::x'); w() }
f($_) for 1, 2, 1;
END
    'main::f' => 3, 'main::f;main::w' => 3, map({ my $n = $_; my $calls = 3 - $n; (
        "main::f;NYTProf::span GET /$n" => $calls, "main::f;NYTProf::span GET /$n;main::w" => $calls,
            "main::f;NYTProf::span GET /$n;main::g" => $calls,
        "main::f;NYTProf::span GET /$n;main::g;NYTProf::span b,< i>:x" => $calls,
        "main::f;NYTProf::span GET /$n;main::g;NYTProf::span b,< i>:x;main::w" => 2 * $calls,
    ) } 1, 2) });

spanned('ends', <<'END', qr/^main::|^NYTProf::span/, {
sub w { return 1 }
sub free { undef $_[0]; w(); w() }
{ my $span = span('a'); free($span); w() }
eval { my $span = span('b'); die 1 }; w();
our $kept; sub keep { $kept = span('c'); w() } keep(); w(); $kept = undef; w();
span('d'); w();
my ($x, $y); sub two { $x = span('e'); $y = span('f'); undef $x; w(); undef $y; w() } two();
END
    'NYTProf::span a' => 1, 'NYTProf::span a;main::free' => 1, 'NYTProf::span a;main::free;main::w' => 2,
        'NYTProf::span b' => 1,
    'main::keep' => 1, 'main::keep;NYTProf::span c' => 1, 'main::keep;NYTProf::span c;main::w' => 1,
    'NYTProf::span d' => 1,
    'main::two' => 1, 'main::two;NYTProf::span e' => 1, 'main::two;NYTProf::span e;NYTProf::span f' => 1,
    'main::two;NYTProf::span e;NYTProf::span f;main::w' => 1, 'main::two;main::w' => 1, 'main::w' => 5,
});

spanned('names and places', <<'END', qr/^NYTProf::span/, {
use strict; use warnings;
package T { sub TIESCALAR { bless [] } sub FETCH { print "FETCH\n"; 1 } }
package O { use overload '""' => sub { print "STRING\n"; 1 } }
tie my $tied, 'T';
{ my @spans = map { main::span($_) } undef, '', [], $tied, bless([], 'O'), " \n "; }
{ my $s = main::span(); }
main::name_span('nothing');
my @sorted = sort { my $s = main::span('sort'); $a <=> $b } 2, 1;
package D { sub DESTROY { my $s = main::span('destroy') } }
{ my $d = bless [], 'D'; }
{ local $@ = 'x'; local $! = 2; my $s = main::span('errors'); print "$@ ", $! + 0, "\n" }
sub context { my $s = main::span('context'); return wantarray ? 'list' : 'scalar' } my @l = context(); print @l, scalar(context()), "\n";
END { my $s = main::span('END') }
END
    'NYTProf::span ?' => 2, (map { ('NYTProf::span ?' . ';NYTProf::span ?' x $_ => 1) } 1 .. 5),
    'NYTProf::span sort' => 1, 'NYTProf::span errors' => 1,
});

spanned('odd places', <<'END', qr/NYTProf::span|main::w/, {
sub w { return 1 }
"ab" =~ /a(?{ my $s = span('code'); w() })b/;
$SIG{USR1} = sub { my $s = span('signal'); w() };
{ my $s = span('outer'); kill USR1 => $$; w() }
sub d { my $s = span('dies'); eval { my $t = span('inner'); die 1 }; w(); die 2 } eval { d() }; w();
for (1 .. 2) { my $s = span('loop'); next if $_ == 1; w() }
sub g { my $s = span('goto'); goto &w } g(); w();
{ my $s = span('eval'); eval 'w()'; my @x = sort { w(); $a <=> $b } 2, 1 }
sub c { my $s = span('copied'); return $s } my $k = c(); w(); undef $k;
{ my $s = span('forks'); if (my $pid = fork) { waitpid $pid, 0; w() } else { w(); exec $^X, '-e', '1' } }
END
    'NYTProf::span code' => 1, 'NYTProf::span code;main::w' => 1,
    'NYTProf::span outer' => 1, 'NYTProf::span outer;main::w' => 1, 'NYTProf::span outer;main::__ANON__[-e:3]' => 1,
    'NYTProf::span outer;main::__ANON__[-e:3];NYTProf::span signal' => 1,
    'NYTProf::span outer;main::__ANON__[-e:3];NYTProf::span signal;main::w' => 1,
    'main::d;NYTProf::span dies' => 1, 'main::d;NYTProf::span dies;NYTProf::span inner' => 1,
    'main::d;NYTProf::span dies;main::w' => 1,
    'NYTProf::span loop' => 2, 'NYTProf::span loop;main::w' => 1, 'main::g;NYTProf::span goto' => 1,
    'NYTProf::span eval' => 1, 'NYTProf::span eval;main::w' => 2, 'main::c;NYTProf::span copied' => 1,
    'NYTProf::span forks' => 1, 'NYTProf::span forks;main::w' => 1, 'main::w' => 4,
});

# A span that is open when another file begins counts in the first, and has time in each; the child that becomes another
# program has its part.
my $got = profiled('ours', ['-e', <<'END'], options => { slowops => 0, stmts => 0 });
sub w { return 1 }
my $s = DB::begin_span('open'); w();
DB::enable_profile("second"); w();
if (my $pid = fork) { waitpid $pid, 0 } else { w(); w(); exec $^X, '-e', '1' }
END
is_deeply([map { stacks($_, qr/main::w \d/) } @{ $got->{files} }, sort glob "$got->{dir}/second*"],
    [map { { 'NYTProf::span open;main::w' => $_ } } 1, 1, 2],
    'a span that is open when a file, a child or another program begins');

if (optional_module('Coro', 'libcoro-perl')) {
    spanned('coroutines', <<'END', qr/^main::w|span.*main::w \d/, {
use Coro;
sub w { return 1 }
sub job { my ($n) = @_; my $s = span("job$n"); for (1 .. 3) { w(); cede } undef $s; w() }
$_->join for map { my $n = $_; async { job($n) } } 1, 2;
our $guard; my $coro = async { $guard = span('elsewhere'); w(); cede; w() }; cede; undef $guard; w(); $coro->join;
END
        'main::w' => 1,
            (map { ("Coro::_coro_run;main::__ANON__[-e:4];main::job;NYTProf::span job$_;main::w" => 3) } 1, 2),
        'Coro::_coro_run;main::__ANON__[-e:5];NYTProf::span elsewhere;main::w' => 2,
    });
}

if (optional_module('Future::AsyncAwait', 'libfuture-asyncawait-perl')) {
    spanned('awaits', <<'END', qr/main::w \d/, {
use Future; use Future::AsyncAwait;
sub w { return 1 }
my $future = Future->new;
async sub waits { my $s = span('waits'); w(); await $future; w() }
async sub ready { my $s = span('ready'); w(); await Future->done; w() }
my $r = waits(); w(); $future->done; $r->get; ready()->get; w();
END
        'main::waits;NYTProf::span waits;main::w' => 1,
            'Future::PP::done;Future::PP::_mark_ready;main::waits;main::w' => 1,
        'main::ready;NYTProf::span ready;main::w' => 2, 'main::w' => 2,
    });
}

$got = profiled('ours', ['-e', <<'END']);
my $s = DB::begin_span('before'); DB::finish_profile(); DB::begin_span('after'); DB::name_span('after'); undef $s;
defined DB::begin_span('x') and print "recorded\n"; DB::enable_profile(); print ref DB::begin_span('y'), "\n";
if (my $pid = fork) { waitpid $pid, 0 } else { my $t = DB::begin_span('child'); undef $t; exit }
END
is($got->{out}, "SCALAR\n", 'undef while nothing is recorded');
is($got->{err}, '', 'and no message');
is(scalar @{ $got->{files} }, 2, 'a fork has a profile of its own');

if ($Config{useithreads}) {
    $got = profiled('ours', ['-e', <<'END'], options => { slowops => 0 });
use threads;
sub w { 1 }
my $s = DB::begin_span('main');
threads->create(sub { my $t = DB::begin_span('thread'); undef $s; w() })->join;
w();
END
    my ($of_main, $of_thread) = map { stacks($_, qr/main::w \d/) } @{ $got->{files} };
    is_deeply($of_main, { 'NYTProf::span main;main::w' => 1 }, 'a guard that was cloned ends nothing');
    is_deeply([values %$of_thread], [1], '... in the thread') or diag(explain($of_thread));
    like((keys %$of_thread)[0], qr/;NYTProf::span thread;main::w$/, '... whose span goes on');
}

# ---- limits, readers ----

$got = profiled('ours', ['-e', 'for my $n (1 .. 9) { my $s = DB::begin_span("s$n") }'], options => { labelmax => 4 });
is_deeply(stacks($got->{files}[0], qr/^NYTProf/),
    { (map { ("NYTProf::span s$_" => 1) } 1 .. 4), 'NYTProf::span (others)' => 5 }, 'labelmax');
like(run([tool('nytp-tree'), '--labels=span', '-q', $got->{files}[0]])->{out}, qr/ 5 .*\(others\)$/m,
    'nytp-tree --labels=span');
like(run([tool('nytprofcalls'), '--no-labels', '--calls', $got->{files}[0]])->{out}, qr/^NYTProf::span 9$/m,
    '--no-labels');

# ---- Plack and Mojolicious ----

SKIP: {
    skip 'needs Plack', 1 if !optional_module('Plack::Builder', 'libplack-perl');
    is_deeply(table(profiled('ours', ['-e', <<'END'])), {
use Plack::Builder;
sub app { my ($env) = @_; return $env->{PATH_INFO} eq '/stream' ? sub { $_[0]->([200, [], ['x']]) } : [200, [], ['y']] }
my $app = builder { enable '+NYTProf::Span::Plack'; sub { $_[0]{'nytprof.route'} = 'POST route' if $_[0]{REQUEST_METHOD} eq 'POST'; &app } };
for (['GET', '/users/17'], ['GET', '/users/18'], ['GET', '/stream'], ['POST', '/x']) {
    my $r = $app->({ REQUEST_METHOD => $_->[0], PATH_INFO => $_->[1] });
    $r->(sub { print "streamed\n" }) if ref $r eq 'CODE';
}
END
        'GET /users/*' => 2, 'GET /stream' => 1, 'POST route' => 1,
    }, 'Plack');
    # A clock that passes while the program sleeps, and a little when it is read.
    my %told  = (options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
    my $later = profiled('ours', ['-e', <<'END'], %told);
use Plack::Builder;
my ($send, $code);
my $app = builder { enable '+NYTProf::Span::Plack';
    sub { return $_[0]{PATH_INFO} eq '/later' ? sub { $send = $_[0] } : [200, [], ['now']] } };
my $got = $app->({ REQUEST_METHOD => 'GET', PATH_INFO => '/now' }); print "$got->[2][0]\n";
$code = $app->({ REQUEST_METHOD => 'GET', PATH_INFO => '/later' }); $code->(sub { print "$_[0][2][0]\n" }); undef $code;
select undef, undef, undef, 0.1; $send->([200, [], ['later']]); undef $send; select undef, undef, undef, 0.1;
END
    is("$later->{out}$later->{err}", "now\nlater\n", 'Plack answers later');
    my (undef, @rows) = split /\r\n/, run([tool('nytprofcsv'), '--table=spans', '-o', '-', $later->{files}[0]])->{out};
    is_deeply([map { my @cell = split /,/; [@cell[0, 6], sprintf '%.2f', $cell[3]] } @rows],
        [['GET /now', 1, '0.00'], ['GET /later', 3, '0.10']], '... and has that of a response that is sent later');
}

SKIP: {
    skip 'needs Mojolicious', 1 if !optional_module('Test::Mojo', 'libmojolicious-perl');
    is_deeply(table(profiled('ours', ['-e', <<'END'])), {
use Mojolicious::Lite -signatures;
app->log->level('fatal');
plugin 'NYTProf::Span::Mojolicious';
get '/users/:id' => sub ($c) { $c->render(text => $c->param('id')) };
get '/' => sub ($c) { $c->render(text => 'root') };
use Test::Mojo;
my $t = Test::Mojo->new;
print $t->ua->get($_)->res->code, "\n" for '/users/1', '/users/2', '/', '/none';
END
        'GET /users/:id' => 2, 'GET /' => 1, 'GET ?' => 1,
    }, 'Mojolicious');
}

# ---- the session of doc/labels.md ----

SKIP: {
    skip 'needs Plack and DBD::SQLite', 1
        if !optional_module('Plack::Builder', 'libplack-perl')
        || !optional_module('DBD::SQLite', 'libdbd-sqlite3-perl');
    my $page = slurp(top_dir() . '/doc/labels.md');
    my ($program, $mended) = $page =~ /^```perl\n(.*?)^```/gms;
    my ($first, $then) = map { my $text = $_;
        profiled('ours', ['load.pl'], options => { labels => 'sql' }, prepare => sub { spew("$_[0]/load.pl", $text) }) }
        $program, $program =~ s/^sub albums \{.*?^\}\n/$mended/msr;
    # Calls and names of the tables that the page shows, and those of the profiles. A time may be a little below 0.
    my $rows = sub {
        return { map { /^(?: *-?[\d.]+){3} +(\d+)(?: +-?[\d.]+){2}  (.*)/ ? ($2 => $1) : () } split /\n/, $_[0] }
    };
    my $shown = $rows->($page);
    my %made  = map { my $path = $_->{files}[0];
        map { %{ $rows->(run([tool('nytp-tree'), "--labels=$_", '-O', -1, $path])->{out}) } } 'sql', 'span' } $then,
            $first;
    is_deeply({ map { $_ => $made{$_} } keys %$shown }, $shown, 'doc/labels.md shows what its program does');
    my ($finding) = $page =~ m{/(load\.pl:\d+: main::name_of runs .*?): }m;
    like(run([tool('nytp-tree'), '--findings', $first->{files}[0]])->{out}, qr{/\Q$finding\E: }m,
        '... and what stands out');
    my ($callers) = $page =~ /^(DBI::db::selectrow_array .*?)^```/ms;
    my $without_times = sub { return $_[0] =~ s/[ \t]+[\d.]+ms.*//gmr };
    my ($option) = $page =~ /^\$ nytp-tree --callers='(.*?)'/m;
    is($without_times->(run([tool('nytp-tree'), "--callers=$option", '--unit=ms', '--depth=3',
        $first->{files}[0]])->{out}), $without_times->($callers), '... and the callers');
}

# On a busy machine the collector is often queued in its own work at the begin or end of a span. A few of 100,000 still
# overlap.
if (exhaustive()) {
    my $count = 20_000;
    my $got   = profiled('ours', ['-MNYTProf::Span', '-e', "for (1 .. $count) { my \$span = span('x'); my \$s = 0; \$s += \$_ for 1 .. 300 }"]);
    my (undef, @spans) = map { [(split /,/)[2, 3]] } split /\r\n/, run([tool('nytprofcsv'), '--table=spans', '-o', '-', $got->{files}[0]])->{out};
    my @wrong = grep { $spans[$_][0] + $spans[$_][1] > $spans[ $_ + 1 ][0] + 2e-6 } 0 .. $#spans - 1;
    is(scalar(@spans), $count, 'spans one after another');
    is_deeply([map { "$_: @{ $spans[$_] } $spans[$_ + 1][0]" } @wrong], [], '... do not overlap');
}

read_by_stock('all of these', \@recorded);

done_testing();
