# What a report has of stacks and lines in slices of the time: it adds up to the whole, and any range of slices is what
# --range leaves of the profile.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector profiled);
use List::Util qw(max sum0);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

need_collector();
my $scratch = scratch_dir();
my $made    = 0;

sub report_of {
    my (@profiles) = @_;
    my $path = "$scratch/" . $made++ . '.html';
    my $got  = run([build_dir() . '/bin/nytprofhtml', '-o', $path, @profiles]);
    is("$got->{status} $got->{err}", '0 ', "a report of $profiles[0]");
    return ReportPage->new(slurp($path));
}

# Cells with the differences undone: [row, process, slice, ticks, calls].
sub cells_of {
    my ($page, $table, $of) = @_;
    my ($block, @cells) = $page->block('slice-cells');
    my $columns = $block->{$table};
    for my $i (0 .. $#{ $columns->{$of} }) {
        my $before = $i > 0 ? $cells[-1] : [0, -1, 0];
        my $row    = $columns->{$of}[$i] + ($i > 0 ? $before->[0] : 0);
        my $process = $columns->{process} ? $columns->{process}[$i] : 0;
        my $follows = $i > 0 && $row == $before->[0] && $process == $before->[1];
        push @cells,
            [
            $row, $process,
            $columns->{slice}[$i] + ($follows ? $before->[2] : 0),
            $columns->{ticks}[$i] * $block->{quantum},
            $columns->{calls}[$i]
            ];
    }
    return @cells;
}

# By name of the stack: ticks and calls of slices from..to - 1.
sub stacks_in {
    my ($page, $from, $to) = @_;
    my ($core, @path, @names) = $page->{core};
    my ($subs, $depths) = @{ $core->{stacks} }{qw(sub depth)};
    for my $row (0 .. $#$subs) {
        $#path = $depths->[$row] - 1;
        push @path,  $core->{subs}{name}[$subs->[$row]];
        push @names, join ';', @path;
    }
    return sums_in([cells_of($page, 'stacks', 'node')], \@names, $from, $to);
}

sub lines_in {
    my ($page, $from, $to) = @_;
    my ($core, @names) = $page->{core};
    my $row = 0;
    for my $file (0 .. $#{ $core->{lines}{count} }) {
        push @names, "$core->{files}{name}[$file]:$core->{lines}{line}[$row++]" for 1 .. $core->{lines}{count}[$file];
    }
    return sums_in([cells_of($page, 'lines', 'row')], \@names, $from, $to);
}

sub sums_in {
    my ($cells, $names, $from, $to) = @_;
    my %sum;
    for my $cell (grep { $_->[2] >= $from && $_->[2] < $to } @$cells) {
        $sum{ $names->[$cell->[0]] }{ticks} += $cell->[3];
        $sum{ $names->[$cell->[0]] }{calls} += $cell->[4];
        $sum{ $names->[$cell->[0]] }{cells}++;
    }
    return \%sum;
}

# A range may have nothing.
sub is_read {
    my ($got, $what) = @_;
    return ok($got->{status} == 0 || $got->{err} =~ / has nothing in /, $what) || diag($got->{err});
}

# The same of what a range leaves of a profile, as other programs say.
sub stacks_of {
    my ($path, @range) = @_;
    my %sum;
    for my $what (qw(ticks calls)) {
        my $got = run([build_dir() . '/bin/nytprofcalls', '--evals', @range, $what eq 'calls' ? '--calls' : '--unit=ticks', $path]);
        is_read($got, "nytprofcalls @range");
        for (split /\n/, $got->{out}) {
            $sum{$1}{$what} = $2 if /^(.*) (\d+)$/;
        }
    }
    return \%sum;
}

sub lines_of {
    my ($path, $ticks_per_s, @range) = @_;
    my $got = run([build_dir() . '/bin/nytprofcsv', @range, '--table=lines', '-o', '-', $path]);
    is_read($got, "nytprofcsv @range");
    my %sum;
    for (split /\n/, $got->{out}) {
        my ($file, $line, $calls, $s) = /^\d+,(.*),(\d+),(\d+),([\d.]+)(?:,[\d.]*)*\r?$/ or next;
        $sum{ $file =~ s/^"(.*)"$/$1/r . ":$line" } = { calls => $calls, ticks => $s * $ticks_per_s };
    }
    return \%sum;
}

sub same {
    my ($slices, $range, $bound, $what) = @_;
    my %all = (%$slices, %$range);
    my @wrong;
    for my $name (sort keys %all) {
        my ($have, $expect) = map { $_->{$name} // {} } $slices, $range;
        my $off = abs(max($have->{ticks} // 0, 0) - ($expect->{ticks} // 0));    # collapsed stacks have no negative times
        push @wrong, "$name: $off ticks off, more than $bound" if $off > $bound + 2;
        push @wrong, "$name: " . ($have->{calls} // 0) . " calls, not " . ($expect->{calls} // 0) if ($have->{calls} // 0) != ($expect->{calls} // 0);
    }
    is_deeply([@wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]], [], $what) or diag(scalar(@wrong) . ' of ' . keys %all);
    return;
}

sub check {
    my ($name, $path) = @_;
    subtest $name => sub {
        my $page   = report_of($path);
        my $strip  = $page->block('slices') or return fail('slices');
        my ($about, $cells) = ($page->{core}{about}, $page->block('slice-cells'));
        my $bound = $cells->{quantum} * @{ $page->{core}{processes}{pid} };    # each process may be off by a unit
        my ($count, $width, $from) = @$strip{qw(count width from)};
        cmp_ok($count, '>=', 16,  'slices');
        cmp_ok($count, '<=', 512, '... but not too many');
        is(scalar @{ $strip->{by_area} }, 3 + @{ $page->{core}{namespaces} } + 2, 'by area');
        is(scalar(grep { @$_ != $count } @{ $strip->{by_area} }), 0, '... of each slice');
        my $all = sum0(map { @$_ } @{ $strip->{by_area} });
        # Each process has a whole of its own (doc/numbers.md).
        my $whole = max($page->{core}{totals}{ticks}, sum0(@{ $page->{core}{processes}{ticks} }));
        cmp_ok($all / $whole, '>', 0.999, 'the sum is all time');
        cmp_ok($all / $whole, '<', 1.01,  '... and no other');
        same(stacks_in($page, 0, $count), stacks_of($path), $bound, 'all stacks');
        same(lines_in($page, 0, $count), lines_of($path, $about->{ticks_per_s}), $bound, 'all lines');
        for my $part ([0.0, 0.2], [0.3, 0.7], [0.5, 1]) {
            my ($first, $end) = map { int $_ * $count } @$part;
            my @range = sprintf '--range=%.17g..%.17g', map { ($from + $_ * $width) / $about->{ticks_per_s} } $first, $end;
            same(stacks_in($page, $first, $end), stacks_of($path, @range), $bound, "stacks, @range");
            same(lines_in($page, $first, $end), lines_of($path, $about->{ticks_per_s}, @range), $bound, "lines, @range");
        }
    };
    return;
}

my $program = <<'PERL';
sub work { my ($n) = @_; my $x = 0; $x += $_ for 1 .. $n; return $x }
sub early { work(300) for 1 .. 200 }
sub deep { my ($n) = @_; work(50); return $n > 0 ? deep($n - 1) : 0 }
sub nap { select undef, undef, undef, 0.05 }
sub late { deep(20) for 1 .. 20 }
sub all { early(); nap(); late(); eval "work(100)" for 1 .. 5 }
all();
my $y = 0;
for (1 .. 30_000) { $y += $_ }
fork // die if $ENV{FORK};
all();
sleep 0 while waitpid(-1, 0) > 0;
PERL
my $path = spew("$scratch/program.pl", $program);

sub with {
    my (%options) = @_;
    return @{ profiled('ours', [$path], options => \%options)->{files} };
}

check('a program', with());
check('with blocks and leave=0', with(blocks => 1, leave => 0));
check('without statements', with(stmts => 0));
check("stock's", record('slices', [$path]));

# Time passes that is not counted, while calls go on.
check('time that is not counted', @{ profiled('ours', ['-e', <<'PERL'])->{files} });
sub work { my ($n) = @_; my $x = 0; $x += $_ for 1 .. $n; return $x }
sub off { DB::disable_profile(); select undef, undef, undef, 0.05; DB::enable_profile(); return work(200) }
sub loop { off() for 1 .. 3; work(2000) for 1 .. 20 }
loop();
PERL

check('requests', @{ profiled('ours', ['-MNYTProf::Span', '-e', <<'PERL'])->{files} });
sub work { my ($n) = @_; my $x = 0; $x += $_ for 1 .. $n; return $x }
sub serve { push @open, NYTProf::Span->start('GET /a'); work(20_000) }
serve() for 1 .. 20;
$_->end for @open;
PERL

# Some begin while others run.
{
    local $ENV{FORK} = 1;
    my @files  = map { sort { ($a =~ /(\d+)$/)[0] <=> ($b =~ /(\d+)$/)[0] } with(addpid => 1) } 1, 2;
    my $merged = "$scratch/merged.out";
    is(run([build_dir() . '/bin/nytprofmerge', '-o', $merged, @files])->{status}, 0, 'merged');
    is(scalar @files, 4, 'several processes');
    check('several processes', $merged);
}

# Statements end where slices do, and others take no time there; the call of a built-in takes longer than its statement. After
# the end of a process come statements of string evals, as nytprofmerge writes them.
sub at_ends {
    my ($process) = @_;
    my ($at, @chunks) = (0);
    for my $slice (1 .. 100) {
        my $end = sprintf '%.0f', $slice * 10_000_000 / 2**16;
        push @chunks, map { [TIME_LINE => $_, 1, 2], [SUB_RETURN => 1, $_ + 10, $_ + 10, 'main::CORE:sleep'] } 50, $end - $at - 50;
        push @chunks, map { [TIME_LINE => 0, 1, $_] } 3, 4;
        $at = $end;
    }
    $chunks[-3] = [SUB_RETURN => 1, 5000, 5000, 'main::CORE:sleep'];
    return ([PID_START => $process, 1, 1_700_000_000 + $process / 2**9], @chunks, [PID_END => $process, 1_700_000_001],
        map { [TIME_LINE => $_, 2, 1] } 300, 0);
}
check('what ends with a slice', spew("$scratch/ends.out", profile_bytes(
    [VERSION   => 5, 0],
    [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
    [NEW_FID   => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
    [NEW_FID   => 2, 1, 6, 0x32, 0, 0, '(eval 1)[/a.pl:6]'],
    (map { at_ends($_) } 1, 2),
    [SUB_CALLERS => 1, 2, 'main::RUNTIME', 400, 0.0044, 0.0044, 0, 0, 'main::CORE:sleep'],
)));

# Without statements the clock has calls alone, until a mark says what else was counted. An eval waited before one does.
check('an eval that waited, without statements', spew("$scratch/waited.out", profile_bytes(
    [VERSION     => 5, 0],
    [ATTRIBUTE   => 'ticks_per_sec', 10_000_000],
    [OPTION      => 'stmts', 0],
    [PID_START   => 1, 1, 1_700_000_000],
    [ATTRIBUTE   => 'waits', 1],
    [NEW_FID     => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
    [SUB_RETURN  => 2, 500_000, 500_000, 'main::early'],
    [ATTRIBUTE   => 'clock', '500000 0 0 1 500000'],
    [ATTRIBUTE   => 'eval_begin', '1 1 6'],
    [ATTRIBUTE   => 'waited', '1 0 160000'],
    [NEW_FID     => 2, 1, 6, 0x32, 0, 0, '(eval 1)[/a.pl:6]'],
    [SUB_RETURN  => 2, 100, 100, 'main::work'],
    [ATTRIBUTE   => 'eval_end', '1 165000'],
    [SUB_RETURN  => 1, 670_000, 169_900, 'main::all'],
    [PID_END     => 1, 1_700_000_001],
    [SUB_INFO    => 1, 'main::all', 1, 9],
    [SUB_CALLERS => 1, 7, 'main::RUNTIME', 1, 0.067, 0.01699, 0, 0, 'main::all'],
    [SUB_CALLERS => 1, 5, 'main::all', 1, 0.05, 0.05, 0, 0, 'main::early'],
    [SUB_CALLERS => 2, 1, 'main::all', 1, 0.00001, 0.00001, 0, 0, 'main::work'],
)));

# A sub recurses, and each depth has less time in a slice than what times are rounded to.
subtest 'many stacks with little time' => sub {
    my ($depth, $ticks, $times) = (1500, 3, 30);
    my @down = map { [TIME_LINE => $ticks, 1, 2],
        [SUB_RETURN => $depth - $_ + 1, $ticks * $_, $ticks, 'main::down'] } 1 .. $depth;
    my $path = spew("$scratch/deep.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [PID_START => 1, 1, 1_700_000_000],
        ([TIME_LINE => 200_000, 1, 9], @down) x $times, [PID_END => 1, 1_700_000_001],
        [SUB_INFO => 1, 'main::down', 1, 3],
        [SUB_CALLERS => 1, 2, 'main::down', $times * $depth, 0, $ticks * $times * $depth / 1e7, 0, $depth - 1,
            'main::down']));
    my $page  = report_of($path);
    my ($count, $width, $from) = @{ $page->block('slices') }{qw(count width from)};
    cmp_ok($page->block('slice-cells')->{quantum}, '>', 2 * $ticks, 'what times are rounded to');
    for my $part ([0, 0.1], [0.2, 0.4], [0.5, 1]) {
        my ($first, $end) = map { int $_ * $count } @$part;
        my @range = sprintf '--range=%.17g..%.17g', map { ($from + $_ * $width) / 1e7 } $first, $end;
        my ($shown, $true) = map { sum0(map { $_->{ticks} } values %$_) } stacks_in($page, $first, $end),
            stacks_of($path, @range);
        cmp_ok(abs($shown - $true), '<', $true / 50, "@range: their time together") or diag("$shown, not $true");
    }
};

subtest 'reports without them' => sub {
    is(report_of(with(calls => 0))->block('slices'), undef, 'without stacks');
    is(report_of('--no-flame', with())->block('slices'), undef, '--no-flame');
};

done_testing();
