# nytprofcg --parts: each process of a merged profile is a callgrind file, with what --process leaves of it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindFile;
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();
my @forks   = ('test/scripts/forks.pl');

sub merged {
    my ($name, %nytprof) = @_;
    my @of_processes = record("parts-$name", \@forks, addpid => 1, %nytprof);
    my $got          = run(["$bin/nytprofmerge", '-o', "$scratch/$name.out", @of_processes]);
    is($got->{status}, 0, "$name: merged");
    return ("$scratch/$name.out", scalar @of_processes);
}

sub names { my ($front) = @_; return map { s{.*/}{}r } sort glob "$scratch/$front*" }

# All lines but those that differ by design.
sub body { return join "\n", grep { !/^(?:pid|cmd|part|desc: (?:Trigger|Processes)):/ } split /\n/, $_[0] }

sub statements {
    my ($file) = @_;
    my %sums;
    @sums{ @{ $file->{events} } } = @{ $file->{totals} };
    return $sums{Stmts};
}

my ($profile, $count) = merged('calls');
my $output  = "$scratch/all.cg";
my @outputs = ($output, map { "$output.$_" } 2 .. $count);
my $creator = "# callgrind format\nversion: 1\ncreator: nytprofcg 0\n";
spew("$output.$_", $creator) for 2, $count + 1, 99;
spew("$output.98", "somebody else's\n");
spew("$output.old.3", $creator);
my $got = run(["$bin/nytprofcg", '--parts', '-o', $output, $profile]);
is_deeply([@{$got}{qw(status err out)}], [0, '', ''], 'done');
is_deeply([names('all.cg')], [sort map { s{.*/}{}r } @outputs, "$output.98", "$output.old.3"],
    'a file for each process, and those of an earlier run are gone');
is_deeply([glob "$scratch/.nytp*"], [], 'nothing else is left');

my ($total, %pids) = (0);
for my $number (1 .. $count) {
    my $text = slurp($outputs[$number - 1]);
    my $file = CallgrindFile->parse($text);
    is_deeply($file->{complaints}, [], "part $number is a callgrind file");
    my ($pid) = $text =~ /^pid: (\d+)$/m;
    $pids{$pid}++;
    like($text, qr/^pid: $pid\ncmd: .*\npart: $number\ndesc: Trigger: End of process $pid\n/m, 'it says which');
    my $process = run(["$bin/nytprofcg", "--process=$pid", '-o', '-', $profile]);
    is(body($text), body($process->{out}), "and is what --process=$pid leaves");
    $total += statements($file);
}
is(scalar keys %pids, $count, 'each process is one of them');
my $whole = CallgrindFile->parse(run(["$bin/nytprofcg", '-o', '-', $profile])->{out});
is($total, statements($whole), 'together they have all statements');

$got = run(["$bin/nytprofcg", '--parts', '-o', "$scratch/pipe.cg", '-'], stdin => slurp($profile));
is_deeply([map { slurp("$scratch/$_") } names('pipe.cg')], [map { slurp($_) } @outputs], 'a pipe has the same parts')
    or diag($got->{err});

$got = run(["$bin/nytprofcg", '-o', $output, $profile]);
is_deeply([names('all.cg')], [qw(all.cg all.cg.98 all.cg.old.3)], 'one file takes the place of all');

my ($sums) = merged('sums', calls => 0);
$got = run(["$bin/nytprofcg", '--parts', '-o', "$scratch/sums.cg", $sums]);
like($got->{err}, qr/\Anytprofcg: .* was recorded with calls=0, so .*\n\z/, 'calls=0: a message');
is(slurp("$scratch/sums.cg"), run(["$bin/nytprofcg", '-o', '-', $sums])->{out}, 'and one file');
is_deeply([names('sums.cg')], ['sums.cg'], 'alone');

$got = run(["$bin/nytprofcg", '--parts', '-o', "$scratch/cut.cg", spew("$scratch/cut.out", substr(slurp($profile), 0, (-s $profile) / 2))]);
is($got->{status}, 0, 'a profile that was cut');
like($got->{err}, qr/\A(?:nytprofcg: warning: .*cut\.out: .*\n)+\z/, 'is named');

# Process 7 has two threads beside its first one, and runs another program then.
my @began = ([7, 1, 5, 'a.pl'], [7, 2, 3, 'a.pl'], [8, 2, 4, 'b.pl'], [7, 4, 6, 'a.pl'], [7, 8, 9, 'c.pl']);
my @threads = map {
    my ($pid, $begin, $end, $program) = @$_;
    spew("$scratch/$pid.$begin.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => application => $program], [ATTRIBUTE => ticks_per_sec => 1000],
        [PID_START => $pid, 1, $begin], [NEW_FID => 1, 0, 0, 0, 0, 0, $program], [TIME_LINE => 9, 1, 1], [PID_END => $pid, $end]));
} @began;
is(run(["$bin/nytprofmerge", '-o', "$scratch/threads.out", @threads])->{status}, 0, 'threads: merged');
is(run(["$bin/nytprofcg", '--parts', '-o', "$scratch/threads.cg", "$scratch/threads.out"])->{status}, 0, 'done');
is_deeply([map { join ' ', slurp("$scratch/threads.cg$_") =~ /^(?:pid|cmd|thread): (.*)$/mg } '', '.2', '.3', '.4', '.5'],
    ['7 a.pl 1', '7 a.pl 2', '8 b.pl', '7 a.pl 3', '7 c.pl'], 'each is of a thread, if there are several, and of its own program');

for my $with (['-o', '-'], ["--sources=$scratch/sources"]) {
    $got = run(["$bin/nytprofcg", '--parts', @$with, $profile]);
    is($got->{status}, 2, "not with @$with");
    like($got->{err}, qr/^nytprofcg: --parts writes several files/, 'which it says');
}

done_testing();
