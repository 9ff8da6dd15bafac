# One number for one thing: the work of subs, lines, queries and requests in nytp-table, nytp-tree, nytp-dot, nytprofcsv, the page in
# Markdown and the report, of a program whose work is known.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use JSON::PP qw(decode_json);
use List::Util qw(sum);
use NYTPTest qw(build_dir run scratch_dir spew);
use Numbers qw(said_by);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;

my $bin = build_dir() . '/bin';
my ($rate, $own_of_span) = (10_000, 7);
my (%sub, %line, %query, %request);

# Each of five requests calls twelve subs, every third of which waits, and runs five queries.
sub calls_of {
    my ($n) = @_;
    my (@chunks, $all);
    for my $s (1 .. 12) {
        my ($work, $waited) = (10 * $s + $n, $s % 3 ? 0 : 4 * $s);
        my $name = "main::sub$s";
        push @chunks, $waited ? [ATTRIBUTE => waited => "2 $waited " . $waited / 2] : (),
            [SUB_RETURN => 2, $work + 1.5 * $waited, $work + 1.5 * $waited, $name], [TIME_LINE => $work + 1.5 * $waited, 1, 100 + $s];
        $sub{$name} += $work;
        $line{ 100 + $s } += $work;
        $request{"GET /page$n"} += $work;
        $all += $work + 1.5 * $waited;
    }
    for my $q (1 .. 5) {
        push @chunks, [SUB_RETURN => 2, 3 * $q, 3 * $q, "DBI::st::execute SELECT $q"], [TIME_LINE => 3 * $q, 1, 200 + $q];
        $query{"SELECT $q"} += 3 * $q;
        $line{ 200 + $q } += 3 * $q;
        $request{"GET /page$n"} += 3 * $q;
        $all += 3 * $q;
    }
    $line{5} += $own_of_span;
    $request{"GET /page$n"} += $own_of_span;
    return (@chunks, [TIME_LINE => $own_of_span, 1, 5], [SUB_RETURN => 1, $all + $own_of_span, $own_of_span, "NYTProf::span GET /page$n"]);
}

sub sums_of {
    my ($n, @chunks) = @_;
    return map { my ($kind, $depth, $incl, $own, $name) = @$_;
        [SUB_CALLERS => 1, 5, $depth == 1 ? 'main::RUNTIME' : "NYTProf::span GET /page$n", 1, $incl / $rate, $own / $rate, 0, 0, $name] }
        grep { $_->[0] eq 'SUB_RETURN' } @chunks;
}
my (@calls, @sums);
for my $n (1 .. 5) {
    my @chunks = calls_of($n);
    push @calls, @chunks;
    push @sums, sums_of($n, @chunks);
}
my $profile = spew(scratch_dir() . '/known.out', profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => $rate],
    [ATTRIBUTE => application => 'shop.pl'], [ATTRIBUTE => waits => 1], [ATTRIBUTE => labels => 'sql,sql=DBI::st::execute'], [PID_START => 7, 1, 100],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [SUB_INFO => 1, "main::sub$_", 100 + $_, 100 + $_] } 1 .. 12), @calls, @sums, [PID_END => 7, 102]));
my $work = sum(values %line);

sub output {
    my ($program, @arguments) = @_;
    my $got = run(["$bin/$program", @arguments, '--work', $profile]);
    is($got->{status}, 0, "$program @arguments") or diag($got->{err});
    return $got->{out};
}

# Seconds by name, of those that are known, as ticks; the program rounds to so many digits.
sub same {
    my ($name, $known, $said, $digits, $least) = @_;
    my @compared = grep { defined $said->{$_} } sort keys %$known;
    cmp_ok(scalar @compared, '>=', $least // keys %$known, "$name: all are there") or diag(join ' ', sort keys %$said);
    my $error = $digits ? 0.51 * 10**(1 - $digits) : 1e-6;
    is_deeply([grep { abs($said->{$_} * $rate - $known->{$_}) > $error * $known->{$_} } @compared], [], '... with the same work')
        or diag(explain([map { [$_, $said->{$_} * $rate, $known->{$_}] } @compared]));
    return;
}

# The rows of nytp-table: by name, the share is that of the work, with and without --work.
sub rows_of {
    my ($by, $name, $known) = @_;
    my (%rows, %share);
    for my $rows (decode_json(output('nytp-table', "--by=$by", '--format=json')),
        decode_json(run(["$bin/nytp-table", "--by=$by", '--format=json', $profile])->{out})) {
        my $seconds = $by eq 'subs' ? 'self_s' : 'work_s';
        %rows = map { $_->{$name} =~ s/^p\.pl://r => $_->{$seconds} } @$rows;
        %share = map { $_->{$name} =~ s/^p\.pl://r => $_->{percent} } @$rows;
        same("nytp-table --by=$by", $known, \%rows);
        is_deeply([grep { abs($share{$_} - 100 * $known->{$_} / $work) > 0.0006 } sort keys %$known], [], '... and shares of the work');
    }
    return;
}

rows_of(subs => 'sub', \%sub);
rows_of(lines => 'line', \%line);
rows_of(queries => 'query', \%query);
rows_of(requests => 'request', \%request);

# Subs.
for (['nytprofcsv'], ['nytp-tree'], ['nytprofhtml'], ['report\'s stacks'], ['nytp-dot', 3], ['nytp-tree --markdown', 3, 9], ['nytp-table']) {
    my ($program, $digits, $least) = @$_;
    my $said = said_by($program, '--work', $profile);
    same("subs in $program", \%sub, { map { $_ => $said->{subs}{$_}{own} } keys %{ $said->{subs} } }, $digits, $least);
}

# Lines, queries and requests.
sub csv {
    my ($table, $name, $seconds) = @_;
    my ($head, @rows) = map { [split /,/, $_, -1] } split /\r\n/, output('nytprofcsv', "--table=$table", '-o', '-');
    my %at = map { $head->[$_] => $_ } 0 .. $#$head;
    return { map { $_->[$at{$name}] => $_->[$at{$seconds}] } @rows };
}
same('lines in nytprofcsv', \%line, csv('lines', 'line', 'time_s'));
my $labels = csv('labels', 'label', 'label_inclusive_s');
same('queries in nytprofcsv', \%query, $labels);
same('requests in nytprofcsv', \%request, $labels);

my %unit = (s => 1, ms => 1e-3, us => 1e-6);
my %page = map { /^\| [\d,]+ \| ([\d.]+) (s|ms|us) .*\| `(?:p\.pl:)?(.*)` \|$/ ? ($3 => $1 * $unit{$2}) : () } split /\n/, output('nytp-table', '--format=markdown');
same('lines in Markdown', \%line, \%page, 3, 9);
same('requests in Markdown', \%request, \%page, 3);

my %tree = map { my @row = split ' ', $_, 7; defined $row[6] ? ($row[6] => $row[2] / 1000) : () } map { split /\n/, output('nytp-tree', '-q', '--unit=ms', "--labels=$_") } qw(sql span);
same('queries in nytp-tree', \%query, \%tree, 3);
same('requests in nytp-tree', \%request, \%tree, 3);

my %rows = map { /^ *[\d.]+ +([\d.]+) (s|ms|us) .* (GET \S+)$/ ? ($3 => $1 * $unit{$2}) : () } split /\n/, output('nytp-tree', '--rows=0');
same('requests in the tree', \%request, \%rows, 3);
my $report = ReportPage->new(output('nytprofhtml', '-o', '-'));
same('lines in the report', \%line, { map { $_->[0] => $_->[2] / $rate } $report->lines_of($report->file_number('p.pl')) });
my $core = $report->{core};
my %report = map { $core->{labels}{text}[$_] => $core->{labels}{incl}[$_] / $rate } keys @{ $core->{labels}{text} };
same('queries in the report', \%query, \%report);
same('requests in the report', \%request, \%report);

done_testing();
