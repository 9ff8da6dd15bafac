# Filters: each program shows a profile through a filter as it shows the file that nytprofmerge writes through that
# filter.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(profiled);
use IO::Uncompress::Gunzip qw(gunzip);
use NYTPTest qw(build_dir run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();
mkdir "$scratch/$_" for qw(all left);

# Three processes with waiting and labels.
my $got = profiled('ours', ['-e', <<'END'], options => { addpid => 1, labels => 'regex' });
sub leaf { my $x = 0; $x += $_ for 1 .. 50; return $x }
sub pause { select undef, undef, undef, 0.001 }
sub work { leaf() for 1 .. 20; pause(); "abc$_" =~ /b\d/ for 1 .. 10; leaf() }
sub all { work() for 1 .. shift; sleep 0 }
for my $count (2, 4) { next if fork; all($count); exit }
all(1); 1 while wait != -1;
END
is(run(["$bin/nytprofmerge", '-o', "$scratch/all/nytprof.out", @{ $got->{files} }])->{status}, 0,
    'a profile of three processes');
my ($pid) = $got->{files}[-1] =~ /\.(\d+)\z/;

# Files of the same name in two directories, so that names in outputs are the same. A report says what it leaves out.
sub shown {
    my ($directory, @command) = @_;
    my $got = run([@command], dir => "$scratch/$directory");
    is($got->{status}, 0, "@command[0 .. $#command]: is shown") or diag($got->{err});
    gunzip(\$got->{out}, \my $inflated);
    $inflated =~ s/^<p id="filters".*\n//m if $command[0] =~ /html/;
    return $inflated;
}

my @programs = (
    ['nytprofcalls', '--root', '--calls'], ['nytprofcg', '-o', '-'], ['nytp-dot', '--min=0'], ['nytp-tree', '--root'],
    ['nytp-tree', '--json'],
    ['nytp-tree', '--findings'], ['nytp-table'], ['nytp-table', '--by=subs', '--format=csv'], ['nytp-tree', '-T'], ['nytp-dprof', '-o', '-'], ['nytp-speedscope', '--root'],
    ['nytp-speedscope', '--timeline'],
    ['nytp-pprof'], ['nytp-trace', '--json'], ['nytprofcsv', '--table=calls', '-o', '-'],
    ['nytprofcsv', '--table=lines', '-o', '-'],
    ['nytprofhtml', '-o', '-'],
);
@programs = @programs[grep { $_ % 4 == 0 } 0 .. $#programs] if valgrind();
my %all         = map { $_ => shown('all', "$bin/$programs[$_][0]", @{ $programs[$_] }[1 .. $#{ $programs[$_] }]) } 0 .. $#programs;
my @with_labels = grep { "@$_" !~ /lines/ } @programs;
for (["--process=$pid"], ['--no-wait'], ['--work'], ['--no-labels'], ['--range=..60%'], ['--span=main::work'], ['--span=main::work', '--slowest=50%'], ["--process=$pid", '--no-wait', '--no-labels', '--range=1ms..']) {
    my @filters = @$_;
    is(run(["$bin/nytprofmerge", @filters, '-o', "$scratch/left/nytprof.out", "$scratch/all/nytprof.out"])->{status}, 0,
        "nytprofmerge @filters");
    my @changed;
    for my $n (0 .. $#programs) {
        my ($program, @options) = @{ $programs[$n] };
        my ($through, $written) = map { shown(@$_) } ['all', "$bin/$program", @options, @filters], ['left', "$bin/$program", @options];
        ok($through eq $written, "$program @options @filters: the same as of the file");
        push @changed, "@{ $programs[$n] }" if $through ne $all{$n} && "@options" !~ /findings/; # which depend on times
    }
    # What was asleep is measured, so no call goes away.
    my @expected = "@filters" eq '--no-labels' ? @with_labels
        : "@filters" =~ /^--(?:no-wait|work)\z/ ? grep { "@$_" !~ /--calls| -T/ } @programs : @programs;
    is_deeply(\@changed, [grep { !/findings/ } map { "@$_" } @expected], '... and not the same as without');
}

# ---- a process of which a statement is left that took no time ----

mkdir "$scratch/$_" for qw(none none-left);
spew("$scratch/none/nytprof.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
    [PID_START => 7, 1, 1_700_000_000], [TIME_LINE => 100, 1, 1], [PID_END => 7, 1_700_000_001],
    [PID_START => 8, 7, 1_700_000_000.25], [DISCOUNT => ], [TIME_LINE => 0, 1, 2], [ATTRIBUTE => clock => '100 100 0 0'], [TIME_LINE => 50, 1, 3], [PID_END => 8, 1_700_000_001]));
run(["$bin/nytprofmerge", '--range=..0.3', '-o', "$scratch/none-left/nytprof.out", "$scratch/none/nytprof.out"]);
is(shown('none', "$bin/nytp-speedscope", '--root', '--range=..0.3'), shown('none-left', "$bin/nytp-speedscope", '--root'),
    'nytp-speedscope --root: the same of the file');

# ---- a built-in that is named and not called in a range: the report has its subs in the order of their names ----

mkdir "$scratch/$_" for qw(named named-left);
spew("$scratch/named/nytprof.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
    [PID_START => 7, 1, 1_700_000_000], [SUB_INFO => 1, 'main::named', 2, 2], [SUB_ENTRY => 1, 1], [TIME_LINE => 100, 1, 2], [SUB_RETURN => 1, 100, 100, 'main::named'],
    [TIME_LINE => 100, 1, 1], [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'main::CORE:match /x/'], [SUB_ENTRY => 1, 3], [SUB_RETURN => 1, 50, 50, 'main::CORE:match /x/'],
    [TIME_LINE => 100, 1, 3], [PID_END => 7, 1_700_000_001], [SUB_INFO => 1, 'main::RUNTIME', 1, 1], [SUB_INFO => 1, 'main::CORE:match /x/', 0, 0]));
run(["$bin/nytprofmerge", '--range=..0.15', '-o', "$scratch/named-left/nytprof.out", "$scratch/named/nytprof.out"]);
is(shown('named', "$bin/nytprofhtml", '-o', '-', '--range=..0.15'), shown('named-left', "$bin/nytprofhtml", '-o', '-'),
    'nytprofhtml: the same of the file');

# ---- a process that is not there ----

for (@programs) {
    my ($program, @options) = @$_;
    my $got = run(["$bin/$program", @options, '--process=1', "$scratch/all/nytprof.out"]);
    is("$got->{status} $got->{out}", '1 ', "$program @options --process=1 fails");
    like($got->{err}, qr/^(?:$program|nytp-table): there is nothing to write: \S+ has no process 1, but (?:\d+, ){2}\d+$/,
        '... and it says which there are');
}

done_testing();
