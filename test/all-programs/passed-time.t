# When something happened, and how long a span lasted, by the time that has passed: with what --no-wait leaves out, and
# with what the collector does not count.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library preload profiled);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $bin = build_dir() . '/bin';

# Returns the rows of spans.csv, as lists.
sub spans {
    my $got = run(["$bin/nytprofcsv", '--table=spans', '-o', '-', @_]);
    is($got->{status}, 0, "@_[0 .. $#_ - 1] spans") or diag($got->{err});
    my (undef, @rows) = split /\n/, $got->{out};
    return map { [split /,/] } @rows;
}

# By a clock that passes while the program waits, and a little when it is read.
my %told  = (options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload(clock_library('told-clock')) });
my $waits = profiled('ours', ['-e', <<'END'], %told)->{files}[0];
use NYTProf::Span;
sub pause { select undef, undef, undef, $_[0] / 1000 }
sub work { my $span = span($_[0]); my $n = 0; $n += $_ for 1 .. 50; return }
sub wait_twice { pause(20); work('between'); pause(30); work('then') }
work('first'); pause(200); work('after');
wait_twice() for 1 .. 3;
eval q{pause(70); work('eval')}; pause(300); work('last');
END
my @with = spans($waits);
my @no   = spans('--no-wait', $waits);
is(join(' ', map { $_->[0] } @no), join(' ', map { $_->[0] } @with), '--no-wait leaves spans that do not wait');
my @moved = grep { abs($no[$_][2] - $with[$_][2]) > 1e-3 || abs($no[$_][3] - $with[$_][3]) > 1e-3 } 0 .. $#with;
is("@moved", '', '... which begin and end when they did') or diag(explain([\@with, \@no]));

# A span begins after what of its statement came before it, and ends within its last one, however long these are. It has
# what is not counted, too: the program reads the clock 1,000 times while the profiler works.
my %plain = (options => { clock => 0, slowops => 0 }, env => $told{env});
my $program = profiled('ours', ['-e', <<'END'], %plain);
use NYTProf::Span; use Time::HiRes qw(clock_gettime CLOCK_REALTIME);
my @printed;
sub f { return now() > 0 }
sub pause { select undef, undef, undef, $_[0] / 1000; return 1 }
sub now { return clock_gettime(CLOCK_REALTIME) }
sub noted { my ($name, $code) = @_; my $began = now(); $code->(); push @printed, [$name, $began, now() - $began] }
noted('first', sub { my $span = span('first'); f() });
noted('last statement', sub { my $span = span('last statement'); my $n = f() + !select undef, undef, undef, 0.15 });
noted('within one', sub { !select(undef, undef, undef, 0.07) && do { my $span = span('within one'); select undef, undef, undef, 0.02 } });
noted('no call', sub { my $span = span('no call'); my $n = 0; $n += $_ for 1 .. 50; select undef, undef, undef, 0.03; $n++ });
noted('calls', sub { my $span = span('calls'); f() for 1 .. 3000; pause(4) });
noted('undef', sub { my $span = span('undef'); pause(4); undef $span; });
noted('request', sub { my $request = NYTProf::Span->start('request'); f(); select undef, undef, undef, 0.01; undef $request });
printf "%s,%.9f,%.9f\n", @$_ for @printed;
END
my @printed  = map { [split /,/] } split /\n/, $program->{out};
my %recorded = map { $_->[0] => $_ } spans($program->{files}[0]);
is(join(' ', sort keys %recorded), join(' ', sort map { $_->[0] } @printed), 'all spans');
my $zero = $recorded{ $printed[0][0] }[2] - $printed[0][1]; # the day of PID_START is not told
for (@printed) {
    my ($name, $began, $took) = @$_;
    my ($begin, $latency) = @{ $recorded{$name} }[2, 3];
    my $before = $name eq 'within one' ? 0.07 : 0;
    cmp_ok(abs($begin - $zero - $began - $before), '<', 2e-4, "$name begins when it does") or diag("$begin, $began");
    cmp_ok(abs($latency - $took + $before), '<', 2e-4, '... and is as long') or diag("$latency, $took");
}

my $accepts = profiled('ours', ['-e', <<'END'])->{files}[0];
use NYTProf::Span; use Socket;
socket my $server, PF_INET, SOCK_STREAM, 0; bind $server, sockaddr_in(0, INADDR_LOOPBACK); listen $server, 1;
unless (fork) {
    select undef, undef, undef, 0.4;
    socket my $client, PF_INET, SOCK_STREAM, 0; connect $client, getsockname $server;
    exit;
}
sub serve { my $span = span('serves'); accept my $client, $server; return }
sub quick { my $span = span('quick'); select undef, undef, undef, 0.05; return }
serve(); quick(); wait;
END
my ($serves) = grep { $_->[0] eq 'serves' } spans($accepts);
cmp_ok($serves->[3], '>', 0.2, 'the latency of a span has the time in which accept waited');
cmp_ok($serves->[4], '<', 0.2, '... and its work has not');
my $slowest = run(["$bin/nytprofcalls", '--calls', '--slowest=1', $accepts])->{out};
like($slowest, qr/span serves/, '... and --slowest goes by the latency');

# In a damaged profile a statement may take less than 0.
my $back = spew(scratch_dir() . '/back.out',
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [TIME_LINE => 2**32 - 10_000, 1, 1], [ATTRIBUTE => clock => '5000 100 0 1'],
        [TIME_LINE => 2000, 1, 2], [SUB_RETURN => 1, 500, 500, 'main::f'], [PID_END => 7, 3]));
my $trace = run(["$bin/nytp-trace", '--json', '-o', '-', $back]);
is($trace->{status}, 0, 'a mark before which the clock has gone back');
like($trace->{out}, qr/"main::f"/, '... and the call after it is there') or diag($trace->{err});

done_testing();
