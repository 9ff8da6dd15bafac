# How long calls took: quantiles against sorted durations of random profiles, and all programs against each other.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run scratch_dir spew);
use POSIX qw(ceil);
use ProfileBytes qw(profile_bytes);
use Test::More;
use Written qw(rows_of);

my $bin = build_dir() . '/bin';
my $dir = scratch_dir();

my @NAMES = qw(p50 p95 p99 max first);
my $RATE  = 10_000_000;

# Calls within calls of a few subs, at random. Adds their chunks as they return, and what each sub should have.
sub run_call {
    my ($depth, $chunks, $truth, $begun) = @_;
    my $name     = 'main::' . (qw(a b c d))[rand 4];
    my $of       = $truth->{$name} //= { all => [], first => 0, excl => 0 };
    my $is_first = !$begun->{$name}++;
    my $own      = int(rand 3) ? int(rand 20) : int(10**(1 + rand 3));
    my $incl     = $own;
    $incl += run_call($depth + 1, $chunks, $truth, $begun) while $depth < 8 && rand() < 0.4;
    push @$chunks, [SUB_RETURN => $depth, $incl, $own, $name];
    push @{ $of->{all} }, $incl;
    $of->{excl} += $own;
    $of->{first} = $incl if $is_first && $incl > $of->{first};
    return $incl;
}

sub random_calls {
    my ($seed, $processes) = @_;
    srand $seed;
    my (@chunks, %truth);
    for my $pid (1 .. $processes) {
        push @chunks, [PID_START => $pid, 1, 1.5];
        my %begun;
        run_call(1, \@chunks, \%truth, \%begun) for 1 .. 100;
        push @chunks, [PID_END => $pid, 2.5];
    }
    my @callers =
        map { [SUB_CALLERS => 1, 3, 'main::RUNTIME', scalar @{ $truth{$_}{all} }, $truth{$_}{excl} / $RATE,
            $truth{$_}{excl} / $RATE, 0, 0, $_] } sort keys %truth;
    splice @chunks, -1, 0, @callers;
    return (spew("$dir/$seed.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], @chunks)),
        \%truth);
}

# The rank-th of the sorted ones.
sub exact {
    my ($of, $name) = @_;
    my @sorted = sort { $a <=> $b } @{ $of->{all} };
    return $name eq 'first' ? $of->{first} : $name eq 'max' ? $sorted[-1]
        : $sorted[ceil(substr($name, 1) / 100 * @sorted) - 1];
}

# By sub and name: the ticks that a program shows.
sub from_tree {
    my ($path, @options) = @_;
    my $got = run(["$bin/nytp-tree", '--unit=ticks', '-q', '-O', -1, '--columns=' . join(',', @NAMES), @options,
        $path]);
    is("$got->{status} $got->{err}", '0 ', 'nytp-tree');
    my %ticks;
    for (split /\n/, $got->{out}) {
        my @cells = split;
        @{ $ticks{ $cells[-1] } }{@NAMES} = @cells[6 .. 10];
    }
    return \%ticks;
}

sub from_csv {
    my ($path) = @_;
    return { map { my $row = $_; ($row->{sub} => { map { $_ => $row->{"${_}_s"} eq '' ? '-' : $row->{"${_}_s"} * $RATE } @NAMES }) }
            grep { $_->{calls} > 0 } rows_of('subs', $path) };
}

# nytp-diff shows what differs, so OLD has none of the subs.
sub from_diff {
    my ($path, $none) = @_;
    my %ticks;
    for my $name (@NAMES) {
        my $got = run(["$bin/nytp-diff", '--csv', "--value=$name", $none, $path]);
        is($got->{status}, 0, "nytp-diff --value=$name") or diag($got->{err});
        for (split /\r\n/, $got->{out}) {
            my @cells = split /,/;
            $ticks{ $cells[0] }{$name} = $cells[4] * $RATE if $cells[0] =~ /^main::[a-d]$/;
        }
    }
    return \%ticks;
}

# Lists what differs by more than a share.
sub differences {
    my ($got, $expected, $most) = @_;
    my @wrong;
    for my $sub (sort keys %$expected) {
        for (@NAMES) {
            my ($is, $should) = ($got->{$sub}{$_} // 'none', $expected->{$sub}{$_});
            push @wrong, "$sub $_: $is, not $should" if $is !~ /^[\d.e+]+$/ || abs($is - $should) > $most * $should;
        }
    }
    return \@wrong;
}

my $none = spew("$dir/none.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [PID_START => 1, 1, 1.5],
        [SUB_RETURN => 1, 5, 5, 'main::x'],
    [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1, 5e-7, 5e-7, 0, 0, 'main::x'], [PID_END => 1, 2.5]));

for my $seed (1 .. 4) {
    subtest "random calls $seed" => sub {
        my ($path, $truth) = random_calls($seed, 1 + $seed % 3);
        my %exact = map { my $sub = $_; $sub => { map { $_ => exact($truth->{$sub}, $_) } @NAMES } } keys %$truth;
        my $csv   = from_csv($path);
        is_deeply(differences($csv, \%exact, 0.032), [], 'nytprofcsv has the sorted ones, to 3.2 %');
        is_deeply([map { ($csv->{$_}{max}, $csv->{$_}{first}) } sort keys %exact],
            [map { ($exact{$_}{max}, $exact{$_}{first}) } sort keys %exact], 'exactly the longest and the first');
        is_deeply(differences(from_tree($path), $csv, 1e-4), [], 'nytp-tree has the same');
        is_deeply(differences(from_diff($path, $none), $csv, 1e-5), [], 'and so has nytp-diff');
        my ($head, @ranges) = map { [split /,/] } split /\r\n/,
            run(["$bin/nytprofcsv", '--table=durations', '-o', '-', $path])->{out};
        my @wrong = grep { my ($sub, $from, $to, $calls) = @$_;
            $calls != grep { $_ >= $from * $RATE - 0.01 && $_ < $to * $RATE - 0.01 } @{ $truth->{$sub}{all} } } @ranges;
        is_deeply(\@wrong, [], 'each range has its calls');
    };
}

subtest 'what does not have durations' => sub {
    my $samples = spew("$dir/samples.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [ATTRIBUTE => 'sampled_hz', 100],
            [PID_START => 1, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [SUB_ENTRY => 1, 1], [TIME_LINE => 100_000, 1, 1],
        [SUB_RETURN => 1, 100_000, 100_000, 'main::a'], [PID_END => 1, 2.5]));
    is_deeply(from_tree($samples)->{'main::a'}, { map { $_ => '-' } @NAMES }, 'samples: nytp-tree has dashes');
    like(run(["$bin/nytprofcsv", '--table=durations', '-o', '-', $samples])->{out}, qr/^sub,from_s,to_s,samples\r\n\z/,
        'nytprofcsv has no ranges');
    is(run(["$bin/nytp-diff", '--value=p95', $samples, $samples])->{err},
        "nytp-diff: profiles of samples do not say how long calls took\n", 'nytp-diff says so');
    for (['nytp-tree', '--columns=p50,p51', 'expected p50, p95, p99, max, first, work, asleep, queued or kept'],
        ['nytp-tree', '--columns=', 'expected'], ['nytp-tree', '--columns=p50', '-S', 'without a table'],
        ['nytp-tree', '--columns=p50', '--from=main::a', 'all calls of a sub'],
        ['nytp-diff', '--by=lines', '--value=p99', 'does not go with --by=lines', $none, $none]) {
        my ($program, @words) = @$_;
        my ($message) = grep { /^expected|^without|^all|^does/ } @words;
        my $got = run(["$bin/$program", grep { $_ ne $message } @words]);
        is($got->{status}, 2, "$program @words: wrong usage");
        like($got->{err}, qr/\Q$message\E/, 'and says why');
    }
};

subtest 'a file that is damaged: calls before any process' => sub {
    my $path = spew("$dir/early.out", profile_bytes([VERSION => 5, 0], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        [SUB_RETURN => 1, 5, 5, 'main::x'], [SUB_RETURN => 1, 9, 9, 'main::x'], [PID_START => 1, 1, 1.5], [PID_END => 1, 2.5]));
    for my $command (['nytp-tree', '--table', '--columns=max'], ['nytp-tree', '--findings'], ['nytp-diff', '--value=max', $path],
        ['nytprofcsv', '-o', "$dir/early.csv"], ['nytprofhtml', '-o', "$dir/early.html"]) {
        my ($program, @options) = @$command;
        is(run(["$bin/$program", @options, $path])->{status}, 0, $program);
    }
};

subtest 'a first call that stands out' => sub {
    my @others = map { [SUB_RETURN => 1, 20, 20, 'main::cached'] } 1 .. 20;
    my $path   = spew("$dir/first.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [PID_START => 1, 1, 1.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        [SUB_INFO => 1, 'main::cached', 3, 9], [SUB_INFO => 1, 'main::fill', 12, 19],
        [SUB_RETURN => 2, 890_000, 890_000, 'main::fill'], [SUB_RETURN => 1, 900_000, 10_000, 'main::cached'],
        @others, [SUB_CALLERS => 1, 30, 'main::RUNTIME', 21, 900_400 / $RATE, 10_400 / $RATE, 0, 0, 'main::cached'],
        [SUB_CALLERS => 1, 4, 'main::cached', 1, 0.089, 0.089, 0, 0, 'main::fill'],
        [PID_END => 1, 2.5]));
    my $found = qr/main::cached takes 90\.0 ms in its first call, and usually 2\.05 us: 90\.0 ms, 100 % of the work/;
    like(run(["$bin/nytp-tree", '--findings', $path])->{out}, qr/^\/a\.pl:3: $found \(first-call\)$/m, 'is a finding');
    my $two = spew("$dir/two.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [PID_START => 1, 1, 1.5],
            (map { [SUB_RETURN => 1, $_, $_, 'main::cached'] } 900_000, (20) x 200, 700_000),
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', 202, 1_604_000 / $RATE, 1_604_000 / $RATE, 0, 0, 'main::cached'], [PID_END => 1, 2.5]));
    unlike(run(["$bin/nytp-tree", '--findings', $two])->{out}, qr/first-call/, 'one of several long ones is not');
    my $even = spew("$dir/even.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [PID_START => 1, 1, 1.5],
            (map { [SUB_RETURN => 1, 900_000, 900_000, 'main::even'] } 1 .. 20),
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', 20, 1.8, 1.8, 0, 0, 'main::even'], [PID_END => 1, 2.5]));
    unlike(run(["$bin/nytp-tree", '--findings', $even])->{out}, qr/first-call/, 'one like the others is not');
    my $walk = spew("$dir/walk.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE], [PID_START => 1, 1, 1.5],
            [SUB_ENTRY => 1, 3], (map { ([SUB_ENTRY => 1, 4], [SUB_RETURN => 2, 20, 20, 'main::walk']) } 1 .. 20),
            [SUB_RETURN => 1, 900_000, 899_600, 'main::walk'],
        [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1, 900_000 / $RATE, 899_600 / $RATE, 0, 0, 'main::walk'],
        [SUB_CALLERS => 1, 4, 'main::walk', 20, 400 / $RATE, 400 / $RATE, 400 / $RATE, 1, 'main::walk'],
        [PID_END => 1, 2.5]));
    my $of_walk = run(["$bin/nytp-tree", '--findings', $walk]);
    is($of_walk->{status}, 0, 'a sub that calls itself can be read');
    unlike($of_walk->{out}, qr/first-call/, '... and its first call, which has the others, is none');
};

# A process goes on in the calls of its parent when it is forked, and an event loop has the work of all that it calls.
subtest 'a call in which a process lives, or an event loop, is not a long first call' => sub {
    my $spawn = [SUB_RETURN => 1, 20, 20, 'main::spawn'];
    my @begin = ([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $RATE]);
    my @file  = ([NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'], [SUB_INFO => 1, 'main::spawn', 3, 9]);
    my $found = sub {
        my ($within, @after) = @_;
        my @other = ([SUB_RETURN => 1, 9, 9, 'main::other'], ($spawn) x 20);
        my @child = ([SUB_RETURN => 3, 100_000, 100_000, $within], [SUB_RETURN => 2, 900_000, 800_000, 'main::serve'],
            [SUB_RETURN => 1, 900_000, 0, 'main::spawn'], @after);
        my $path = spew("$dir/fork.out", profile_bytes(@begin, [PID_START => 1, 0, 1.5], @file, @other,
            [SUB_CALLERS => 1, 30, 'main::RUNTIME', 21, 900_400 / $RATE, 400 / $RATE, 0, 0, 'main::spawn'],
            [SUB_CALLERS => 1, 5, 'main::spawn', 1, 0.09, 0.08, 0, 0, 'main::serve'],
            [SUB_CALLERS => 1, 5, 'main::serve', 1, 0.01, 0.01, 0, 0, $within], [PID_END => 1, 2.5],
            [PID_START => 2, 1, 1.5], @child, [PID_END => 2, 2.5]));
        return run(["$bin/nytp-tree", '--findings', $path])->{out};
    };
    my $long = qr{^/a\.pl:3: main::spawn takes up to 90\.0 ms in its first call in a process, and usually 2\.05 us: }m;
    unlike($found->('main::work'), qr/spawn takes/, 'all that the child did was in the call');
    like($found->('main::work', [SUB_RETURN => 1, 9, 9, 'main::other']), $long, '... or not all');
    unlike($found->('EV::run', [SUB_RETURN => 1, 9, 9, 'main::other']), qr/spawn takes/, 'an event loop was');
    like($found->('Socket::getaddrinfo', [SUB_RETURN => 1, 9, 9, 'main::other']), $long, '... or the first look at a name server');
};

done_testing();
