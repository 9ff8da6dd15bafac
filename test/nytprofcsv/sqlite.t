# The SQL in nytprofcsv's manual: SQLite's results are those of Devel::NYTProf::Data.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes);
use Test::More;

use lib build_dir() . '/perl5';

preloaded();
require Devel::NYTProf::Data;

my $manual = slurp(top_dir() . '/converters/nytprofcsv/nytprofcsv.1');
my ($making, @asking) = map { s/\\e$/\\/mgr } grep { /sqlite3/ } $manual =~ /^\.Bd -literal.*?\n(.*?)^\.Ed/msg;
my @questions = map { /^(sqlite3 .*?")\n/msg } @asking;
my $bin       = build_dir() . '/bin';

sub innermost {
    my ($profile, $file, $line) = @_;
    my ($sub) = sort { $a->last_line - $a->first_line <=> $b->last_line - $b->first_line
        || $a->subname cmp $b->subname }
        grep { $_->fid == $file->fid && $_->kind eq 'perl' && $_->subname !~ /^main::(?:RUNTIME|NULL)$/
            && $_->first_line && $_->first_line <= $line && $line <= $_->last_line }
        $file->subs_defined;
    return $sub ? $sub->subname : '';
}

# All rows that each question chooses from, and the column that it sorts them by.
my %rows_of = (
    'select sub, calls, exclusive_s from subs' => [2,
        sub { map { [$_->subname, $_->calls, $_->excl_time] } values %{ $_[0]->subname_subinfo_map } }],
    'select package, sum(calls), sum(exclusive_s) from subs' => [2, sub {
        my $of = $_[0]->package_subinfo_map(1);
        return map { [s/::$//r, $of->{$_}[0]->calls, $of->{$_}[0]->excl_time] } keys %$of;
    }],
    'select file, line, time_s, sub from line_subs' => [2, sub {
        my ($profile) = @_;
        my @rows;
        for my $file ($profile->all_fileinfos) {
            my $times = $file->line_time_data or next;
            push @rows, map { [$file->filename, $_, $times->[$_][0],
                innermost($profile, $file, $_)] } grep { $times->[$_] } 0 .. $#$times;
        }
        return @rows;
    }],
    'select callee, line, calls.calls, calls.inclusive_s, subs.file' => [3, sub {
        my @rows;
        for my $sub (values %{ $_[0]->subname_subinfo_map }) {
            my @places = grep { exists $_->[2][7]{'main::RUNTIME'} } $sub->caller_places;
            push @rows, map { [$sub->subname, $_->[1], @{ $_->[2] }[0, 1], $sub->fileinfo->filename] } @places;
        }
        return @rows;
    }],
    'select sub, eval_of_file, eval_of_line, calls from sub_files' => [3, sub {
        return map { [$_->subname, scalar($_->fileinfo->outer)->filename, $_->fileinfo->eval_line, $_->calls] }
            grep { $_->fileinfo->is_eval } values %{ $_[0]->subname_subinfo_map };
    }],
);

sub same {
    my ($got, $expected) = @_;
    return $got eq $expected if $expected !~ /^[0-9.e+-]+$/ || $got !~ /^[0-9.e+-]+$/;
    return abs($got - $expected) <= 2e-6 + 1e-6 * abs $expected;
}

sub same_row { my ($got, $row) = @_; return @$got == @$row && !grep { !same($got->[$_], $row->[$_]) } 0 .. $#$row }

# Names that are no UTF-8 are shown as what they are in Latin-1.
sub bytes {
    my ($text) = @_;
    utf8::encode($text) if utf8::is_utf8($text) || !utf8::decode(my $copy = $text);
    return $text;
}

sub ask {
    my ($question, $profile, $dir) = @_;
    my ($start)  = grep { index($question, $_) >= 0 } keys %rows_of;
    my ($limit)  = $question =~ /limit (\d+)/;
    return fail("no rows are known for $question") if !$start;
    my ($by, $rows) = @{ $rows_of{$start} };
    my $got    = run(['sh', '-c', $question], dir => "$dir/nytprof");
    my @got    = map { [split /\|/, $_, -1] } split /\n/, $got->{out};
    my @all    = sort { $b->[$by] <=> $a->[$by] } map { [map { bytes($_) } @$_] } $rows->($profile);
    my @first  = @all[0 .. (@all < $limit ? @all : $limit) - 1];
    is($got->{err}, '', "$start: nothing on stderr");
    cmp_ok(scalar @got, '>', 0, "$start: finds rows");
    is(scalar @got, scalar @first, "$start: as many as there are, up to $limit");
    is_deeply([grep { !same($got[$_][$by], $first[$_][$by]) } 0 .. $#first], [], "$start: sorted");
    my @wrong = grep { my $row = $_; !grep { same_row($row, $_) } @all } @got;
    is_deeply([map { join '|', @$_ } @wrong], [], "$start: as Data has them");
    return;
}

is(scalar @questions, scalar keys %rows_of, 'questions in the manual');
my %arguments = (evals => ['test/scripts/evals.pl'], report => ['/usr/bin/podchecker', '/usr/bin/podchecker']);
for my $name (sort keys %arguments) {
    my $path    = record("sql-$name", $arguments{$name}, calls => 2, slowops => 2, nameevals => 1);
    my $profile = Devel::NYTProf::Data->new({ filename => $path, quiet => 1 });
    my $dir     = scratch_dir();
    symlink $path, "$dir/nytprof.out" or die $!;
    local $ENV{PATH} = "$bin:$ENV{PATH}";
    subtest $name => sub {
        for my $round ('new', 'replaced') {
            my $made = run(['sh', '-ec', $making =~ s/^nytprofcsv$/nytprofcsv --no-merge-evals/mr], dir => $dir);
            is("$made->{status} $made->{out}$made->{err}", '0 ', "a database: $round");
        }
        ask($_, $profile, $dir) for grep { $name eq 'evals' || !/eval_of/ } @questions;
        my $lost = run(['sqlite3', 'profile.db',
            'select count(*) from calls where callee not in (select sub from subs) or caller not in (select sub '
            . 'from subs)',
            'select count(*) from lines where fid not in (select fid from files)',
            'select count(*) from subs where fid not in (select fid from files)',
            "select count(*) from subs where sub in ('main::RUNTIME', 'main::NULL') and kind = 'root' and calls = 0",
            "select count(*) from subs where first_line = '' or fid = ''",
            "select sum(kind in ('xsub', 'built-in') and first_line is null) > 0 from subs"], dir => "$dir/nytprof");
        is($lost->{out}, "0\n0\n0\n2\n0\n1\n", 'every row is found by its key; what is unknown is NULL')
            or diag($lost->{err});
        is(run(['sh', '-ec', $making], dir => $dir)->{status}, 0, 'as the manual has it');
    };
}

# The example of --help.
my ($example) = run(["$bin/nytprofcsv", '--help'])->{out} =~ /^  (nytprofcsv && sqlite3 .*?\n.*)\n/m;
my $dir = scratch_dir();
symlink record('sql-report', $arguments{report}, calls => 2, slowops => 2, nameevals => 1),
    "$dir/nytprof.out" or die $!;
{
    local $ENV{PATH} = "$bin:$ENV{PATH}";
    my $got = run(['sh', '-c', $example], dir => $dir);
    is($got->{out} =~ tr/\n//, 10, 'the example of --help') or diag("$example: $got->{err}");
}

my $samples = spew("$dir/samples.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'sampled_hz', 100],
        [PID_START => 7, 1, 1.5],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'], (map { [TIME_LINE => 100_000, 1, 4] } 1 .. 3),
    [SUB_INFO => 1, 'main::buy', 3, 5],
    [SUB_CALLERS => 1, 9, 'main::RUNTIME', 1, 0.03, 0.03, 0, 0, 'main::buy'], [PID_END => 7, 2.5]));
is(run(["$bin/nytprofcsv", '-o', "$dir/samples", $samples])->{status}, 0, 'a profile of samples');
my $got = run(['sqlite3', ':memory:', ".cd $dir/samples", '.read schema.sql', 'select samples, sub from line_subs',
    "select samples, eval_of_fid is null from sub_files where sub = 'main::buy'"]);
is("$got->{out}$got->{err}", "3|main::buy\n3|1\n", 'has samples in its database');

done_testing();
