# nytp-tree --processes: a line for each process.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;
use Written qw(rows_of);

my ($bin, $dir) = (build_dir() . '/bin', scratch_dir());

# The cells of each line, and the last line.
sub processes {
    my @arguments = @_;
    my $got   = run(["$bin/nytp-tree", '--processes', @arguments]);
    my @lines = split /\n/, $got->{out};
    my $sum   = pop @lines;
    return ($got, $sum, map { [split /  +/, s/^ +//r] } @lines);
}

# A process that waits and calls, and its child, which is killed.
sub family {
    my ($name, @end) = @_;
    return spew("$dir/$name",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => application => '/x/a.pl'],
            [PID_START => 7, 1, 100.5], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [TIME_LINE => 2000, 1, 1],
            [SUB_RETURN => 1, 1500, 1500, 'main::CORE:sleep'], [SUB_RETURN => 1, 250, 250, 'main::f'],
            [ATTRIBUTE => process_cpu_s => 0.25], [PID_END => 7, 103], [PID_START => 8, 7, 101],
            [TIME_LINE => 500, 1, 1], @end));
}

my $family = family('family', [PID_END => 8, 102]);
my ($got, $sum, @lines) = processes($family);
is($got->{status}, 0, 'exit status') or diag($got->{err});
is_deeply(\@lines, [
    ['pid', 'parent', 'began',  'lasted', 'time',   'work',   'queued', 'asleep', 'processor', 'end',   'program'],
    ['7',   '1',      '0',      '2.50 s', '2.00 s', '500 ms', '-',      '1.50 s', '250 ms',    'ended', '/x/a.pl'],
    ['8',   '7',      '500 ms', '1.00 s', '500 ms', '500 ms', '-',      '0',      '-',         'ended', '/x/a.pl'],
], 'each process');
is($sum, '2 processes: 2.50 s = 1.00 s work + 1.50 s asleep (by names)', 'and all of them');
is((processes($family, $family))[1], '4 processes: 5.00 s = 2.00 s work + 3.00 s asleep (by names)', 'of several profiles');
is((processes('--no-wait', $family))[1], '2 processes: 1.00 s work', '--no-wait');
is((processes('--process=8', $family))[1], '1 process: 500 ms work', '--process');

# What was lost is said of each process, also of merged ones, and of a range nothing.
my $sampled = spew("$dir/sampled", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => sampled_hz => 100],
    [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], map { my ($pid, @lost) = @$_; ([PID_START => $pid, 1, 100], [TIME_LINE => 600, 1, 1], @lost, [PID_END => $pid, 101]) }
        [7, [ATTRIBUTE => sampled_lost_s => '0.400']], [8], [9, [ATTRIBUTE => sampled_lost_s => '0.015']]));
is(run(["$bin/nytprofmerge", '-o', "$dir/of-sampled", $sampled])->{status}, 0, 'merged');
for my $path ($sampled, "$dir/of-sampled") {
    my (undef, undef, @rows) = processes($path);
    is_deeply([map { $_->[8] } @rows], ['lost', '400 ms', '0', '15.0 ms'], 'time without samples');
    run(["$bin/nytprofcsv", '--table=processes', '-o', "$dir/lost.csv", $path]);
    my ($head, @csv) = map { [split /,/] } split /\r\n/, slurp("$dir/lost.csv");
    is_deeply([$head->[-1], map { $_->[-1] + 0 } @csv], ['lost_s', 0.4, 0, 0.015], '... also as CSV');
    my $page = run(["$bin/nytprofhtml", '-o', '-', $path])->{out};
    is_deeply([map { $_ + 0 } @{ ReportPage->new($page)->{core}{processes}{lost_s} }], [0.4, 0, 0.015], '... and in the report');
    like($page, qr{>Lost</th>.*?>400 ms</td><td>ended}s, '... whose table has it without the script, too');
}
is((processes('--process=7', '--range=0s..0.1s', $sampled))[2][8], 'processor', '... which is not known of a range');

my (undef, undef, @killed) = processes(family('killed'));
is("@{ $killed[2] }[3, 9]", '- no end', 'a process that was killed has no end');
is(run(["$bin/nytprofmerge", '-o', "$dir/merged", "$dir/killed"])->{status}, 0, 'merged ...');
my (undef, undef, @cut) = processes("$dir/merged");
is($cut[2][9], 'cut', '... that is still known');

# Without built-ins, or if the profile has sums of calls alone, it is not known when what waited.
{
    my $made = sub {
        my ($name, $processes, $sums, @chunks) = @_;
        return spew("$dir/$name", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], @chunks,
            (map { [PID_START => $_, 1, 100.5], [TIME_LINE => 2000, 1, 1], [PID_END => $_, 103] } 1 .. $processes),
            map { [SUB_CALLERS => 1, 1, 'main::f', 1, 1.5, 1.5, 0, 0, $_] } @$sums));
    };
    my @sums = 'main::CORE:sleep';
    my $unknown = ['-', '-'];
    for (
        ['sums of one process',  @$unknown, '2.00 s work and waiting', 1, \@sums, [OPTION => calls => 0]],
        ['sums without calls=',  @$unknown, '2.00 s work and waiting', 1, \@sums],
        ['sums of two',          @$unknown, '4.00 s work and waiting', 2, \@sums],
        ['no sums and no calls', @$unknown, '4.00 s work and waiting', 2, [], [OPTION => calls => 0]],
        ['no built-ins',         @$unknown, '2.00 s work and waiting', 1, [], [OPTION => slowops => 0]],
        ['no subs',              @$unknown, '2.00 s work and waiting', 1, [], [OPTION => subs => 0]],
        ['nothing was called',   '2.00 s', '0', '2.00 s work', 1, []],
    ) {
        my ($name, $work, $waiting, $all, @what) = @$_;
        my $path = $made->($name, @what);
        my (undef, $sum, @lines) = processes($path);
        is_deeply([@{ $lines[1] }[5, 7], $sum =~ s/.*?: //r], [$work, $waiting, $all], $name);
        my $csv = run(["$bin/nytprofcsv", '-o', '-', '--table=processes', $path])->{out};
        my @row = split /,/, (split /\r\n/, $csv)[1];
        is_deeply([map { $_ ne '' } @row[6, 7]], [map { $_ ne '-' } $work, $waiting], '... and so in nytprofcsv');
    }
}

# nytprofcsv has the same numbers.
my @rows = rows_of('processes', $family);
for my $n (1, 2) {
    my @seconds = map { /([\d.]+) (m?)s/ ? $1 / ($2 ? 1000 : 1) : 0 } @{ $lines[$n] }[4, 5, 7];
    is_deeply([map { 0 + $rows[$n - 1]{$_} } qw(time_s work_s waiting_s)], \@seconds, "process $n in nytprofcsv");
}

# What is measured: marks stand before the return and the statement that waited. Filters divide it with them, and merging
# keeps it, also with what goes by names.
{
    my @marks = ([ATTRIBUTE => waits => 1], [TIME_LINE => 100, 1, 1],
        [ATTRIBUTE => waited => '2 300 100'], [SUB_RETURN => 2, 600, 600, 'main::CORE:readline'],
        [ATTRIBUTE => waited => '1 0 50'], [SUB_RETURN => 1, 800, 200, 'main::f'], [TIME_LINE => 900, 1, 2],
        [ATTRIBUTE => waited => '0 40 10'], [TIME_LINE => 100, 1, 3], [ATTRIBUTE => waited => '0 5 0 1'],
        [SUB_RETURN => 1, 200, 200, 'main::CORE:sleep'], [TIME_LINE => 300, 1, 4]);
    my $path = spew("$dir/measured", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
        [PID_START => 7, 1, 100], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], @marks, [PID_END => 7, 101.4]));
    my $sum_of = sub { return (processes(@_))[1] =~ s/.*?: //r };
    is($sum_of->($path), '1.40 s = 895 ms work + 160 ms queued + 345 ms asleep', 'measured: a sub that waits by its name may not have');
    is($sum_of->('--no-wait', $path), '1.06 s = 895 ms work + 160 ms queued + 5.00 ms asleep', '... --no-wait leaves out what was asleep');
    is($sum_of->('--work',    $path), '900 ms = 895 ms work + 5.00 ms asleep', '... and --work what was queued');
    run(["$bin/nytprofmerge", '-o', "$dir/both", $path, $family]);
    is($sum_of->("$dir/both"), '3.90 s = 1.90 s work + 160 ms queued + 1.85 s asleep (by names)', 'merged with another one');
    my @parts = map { my $csv = run(["$bin/nytprofcsv", '--table=processes', '-o', '-', "--range=$_", $path])->{out};
        [(split /,/, (split /\r\n/, $csv)[1])[5, 6, 7, 11]] } '0s..700ms', '700ms..1050ms', '1050ms..';
    my @sum = map { my $n = $_; my $s = 0; $s += $_->[$n] for @parts; sprintf '%.3f', $s } 0 .. 3;
    is("@sum", '1.400 0.895 0.345 0.160', 'ranges add up to it');
    my @in_cg = (split ' ', (grep { /^totals:/ } split /\n/, run(["$bin/nytprofcg", '-o', '-', $path])->{out})[0])[4 .. 6];
    is("@in_cg", '895000000 160000000 345000000', 'nytprofcg has the same');

    # By sub: what is not asleep is what --no-wait leaves, and what is neither asleep nor queued what --work leaves.
    my $by_sub = sub {
        return { map { $_->{sub} => join ' ', map { length ? 0 + $_ : '-' } @$_{qw(exclusive_s work_s asleep_s queued_s)} }
                grep { $_->{sub} ne 'main::RUNTIME' } rows_of('subs', @_) };
    };
    is_deeply($by_sub->($path), { 'main::CORE:readline' => '0.6 0.2 0.3 0.1', 'main::f' => '0.2 0.15 0 0.05',
        'main::CORE:sleep' => '0.2 0.2 0 0' }, 'of subs');
    is_deeply($by_sub->('--no-wait', $path), { 'main::CORE:readline' => '0.3 0.2 0 0.1', 'main::f' => '0.2 0.15 0 0.05',
        'main::CORE:sleep' => '0.2 0.2 0 0' }, '... --no-wait leaves their work, and what was queued');
    is_deeply($by_sub->('--work', $path), { 'main::CORE:readline' => '0.2 0.2 0 0', 'main::f' => '0.15 0.15 0 0',
        'main::CORE:sleep' => '0.2 0.2 0 0' }, '... and --work their work alone');
    # By line: what the statement there waited, also in merged profiles and by names.
    my $by_line = sub {
        return { map { $_->{line} => join ' ', map { length ? 0 + $_ : '-' } @$_{qw(time_s work_s asleep_s queued_s)} } rows_of('lines', @_) };
    };
    my %of_line = (1 => '0.1 0.1 0 0', 2 => '0.9 0.45 0.3 0.15', 3 => '0.1 0.05 0.04 0.01', 4 => '0.3 0.3 0 0');
    is_deeply($by_line->($path), \%of_line, 'by line');
    run(["$bin/nytprofmerge", '-o', "$dir/one", $path]);
    is_deeply($by_line->("$dir/one"), \%of_line, '... merged');
    is_deeply($by_line->($path, $path), { map { $_ => join ' ', map { 2 * $_ } split / /, $of_line{$_} } keys %of_line }, '... added up');
    is_deeply($by_line->('--no-wait', $path), { %of_line, 2 => '0.6 0.45 0 0.15', 3 => '0.06 0.05 0 0.01' }, '... --no-wait');
    is_deeply($by_line->('--work',    $path), { %of_line, 2 => '0.45 0.45 0 0', 3 => '0.05 0.05 0 0' }, '... --work');
    my %samples = (0 => '10 20 70', 1 => '30 0 0', 2 => '0 0 50');
    my $of_samples = spew("$dir/samples", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => sampled_hz => 10],
        [PID_START => 7, 1, 100], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'],
        (map { ([ATTRIBUTE => state => $samples{$_}], [TIME_LINE => 100, 1, $_ + 1]) } 0 .. 2), [PID_END => 7, 101]));
    is_deeply($by_line->($of_samples), { 1 => '0.1 0.01 0.07 0.02', 2 => '0.1 0.1 0 0', 3 => '0.1 0 0.1 0' }, '... of samples');
    my $by_names = spew("$dir/by-names", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 100],
        [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [SUB_RETURN => 1, 60, 60, 'main::CORE:sleep'], [TIME_LINE => 100, 1, 1],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.06, 0.06, 0, 0, 'main::CORE:sleep'], [PID_END => 7, 101]));
    is_deeply($by_line->($by_names), { 1 => '0.1 0.04 0.06 -' }, '... by names');
    my $column_sum = sub {
        my ($column, @rows) = ($_[0], map { [split /,/] } split /\r\n/, run(["$bin/nytprofcsv", '-o', '-', @_[1 .. $#_], $path])->{out});
        my ($at) = grep { $rows[0][$_] eq $column } 0 .. $#{ $rows[0] };
        return sum(map { $_->[$at] } @rows[1 .. $#rows]);
    };
    for ([1.4, 1], ['1.06', 0.7, '--no-wait'], [0.9, 0.55, '--work']) {
        my ($all, $in_subs, @filter) = @$_;
        my %sums = (
            lines        => $column_sum->('time_s', '--table=lines', @filter),
            subs         => $column_sum->('exclusive_s', '--table=subs', @filter),
            nytprofcg    => (run(["$bin/nytprofcg", '-o', '-', @filter, $path])->{out} =~ /^totals: (\d+)/m)[0] / 1e9,
            nytprofcalls => sum(run(["$bin/nytprofcalls", '--unit=ms', '-o', '-', @filter, $path])->{out} =~ / (\d+)$/mg) / 1e3,
            'nytp-tree'  => (run(["$bin/nytp-tree", '--table', @filter, $path])->{out} =~ /Time in Subs = +([\d.]+)/)[0],
        );
        my %want = (lines => $all, nytprofcg => $all, map { $_ => $in_subs } 'subs', 'nytprofcalls', 'nytp-tree');
        is_deeply({ map { $_ => sprintf '%.4f', $sums{$_} } keys %sums }, { map { $_ => sprintf '%.4f', $want{$_} } keys %want },
            "every program has the same time: @filter");
    }
    my @table = split /\n/, run(["$bin/nytp-tree", '--table', '--columns=work,asleep,queued', $path])->{out};
    is_deeply({ map { /([\d.]+) +([\d.]+) +([\d.]+)  (main::\S+)$/ ? ($4 => join ' ', map { 0 + $_ } $1, $2, $3) : () } @table },
        { 'main::CORE:readline' => '0.2 0.3 0.1', 'main::f' => '0.15 0 0.05', 'main::CORE:sleep' => '0.2 0 0' },
        'nytp-tree has the same columns');
    like(run(["$bin/nytp-tree", '--table', '--columns=queued', $family])->{out}, qr/ -  main::/, '... by names: a dash');
    for my $file ($path, $of_samples, $by_names, $family) {
        my ($all) = run(["$bin/nytp-tree", '--processes', $file])->{out} =~ /^\d+ process(?:es)?: (.*)\n\z/m;
        like(run(["$bin/nytp-tree", '--table', $file])->{out}, qr/^\Q$all\E\nExclusive Times/m, "the table begins with what processes add up to: $all");
    }
    my $named = $by_sub->($family);
    is_deeply([grep { !/ -\z/ } values %$named], [], '... by names: nobody knows who was queued');
    like(join('; ', values %$named), qr/\b([\d.]+) 0 \1 -/, '... and who waits was asleep all its own time');
}

for my $other (qw(--findings --table --min=1)) {
    is(run(["$bin/nytp-tree", '--processes', $other, $family])->{status}, 2, "$other does not go with it");
}
like(run(["$bin/nytp-tree", '--processes', '--json', $family])->{out}, qr/\A\[\n\{"pid": /, '... but for the forms of a table');

done_testing();
