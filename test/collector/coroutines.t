# Coroutines of Coro, and subs of Future::AsyncAwait: every call has its own callers, and a coroutine's calls have no
# time in which another one ran.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(collector exhaustive need_collector optional_module plain profiled same_behaviour tool);
use List::Util qw(sum uniq);
use NYTPTest qw(run spew valgrind);
use ProfileCompare qw(count_of read_profile);
use Test::More;
use Written qw(rows_of);

need_collector();

# Runs a program, which must do the same as without the collector, and have each call once in its stacks. Returns these
# with their calls, as nytprofcalls prints them, of the subs that the pattern matches; and the profile.
sub stacks {
    my ($name, $code, $pattern, %options) = @_;
    my @how = (prepare => sub { spew("$_[0]/program.pl", $code) });
    my $got = profiled(collector(), ['program.pl'], @how, %options);
    # of Coro's stacks
    same_behaviour(plain(['program.pl'], @how), $got, $name,
        qr/^==\d+==WARNING: ASan is ignoring requested.*\n(?:.*\n){2}/m);
    my $file    = "$got->{profiles}/nytprof.out";
    my $printed = run([tool('nytprofcalls'), '--calls', $file]);
    is $printed->{status}, 0, "$name: the profile is read";
    my (%calls, %all);
    for (split /\n/, $printed->{out}) {
        my ($stack, $calls) = /^(.*) (\d+)$/;
        my @subs = grep { /$pattern/ } split /;/, $stack;
        next if (split /;/, $stack)[-1] !~ /$pattern/;
        $all{ $subs[-1] } += $calls;
        $calls{ join ';', map { s/^main:://r } @subs } += $calls;
    }
    my $profile = read_profile($file);
    is_deeply \%all, { map { $_ => count_of($profile, $_) } keys %all }, "$name: stacks have each call once";
    return (\%calls, $profile);
}

sub arcs_to { my ($profile, $called) = @_; return grep { $_->{called} eq $called } values %{ $profile->{arcs} } }

# The calls of the innermost subs.
sub innermost { my ($calls, $leaf) = @_; return { map { $_ => $calls->{$_} } grep { /$leaf\z/ } keys %$calls } }

SKIP: {
    skip 'needs Coro', 1 if !optional_module('Coro', 'libcoro-perl');

    my ($calls, $profile) = stacks('two coroutines', <<'END', qr/^main::(?:job|burn)/);
use Coro;
sub burn { my $t = 0; $t += $_ for 1 .. 2000; $t }
sub job_a { for (1 .. 20) { burn(); cede } }
sub job_b { for (1 .. 20) { burn(); cede } }
my $p = async { job_a() };
my $q = async { job_b() };
$p->join;
$q->join;
END
    is_deeply innermost($calls, 'burn'), { 'job_a;burn' => 20, 'job_b;burn' => 20 },
        'two coroutines: each call has its callers';
    is count_of($profile, 'main::job_a'), 1, 'two coroutines: a call that waits is one call';
    my %arcs = map { /^(.*) -> main::burn / ? ($1 => $profile->{arcs}{$_}{count}) : () } keys %{ $profile->{arcs} };
    is_deeply \%arcs, { 'main::job_a' => 20, 'main::job_b' => 20 }, 'two coroutines: and so have the sums';

    my $many = <<'END';
use Coro;
my $leaves = 0;
for my $n (1 .. 50) {
    eval "sub job_$n { for (1 .. 3) { leaf_$n(); cede } deep_$n(3) } sub leaf_$n { \$leaves++ }
        sub deep_$n { cede; \$_[0] ? deep_$n(\$_[0] - 1) : leaf_$n() } 1" or die $@;
}
my @coroutines = map { my $job = \&{"job_$_"}; async { $job->() } } 1 .. 50;
$_->join for @coroutines;
print "$leaves\n";
END
    ($calls, $profile) = stacks('50 coroutines', $many, qr/^main::(?:job|deep|leaf)_/);
    my %want = map { ("job_$_;leaf_$_" => 3, "job_$_;deep_$_;deep_$_;deep_$_;deep_$_;leaf_$_" => 1) } 1 .. 50;
    is_deeply innermost($calls, qr/leaf_\d+/), \%want, '50 coroutines: each call has its callers';
    is_deeply [grep { my ($n) = /(\d+)/; grep { $_ != $n } /_(\d+)/g } keys %$calls], [],
        '50 coroutines: and none has those of another one';
    ($calls, $profile) = stacks('50 coroutines, calls=2 stmts=0', $many, qr/^main::(?:job|deep|leaf)_/,
    options => { calls => 2, stmts => 0 });
    is_deeply innermost($calls, qr/leaf_\d+/), \%want, '50 coroutines, calls=2 stmts=0: each call has its callers';

    my $rounds = valgrind() ? 3 : exhaustive() ? 1000 : 100;
    ($calls) = stacks('short coroutines', <<"END", qr/^main::(?:job|leaf)$/);
use Coro;
sub leaf { 1 }
sub job { leaf(); cede; leaf(); cede; leaf() }
for (1 .. $rounds) {
    my \@coroutines = map { Coro->new(\\&job) } 1 .. 100;
    \$_->ready for \@coroutines;
    \$_->join for \@coroutines;
}
END
    is_deeply innermost($calls, 'leaf'), { 'job;leaf' => 300 * $rounds },
        100 * $rounds . ' short coroutines: each call has its callers';

    ($calls, $profile) = stacks('cancelled coroutines', <<'END', qr/^main::(?:never|inner|outer|fine|leaf)$/);
use Coro;
sub never { cede while 1 } sub inner { never() } sub outer { inner() }
sub fine { leaf() } sub leaf { 1 }
for (1 .. 200) {
    my $endless = Coro->new(\&outer);
    $endless->ready;
    cede; cede;
    $endless->cancel;
    undef $endless;
    my $other = Coro->new(\&fine);
    $other->ready;
    $other->join;
}
END
    is_deeply innermost($calls, 'leaf'), { 'fine;leaf' => 200 },
        'cancelled amid calls: those of the next ones have their callers';
    is count_of($profile, 'main::never'), 200, 'cancelled amid calls: the calls end';

    # How long they took is the time of all parts, also of those within a range.
    ($calls, $profile) = stacks('durations', <<'END', qr/^main::(?:job|burn)/);
use Coro;
sub burn { select undef, undef, undef, 0.03 }
sub job { for (1 .. $_[0]) { burn(); cede } }
my @coroutines = map { my $count = $_; async { job($count) } } 3, 2;
$_->join for @coroutines;
END
    for my $range ('0..', '70%..', '90%..') {
        my ($row) = grep { $_->{sub} eq 'main::job' } rows_of('subs', "--range=$range", $profile->{path});
        my $sum = $row->{max_s} + ($row->{calls} == 2 ? $row->{p50_s} : 0);
        cmp_ok abs($sum - $row->{inclusive_s}), '<', 0.04 * $row->{inclusive_s}, "durations in $range: those of all parts";
    }

    ($calls, $profile) = stacks('waiting', <<'END', qr/^main::(?:waits|works)/);
use Coro;
sub waits { cede } sub works { select undef, undef, undef, 0.3 }
my @coroutines = (async { waits() }, async { works() });
$_->join for @coroutines;
END
    my ($waits, $works) = map { sum(map { $_->{incl_s} } arcs_to($profile, "main::$_")) } qw(waits works);
    cmp_ok $works, '>', 0.28, 'waiting: the coroutine that works has the time';
    cmp_ok $waits, '<', 0.1, 'waiting: the one that waits does not' if !valgrind();

    ($calls, $profile) = stacks('the end amid calls', <<'END', qr/^main::(?:outer|inner|leaf|last)/);
use Coro;
sub outer_1 { inner_1() } sub inner_1 { leaf(); cede; leaf() } sub outer_2 { inner_2() } sub inner_2 { leaf(); cede; last_call() }
sub last_call { exit 3 } sub leaf { 1 }
async { outer_1() };
async { outer_2() };
cede; cede; cede;
END
    is_deeply { map { $_ => $calls->{$_} } grep { /leaf|last/ } keys %$calls },
        { 'outer_1;inner_1;leaf' => 2, 'outer_2;inner_2;leaf' => 1, 'outer_2;inner_2;last_call' => 1 },
        'the end amid calls: each call has its callers';
    ok $profile->{complete}, 'the end amid calls: the profile is complete';

    skip 'needs AnyEvent', 1 if !optional_module('Coro::AnyEvent', 'libanyevent-perl');
    skip 'memcheck cannot follow a switch of C stacks', 1 if valgrind();
    ($calls) = stacks('AnyEvent', <<'END', qr/^main::(?:sender|send_one|taker|take_one|handled|ticked)$/);
use Coro; use AnyEvent; use Coro::AnyEvent; use Coro::Handle; use Socket;
socketpair my $left, my $right, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die;
my ($to, $from) = (unblock($left), unblock($right));
sub send_one { $to->print("line $_[0]\n") } sub sender { for (1 .. 10) { send_one($_); Coro::AnyEvent::sleep 0.005 } }
sub take_one { handled($from->readline) } sub handled { 1 } sub taker { take_one() for 1 .. 10 }
sub ticked { 1 }
my $timer = AE::timer 0, 0.003, sub { ticked() };
$_->join for (async { sender() }), (async { taker() });
END
    is $calls->{'sender;send_one'},       10, 'AnyEvent: calls of the coroutine that writes';
    is $calls->{'taker;take_one;handled'}, 10, 'AnyEvent: calls of the coroutine that reads from a Coro::Handle';
    is_deeply [grep {
        /(?:sender|send_one).*(?:tak|handled|ticked)|(?:tak|handled).*(?:send|ticked)|ticked.*(?:send|tak|handled)/ } keys %$calls],
        [], 'AnyEvent: and none has those of another one';
}

SKIP: {
    skip 'needs Future::AsyncAwait', 1 if !optional_module('Future::AsyncAwait', 'libfuture-asyncawait-perl');
    my ($calls, $profile) = stacks('async subs', <<'END', qr/^main::(?:work|before|after|starter|finisher)$/);
use Future::AsyncAwait; use Future;
my @waiting;
sub before { 1 } sub after { 1 }
async sub work { my ($n) = @_; before(); push @waiting, my $f = Future->new; await $f; after(); return $n }
sub starter { return map { work($_) } 1 .. 3 }
sub finisher { $_->done(1) for splice @waiting }
my @work = starter();
finisher();
print join(',', map { $_->get } @work), "\n";
END
    is_deeply { map { $_ => $calls->{$_} } grep { /before|after/ } keys %$calls },
        { 'starter;work;before' => 3, 'finisher;work;after' => 3 }, 'async subs: what resumes a sub is its caller';

    # Each call counts once, however often it waits, and however it ends; what its parts take is its time.
    for my $options ({}, { calls => 2 }, { leave => 0 }, { blocks => 1, slowops => 0 }, { stmts => 0 }) {
        my $name = join ' ', 'async subs', map { "$_=$options->{$_}" } sort keys %$options;
        my ($stacks, $whole) = stacks($name, <<'END', qr/^main::(?:often|never|dies|left|twice|part|again)$/, options => $options);
use Future::AsyncAwait; use Future;
my @waiting;
sub later { push @waiting, my $f = Future->new; return $f }
sub part { my $n = 0; $n += $_ for 1 .. 100; return $n }
async sub often { my ($n) = @_; for my $i (1 .. $n) { part(); await later() } return $n }
async sub never { part(); await Future->done(1); return 1 }
async sub dies { await later(); part(); die "no\n" }
async sub left { await later(); part(); return 1 }
async sub again { my ($n) = @_; await later(); return $n ? await again($n - 1) : 0 }
async sub twice { my $one = await often(2); return $one + await often(3) }
my @work = (often(5), twice(), never(), dies(), again(2));
my $left = left();
$left->cancel;
while (my @now = grep { !$_->is_ready } splice @waiting) { $_->done(1) for @now }
print join(',', map { $_->is_failed ? $_->failure : $_->get } @work);
END
        is_deeply { map { $_ => count_of($whole, "main::$_") } qw(often never dies left again twice part) },
            { often => 3, never => 1, dies => 1, left => 1, again => 3, twice => 1, part => 5 + 2 + 3 + 1 + 1 },
            "$name: a call counts once";
    }

    # What resumes inner() resumes outer(), which calls inner() again; then inner() resumes itself.
    my $nested = profiled(collector(), ['-e', <<'END']);
use Future::AsyncAwait; use Future;
my @waiting;
sub later { push @waiting, my $f = Future->new; return $f }
async sub inner { my ($n) = @_; await later(); my $x = 0; $x += $_ for 1 .. 20_000; return $n }
async sub outer { my $sum = 0; for my $n (1 .. 3) { $sum += await inner($n) } return $sum }
async sub same { my ($n) = @_; await later(); return $n ? 1 + await same($n - 1) : 0 }
my @work = (outer(), same(3));
while (my $f = shift @waiting) { $f->done(1) }
print join(',', map { $_->get } @work), "\n";
END
    my $file = "$nested->{profiles}/nytprof.out";
    my (%incl, %depth);
    for (split /\n/, run([tool('nytprofcalls'), '--unit=ns', $file])->{out}) {
        my ($stack, $ns) = /^(.*) (\S+)$/;
        $incl{$_} += $ns for uniq(split /;/, $stack);
    }
    for (split /\r?\n/, run([tool('nytprofcsv'), '--table=subs', '-o', '-', $file])->{out}) {
        my ($name, $incl_s, $max_depth) = (split /,/)[0, 8, 11];
        next if $name !~ /^main::(?:inner|outer|same)\z/;
        is sprintf('%.7f', $incl_s), sprintf('%.7f', $incl{$name} / 1e9),
            "async subs within one another: the time of $name counts once";
        $depth{$name} = $max_depth;
    }
    is_deeply \%depth, { 'main::inner' => 1, 'main::outer' => 0, 'main::same' => 3 }, '... and recursion is known';
}

done_testing();
