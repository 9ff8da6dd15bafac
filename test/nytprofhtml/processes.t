# The stacks that a report keeps of each process: what they add up to, and how many bytes they take.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

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
    is("$got->{status} $got->{err}", '0 ', 'nytprofhtml ' . join ' ', @options);
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

done_testing();
