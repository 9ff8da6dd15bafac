# --range: the ranges into which a run is cut add up to it, in lines, in subs and in stacks, and are what nytprofmerge writes.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use Config;
use Cwd qw(getcwd);
use NYTPTest qw(build_dir record run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();
my $seed    = srand($ENV{SEED} // 20092);
note("SEED=$seed");

sub output {
    my ($program, @arguments) = @_;
    my $got = run(["$bin/$program", @arguments]);
    return '' if $got->{status} == 1 && $got->{err} =~ /there is nothing to write: \S+ has nothing in /;
    is($got->{status}, 0, "$program @arguments") or diag($got->{err});
    return $got->{out};
}

# Numbers by what they are of: in tables of CSV, by the columns before the given one.
sub stacks { return { map { /\A(.*) (-?\d+)\z/ ? ($1 => $2) : () } split /\n/, $_[0] } }

sub table {
    my ($csv, $key, @values) = @_;
    my ($head, @rows) = split /\r\n/, $csv;
    my %at;
    my @names = split /,/, $head // '';
    @at{@names} = 0 .. $#names;
    my %numbers;
    for (@rows) {
        my @fields;
        push @fields, $1 =~ s/\A"|"\z//gr while /\G((?:"(?:[^"]|"")*")|[^,]*)(?:,|\z)/gc && @fields < @names;
        $numbers{ join("\t", @fields[@at{@$key}]) . "\t$_" } += $fields[$at{$_}] for @values;
    }
    return \%numbers;
}

my %shown = (
    'stacks' => sub { stacks(output('nytprofcalls', '--unit=ticks', @_)) },
    'rooted' => sub { stacks(output('nytprofcalls', '--root', '--unit=ticks', @_)) },
    'calls'  => sub { stacks(output('nytprofcalls', '--calls', @_)) },
    'lines'  => sub { table(output('nytprofcsv', '--table=lines', '-o', '-', @_), ['fid', 'line'], 'statements', 'time_s') },
    'subs'   => sub { table(output('nytprofcsv', '--table=subs', '-o', '-', @_), ['sub'], 'calls', 'inclusive_s', 'exclusive_s') },
    'arcs'   => sub { table(output('nytprofcsv', '--table=calls', '-o', '-', @_), ['callee', 'caller', 'file', 'line'], 'calls', 'exclusive_s') },
);

# What differs by more than the digits that a program shows.
sub differences {
    my ($whole, @parts) = @_;
    my %sum;
    for my $part (@parts) { $sum{$_} += $part->{$_} for keys %$part }
    return map { "$_: " . ($whole->{$_} // 0) . ' is not ' . ($sum{$_} // 0) }
        grep { abs(($whole->{$_} // 0) - ($sum{$_} // 0)) > 1e-8 * @parts } sort keys %{ { %$whole, %sum } };
}

sub length_s {
    my ($file) = @_;
    my ($first, $last) = (0, 0);
    for (split /\n/, run([build_dir() . '/test/dump-chunks', $file])->{out}) {
        my ($tag, @fields) = split /\t/;
        $first ||= $fields[2] if $tag eq 'PID_START';
        $last = $fields[1] if $tag eq 'PID_END' && $fields[1] > $last;
    }
    return $last - $first;
}

# Calls of stock's profiles may have more time than its statements, and so code outside of them less than none, which stacks
# do not show.
sub is_sum_of_ranges {
    my ($name, $file, %is_not) = @_;
    my @cuts   = map { sprintf '%.6f', $_ } sort { $a <=> $b } map { rand length_s($file) } 1 .. 3;
    my @ranges = map { "--range=$_" } "..$cuts[0]", "$cuts[0]..$cuts[1]", "$cuts[1]..$cuts[2]", "$cuts[2]..";
    for my $what (grep { !$is_not{$_} } sort keys %shown) {
        my $of = $shown{$what};
        # All through the filter, so that callers of calls that did not return are the same.
        my $whole = $of->('--range=0..', $file);
        is_deeply([differences($whole, map { $of->($_, $file) } @ranges)], [], "$name: @ranges add up, in $what");
    }
    return;
}

mkdir "$scratch/forks";
my $forks = profiled('ours', [getcwd() . '/test/scripts/forks.pl'], profiles => "$scratch/forks", options => { addpid => 1 });
is(run(["$bin/nytprofmerge", '-o', "$scratch/forks.out", @{ $forks->{files} }])->{status}, 0, 'a merged profile');
my %profiles = (
    calls   => record('calls', ['test/scripts/calls.pl'], calls => 2, blocks => 1),
    pod2man => record('pod2man', ['/usr/bin/pod2man', "$Config{privlib}/pod/perlreftut.pod"]),
    ours    => profiled('ours', [getcwd() . '/test/scripts/calls.pl'], options => { calls => 2, blocks => 1 })->{files}[0],
    forks   => "$scratch/forks.out",
    requests => profiled('ours', ['-e', <<'END'])->{files}[0],
use NYTProf::Span;
my @due;
sub work { my $x = 0; $x += $_ for 1 .. $_[0]; return $x }
sub serve { my $r = NYTProf::Span->start("GET /$_[0]"); work(900); push @due, $r->wrap(sub { work(700); push @due, NYTProf::Span->wrap(sub { work(500); $r->end }) }) }
serve($_ % 3) for 1 .. 9;
while (my $code = shift @due) { work(100); $code->() }
END
);
# Marks alone say when its calls were.
$profiles{'no statements'} = profiled('ours', ['-e', <<'END'], options => { stmts => 0 })->{files}[0];
sub work { my $x = 0; $x += $_ for 1 .. $_[0]; return $x }
sub outer { work(9000); select undef, undef, undef, 0.04; work(9000) for 1 .. 30; return }
for (1 .. 4) { my $x = 0; $x += $_ for 1 .. 900_000; outer(); work(900) }
END
is_sum_of_ranges($_, $profiles{$_}, /^(?:calls|pod2man)$/ ? (rooted => 1) : ()) for sort keys %profiles;

# ---- when it was ----

# A process that begins ten seconds after the one of calls, and sleeps three times for 0.1 s.
my ($before) = run([build_dir() . '/test/dump-chunks', $profiles{calls}])->{out} =~ /^PID_START\t\d+\t\d+\t([\d.]+)$/m;
my $begin = int($before) + 10;
my @steps = map { "main::$_" } qw(first second third);
my $line  = 1;
my $steps = spew("$scratch/steps.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
    [PID_START => 100, 1, $begin], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
    (map { [TIME_LINE => 0, 1, ++$line], [SUB_RETURN => 3, 1e6, 1e6, 'main::CORE:sselect'], [TIME_LINE => 1_000_000, 1, 1],
        [SUB_RETURN => 2, 1e6, 0, 'main::pause'], [SUB_RETURN => 1, 1e6, 0, $_] } @steps),
    (map { [SUB_INFO => 1, $_, 2, 2] } @steps), [SUB_INFO => 1, 'main::pause', 1, 1], [SUB_INFO => 1, 'main::CORE:sselect', 0, 0],
    [ATTRIBUTE => 'cumulative_overhead_ticks', 0],
    (map { [SUB_CALLERS => 1, 5, 'main::RUNTIME', 1, 0.1, 0, 0, 0, $_], [SUB_CALLERS => 1, 2, $_, 1, 0.1, 0, 0, 0, 'main::pause'] } @steps),
    [SUB_CALLERS => 1, 1, 'main::pause', 3, 0.3, 0.3, 0, 0, 'main::CORE:sselect'],
    [PID_END => 100, $begin + 0.3]));

sub names_in { return [grep { /^main::(?:first|second|third)$/ } map { s/ \d+\z//r } split /\n/, output('nytprofcalls', '--calls', "--range=$_[0]", $steps)] }
is_deeply(names_in('0.15..0.19'), ['main::second'],                              'a range within a call has its caller');
is_deeply(names_in('150ms..0.28s'), ['main::second', 'main::third'],             '... and one over two of them');
is_deeply(names_in('40%..60%'), ['main::second'], '... and one by shares of the run');
is(run(['sh', '-c', "$bin/nytprofcalls --calls --range=40%..0.28s - <$steps"])->{out}, output('nytprofcalls', '--calls', '--range=40%..0.28s', $steps),
    '... of standard input, and mixed with seconds');
is(output('nytp-tree', '--range=0%..100%', $steps), output('nytp-tree', '--range=0..', $steps), '... and all of it');
is_deeply(names_in('..'), ['main::first', 'main::second', 'main::third'],        '... and one without ends all');
my ($began) = run([build_dir() . '/test/dump-chunks', $steps])->{out} =~ /^PID_START\t\d+\t\d+\t([\d.]+)$/m;
my @local = localtime $began;
my $clock = sub { my @t = localtime(int($began + $_[0])); my $s = $began + $_[0]; sprintf '%02d:%02d:%09.6f', @t[2, 1], $t[0] + $s - int $s };
is_deeply(names_in($clock->(0.15) . '..' . $clock->(0.19)), ['main::second'], 'a time of day');
is_deeply(names_in(sprintf '%04d-%02d-%02dT%s..', $local[5] + 1900, $local[4] + 1, $local[3], $clock->(0.25)), ['main::third'], '... with a date');

# ---- calls that go on at both ends have time, and no number of calls ----

my @going_on = map { "main::$_" } qw(CORE:sselect pause second);
my @within   = ('--range=0.15..0.19', $steps);
my @table    = map { join ' ', (split)[6, 3] } split /\n/, output('nytp-tree', '--table', '-q', @within);
is_deeply([sort @table], [map { "$_ 0" } @going_on], 'the table of nytp-tree has them');
my %drawn = map { $_ => 1 } output('nytp-dot', '--url={sub}', '--min=0', @within) =~ /tooltip="(\S+?)(?: \(|\\n)/g;
is_deeply([sort keys %drawn], [sort 'main::RUNTIME', @going_on], 'nytp-dot draws them');
my @rows = split /\n/, output('nytp-diff', '--csv', '--value=inclusive', @within, $profiles{calls});
is_deeply([sort map { /(main::(?:pause|second|CORE:sselect))/ } @rows], \@going_on, 'nytp-diff compares them');

# ---- a slice of a slice, and what stock reads ----

my $slice = "$scratch/slice.out";
is(run(["$bin/nytprofmerge", '--range=0.05..0.25', '-o', $slice, $steps])->{status}, 0, 'a slice');
is(output('nytprofcalls', '--range=0.1..', $slice), output('nytprofcalls', '--range=0.15..0.25', $steps), 'a slice of a slice');
my $stock = run(['perl', '-MDevel::NYTProf::Data', '-e', <<'END', $slice], env => { PERL5LIB => '' });
my $profile = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 });
print join ' ', map { sprintf '%s %.0f', $_, $profile->subinfo_of($_)->incl_time / 0.05 } map { "main::$_" } qw(first second third);
END
is("$stock->{out}$stock->{err}", 'main::first 1 main::second 2 main::third 1', 'stock reads a slice: without a warning, the same times, to 25 ms');

# ---- what the profiler took is spread over the time ----

sub overhead { return run([build_dir() . '/test/dump-chunks', $_[0]])->{out} =~ /cumulative_overhead_ticks\t'([\d.e+]+)/ ? $1 : -1 }
my ($all, $kept) = (overhead($profiles{calls}), 0);
for my $range ('..1ms', '1ms..2ms', '2ms..') {
    is(run(["$bin/nytprofmerge", "--range=$range", '-o', $slice, $profiles{calls}])->{status}, 0, "a slice: $range");
    $kept += overhead($slice);
}
cmp_ok(abs $all - $kept, '<=', 2, 'slices share what the profiler took');

# ---- processes that began at other times, or at none that is known ----

my %merged = (
    'in order'      => [$profiles{calls}, $steps],
    'out of order'  => [$steps, $profiles{calls}],
    'with no clock' => [$steps, "$scratch/tmon.out"],
);
is(run(["$bin/nytp-dprof", '-o', "$scratch/tmon.out", $profiles{calls}])->{status}, 0, 'a tmon.out, which has no time of day');
is(run(["$bin/nytprofmerge", '-o', "$scratch/$_.out", @{ $merged{$_} }])->{status}, 0, "merged $_") for sort keys %merged;
is(output('nytprofcalls', '--range=0..1ms', "$scratch/out of order.out"),
    output('nytprofcalls', '--range=0..1ms', "$scratch/in order.out"), 'the first process of a file need not be the first that began');

# ---- statements that nytprofmerge has held back until their process ended ----

my $late = spew("$scratch/late.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
    [PID_START => 100, 1, $begin], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'], [NEW_FID => 2, 1, 1, 0x12, 0, 0, '(eval 1)[t.pl:1]'],
    [TIME_LINE => 1_000_000, 1, 1], [PID_END => 100, $begin + 0.1], [TIME_LINE => 70, 2, 1]));
for my $case (['..0.05', 0], ['0.05..0.1', 1], ['..', 1]) {
    my ($range, $count) = @$case;
    my @rows = split /\n/, output('nytprofcsv', '--table=lines', '-o', '-', "--range=$range", $late);
    is(scalar(grep { /\(eval .*,1,1,0\.000007000/ } @rows), $count, "$range has " . ($count ? 'them' : 'none of them'));
}

# ---- what is refused ----

sub is_refused {
    my ($range, $expected, $file) = @_;
    my $got = run(["$bin/nytprofcalls", "--range=$range", $file // $steps]);
    isnt($got->{status}, 0, "--range=$range is refused") or diag($got->{out});
    like($got->{err}, $expected, '... and it says why');
    return;
}
is_refused($_, qr/expected FROM\.\.TO/) for '3', '', '101%..', '..5%s', '%..', '3..x', '..5x', '1.2.3..', '25:00..', '12:60..', '2026-13-01..', '1e3..';
is_refused($_,   qr/it ends before it begins/) for '5..3', '50%..40%';
is_refused('90%..0.1s', qr/has nothing in 90%\.\.0\.1s: it ends 0\.3\d\d s after its begin/);
is_refused('0..1', qr/no clock\.out has several processes without a common clock: choose one with --process=PID/, "$scratch/with no clock.out");
my ($pid) = run([build_dir() . '/test/dump-chunks', $steps])->{out} =~ /^PID_START\t(\d+)/m;
is(output('nytprofcalls', "--process=$pid", '--range=..0.15', "$scratch/with no clock.out"), output('nytprofcalls', '--range=..0.15', $steps), '... which one has');
is(scalar(grep { run(['sh', '-c', "cat '$scratch/$_ order.out' | $bin/nytprofcalls --range=0..1 -"])->{err} =~ /standard input has a process that began before its first one: / } 'in', 'out of'),
    1, 'a pipe is read once');
is_refused('2001-01-01..2001-02-01',
    qr/has nothing in 2001-01-01\.\.2001-02-01: it ends 0\.3\d\d s after its begin at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/);
is_refused('1h..2h', qr/has nothing in 1h\.\.2h: it ends 0\.3\d\d s after its begin/);

done_testing();
