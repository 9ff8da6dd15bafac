# The lines of single requests in a report: those that the filters leave of a profile when it is asked for the slowest one.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clock_library need_collector preload profiled);
use List::Util qw(sum0);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

need_collector();
my $bin  = build_dir() . '/bin';
my $told = clock_library('told-clock');

sub report_of {
    my (@arguments) = @_;
    my $got = run(["$bin/nytprofhtml", '-o', '-', @arguments]);
    is("$got->{status} $got->{err}", '0 ', 'a report');
    return ReportPage->new($got->{out});
}

# Lines, given as [name, ticks, runs], by name. An eval that is the only one of its place left has another number.
sub by_name {
    my (@lines) = @_;
    my %lines;
    for (@lines) {
        my ($name, $ticks, $runs) = @$_;
        $name =~ s/^"?\(eval \d+\)/(eval)/;
        $lines{$name}[0] += $ticks;
        $lines{$name}[1] += $runs;
    }
    return \%lines;
}

# The lines that a report has of a request, by "FILE:LINE": [ticks, runs].
sub lines_of {
    my ($page, $row) = @_;
    my ($files, $lines) = @{ $page->{core} }{qw(files lines)};
    my @file = map { ($_) x $lines->{count}[$_] } 0 .. $#{ $lines->{count} };
    my $of   = $page->block("request-$row");
    return by_name(map { ["$files->{name}[$file[$of->{row}[$_]]]:$lines->{line}[$of->{row}[$_]]", $of->{ticks}[$_], $of->{runs}[$_]] }
            0 .. $#{ $of->{row} });
}

# The same as the filters have them of the slowest request with that name.
sub slowest {
    my ($name, $per_s, @paths) = @_;
    my $got = run(["$bin/nytprofcsv", '--span', $name, '--slowest=1', '--table=lines', '-o', '-', @paths]);
    is("$got->{status} $got->{err}", '0 ', 'nytprofcsv');
    my (undef, @rows) = split /\r?\n/, $got->{out};
    return by_name(map { my (undef, $file, $line, $runs, $s) = split /,/; ["$file:$line", sprintf('%.0f', $s * $per_s), $runs] } @rows);
}

# The rows that a report has of the slowest request of each name.
sub slowest_rows {
    my ($page) = @_;
    my ($requests, $labels) = ($page->block('requests'), $page->{core}{labels});
    my %row;
    for my $row (map { /^request-(\d+)$/ ? $1 : () } keys %{ $page->{block} }) {
        my $name = $labels->{text}[$requests->{label}[$row]];
        $row{$name} = $row if !defined $row{$name} || $requests->{ticks}[$row] > $requests->{ticks}[$row{$name}];
    }
    return \%row;
}

# Lines whose numbers differ, but for those with too little time. The statements in which a request begins and ends are divided: they are on these lines.
sub differences {
    my ($have, $expect, $divided) = @_;
    my %all = (%$have, %$expect);
    my $least = 0.001 * sum0(map { $_->[0] } values %$expect);
    return [grep { !/:$divided\z/ && "@{ $have->{$_} || [] }" ne "@{ $expect->{$_} || [] }" && ($have->{$_} || $expect->{$_}[0] > $least) } sort keys %all];
}

# Each request runs lines that the others do not, and the slowest GET /list waits in one of its own.
my $shop = <<'PERL';
use NYTProf::Span;
sub work {
    my ($n) = @_;
    my $x = 0;
    for my $i (1 .. $n) {
        $x += $i;
        select undef, undef, undef, 0.00001;
    }
    return $x;
}
sub one {
    my ($name, $n) = @_;
    my $span = span($name);
    my $sum = work($n) + parts($n) + eval "work(2) +\n work(3)";
    select undef, undef, undef, 0.002 if $n == 42;
    select undef, undef, undef, 0.0001 * ($n % 7);
    return $sum;
}
sub parts {
    my ($n) = @_;
    select undef, undef, undef, 3 * 1e-6 * $n;
    select undef, undef, undef, 1 * 1e-6 * $n;
    select undef, undef, undef, 4 * 1e-6 * $n;
    select undef, undef, undef, 1 * 1e-6 * $n;
    select undef, undef, undef, 5 * 1e-6 * $n;
    return $n;
}
one($_ % 3 ? 'GET /items' : 'GET /list', $_) for 1 .. 60;
PERL
my $divided = qr/(?:12|13|16|17|18)/;

sub profile_of {
    my ($program) = @_;
    return profiled('ours', ['-e', $program], options => { clock => 0, waits => 0 }, env => { LD_PRELOAD => preload($told) })->{files}[0];
}
my $path = profile_of($shop);

subtest 'the slowest requests' => sub {
    my $page = report_of($path);
    my $rows = slowest_rows($page);
    is_deeply([sort keys %$rows], ['GET /items', 'GET /list'], 'both kinds');
    for my $name (sort keys %$rows) {
        my $have = lines_of($page, $rows->{$name});
        is_deeply(differences($have, slowest($name, $page->{core}{about}{ticks_per_s}, $path), $divided), [], "$name: lines as nytprofcsv has them");
        cmp_ok(scalar keys %$have, '>=', 5, '... all with some time');
        my $requests = $page->block('requests');
        my $ticks    = $requests->{ticks}[$rows->{$name}] * $page->{core}{about}{ticks_per_s} / $requests->{per_s};
        cmp_ok(abs(sum0($page->block("request-$rows->{$name}")->{others}[1], map { $_->[0] } values %$have) - $ticks), '<=', 20, '... and the others the rest');
    }
    my $list = lines_of($page, $rows->{'GET /list'});
    my ($hottest) = sort { $list->{$b}[0] <=> $list->{$a}[0] } keys %$list;
    is($hottest, '-e:15', 'the line in which the slowest GET /list waits');
    my $s = $list->{$hottest}[0] / $page->{core}{about}{ticks_per_s};
    cmp_ok(abs($s - 0.002), '<', 0.0001, '... for 2 ms');
    is($list->{'-e:7'}[1], 42 + 2 + 3, '... and how often its loop ran');
};

# Each request in a report, with all its lines.
sub requests_of {
    my (@paths) = @_;
    my $page = report_of(@paths);
    my @texts;
    for my $row (map { /^request-(\d+)$/ ? $1 : () } keys %{ $page->{block} }) {
        my $lines = lines_of($page, $row);
        push @texts, join ', ', map { "$_ @{ $lines->{$_} }" } sort keys %$lines;
    }
    return sort @texts;
}

# Each part begins and ends on lines of its own, which are divided.
subtest 'requests of several parts' => sub {
    my $parts = profile_of(<<'PERL');
use NYTProf::Span;
my @due;
sub begin {
    my ($n) = @_;
    my $request = NYTProf::Span->start('GET /parts');
    select undef, undef, undef, 10e-6 * $n;
    push @due, $request->wrap(sub {
        select undef, undef, undef, 20e-6 * $n for 1 .. 3;
        push @due, NYTProf::Span->wrap(sub {
            select undef, undef, undef, 50e-6 * $n;
            select undef, undef, undef, 3e-6 * $n;
        });
    });
}
begin(10 * $_) for 1 .. 9;
while (my $code = shift @due) {
    select undef, undef, undef, 7e-6;
    $code->();
}
PERL
    my $page = report_of($parts);
    my $have = lines_of($page, slowest_rows($page)->{'GET /parts'});
    is_deeply(differences($have, slowest('GET /parts', $page->{core}{about}{ticks_per_s}, $parts), qr/(?:5|7|9|13|15|18)/), [], 'lines as nytprofcsv has them');
    ok($have->{"-e:$_"}, "line $_ of a part is there") for 6, 8, 10, 11;
};

subtest 'several profiles' => sub {
    my ($one, $other) = map { profile_of($_ . $shop =~ s/ \+ eval .*\n.*;/;\n\n/r) } '', "use List::Util;\n\n";    # a merged file has evals elsewhere
    my %known = map { ($_ => 1) } requests_of($one), requests_of($other);
    my @sum   = requests_of($other, $one);
    is(scalar @sum, 50 + 40, 'all that are kept');
    is_deeply([grep { !$known{$_} } @sum], [], '... have the lines that they have in their profile');
    my $merged = scratch_dir() . '/merged.out';
    is(run(["$bin/nytprofmerge", '-o', $merged, $other, $one])->{status}, 0, 'nytprofmerge');
    is_deeply([grep { !$known{$_} } requests_of($merged)], [], '... and in a merged file');
};

# As many statements as that, on two lines in turn, in a process.
sub long_request {
    my ($count) = @_;
    my $begin   = profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7], [PID_START => 7, 1, 1_700_000_000],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/srv/NYTProf/Span.pm']);
    my $two = profile_bytes([TIME_LINE => 1, 1, 3], [TIME_LINE => 2, 1, 4]);
    my $end = profile_bytes([SUB_RETURN => 2, 1.5 * $count, 5, 'NYTProf::span GET /long'], [TIME_LINE => 1, 1, 5], [PID_END => 7, 1_700_000_001],
        [SUB_CALLERS => 1, 3, 'main::serve', 1, 1.5 * $count / 1e7, 0, 0, 0, 'NYTProf::span GET /long']);
    return report_of(spew(scratch_dir() . '/long.out', $begin . $two x ($count / 2) . $end))->block('request-0');
}

subtest 'a request of very many statements' => sub {
    my $lines = long_request(1_000_000);
    is_deeply([@$lines{qw(unknown runs ticks others)}], [undef, [500_000, 500_000], [1_000_000, 500_000], [0, 0]], 'a million of them are looked through');
    is_deeply([@{ long_request(1_100_000) }{qw(unknown row)}], [1, undef], 'if there are more, its lines are not known');
};

done_testing();
