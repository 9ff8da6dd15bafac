# nytprofmerge: what it accepts, refuses and leaves on disk.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(stock_program);
use Exports qw(trace_calls);
use JSON::PP qw(decode_json);
use MergedData qw(data_of differing);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes simple_profile);
use RandomProfile qw(random_profile);
use Test::More;
use Time::HiRes qw(sleep time);

my $ours    = build_dir() . '/bin/nytprofmerge';
my $calls   = build_dir() . '/bin/nytprofcalls';
my $scratch = scratch_dir();

my $one = spew("$scratch/one.out", random_profile(1));
my $two = spew("$scratch/two.out", random_profile(2, compress => 1));

sub merge { return run([$ours, '-o', "$scratch/merged", @_]) }

# What is in the directory, hidden files too.
sub left {
    opendir my $dir, $scratch or die $!;
    return join ' ', sort grep { !/^\.\.?$/ } readdir $dir;
}

# Refused, with these words, and before anything is written.
sub is_refused {
    my ($name, $expected, $status, @arguments) = @_;
    my $kept = spew("$scratch/merged", 'as it was');
    my $before = left();
    my $got    = run([$ours, '-o', $kept, @arguments], dir => $scratch);
    is($got->{status}, $status, "$name: exit $status");
    like($got->{err}, qr/\Anytprofmerge: .*$expected/, "$name: said so");
    is(slurp($kept) . left(), "as it was$before", "$name: nothing was written");
    unlink $kept;
    return;
}

subtest 'refused' => sub {
    is_refused('twice', 'one\.out is given twice', 1, $one, $two, $one);
    link $one, "$scratch/link.out" or die $!;
    is_refused('by another name', 'link\.out and \S*one\.out are the same file', 1, $one, "$scratch/link.out");
    is_refused('the output', 'merged is the input and the output; name another output with -o', 1, $one,
        "$scratch/merged");
    is_refused('missing', 'none\.out: cannot open: No such file or directory', 1, $one, "$scratch/none.out");
    is_refused('a directory', 'Is a directory', 1, $one, $scratch);
    is_refused('no profile', 'not a Perl profile', 1, $one, spew("$scratch/no.out", "#!/bin/sh\n"));
    is_refused('no file', 'no profile is given', 2);
    is_refused('bad level', '--compress=10: expected a whole number from 0 to 9', 2, '--compress=10', $one);
    is_refused('bad jobs', '--jobs=0: expected a whole number from 1 to 64', 2, '--jobs=0', $one);
    is_refused('missing list', 'none: cannot read the list: No such file', 1, '--from-file=none');
    is_refused('empty list', 'no profile is given', 2, '--from-file=' . spew("$scratch/list", ''));
    is_refused('the list', 'standard input is the list, and cannot be a profile', 1, '--from-file=-', $one, '-');
    is_refused('damaged', 'offset \d+: ', 1, $one, spew("$scratch/bad.out", profile_bytes([VERSION => 5, 0],
        [PID_START => 1, 1, 1]) . "\xEE"));
    is_refused('a file without a name', 'a TIME_LINE chunk of fid 9, which was not named', 1,
        spew("$scratch/bad.out", profile_bytes([VERSION => 5, 0], [PID_START => 1, 1, 1], [TIME_LINE => 1, 9, 1])));
    is_refused('a file with two names', 'a NEW_FID chunk of fid 1, which had another name', 1,
        spew("$scratch/bad.out",
            profile_bytes([VERSION => 5, 0], [PID_START => 1, 1, 1], map { [NEW_FID => 1, 0, 0, 2, 0, 0, $_] } '/a.pl',
                '/b.pl')));
};

# An eval is of one input alone.
subtest 'an eval with two names has the last' => sub {
    my $twice = spew("$scratch/twice.out",
        profile_bytes([VERSION => 5, 0], [PID_START => 1, 1, 1], [NEW_FID => 1, 0, 0, 2, 0, 0, '/a.pl'],
        (map { [NEW_FID => 2, 1, 3, 0x102, 0, 0, "(eval $_)[/a.pl:3]"] } 1, 2), [TIME_LINE => 5, 2, 1],
        [PID_END => 1, 2]));
    is(merge($twice)->{err}, '', 'nothing to say');
    my $cg = run([build_dir() . '/bin/nytprofcg', '-o', '-', "$scratch/merged"])->{out};
    is($cg, run([build_dir() . '/bin/nytprofcg', '-o', '-', $twice])->{out}, 'nytprofcg makes the same of both');
    like(run([build_dir() . '/bin/nytprofcg', '--no-merge-evals', '-o', '-', "$scratch/merged"])->{out}, qr/eval-2/,
        'the last');
};

subtest 'inputs' => sub {
    is(merge($one, $two)->{err}, '', 'nothing to say');
    my $merged = slurp("$scratch/merged");
    my $got = run([$ours, '-o', '-', '-', $two], stdin => slurp($one));
    is($got->{status}, 0, 'standard input and output');
    ok($got->{out} eq $merged, 'the same bytes');
    for my $separator ("\n", "\0") {
        spew("$scratch/list", join '', map { "$_$separator" } $one, $two);
        run([$ours, '-o', "$scratch/listed", "--from-file=$scratch/list"]);
        ok(slurp("$scratch/listed") eq $merged, 'from a list with ' . ($separator eq "\n" ? 'newlines' : 'NULs'));
    }
    $got = run(['bash', '-c', "$ours -o $scratch/piped <(cat $one) <(cat $two)"]);
    is("$got->{status}$got->{err}", '0', 'pipes');
    ok(slurp("$scratch/piped") eq $merged, 'the same bytes');
    $got = run(['bash', '-c', "timeout 10 $ours -o $scratch/endless - < <(yes)"]);
    is($got->{status}, 1, 'a file that is not a profile is not read to its end');
    like($got->{err}, qr/standard input: offset 0: not a Perl profile/, '... and it says so');
    $got = run([$ours, $one], dir => $scratch);
    ok(-s "$scratch/nytprof-merged.out", 'the default name');
};

subtest 'options' => sub {
    my $path = record('calls-twice', ['test/scripts/calls.pl'], calls => 2);
    merge($path);
    my $data = data_of("$scratch/merged");
    for my $how (['--compress=0'], ['--compress=1'], ['--compress=9'], ['--jobs=1'], ['--jobs=7']) {
        is(merge(@$how, $path)->{status}, 0, "@$how");
        is(join("\n", differing($data, data_of("$scratch/merged"))), '', '... the same data');
    }
    like(slurp("$scratch/merged"), qr/^# Compressed \d+ bytes to \d+, ratio [\d.]+:1/m, 'a comment for people');
    merge('--no-calls', $path);
    my %without = map { /^(return|entry)/ ? () : ($_ => $data->{$_}) } keys %$data;
    cmp_ok(keys %without, '<', keys %$data, 'there are calls to leave out');
    $without{'option calls'} = [0];
    is(join("\n", differing(\%without, data_of("$scratch/merged"))), '', '--no-calls leaves out the calls alone');
    merge('--no-src', $path);
    %without = map { /^source/ ? () : ($_ => $data->{$_}) } keys %$data;
    cmp_ok(keys %without, '<', keys %$data, 'there is source to leave out');
    is(join("\n", differing(\%without, data_of("$scratch/merged"))), '', '--no-src leaves out the source alone');
    like(merge('-v', $one, $two)->{err}, qr/\Anytprofmerge: 2 profiles: 2 processes, \d+ files, \d+ call arcs\n\z/,
        '-v');
    for my $spelling (qw(--ou --out -out --outp)) {    # stock's name for --output is --out
        is(run([$ours, $spelling, "$scratch/$spelling", $one])->{status}, 0, $spelling);
        ok(-s "$scratch/$spelling", '... is --output');
        unlink "$scratch/$spelling";
    }
};

# ---- settings ----

sub with_settings {
    my ($name, $pid, @settings) = @_;
    return spew("$scratch/$name", profile_bytes([VERSION => 5, 0], @settings, [PID_START => $pid, 1, 5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 10, 1, 1],
        [SUB_RETURN => 1, 10, 10, 'main::f'], [PID_END => $pid, 6],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.5, 0.25, 0, 0, 'main::f'],
        [ATTRIBUTE => cumulative_overhead_ticks => 10]));
}

subtest 'settings' => sub {
    my @paths = (
        with_settings('a', 1, [ATTRIBUTE => application => 'x'], [ATTRIBUTE => basetime => 7],
            [ATTRIBUTE => perl_version => '5.36.0'], [OPTION => calls => 1], [OPTION => forkdepth => -1]),
        with_settings('b', 2, [ATTRIBUTE => application => 'y'], [ATTRIBUTE => basetime => 5],
            [ATTRIBUTE => perl_version => '5.38.0'], [OPTION => calls => 2], [OPTION => forkdepth => 1]),
        with_settings('c', 3, [ATTRIBUTE => application => 'x'], [ATTRIBUTE => basetime => 9],
            [ATTRIBUTE => perl_version => '5.40.0'], [OPTION => calls => 2], [OPTION => new => 3]),
    );
    my $got = merge(@paths);
    is(() = $got->{err} =~ /^nytprofmerge: warning: /mg, 2, 'two warnings, one for each setting');
    like($got->{err}, qr/\/b: attribute perl_version is 5\.38\.0 there and was 5\.36\.0 before/, 'of an attribute');
    like($got->{err}, qr/\/b: option calls is 2 there and was 1 before/, 'of an option');
    my $data = data_of("$scratch/merged");
    is("@{ $data->{\"attribute $_->[0]\"} }", $_->[1], $_->[0])
        for ['application', 'x (2 processes) and y'], ['basetime', 5], ['cumulative_overhead_ticks', 30],
        ['perl_version', '5.36.0'];
    is("@{ $data->{\"option $_->[0]\"} }", $_->[1], $_->[0]) for ['calls', 1], ['new', 3];
    is(join(' ', grep { /process/ } sort keys %$data),
        join(' ', map({ "end of process $_" } 0 .. 2), map { "process $_" } 0 .. 2),
        'every process');
};

# Readers keep the last value of an attribute, and stock's may lose the beginning of a line that is not in the header.
subtest 'lists of directories' => sub {
    my $lists = sub {
        my ($name, @lists) = @_;
        my $n = 0;
        my $got = merge(map { with_settings($name . ++$n, $n, [ATTRIBUTE => privlib => '/core'],
            [ATTRIBUTE => inc => $_]) } @lists);
        is($got->{err}, '', "$name: no warning");
        my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
        my ($header) = $chunks =~ /\A(.*?)^START_DEFLATE/ms;
        return [map { [$_ =~ /^ATTRIBUTE\t'inc\t'(.*)$/mg] } $header, $chunks],
            [$chunks =~ /^ATTRIBUTE\t'privlib\t'(.*)$/mg];
    };
    my ($inc, $privlib) = $lists->('alike', ('/app/lib:/core') x 3);
    is_deeply([$inc, $privlib], [[(['/app/lib:/core']) x 2], ['/core']], 'once, in the header');
    my $union = '/app/lib:/core:/b\\:/core:/c';
    ($inc) = $lists->('different', '/app/lib:/core', '/b\\:/core:/app/lib', '/core:/c:');
    is_deeply($inc, [['/app/lib:/core'], ['/app/lib:/core', $union]], 'the first one, and all at the end');
    run([build_dir() . '/bin/nytprofmerge', '-o', "$scratch/again", "$scratch/merged"]);
    is_deeply(data_of("$scratch/again")->{'attribute inc'}, [$union], 'also of what was merged before');
};

# Unknown attributes may differ: each change is reported once, but not what every profile repeats.
subtest 'other attributes' => sub {
    my $n = 0;
    merge(map { with_settings('colour' . ++$n, $n, map { [ATTRIBUTE => colour => $_] } @$_) } ['red', 'green'],
        ['green'], ['blue'],
        ['blue', 'red']);
    my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
    is(join(' ', $chunks =~ /^ATTRIBUTE\t'colour\t'(\w+)$/mg), 'red green blue red', 'in their order');
};

subtest 'collectors' => sub {
    my $names = sub {
        my $n = 0;
        my $got = merge(map { with_settings('collector' . ++$n, $n,
            defined ? [ATTRIBUTE => collector => $_] : ()) } @_);
        is($got->{err}, '', 'no warning');
        my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out} =~ s/%20/ /gr;
        my ($header) = $chunks =~ /\A(.*?)^START_DEFLATE/ms;
        return join ' | ', map { $_ =~ /^ATTRIBUTE\t'collector\t'(.*)$/mg } $chunks, 'header', $header;
    };
    is($names->('one 1', 'one 1', undef), 'one 1 | one 1', 'alike: once, in the header');
    is($names->('one 1', 'two 2', 'one 1'), 'one 1 | one 1, two 2 | one 1', 'different: all of them at the end');
    is($names->('one 1, two 2', 'three 3', 'two 2'), 'one 1, two 2 | one 1, two 2, three 3 | one 1, two 2',
        'one of them was merged before');
    is($names->(undef, undef), '', 'none');
};

subtest 'ticks' => sub {
    my @paths = (with_settings('slow', 1, [ATTRIBUTE => ticks_per_sec => 1000]),
        with_settings('fast', 2, [ATTRIBUTE => ticks_per_sec => 1_000_000]));
    is(merge(@paths)->{err}, '', 'no warning');
    my $data = data_of("$scratch/merged");
    is("@{ $data->{'attribute ticks_per_sec'} }", 1_000_000, 'the larger');
    is("@{ $data->{'TIME_LINE 1 1'} }", '2 0 10010', 'statements');
    is("@{ $data->{'return 1 main::f'} }", '2 10010 10010', 'calls');
    is("@{ $data->{'arc 1:1 main::RUNTIME -> main::f'} }", '2 1 0.5 0 0', 'arcs');
    is("@{ $data->{'attribute cumulative_overhead_ticks'} }", 10010, 'overhead');
    spew("$scratch/long", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000], [PID_START => 1, 1, 5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 5_000_000, 1, 2], [DISCOUNT => ],
        [TIME_LINE => 3_000_000, 1, 2], [PID_END => 1, 6]));
    merge("$scratch/long", $paths[1]);
    my $line = data_of("$scratch/merged")->{'TIME_LINE 1 2'};
    is("$line->[0] $line->[2]", '1 8000000000', 'more than one chunk can hold is still one statement');
};

subtest 'marks' => sub {
    my %marks = (
        clock => '10 2 1.5 3 9', request => '7', memory_at => '10 2048 5', eval_begin => '1 2 4', eval_end => '1 10 1',
        coroutine => '2', parts => '1', state => '1 2 3', trace_context => '1 a b', memory => '10 code',
        wait_for_cpu => '0.500', process_cpu_s => '0.250', process_cut => '1', left => '-4',
    );
    my $with_marks = sub {
        my ($name, $ticks_per_sec, @more) = @_;
        return spew("$scratch/$name", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => $ticks_per_sec],
            [PID_START => 1, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, "/$name.pl"],
            [NEW_FID => 2, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 10, 2, 1], @more, [PID_END => 1, 6]));
    };
    my @all  = map { [ATTRIBUTE => $_ => $marks{$_}] } sort keys %marks;
    my @paths = ($with_marks->('fast', 1_000_000), $with_marks->('slow', 400_000, @all, [ATTRIBUTE => request => '7 5 10']));
    my $merged = sub {
        merge(@_);
        my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
        return { map { s/%20/ /gr } $chunks =~ /^ATTRIBUTE\t'(\w+)\t'(.*)$/mg };
    };
    my %expected = (%marks, clock => '25 5 3.75 3 22.5', request => '7 12.5 25', memory_at => '25 2048 5',
        eval_begin => '1 2 4', eval_end => '1 25 1');
    my $got = $merged->(@paths);
    is($got->{$_}, $expected{$_}, "$_: ticks are those of the merged profile") for sort keys %marks;
    $got = $merged->($paths[1]);
    is($got->{$_}, $_ eq 'request' ? '7 5 10' : $marks{$_}, "$_: alone") for sort keys %marks;
    $merged->(@paths[1, 0]);
    is($merged->(@paths[0, 1], $with_marks->('third', 1_000_000, [ATTRIBUTE => eval_begin => '1 1 4']))->{eval_begin}, '1 4 4',
        'an eval has the fid of the merged profile');
    $got = $merged->('--no-calls', @paths);
    ok(!exists $got->{$_}, "--no-calls: no $_") for qw(eval_begin eval_end left);
};

subtest 'values that calls left behind' => sub {
    my $file = sub {
        my ($pid, %kept) = @_;
        my @arcs = map { ((map { [ATTRIBUTE => kept => $_] } $kept{$_} // ()), [SUB_CALLERS => 1, 2, 'main::RUNTIME', 1, 1e-6, 1e-6, 0, 0, "main::$_"]) } qw(f g);
        return spew("$scratch/kept$pid", profile_bytes([VERSION => 5, 0], [PID_START => $pid, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
            (map { [SUB_INFO => 1, "main::$_", 1, 1] } qw(f g)), @arcs, [PID_END => $pid, 6]));
    };
    merge($file->(1, f => '4 5', g => '1 1'), $file->(2, f => '-6 2'));
    my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
    my %kept;
    while ($chunks =~ /^(?:ATTRIBUTE\t'kept\t'(\S*)\n)?SUB_CALLERS\t1\t2\t.*'main::(\w)\t'main::RUNTIME$/mg) { $kept{$2} = $1 }
    is_deeply(\%kept, { f => '-2%207', g => undef }, 'are added up, if all say it');
};

subtest 'a DISCOUNT at the end' => sub {
    my @paths = map {
        spew("$scratch/discounted$_",
            profile_bytes([VERSION => 5, 0], [PID_START => $_, 1, 5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
            [TIME_LINE => 10, 1, 1], [DISCOUNT => ], [TIME_LINE => 10, 1, 2], [DISCOUNT => ], [PID_END => $_, 6]))
    } 1 .. 3;
    my $discounts = sub {
        merge(@_);
        my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
        return () = $chunks =~ /^DISCOUNT/mg;
    };
    is(scalar $discounts->(@paths), 3, 'is of no statement of another process');
    # As stock merges them.
    my @both = map { ([PID_START => $_, 1, 5], [TIME_LINE => 10, 1, 1], [DISCOUNT => ], [PID_END => $_, 6]) } 4, 5;
    splice @both, 1, 0, [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'];
    is(scalar $discounts->(spew("$scratch/both", profile_bytes([VERSION => 5, 0], @both))), 0, 'nor in one file');
};

# ---- not whole ----

subtest 'cut' => sub {
    my $bytes = simple_profile([map { [1, $_, 'main::f'] } 1 .. 20]);
    my $cut   = spew("$scratch/cut.out", substr $bytes, 0, length($bytes) - 60);
    my $got   = merge($cut, $one);
    is($got->{status}, 0, 'merged');
    like($got->{err},
        qr/\Anytprofmerge: warning: \Q$cut\E: 1 process killed or still running; what is there is used\n\z/, 'one warning');
    $got = run([$calls, "$scratch/merged"]);
    is($got->{err},
        "nytprofcalls: warning: $scratch/merged: when it was merged, 1 process had no end (still running, killed, "
        . "or the file was cut)\n",
        'the result is whole, and says what was not');
    like($got->{out}, qr/^main::f \d+$/m, 'and has what was there');
    is_refused('--strict', 'cut short at offset', 1, '--strict', $one, $cut);
    my $salvaged = spew("$scratch/damaged.out", substr($bytes, 0, length($bytes) - 60) . "\xEE" x 100);
    is(merge('--salvage', $salvaged)->{status}, 0, '--salvage');
};

subtest 'processes without an end' => sub {
    my $open = spew("$scratch/open.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [PID_START => 7, 1, 100], [TIME_LINE => 2000, 1, 1],
        [PID_START => 8, 7, 110],
        [PID_START => 7, 8, 120], [TIME_LINE => 500, 1, 1], [PID_END => 8, 130]));
    merge($open);
    my $chunks = run([build_dir() . '/test/dump-chunks', "$scratch/merged"])->{out};
    is(join(' ', $chunks =~ /^PID_END\t(.+)$/mg) =~ s/\t/:/gr, '8:130 7:120.5 7:102.5', 'end after their statements');
};

subtest 'processes that come again' => sub {
    my $copy = spew("$scratch/copy.out", slurp($one));
    like(merge($one, $two, $copy)->{err},
        qr/\Anytprofmerge: warning: \Q$copy\E: process 1 was in an earlier profile, too; was it given twice\?\n\z/,
        'in a copy');
    merge($one, $two);
    rename "$scratch/merged", "$scratch/before.out" or die $!;
    my $got = merge($one, $two, "$scratch/before.out");
    my @warned = $got->{err} =~ /before\.out: process \d was/g;
    is("$got->{status} @warned", '0 before.out: process 1 was', 'in a merged profile: there is one warning');
    is(merge("$scratch/before.out", spew("$scratch/next.out", random_profile(1, pid => 3)))->{err}, '',
        'another one of that time');
    my @threads = map { profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 1000], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
        [PID_START => 7, 1, $_], [TIME_LINE => 5000, 1, 1], [PID_END => 7, $_ + 5]) } 100 .. 101;
    my $threads = spew("$scratch/threads.out", join '', @threads);
    is(merge('--range=2..4', $threads)->{err}, '', 'no threads of a file, which begin at once in a range');
};

subtest 'frames that never return' => sub {
    my @paths = record('open-frames', ['test/scripts/open-frames.pl'], addpid => 1, calls => 2);
    is(merge(@paths)->{status}, 0, 'merged');
    is(run([$calls, "$scratch/merged"])->{out}, run([$calls, @paths])->{out}, 'the same stacks as one by one');
};

# ---- many, and memory ----

subtest 'five thousand' => sub {
    my $small = "$scratch/small";
    mkdir $small;
    spew("$small/$_", random_profile($_ % 50, pid => $_)) for 1 .. 5000;
    spew("$scratch/list", join "\n", map { "$small/$_" } 1 .. 5000);
    my $got = run(['sh', '-c', "ulimit -S -n 256; exec $ours -v -o $scratch/merged --from-file=$scratch/list"]);
    like($got->{err}, qr/\Anytprofmerge: 5000 profiles: 5000 processes, /, 'merged with 256 descriptors');
    is(run([$calls, '-o', "$scratch/folded", "$scratch/merged"])->{status}, 0, 'and read');
};

# ---- how it ends ----

subtest 'disk full' => sub {
    my $got = run(['sh', '-c',
        "ulimit -f 2; trap '' XFSZ; exec $ours --compress=0 -o $scratch/full --from-file=$scratch/list"]);
    is($got->{status}, 1, 'exit 1');
    like($got->{err}, qr/\Anytprofmerge: \Q$scratch\E\/full: cannot write: File too large\n\z/,
        'in the words of the system');
    unlike(left(), qr/full|\.nytp/, 'no file');
    $got = run(['sh', '-c', "$ours -o - $one > /dev/full"]);
    is($got->{status}, 1, 'standard output too');
    like($got->{err}, qr/cannot write.*No space left on device/, 'said so');
};

# A process of a program, of 9 samples in main::f.
sub process_of {
    my ($application, $pid, $start_s) = @_;
    return spew("$scratch/$application-$start_s",
        profile_bytes([VERSION => 5, 0], $application ? [ATTRIBUTE => application => $application] : (),
        [ATTRIBUTE => ticks_per_sec => 10_000_000], [ATTRIBUTE => sampled_hz => 100], [PID_START => $pid, 1, $start_s],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
        [SUB_ENTRY => 1, 1], (map { [TIME_LINE => 100_000, 1, 2] } 1 .. 9),
        [SUB_RETURN => 1, 900_000, 900_000, 'main::f'],
        [ATTRIBUTE => sampled_count => 9], [ATTRIBUTE => sampled_torn => 1], [ATTRIBUTE => sampled_lost_s => '0.125'],
        [PID_END => $pid, $start_s + 1]));
}

subtest 'an earlier run' => sub {
    my $file = process_of('run', 7, 100);
    my @parts = map { my $name = "$file.$_->[0]"; rename(process_of('run', $_->[1], $_->[2]), $name) or die;
        $name } [8, 8, 101], [9, 9, 50], ['10.2', 10, 60], [11, 11, 99.5];
    my $got = merge($file, @parts);
    is($got->{status}, 0, 'is merged nevertheless');
    is($got->{err},
        "nytprofmerge: warning: $parts[1] and 1 more ended before $file began; are they of an earlier run?\n",
        'but said, of those that ended before');
    is(merge($file, $parts[0], $parts[3])->{err}, '', 'not of processes of the same run');
    is(merge(@parts)->{err}, '', 'nor without FILE');
    is(merge($parts[1], $file)->{err},
        "nytprofmerge: warning: $parts[1] ended before $file began; are they of an earlier run?\n", 'in any order');
};

# The same pid: of other machines, or of runs long after one another.
subtest 'each process keeps its program' => sub {
    my @processes = (['a.pl', 7, 1], ['a.pl', 7, 2], ['b.pl', 8, 3], ['', 9, 4], ['a.pl', 7, 5]);
    my @paths     = map { process_of(@$_) } @processes;
    my $first     = spew("$scratch/first", (run([$ours, '-o', '-', @paths[0 .. 2]]))->{out});
    my $bytes     = run([$ours, '--compress=0', '-o', '-', @paths[0, 1]])->{out};
    my $cut       = spew("$scratch/cut", substr $bytes, 0, rindex $bytes, '#=2 a.pl');
    my %expected  = (applications => ['a.pl', 'a.pl', 'b.pl', '', 'a.pl'], title => 'a.pl (3 processes) and b.pl',
        samples => 45);
    for my $case (['at once', \%expected, @paths], ['in a tree', \%expected, $first, @paths[3, 4]],
        ['with a cut one', { %expected, samples => 27 }, $cut, @paths[2 .. 4]]) {
        my ($name, $is, @inputs) = @$case;
        is(merge(@inputs)->{status}, 0, "$name: merged");
        my $json  = run([build_dir() . '/bin/nytp-trace', '--json', "$scratch/merged"])->{out};
        my @names = grep { $_->{name} eq 'process_name' } @{ decode_json($json)->{traceEvents} };
        is_deeply([map { $_->{args}{name} } @names], $is->{applications}, "$name: nytp-trace names them");
        my %pids = map { $_->{pid} => 1 } @names;
        is(keys %pids, @processes, "$name: ... and keeps them apart");
        is(trace_calls($json)->{calls}, @processes, "$name: ... with their calls");
        my $data = data_of("$scratch/merged");
        is("@{ $data->{'attribute application'} }", $is->{title}, "$name: the whole has a list of programs");
        is("@{ $data->{'attribute sampled_count'} }", $is->{samples}, "$name: the numbers of samples are added up");
    }
    merge(@paths);
    for my $stock (['nytprofcsv', '-f', "$scratch/merged", '-o', "$scratch/stock-csv"],
        ['nytprofhtml', '-f', "$scratch/merged", '-o', "$scratch/stock-html", '--no-flame']) {
        my $got = run([stock_program(shift @$stock), @$stock]);
        is($got->{status}, 0, 'stock reads it') or diag($got->{err});
        unlike($got->{err}, qr/malformed|application/, '... without a complaint');
    }
    like(slurp("$scratch/stock-html/index.html"), qr/a\.pl \(3 processes\) and b\.pl/,
        '... and has the list as its title');
};

subtest 'killed' => sub {
    my $rounds = $ENV{EXHAUSTIVE} ? 200 : 12;
    my $start  = sub {
        my $pid = fork // die $!;
        exec $ours, '-o', "$scratch/target", "--from-file=$scratch/list" or die $! if !$pid;
        return $pid;
    };
    my $begin = time;
    waitpid $start->(), 0;
    my $took_s = time - $begin;
    my $whole  = slurp("$scratch/target");
    my ($old, $new) = (0, 0);
    for my $round (1 .. $rounds) {
        spew("$scratch/target", 'old');
        my $pid = $start->();
        sleep 1.2 * $took_s * $round / $rounds;
        kill $round % 3 ? 'KILL' : 'TERM', $pid;
        waitpid $pid, 0;
        my $now = slurp("$scratch/target");
        $now eq 'old' ? $old++ : $now eq $whole ? $new++ : fail("round $round: a part");
    }
    cmp_ok($old, '>', 0, "the old one $old times, the new one $new times");
    unlink glob "$scratch/.nytp* $scratch/.target*";
};

done_testing();
