# nytprofcg with several profiles: those of time are added up, and memory is shown beside time.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints own_by_sub);
use CallgrindFile;
use CollectorRun qw(collector need_collector profiled);
use List::Util qw(sum0);
use MemoryProfile qw(read_memory);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

sub converted {
    my (@arguments) = @_;
    my $got = run(["$bin/nytprofcg", '-o', '-', @arguments]);
    is_deeply([@{$got}{qw(status err)}], [0, ''], 'done');
    return $got->{out};
}

sub fails {
    my ($status, $message, @arguments) = @_;
    my $got = run(["$bin/nytprofcg", '-o', "$scratch/none", @arguments]);
    is($got->{status}, $status, "failed: @arguments");
    like($got->{err}, $message, 'and says why');
    ok(!-e "$scratch/none", 'without output');
    return;
}

my @profiles = (record('evals', ['test/scripts/evals.pl']), record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2));

subtest 'profiles of time are added up' => sub {
    my $merged = "$scratch/merged.out";
    is(run(["$bin/nytprofmerge", '-o', $merged, @profiles])->{status}, 0, 'merged');
    is(converted(@profiles), converted($merged), 'as nytprofmerge does');
    fails(1, qr/^nytprofcg: --sources takes one profile of time/, "--sources=$scratch/sources", @profiles);
    fails(2, qr/^nytprofcg: --parts takes one profile/, '--parts', @profiles);
};

sub columns { my ($file) = @_; return map { $file->{events}[$_] => $_ } 0 .. $#{ $file->{events} } }

# What each sub costs itself, by name.
sub of_subs {
    my ($file, @events) = @_;
    my %column = columns($file);
    my %of;
    for my $name (keys %{ $file->{functions} }) {
        my $function = $file->{functions}{$name};
        my @costs    = map { my $event = $column{$_}; sum0(map { $_->[$event] } values %{ $function->{self} }) } @events;
        $of{$name} = "@costs" if grep { $_ } @costs;
    }
    return \%of;
}

# What calls of a sub cost.
sub calls_to {
    my ($file, $sub, $event) = @_;
    my %column = columns($file);
    return sum0(map { $_->{to} eq $sub ? $_->{costs}[$column{$event}] : () } map { @{ $_->{calls} } } values %{ $file->{functions} });
}

# Each kind of allocation is in a sub of its own; emit() recurs in the stacks of time alone.
my $code = <<'EOT';
our (@kept, $n); sub emit { my ($f, @args) = @_; $f->(@args) } sub on_read { emit(\&on_log) for 1 .. 9; emit(\&keep) }
sub on_log { my $x = 0; $x += $_ for 1 .. 300 } sub keep { push @kept, 'x' x 30_000; evaled() if ++$n % 3 == 0 }
sub evaled { eval 'push @kept, "y" x 20_000; on_log() for 1 .. ' . $n % 5 }
sub direct { my ($n) = @_; push @kept, [1 .. 99]; direct($n - 1) if $n } emit(\&on_read) for 1 .. 60; DB::heap_snapshot("half-way");
emit(\&on_read) for 1 .. 60; emit(\&direct, 20);
EOT

subtest 'memory beside time' => sub {
    need_collector();
    my $dir = profiled(collector(), ['program.pl'], prepare => sub { spew("$_[0]/program.pl", $code) }, options => { heap => 1 },
        env => { NYTPROF_TEST_HEAP => '4096,1' })->{profiles};
    my ($time, $live, $peak) = map { "$dir/$_" } qw(nytprof.out live.out peak.out);
    run([build_dir() . '/bin/nytprofmerge', "--memory=$_", '-o', "$dir/$_.out", $time]) for qw(live peak);
    my $both = converted($time, $live);
    is(converted('--memory=live', $time), $both, 'of one file, too');
    is(join("\n", callgrind_complaints($both, $time)), '', 'invariants hold');
    is(converted($live, $time), $both, 'in any order');
    my @files = map { CallgrindFile->parse($_) } $both, converted($time), converted($live);
    my @memory = qw(Bytes Blocks StmtBytes);
    is_deeply([ @{ $files[0]{events} }[-3 .. -1] ], \@memory, 'with events of both');
    is_deeply(of_subs($files[0], 'Time', 'Stmts'), of_subs($files[1], 'Time', 'Stmts'), 'subs take as long');
    is_deeply(of_subs($files[0], @memory), of_subs($files[2], @memory), 'and as much memory');
    my %blocks = own_by_sub($files[0], $#{ $files[0]{events} } - 1);
    my %own    = map { $_ => 0 } keys %blocks;
    $own{ ($_->{stack}[-1] // 'main::RUNTIME') =~ s/\((?:re_)?eval \K\d+/0/gr } += $_->{blocks} for @{ read_memory($live)->{sites} };
    is_deeply(\%blocks, \%own, 'each sub has its own blocks, also if it is on a line with others');
    my $calls = $files[0]{functions}{'main::emit (to main::keep)'}{calls};
    is_deeply([map { $_->{to} } @$calls], ['main::keep'], 'a sub that recurs is split in both');
    is(calls_to($files[0], 'main::keep', 'Bytes'), calls_to($files[2], 'main::keep', 'Bytes'), 'callers include memory');
    my $path = spew("$scratch/both.callgrind", $both);
    my $got  = run(['callgrind_annotate', '--inclusive=yes', '--tree=both', $path]);
    is($got->{err}, '', 'callgrind_annotate reads it');
    my $several = converted('--memory=live,peak,at=half-way', $time);
    is(join("\n", callgrind_complaints($several, $time)), '', 'several views: invariants hold');
    is(converted('--memory=live,peak', $time), converted($time, $live, $peak), 'of several files, too');
    my $views = CallgrindFile->parse($several);
    my @names = map { my $view = $_; map { "$view$_" } @memory } qw(Live Peak At_half_way);
    is_deeply([ @{ $views->{events} }[-9 .. -1] ], \@names, 'each has events of its own');
    like($several, qr/^event: PeakStmtBytes : Bytes in statements, peak \(B\)\nevent: At_half_wayBytes : Bytes in subs, at half-way \(B\)$/m,
        'with long names');
    for my $view (qw(live peak at=half-way)) {
        my $alone = CallgrindFile->parse(converted("--memory=$view", $time));
        my @own   = splice @names, 0, 3;
        is_deeply(of_subs($views, @own), of_subs($alone, @memory), "$view: subs have what they have in it alone");
        is_deeply([map { calls_to($views, 'main::keep', $_) } @own], [map { calls_to($alone, 'main::keep', $_) } @memory], 'callers, too');
    }
    is(run(['callgrind_annotate', '--inclusive=yes', '--tree=both', spew("$scratch/views.callgrind", $several)])->{err}, '',
        'callgrind_annotate reads them');
    fails(2, qr/--memory=live,live: expected each view once$/m, '--memory=live,live', $time);
    fails(2, qr/--memory=live,all: expected live, peak, /, '--memory=live,all', $time);
    fails(1, qr/^nytprofcg: --memory beside time reads a file more than once/, '--memory=live', '-');
    fails(1, qr/^nytprofcg: a file can have 5 views of memory$/m, '--memory=live,peak,alloc,temporary,at=1us,at=2us', $time);
    like(run(["$bin/nytp-tree", '--memory=live,alloc', $time])->{err},
        qr/--memory=live,alloc: expected one view; nytprofcg shows several$/m, 'other programs take one view');
};

# What subs keep, and what is free, is of no call.
subtest 'values in arenas' => sub {
    my $code = 'our @kept; sub leak { push @kept, { id => 1, n => [1, 2] }; return } sub take { leak() for 1 .. 9 } sub burst { my @t = map { [$_] } 1 .. 60_000; undef @t } '
        . 'burst(); take() for 1 .. 500;';
    my $time = profiled(collector(), ['-e', $code], options => { heap => 1 }, env => { NYTPROF_TEST_HEAP => '1,1' })->{files}[0];
    my $both = converted('--memory=live', $time);
    is(join("\n", callgrind_complaints($both, $time)), '', 'invariants hold');
    my $file = CallgrindFile->parse($both);
    my %of   = %{ of_subs($file, 'Bytes') };
    cmp_ok($of{'main::leak'}, '>', 1e6, 'a sub has what it keeps');
    is(calls_to($file, 'main::leak', 'Bytes'), $of{'main::leak'}, 'so have its callers');
    is_deeply([sort grep { grep { $_->{to} eq 'main::leak' } @{ $file->{functions}{$_}{calls} } } keys %{ $file->{functions} }], ['main::take'], 'of which there is one');
    cmp_ok($of{'main::(free in arenas)'}, '>', 1e5, 'and what is free is there');
};

done_testing();
