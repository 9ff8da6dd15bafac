# nytprofcsv: its tables against Devel::NYTProf::Data; what a spreadsheet and SQLite make of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use Faults qw(can_fault each_fault);
use FuzzSeeds qw(seeds);
use NYTPTest qw(build_dir record run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;

use lib build_dir() . '/perl5';

preloaded();
require Devel::NYTProf::Data;

my $tool = build_dir() . '/bin/nytprofcsv';
my $dir  = scratch_dir();

# A reader that knows RFC 4180 and nothing of the writer: rows as hashes by column.
sub rows {
    my ($text) = @_;
    my (@rows, @row);
    while ($text =~ /\G("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/gc) {
        my ($cell, $end) = ($1, $2);
        push @row, $cell =~ s/^"(.*)"$/$1/sr =~ s/""/"/gr;
        push @rows, [splice @row] if $end ne ',';
    }
    is(pos $text, length $text, 'all of it is CSV');
    my @names = @{ shift @rows };
    is(scalar(grep { @$_ != @names } @rows), 0, 'each row has all columns');
    return map { my %row; @row{@names} = @$_; \%row } @rows;
}

sub table {
    my ($name, @arguments) = @_;
    my $got = run([$tool, '-o', '-', "--table=$name", @arguments]);
    is("$got->{status} $got->{err}", '0 ', "$name: written");
    return rows($got->{out});
}
sub near { my ($got, $expected) = @_; return abs($got - $expected) <= 2e-6 + 1e-6 * abs $expected }

my $profile = record('report', ['/usr/bin/podchecker', '/usr/bin/podchecker'], blocks => 1, slowops => 2);
my $data    = Devel::NYTProf::Data->new({ filename => $profile, quiet => 1 });

subtest 'subs' => sub {
    my %row = map { $_->{sub} => $_ } table('subs', '--no-mergeevals', $profile);
    my $subs = $data->subname_subinfo_map;
    my @wrong = grep {
        my ($got, $is) = ($row{$_}, $subs->{$_});
        !$got || $got->{calls} != $is->calls || !near($got->{inclusive_s}, $is->incl_time)
            || !near($got->{exclusive_s}, $is->excl_time)
            || $got->{max_recursion_depth} != ($is->recur_max_depth // 0)
            || ($got->{first_line} || 0) != ($is->first_line || 0)
    } grep { $subs->{$_}->calls } keys %$subs;
    is_deeply(\@wrong, [], 'numbers and lines');
    is($row{'Pod::Checker::new'}{package}, 'Pod::Checker', 'package');
    is($row{'Pod::Checker::new'}{file}, $subs->{'Pod::Checker::new'}->fileinfo->filename, 'file');
    is_deeply([sort keys %{ { map { $_->{kind} => 1 } values %row } }], [qw(built-in perl root xsub)], 'kinds');
};

subtest 'calls' => sub {
    my @rows = table('calls', '--no-mergeevals', $profile);
    my %calls;
    $calls{ $_->{callee} } += $_->{calls} for @rows;
    my $subs = $data->subname_subinfo_map;
    is_deeply(\%calls, { map { $_ => $subs->{$_}->calls } grep { $subs->{$_}->calls } keys %$subs }, 'of each sub');
};

subtest 'files and lines' => sub {
    my (%sum, %line);
    for my $row (table('lines', '--no-mergeevals', $profile)) {
        $sum{ $row->{file} }[0] += $row->{time_s};
        $sum{ $row->{file} }[1] += $row->{statements};
        $line{ $row->{file} }{ $row->{line} } = $row;
    }
    my @wrong;
    for my $file ($data->all_fileinfos) {
        my $times = $data->{fid_line_time}[$file->fid] or next;
        push @wrong, map { $file->filename
            . ":$_" } grep { my ($is, $got) = ($times->[$_], $line{ $file->filename }{$_});
            $is && !($got && near($got->{time_s}, $is->[0]) && $got->{statements} == $is->[1]) } 0 .. $#$times;
    }
    is_deeply(\@wrong, [], 'lines');
    my @bad = grep { my $sum = $sum{ $_->{file} } // [0, 0];
        !near($_->{time_s}, $sum->[0]) || $_->{statements} != $sum->[1] } table('files', '--no-mergeevals', $profile);
    is_deeply(\@bad, [], 'files are the sums of their lines');
};

subtest 'cells that need quotes' => sub {
    my @names = ('main::a,b', 'main::"q"', "main::line\nbreak", "main::\x{263A}", '=1+1::x');
    my $odd = spew("$dir/odd.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 2, 0, 0, '/a,"b".pl'], [TIME_LINE => 10, 1, 3],
        (map { ([SUB_INFO => 1, $_, 1, 9], [SUB_CALLERS => 1, 3, 'main::RUNTIME', 1, 1e-5, 1e-5, 0, 0, $_]) } @names),
        [PID_END => 7, 2.5]));
    my @rows = table('subs', $odd);
    my @shown = map { my $name = $_; utf8::encode($name); $name =~ s{\n}{\\n}r =~ s/^=/'=/r } @names;
    is_deeply([sort map { $_->{sub} } @rows], [sort @shown, 'main::RUNTIME'], 'come back, and a formula is none');
    is($rows[0]{file}, '/a,"b".pl', 'files, too');
};

subtest 'where they go' => sub {
    is(run([$tool, '-o', "$dir/all", $profile])->{status}, 0, '-o DIR');
    is(join(' ', map { s{.*/}{}r } glob "$dir/all/*"),
        'calls.csv durations.csv files.csv labels.csv lines.csv processes.csv schema.sql spans.csv subs.csv', 'eight tables and their schema');
    is(run([$tool, '-o', "$dir/one.csv", '--table=files', $profile])->{status}, 0, '-o X.csv');
    is(slurp("$dir/one.csv"), slurp("$dir/all/files.csv"), 'one table');
    is(run([$tool, '-o', "$dir/more", '--table=files', $profile])->{status}, 2, '--table and a directory: wrong usage');
    my @paths = record('report-forks', ['test/scripts/forks.pl'], addpid => 1, calls => 2);
    is(run([build_dir() . '/bin/nytprofmerge', '-o', "$dir/merged.out", @paths])->{status}, 0, 'several profiles');
    for my $table (qw(subs calls files lines durations processes)) {
        is_deeply([table($table, @paths)], [table($table, "$dir/merged.out")],
            "$table: as of what nytprofmerge makes of them");
    }
};

subtest 'spans' => sub {
    my ($sleep, $page, $part) = ('main::CORE:sleep', 'NYTProf::span GET /a', 'NYTProf::span part, "x"');
    my $made = spew("$dir/spans.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 100.5],
            [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [SUB_INFO => 1, 'main::f', 1, 9], [SUB_INFO => 1, $page, 0, 0], [SUB_INFO => 1, $part, 0, 0],
            [TIME_LINE => 1000, 1, 1],
            [SUB_RETURN => 4, 300, 300, $sleep], [SUB_RETURN => 3, 400, 100, 'main::f'], [TIME_LINE => 500, 1, 1], [SUB_RETURN => 2, 500, 100, $part],
            [SUB_RETURN => 2, 200, 200, $sleep], [TIME_LINE => 400, 1, 1], [SUB_RETURN => 1, 900, 200, $page], [PID_END => 7, 103],
            [PID_START => 8, 7, 101], [TIME_LINE => 500, 1, 1], [TIME_LINE => 50, 1, 1], [SUB_RETURN => 1, 50, 50, $page], [TIME_LINE => 10, 1, 1],
            [ATTRIBUTE => parts => 1], [SUB_RETURN => 1, 50, 50, $page], [PID_END => 8, 102]));
    my $shown = sub { [map { join ' ', map { s/0+\z//r } @$_{qw(span pid begin_s latency_s work_s waiting_s)} } table('spans', @_)] };
    my @rows  = ('part, "x" 7 101.5 0.5 0.2 0.3', 'GET /a 7 101.5 0.9 0.4 0.5', 'GET /a 8 101.5 0.05 0.05 0.');
    is_deeply($shown->($made), \@rows, 'each as it ends: within another one, of several processes, and none that goes on');
    is_deeply($shown->($made, $made), [@rows, @rows], 'of several profiles');
    my $no_file = run([$tool, '--table=spans', '-o', '-', $made], env => { TMPDIR => "$dir/none" });
    is($no_file->{status}, 1, 'no room for temporary files');
    like($no_file->{err}, qr/temporary file: No such file or directory \(TMPDIR says where it is\)/, '... which is said');
    is(run([$tool, '-o', "$dir/none", $profile], env => { TMPDIR => "$dir/none" })->{status}, 0, '... and without spans none is needed');
    is_deeply($shown->('--slowest=1', $made), [@rows[0, 1]], '--slowest, with what is within it');
};

subtest 'processes' => sub {
    my $sleep = 'main::CORE:sleep';
    my $made  = spew("$dir/processes.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => application => '/x/a.pl'],
            [PID_START => 7, 1, 100.5], [NEW_FID => 1, 0, 0, 2, 0, 0, 'a.pl'], [TIME_LINE => 2000, 1, 1],
            [SUB_RETURN => 1, 1500, 1500, $sleep], [SUB_RETURN => 1, 250, 250, 'main::f'],
            [ATTRIBUTE => process_cpu_s => 0.25], [ATTRIBUTE => wait_for_cpu => 0.125], [PID_END => 7, 103],
            [PID_START => 8, 7, 101], [TIME_LINE => 500, 1, 1], [PID_END => 8, 102]));
    my $shown = sub { [map { join ' ', @$_{qw(program pid parent begin_s end_s time_s work_s waiting_s processor_s
        processor_wait_s ending)} } table('processes', @_)] };
    my $zeros = '000000';
    my @rows  = ("/x/a.pl 7 1 100.500${zeros} 103.000${zeros} 2.000${zeros} 0.500${zeros} 1.500${zeros} "
        . "0.250${zeros} 0.125${zeros} ended",
        "/x/a.pl 8 7 101.000${zeros} 102.000${zeros} 0.500${zeros} 0.500${zeros} 0.000${zeros}   ended");
    is_deeply($shown->($made), \@rows, 'when, how long, of that work and waiting, and how they ended');
    is_deeply($shown->($made, $made), [@rows, @rows], 'of several profiles');
    is_deeply($shown->('--process=8', $made), [$rows[1]], '--process');
    my ($row) = table('processes', '--no-wait', $made);
    is("@$row{qw(time_s work_s waiting_s)}", "0.500${zeros} 0.500${zeros} 0.000${zeros}", '--no-wait');
};

subtest 'files as stock writes them' => sub {
    my $tab = run([$tool, qw(--stock --delim=tab -a -o), "$dir/tab", $profile]);
    is($tab->{status}, 0, '--delim=tab -a');
    like(slurp((glob "$dir/tab/*-line.csv")[0]), qr/^srcline\t[\d.]+\t[\d.e+]+\t[\d.]+\t/m, 'are obeyed');
    spew("$dir/tab/$_", 'mine') for qw(mine.csv mine-1-line.csv my-line.csv);
    my @before = glob "$dir/tab/*";
    is(run(['sh', '-c', 'ulimit -f ' . (valgrind() ? 1 : 0) . '; exec "$@"', 'sh', $tool, '-d', '-o', "$dir/tab", $profile])->{status}, 1,
        '-d, but no room');
    is_deeply([glob "$dir/tab/*"], \@before, 'removes nothing');
    is(run([$tool, '-d', '-o', "$dir/tab", $profile])->{status}, 0, '-d');
    is(join(' ', map { s{.*/}{}r } glob "$dir/tab/*"),
        'calls.csv durations.csv files.csv labels.csv lines.csv mine-1-line.csv mine.csv my-line.csv processes.csv '
        . 'schema.sql spans.csv subs.csv', 'removes older ones, and no others');
    is(run([$tool, '--stock', '-d', '-o', "$dir/tab", $profile])->{status}, 0, '-d --stock');
    ok(!-e "$dir/tab/$_", "$_ is gone") for qw(calls.csv schema.sql);
    spew("$dir/tab/$_", 'mine') for qw(calls.csv schema.sql);
    is(run([$tool, '--stock', '-d', '-o', "$dir/tab", $profile])->{status}, 0,
        '-d where they are not tables of a profile');
    ok(-e "$dir/tab/$_", "$_ stays") for qw(calls.csv schema.sql);
};

subtest 'a tmon.out' => sub {
    my %seeds  = seeds();
    my $tmon   = spew("$dir/tmon.out", $seeds{tmon});
    my $folded = run([build_dir() . '/bin/nytprofcalls', '--calls', $tmon])->{out};
    my %calls;
    $calls{$1} += $2 while $folded =~ /([^;\n]+) (\d+)$/mg;
    is_deeply({ map { $_->{sub} => $_->{calls} } grep { $_->{calls} > 0 } table('subs', $tmon) }, \%calls,
        'has subs and calls');
    is_deeply([table('lines', $tmon)], [], 'and no lines');
};

subtest 'the sum of all own times' => sub {
    my $folded = run([build_dir() . '/bin/nytprofcalls', '--unit=ns', $profile])->{out};
    my %sum = (folded => 0);
    $sum{folded} += $_ for $folded =~ / (\d+)$/mg;
    for my $table (qw(subs calls)) {
        $sum{$table} += $_->{exclusive_s} for table($table, $profile);
        is(sprintf('%.0f', 1e9 * $sum{$table}), $sum{folded}, "in $table is that of nytprofcalls");
    }
};

subtest 'all tables or none' => sub {
    my $here = scratch_dir();
    my $left = sub { join ' ', sort map { s{^\Q$here\E/}{}r } glob "$here/{.[!.]*,*} $here/*/{.[!.]*,*}" };
    my $whole = join ' ', 'd',
        map { "d/$_" } qw(calls.csv durations.csv files.csv labels.csv lines.csv processes.csv schema.sql spans.csv subs.csv);
    mkdir "$here/d" or die $!;
    spew("$here/d/mine.csv", 'mine');
    spew("$here/d/subs.csv", 'old');
    is(run([$tool, '-o', "$here/d/", $profile])->{status}, 0, 'an old directory');
    is($left->(),
        'd d/calls.csv d/durations.csv d/files.csv d/labels.csv d/lines.csv d/mine.csv d/processes.csv d/schema.sql '
        . 'd/spans.csv d/subs.csv',
        'keeps other files');
    is(slurp("$here/d/subs.csv"), slurp("$dir/all/subs.csv"), 'has the new tables');
    is(run([$tool, '-o', "$here/a/b/c", $profile])->{status}, 0, 'directories above a new one are made');
    unlink glob("$here/d/* $here/a/b/c/*");
    rmdir for map { "$here/$_" } qw(a/b/c a/b a d);
    is(run([$tool, '-o', "$here/d", '-'], stdin => '')->{status}, 1, 'nothing to read');
    is($left->(), '', 'makes no directory');
    SKIP: {
        skip 'sanitizers', 1 if !can_fault();
        my $tiny = record('tiny', ['test/scripts/tiny.pl'], calls => 2);
        my @wrong;
        my $count = each_fault('nytprofcsv', [$tool, '-o', "$here/d", $tiny],
            { before => sub { unlink glob "$here/d/*"; rmdir "$here/d" } }, sub {
            my ($fault, $got) = @_;
            my $files = $left->();
            push @wrong, "$fault: exit $got->{status}, and left '$files'"
                if ($got->{status} // 'signal') ne ($files eq $whole ? 0 : 1) || $files !~ /\A(?:|\Q$whole\E)\z/;
            push @wrong, "$fault: said '$got->{err}'" if $got->{status} && $got->{err} !~ /\A(?:nytprofcsv: .+\n)+\z/;
        });
        cmp_ok($count, '>', valgrind() ? 3 : 10, "$count faults");
        is_deeply(\@wrong, [], 'each is reported, or makes no difference');
    }
};

done_testing();
