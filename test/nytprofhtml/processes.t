# The processes of a report: their table, and the stacks that it keeps of each, what they add up to, and how many bytes
# they take.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

my $dir = scratch_dir();

# A profile of processes 100, 101, ..., each with its calls: [depth, exclusive ticks, sub].
sub made {
    my ($name, @processes) = @_;
    my $pid = 100;
    return spew("$dir/$name.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1_000_000],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
        map { my ($own, $calls) = ($pid++, $_);
            ([PID_START => $own, 1, $own], (map { [TIME_LINE => $_->[1], 1, 1] } @$calls),
            (map { [SUB_RETURN => $_->[0], 0, $_->[1], $_->[2]] } @$calls), [PID_END => $own, $own + 1]) } @processes));
}

sub report_of {
    my ($profile, @options) = @_;
    my $got = run([build_dir() . '/bin/nytprofhtml', '-o', '-', @options, $profile]);
    is("$got->{status} " . $got->{err} =~ s/.*when it was merged.*\n//r, '0 ', 'nytprofhtml ' . join ' ', @options);
    return ReportPage->new($got->{out});
}

# The stacks of the report, or of a process, as "f;g" => [calls, ticks].
sub stacks {
    my ($page, $calls, $excl) = @_;
    my ($stacks, @path, %found) = $page->{core}{stacks};
    for my $row (0 .. $#{ $stacks->{sub} }) {
        $#path = $stacks->{depth}[$row] - 1;
        push @path, $page->{core}{subs}{name}[$stacks->{sub}[$row]];
        $found{ join ';', @path } = [$calls->[$row], $excl->[$row]] if $calls->[$row] || $excl->[$row];
    }
    return \%found;
}

sub all_stacks { my ($page) = @_; return stacks($page, @{ $page->{core}{stacks} }{qw(calls excl)}) }

# undef: the report has none of that process.
sub process_stacks {
    my ($page, $number) = @_;
    my $process = $page->process($number) // return;
    return stacks($page, $process->{calls}, $process->{excl});
}

my @first  = ([2, 30, 'main::g'], [2, 5, 'main::h'], [1, 10, 'main::f'], [1, 7, 'main::g']);
my @second = ([2, 4, 'main::h'], [1, 1, 'main::f'], [3, 2, 'main::g'], [2, 1, 'main::g'], [1, 3, 'main::f'],
    [1, 50, 'main::only']);

subtest 'each process' => sub {
    my $page = report_of(made(two => \@first, \@second));
    is_deeply(process_stacks($page, 0),
        { 'main::f' => [1, 10], 'main::f;main::g' => [1, 30], 'main::f;main::h' => [1, 5], 'main::g' => [1, 7] },
        'the first');
    is_deeply(process_stacks($page, 1),
        { 'main::f' => [2, 4], 'main::f;main::h' => [1, 4], 'main::f;main::g' => [1, 1],
        'main::f;main::g;main::g' => [1, 2], 'main::only' => [1, 50] }, 'the second');
    is_deeply(all_stacks($page),
        { 'main::f' => [3, 14], 'main::f;main::g' => [2, 31], 'main::f;main::h' => [2, 9], 'main::g' => [1, 7],
        'main::f;main::g;main::g' => [1, 2], 'main::only' => [1, 50] }, 'both');
    is_deeply($page->{core}{processes}{ticks}, [52, 61], 'the time of their statements');
    my $files = report_of(made(first => \@first), made(second => \@second));
    is_deeply([map { process_stacks($files, $_) } 0, 1], [map { process_stacks($page, $_) } 1, 0],
        'the same of two files');
    my @blocks = map { $_->{block} } report_of(made(one => \@first)),
        report_of(made(two => \@first, \@second), '--no-flame');
    is_deeply([grep { /^process/ } map { keys %$_ } @blocks], [], 'nothing of one process, nor without stacks');
};

# A file is closed, which waits for a command, by its marks and not by its name.
sub measured {
    my ($pid, $asleep, $queued) = @_;
    return ([PID_START => $pid, 1, 10], [ATTRIBUTE => waits => 1],
        [ATTRIBUTE => waited => "2 $asleep $queued"], [SUB_RETURN => 2, (1_000_000) x 2, 'main::CORE:close'],
        [TIME_LINE => 1_000_000, 1, 2], [SUB_RETURN => 1, 1_500_000, 500_000, 'main::f'], [TIME_LINE => 500_000, 1, 1],
        [SUB_RETURN => 1, (250_000) x 2, 'main::CORE:sleep'], [TIME_LINE => 250_000, 1, 3], [PID_END => $pid, 12]);
}

subtest 'measured waits' => sub {
    my @waits   = ([7 => 600_000, 300_000], [8 => 800_000, 100_000]);
    my $profile = spew("$dir/measured.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1_000_000],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
        (map { measured(@$_) } @waits),
        [SUB_CALLERS => 1, 2, 'main::f', 2, 2, 2, 0, 0, 'main::CORE:close'], [SUB_CALLERS => 1, 1, 'main::RUNTIME', 2, 3, 1, 0, 0, 'main::f'],
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', 2, 0.5, 0.5, 0, 0, 'main::CORE:sleep']));
    my $page = report_of($profile);
    like($page->static, qr{3\.50 s = 1\.70 s work \+ 400 ms queued \+ 1\.40 s asleep}, 'the headline');
    my ($core, $slices) = ($page->{core}, $page->block('slices'));
    for ([asleep => 1, -2], [queued => 2, -1]) {
        my ($name, $column, $area) = @$_;
        my @of = map { $_->[$column] } @waits;
        is_deeply($core->{processes}{$name}, \@of, "$name by process");
        is_deeply($core->{lines}{$name}, [0, sum0(@of), 0], '... by line');
        is_deeply(stacks($page, [], $core->{stacks}{$name}), { 'main::f;main::CORE:close' => [undef, sum0(@of)] }, '... by stack');
        is_deeply(stacks($page, [], $page->process($_)->{$name}), { 'main::f;main::CORE:close' => [undef, $of[$_]] },
            '... by stack of a process') for 0, 1;
        cmp_ok(abs(sum0(@{ $slices->{by_area}[$area] }) - sum0(@of)), '<=', $slices->{count}, '... by slice');
        my $cells = $page->block('slice-cells');
        my $sum   = $cells->{quantum} * sum0(@{ $cells->{stacks}{$name} });
        cmp_ok(abs($sum - sum0(@of)), '<=', 2 * $cells->{quantum}, '... and by stack and slice');
    }
    my ($subs, %origin) = $core->{subs};
    @origin{ @{ $subs->{name} } } = @{ $subs->{origin} };
    is_deeply([@origin{qw(main::CORE:close main::CORE:sleep)}], [4, 3], 'what was asleep waits, whatever its name');
};

subtest 'without calls' => sub {
    my $path = spew("$dir/calls0.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1_000_000],
        [OPTION => calls => 0], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 't.pl'],
        (map { [PID_START => $_, 1, $_], [TIME_LINE => 5000, 1, 1], [PID_END => $_, $_ + 1] } 1, 2),
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.004, 0.004, 0, 0, 'main::CORE:sleep']));
    my $page = report_of($path);
    is_deeply($page->{core}{processes}{asleep}, [-1, -1], 'what a process waited is not known');
    my $empty = '<td class="n"></td>';
    like($page->static, qr{(?:>5\.00 ms</td>$empty$empty.*?){2}}s, '... and not shown');
    like($page->static, qr{10\.0 ms = 6\.00 ms work \+ 4\.00 ms asleep \(by names\)}, 'what all of them waited is');
    is_deeply($page->{core}{lines}{asleep}, [4000], '... and their lines');
};

# What is less than 10 % of all is folded: into callers, and at the outermost level into one stack.
subtest '--min' => sub {
    my $page = report_of(made(two => \@first, \@second), '--min=10');
    is_deeply(process_stacks($page, 0),
        { 'main::f' => [2, 15], 'main::f;main::g' => [1, 30], '(less than --min)' => [1, 7] }, 'the first');
    is_deeply(process_stacks($page, 1), { 'main::f' => [3, 8], 'main::f;main::g' => [2, 3], 'main::only' => [1, 50] },
        'the second');
};

subtest 'more processes than have room' => sub {
    my $seed = 1;
    my $next = sub { $seed = ($seed * 1_103_515_245 + 12_345) % 2**31; return $seed >> 8 };
    my @processes = map { my $longer = 1 + $_;
        [map { ([2, $longer * $next->() % 100_000, 'main::s' . $_ % 700],
            [1, 1, 'main::t' . $_ % 30]) } 1 .. 700] } 0 .. 60;
    my $page = report_of(made(many => @processes));
    my @kept = grep { defined process_stacks($page, $_) } 0 .. $#processes;
    cmp_ok(scalar @kept, '>', 3, 'some are kept');
    cmp_ok(scalar @kept, '<', @processes, 'but not all');
    my $bytes = 0;
    $bytes += length $page->{block}{"process-$_"} for @kept;
    cmp_ok($bytes, '<=', (length($page->{html}) - $bytes) * 0.2, 'they take at most a fifth of the rest');
    my $ticks = $page->{core}{processes}{ticks};
    my @by_time = sort { $ticks->[$b] <=> $ticks->[$a] || $a <=> $b } 0 .. $#processes;
    is_deeply([sort { $a <=> $b } @by_time[0 .. $#kept]], \@kept, 'they are those with most time');
};

# What each row has of a table in text: its cells.
sub table_of {
    my ($html) = @_;
    my ($table) = $html =~ m{<h2>Processes</h2>\s*<table>(.*?)</table>}s or return;
    return map { [m{<t[dh][^>]*>(.*?)</t[dh]>}g] } $table =~ m{<tr>.*?</tr>}sg;
}

sub output_of {
    my $got = run([build_dir() . '/bin/' . shift, @_]);
    is($got->{status}, 0, "@_[0, 1]");
    return $got->{out};
}

# One waits, and one was killed.
subtest 'the table says what nytp-tree and nytprofcsv say' => sub {
    my @waits  = ([1, 1_500_000, 'main::CORE:sleep'], [1, 250_000, 'main::f']);
    my $family = spew("$dir/family.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1_000_000],
        [ATTRIBUTE => application => '/x/a.pl'], [PID_START => 7, 1, 100.5], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'],
        [TIME_LINE => 2_000_123, 1, 1], (map { [SUB_RETURN => $_->[0], $_->[1], $_->[1], $_->[2]] } @waits),
        [ATTRIBUTE => process_cpu_s => 0.25], [PID_END => 7, 103], [PID_START => 8, 7, 101],
        [TIME_LINE => 500_000, 1, 1]));
    is(run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged.out", $family])->{status}, 0, 'merged');
    for my $profile ("$dir/merged.out", made(many => \@first, \@second, map { [[1, $_ * 1e5, 'main::CORE:sleep']] } 1 .. 5)) {
        my $page = report_of($profile);
        my @rows = table_of($page->{html});
        my @tree = map { [split /  +/, s/^ +//r] } split /\n/, output_of('nytp-tree', '--processes', $profile);
        my $parts = pop(@tree)->[0] =~ s/^.*?: //r =~ s/us/µs/gr;
        like($page->{html}, qr{(?:, |\()\d+ processes\)?: \Q$parts\E},
            'the headline has the sums');
        my %of = map { shift @$_ => $_ } map { [@$_[0 .. 5, 7 .. 9]] } @tree; # queued is not measured here
        shift @rows;
        is(scalar @rows, keys(%of) - 1, 'a row for each');
        for my $row (@rows) {
            my ($name, $pid, @cells) = @$row;
            splice @cells, 6, 0, '-' if @cells == 7;
            is_deeply([map { $_ eq '' ? '-' : s/µ/u/r } @cells], $of{$pid}, "process $pid");
        }
        my ($head, @csv) = map { [split /,/] } split /\r\n/, output_of('nytprofcsv', '--table=processes', '-o', '-', $profile);
        my %column = map { $head->[$_] => $_ } 0 .. $#$head;
        my $processes = $page->{core}{processes};
        for my $i (0 .. $#csv) {
            my ($time, $waits, $end) = map { $csv[$i][$column{$_}] } qw(time_s waiting_s ending);
            is_deeply([map { $processes->{$_}[$i] } qw(ticks asleep end)],
                [(map { int $_ * 1_000_000 + 0.5 } $time, $waits), $end], "the script's numbers of row $i");
        }
    }
};

done_testing();
