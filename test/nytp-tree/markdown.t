# nytp-tree --markdown: a page of at most 60 lines, whose numbers are those of nytprofcsv.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env);
use NYTPTest qw(build_dir run scratch_dir spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my ($bin, $scratch) = (build_dir() . '/bin', scratch_dir());

sub page_of {
    my @arguments = @_;
    my $got = run(["$bin/nytp-tree", '--markdown', @arguments]);
    is("$got->{status} $got->{err}", '0 ', 'a page') or return '';
    cmp_ok($got->{out} =~ tr/\n//, '<=', 60, 'of at most 60 lines');
    return $got->{out};
}

# The cells of the rows of the table whose heading ends with that word.
sub rows_of {
    my ($page, $last) = @_;
    my ($table) = $page =~ /^\|[^\n]*\| \Q$last\E \|\n\|[-: |]+\n((?:\|[^\n]*\n)*)/m or return;
    return map { [split / ?(?<!\\)\| ?/, s/^\| //r] } split /\n/, $table;
}

# 15 subs and 15 lines, a sub for the Nth line, which takes N ms in N calls.
my @odd   = ('main::a`b', 'main::c|d', 'main::<b>e', 'main::f\\|g');
my @names = (@odd, map { "main::sub$_" } 5 .. 15);
my $path  = spew("$scratch/many.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000_000],
        [ATTRIBUTE => application => 'my_app.pl'],
    [PID_START => 7, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'],
    (map { my $n = $_; map { [TIME_LINE => 10_000, 1, $n] } 1 .. $n } 1 .. 15),
    (map { ([SUB_INFO => 1, $names[$_ - 1], $_, $_],
        [SUB_CALLERS => 1, 20, 'main::RUNTIME', $_, 0.001 * $_, 0.001 * $_, 0, 0, $names[$_ - 1]]) } 1 .. 15),
        [PID_END => 7, 9]));

subtest 'subs and lines' => sub {
    my $page = page_of($path);
    like($page, qr/^`my_app\.pl`: 120 ms \(100 %\), 120 calls, 120 statements\n\n/, 'the headline says what shares are of');
    my @subs = rows_of($page, 'sub');
    is(scalar @subs, 10, 'ten subs');
    is_deeply($subs[0], ['15', '15.0 ms', '12.5 %', '15.0 ms', '12.5 %', '`main::sub15`'], 'the first takes the most');
    is_deeply([map { $_->[-1] } @subs], [map { "`main::sub$_`" } reverse 6 .. 15], 'in order');
    my @lines = rows_of($page, 'line');
    is(scalar @lines, 10, 'ten lines');
    is_deeply($lines[9], ['6', '6.00 ms', '5.0 %', '`p.pl:6`'], 'with time and share');
};

subtest 'names' => sub {
    my $few = spew("$scratch/odd.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 10_000_000],
            [ATTRIBUTE => application => 'p|`q.pl'], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'p.pl'], (map { [TIME_LINE => 10_000, 1, $_] } 1 .. @odd),
        (map { ([SUB_INFO => 1, $odd[$_ - 1], $_, $_],
            [SUB_CALLERS => 1, 20, 'main::RUNTIME', 1, 0.001, 0.001, 0, 0, $odd[$_ - 1]]) } 1 .. @odd),
            [PID_END => 7, 9]));
    my $page  = page_of($few);
    like($page, qr/^``p\|`q\.pl``: /, 'a bar in the headline has no backslash');
    my %named = map { $_->[-1] => 1 } rows_of($page, 'sub');
    ok($named{$_}, "$_ is code") for '``main::a`b``', '`main::c\\|d`', '`main::<b>e`';
    my $html  = run(['cmark-gfm', '-e', 'table', spew("$scratch/page.md", $page)])->{out};
    my @shown = map { s/&lt;/</gr =~ s/&gt;/>/gr } $html =~ m{<td><code>(main::.*?)</code></td>\n</tr>}g;
    is_deeply([sort @shown], [sort @odd], '... and GitHub shows them as they are');
};

subtest 'requests and findings' => sub {
    spew("$scratch/p.pl", <<'PERL');
use NYTProf::Span;
sub work { my $sum = 0; $sum += $_ for 1 .. 20_000; return $sum }
for my $n (1 .. 12) { my $span = span("GET /page_$n"); work() }
PERL
    my $got = run([$^X, '-I' . build_dir() . '/perl5', '-d:NYTProf', 'p.pl'], dir => $scratch,
        env => { clean_env(), NYTPROF => "file=$scratch/spans.out" });
    is($got->{status}, 0, 'recorded') or diag($got->{err});
    my $page = page_of("$scratch/spans.out");
    my @requests = rows_of($page, 'request or other span');
    is(scalar @requests, 10, 'ten requests');
    is_deeply([grep { $_->[0] ne '1' || $_->[-1] !~ m{^`GET /page_\d+`\z} } @requests], [],
        'with their calls and names');
    like($page, qr/^- main::work is called 12 times, /m, 'what stands out');
    unlike($page, qr/none of its subs is called/, '... a span uses its module');
    my $csv = run(["$bin/nytprofcsv", '--table=subs', '-o', '-', "$scratch/spans.out"])->{out};
    my ($calls) = $csv =~ /^main::work,(?:[^,]*,){6}(\d+),/m;
    is((grep { $_->[-1] eq '`main::work`' } rows_of($page, 'sub'))[0][0], $calls, 'calls are those of nytprofcsv');
    is((run(["$bin/nytp-tree", '--markdown', "--$_", $path]))->{status}, 2, "--$_ is refused")
        for qw(findings table min=1);
    like(run(["$bin/nytp-tree", "--markdown", "--json", $path])->{out}, qr/\A[[{]/, "of two forms the last one counts");
};

subtest 'nothing to show' => sub {
    my $empty = spew("$scratch/none.out",
        profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], [PID_END => 7, 9]));
    like(page_of($empty), qr/^`perl`: 0[. \w]*, 0 calls\n\z/, 'the headline alone');
};

done_testing;
