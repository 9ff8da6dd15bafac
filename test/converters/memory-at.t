# How much memory a process had, and when: the counters of a trace say what the program saw itself. Other parsers read
# them: JSON::PP, and for Perfetto's format the fields of its messages.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library need_collector preload profiled);
use Exports qw(perfetto_calls trace_calls);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run scratch_dir);
use Test::More;

need_collector();
plan skip_all => 'the system does not say it' if !-r '/proc/self/statm';

my $bin = build_dir() . '/bin';
my $MIB = 1 << 20;

sub trace {
    my (@arguments) = @_;
    my $got = run(["$bin/nytp-trace", @arguments]);
    is("$got->{status} $got->{err}", '0 ', "nytp-trace @arguments[0 .. $#arguments - 1]");
    return $got->{out};
}

# Six steps of 0.12 s; each but the last has 8 MB more than the one before.
my $STEPS = <<'END';
sub rss { open my $in, '<', '/proc/self/statm' or die; return (split ' ', <$in>)[1] * 4096 }
sub step { $keep[$_[0]] = 'x' x 8_000_000 if $_[0] < 5; select undef, undef, undef, 0.01 for 1 .. 12; push @saw, rss() }
step($_) for 0 .. 5;
print "@saw\n";
END

my $got = profiled('ours', ['-e', $STEPS], options => { clock => 0, waits => 0 },
    env => { LD_PRELOAD => preload(clock_library('told-clock')) });
my @saw = split ' ', $got->{out};
my $json = trace('--json', $got->{files}[0]);

# [begin, end] of each step, in us.
my @steps;
for (@{ decode_json($json)->{traceEvents} }) {
    push @steps, [$_->{ts}] if $_->{name} eq 'main::step' && $_->{ph} eq 'B';
    $steps[-1][1] = $_->{ts} if $_->{name} eq 'main::step' && $_->{ph} eq 'E';
}
is(scalar @steps, 6, 'the steps are there');

my $counters = trace_calls($json)->{counters};
my ($pid) = keys %{ $counters->{'RSS bytes'} };
my @points = @{ $counters->{'RSS bytes'}{$pid} };
for my $n (0 .. 5) {
    my ($from, $to) = map { 1000 * $_ } @{ $steps[$n] };
    my @within = map { $_->[1] } grep { $_->[0] > $from && $_->[0] < $to } @points;
    my $before = $n > 0 ? $saw[$n - 1] : 0;
    cmp_ok(scalar @within, '>=', 1, "step $n has points");
    cmp_ok(abs(($within[-1] // 0) - $saw[$n]), '<', 1.5 * $MIB, '... the last of which has the memory that the program has then')
        or diag("@within, not $saw[$n]");
    is(scalar(grep { $_ < $before - 1.5 * $MIB || $_ > $saw[$n] + 1.5 * $MIB } @within), 0, '... and none has other memory');
}
cmp_ok($saw[4] - $saw[0], '>', 31e6, 'which has grown');
is(scalar @{ $counters->{values}{$pid} }, scalar @points, 'values are counted at the same moments');
is_deeply(perfetto_calls(trace($got->{files}[0]))->{counters}, $counters, "Perfetto's format has the same");

# A range of two steps.
my ($from, $to) = map { sprintf '%.6f', $_ / 1e6 } $steps[2][0], $steps[3][1];
my $slice = scratch_dir() . '/slice.out';
is(run(["$bin/nytprofmerge", "--range=$from..$to", '-o', $slice, $got->{files}[0]])->{status}, 0, 'a slice');
my @in_range = map { [sprintf('%.0f', $_->[0] / 1e3 - $steps[2][0]), $_->[1]] } grep { $_->[0] > 1000 * $steps[2][0] && $_->[0] < 1000 * $steps[3][1] } @points;
my @of_slice = map { [sprintf('%.0f', $_->[0] / 1e3), $_->[1]] } @{ trace_calls(trace('--json', $slice))->{counters}{'RSS bytes'}{$pid} };
is_deeply([map { $_->[1] } @of_slice], [map { $_->[1] } @in_range], '... has the points of that time');
is(scalar(grep { abs($of_slice[$_][0] - $in_range[$_][0]) > 2 } 0 .. $#of_slice), 0, '... when they were');

# Without statements marks say how much time passes outside of calls.
my $calls = profiled('ours', ['-e', 'sub f { select undef, undef, undef, 0.12 } f(); my $x = 0; $x += $_ for 1 .. 5_000_000'],
    options => { stmts => 0, slowops => 0 });
my $events = decode_json(trace('--json', $calls->{files}[0]))->{traceEvents};
my ($last_point, $last_end) = map { my $ph = $_; (sort { $b <=> $a } map { $_->{ts} } grep { $_->{ph} eq $ph } @$events)[0] } qw(C E);
cmp_ok($last_end, '>=', 0.12e6, 'without statements: the call takes its time');
cmp_ok($last_point, '>', $last_end + 0.02e6, '... and the last point is at the end of the process');

# Each process has its own; one without calls, too.
my $forks = profiled('ours', ['-e', 'my $x = "x" x 30_000_000; if (!fork) { my $y = "y" x 60_000_000; $z = 1; exit } wait']);
my $merged = scratch_dir() . '/merged.out';
is(run(["$bin/nytprofmerge", '-o', $merged, @{ $forks->{files} }])->{status}, 0, 'two processes');
for my $memory (map { $_->{counters}{'RSS bytes'} } perfetto_calls(trace($merged)), trace_calls(trace('--json', $merged)), trace_calls(trace('--json', @{ $forks->{files} }))) {
    my @most = sort { $a <=> $b } map { (sort { $a <=> $b } map { $_->[1] } @$_)[-1] } values %$memory;
    is(scalar @most, 2, 'both have counters');
    cmp_ok($most[1] - $most[0], '>', 50e6, '... of their own');
}
is_deeply(trace_calls(trace('--json', '--process=' . (sort { $a <=> $b } keys %{ trace_calls(trace('--json', $merged))->{counters}{values} })[0], $merged))->{processes},
    1, 'one of them');

done_testing();
