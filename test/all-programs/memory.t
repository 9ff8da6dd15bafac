# Profiles of memory (heap=): the programs that show them show the same bytes and blocks; the others refuse them in one
# sentence; and profiles that do not go together are refused before anything is written.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CallgrindCheck qw(callgrind_complaints);
use Collapsed qw(parsed stock_program);
use CollectorRun qw(collector need_collector optional_module profiled tool);
use Exports qw(speedscope_profiles);
use JSON::PP qw(decode_json);
use List::Util qw(max sum0);
use MadeMemory qw(made_memory);
use MemoryProfile qw(bytes_in blocks_of bytes_of bytes_of_kind read_memory);
use NYTPTest qw(build_dir run sanitized scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;
use Written qw(written);

need_collector();
plan skip_all => 'sanitizers and memcheck have a malloc() of their own' if sanitized() || valgrind();

my $scratch = scratch_dir();

sub recorded {
    my ($code, $rate) = @_;
    my $got = profiled(collector(), ['program.pl'], prepare => sub { spew("$_[0]/program.pl", $code) },
        options => { heap => $rate },
        env => { NYTPROF_TEST_HEAP => "$rate,1" });
    is $got->{status}, 0, 'recorded' or diag $got->{err};
    for my $view (qw(live peak alloc)) {
        my $written = run([tool('nytprofmerge'), "--memory=$view", '-o', "$got->{profiles}/$view.nytprof.out", "$got->{profiles}/nytprof.out"]);
        is $written->{status}, 0, "the view $view, as a file" or diag $written->{err};
    }
    return $got->{profiles};
}

my $CODE = <<'END';
our (@kept, %cache);
sub leak  { my ($n) = @_; push @kept, 'l' x (100 + $n % 9); return }
sub cache { my ($n) = @_; $cache{$n} = { n => $n }; leak($n); return }
sub twice { my ($n) = @_; return $n > 1 ? twice($n - 1) : leak($n) }
sub temporary { my $text = join ',', 1 .. 100_000; undef $text; return }
cache($_) for 1 .. 5_000;
twice(3) for 1 .. 3_000;
temporary();
END
my $dir  = recorded($CODE, 4096);
my %file = (time => "$dir/nytprof.out", map { $_ => "$dir/$_.nytprof.out" } qw(live peak alloc));

sub near { my ($got, $want, $far, $name) = @_; return ok(abs($got - $want) <= $far, sprintf '%s: %.0f, %.0f is true', $name, $got, $want) }

sub fails {
    my ($name, $message, $program, @arguments) = @_;
    my $got = run([tool($program), @arguments]);
    is $got->{status}, 1, "$name: fails";
    is $got->{out}, '', "$name: writes nothing";
    like $got->{err}, $message, "$name: says why";
    is $got->{err} =~ tr/\n//, 1, "$name: in one sentence" or diag $got->{err};
    return;
}

# ---- numbers ---------------------------------------------------------------------------------------

# The bytes of subs by name: JSON has the tree.
sub summed {
    my ($nodes, $key, $sums) = @_;
    for my $node (@$nodes) {
        $sums->{ $node->{name} } += $node->{$key};
        summed($node->{children}, $key, $sums);
    }
    return $sums;
}

# Runs go tool pprof; returns { types => [names], values => { stack => [values] }, kinds => { kind => value of the first
# type } }.
sub by_pprof {
    my (@files) = @_;
    spew("$scratch/memory.pb.gz", written('nytp-pprof', @files));
    my $raw = run(['go', 'tool', 'pprof', '-raw', "$scratch/memory.pb.gz"], env => { HOME => $scratch });
    is $raw->{status}, 0, 'go tool pprof reads it' or diag $raw->{err};
    my ($types) = $raw->{out} =~ /^Samples:\n(.*)$/m;
    my @types = map { s/\[dflt\]//r } split ' ', $types;
    my ($default) = $types =~ /(\S+)\[dflt\]/;
    my (@sums, %kinds, @values);
    for (split /\n/, $raw->{out} =~ s/^Locations.*//msr) {
        if (/^\s*((?:\d+\s+)*\d+):\s/) {
            @values = split ' ', $1;
            $sums[$_] += $values[$_] for 0 .. $#values;
        }
        $kinds{$1} += $values[1] if /kind:\[(.*?)\]/;
    }
    return { types => \@types, default => $default, sums => \@sums, kinds => \%kinds, raw => $raw->{out} };
}

for my $part (qw(live peak alloc)) {
    my $memory = read_memory($file{$part});
    for my $program (['nytprofcalls', '--root'], ['nytp-tree', '--root'], ['nytp-tree', '--table'], ['nytp-dot'], ['nytp-speedscope'],
        ['nytprofcsv', '-o', '-', '--table=kinds']) {
        my ($of_file, $of_view) = map { written(@$program, @$_) =~ s/\Q$_->[-1]\E//gr =~ s/^(?:cmd|creator|desc|\s*"(?:exporter|name)").*//gmr }
            [$file{$part}], ["--memory=$part", $file{time}];
        is $of_view, $of_file, "$part: @$program: --memory is the same";
    }
    my $folded = parsed(written('nytprofcalls', '--root', $file{$part}));
    is sum0(values %$folded), $memory->{bytes}, "$part: nytprofcalls --root: all bytes";
    my $blocks = parsed(written('nytprofcalls', '--root', '--blocks', $file{$part}));
    is sum0(values %$blocks), $memory->{blocks}, "$part: nytprofcalls --blocks: all blocks";
    my $kinds = parsed(written('nytprofcalls', '--root', '--kinds', $file{$part}));
    my %of_kind;
    for my $stack (sort keys %$kinds) {
        $of_kind{$1} += $kinds->{$stack} if $stack =~ /\[([^\]]+)\]$/;
    }
    my %want = map { $_->{kind} => bytes_of_kind($memory, $_->{kind}) } @{ $memory->{sites} };
    is_deeply \%of_kind, \%want, "$part: nytprofcalls --kinds: the kinds are the last frames";
    is sum0(map { $kinds->{$_} } grep { !/\]$/ } keys %$kinds), 0, "$part: ... and have all bytes";

    my $json = decode_json(written('nytp-tree', '--root', '--json', $file{$part}));
    is $json->{unit}, 'bytes', "$part: nytp-tree --json says the unit";
    is $json->{tree}[0]{inclusive_ticks}, $memory->{bytes}, "$part: nytp-tree: all bytes";
    is $json->{tree}[0]{blocks}, $memory->{blocks}, "$part: nytp-tree: all blocks";
    my $sums = summed($json->{tree}, 'exclusive_ticks', {});
    for my $sub (qw(leak cache)) {
        my $own = sum0(map { $_->{bytes} } grep { ($_->{stack}[-1] // '') eq "main::$sub" } @{ $memory->{sites} });
        is $sums->{"main::$sub"} // 0, $own, "$part: nytp-tree: $sub";
    }
    my $table = written('nytp-tree', '--table', '-O', -1, '--unit=B', $file{$part});
    like $table, qr/^%Size +ExclB +CumB Blocks/m, "$part: nytp-tree --table: the columns";
    my ($excl) = $table =~ /^ +\S+ +(\d+) +\d+ +\d+ +\S+ +\S+ +main::leak$/m;
    is $excl // 0, $sums->{'main::leak'} // 0, "$part: nytp-tree --table: leak";

    my $graph = written('nytp-dot', $file{$part});
    my ($all, $boxed) = $graph =~ /^\s*label="program\.pl\\n(\S+ [KM]iB), sampled, ([\d,]+) blocks"/m;
    is(($boxed // '') =~ tr/,//dr, $memory->{blocks}, "$part: nytp-dot: all blocks");
    my ($listed) = written('nytp-tree', '--table', $file{$part}) =~ /^[^:]*memory[^:]*: (\S+ [KM]iB), by/mi;
    is $all, $listed, "$part: nytp-dot: as many bytes as nytp-tree says";

    my $callgrind = written('nytprofcg', '-o', '-', $file{$part});
    is_deeply [callgrind_complaints($callgrind)], [], "$part: nytprofcg: its costs add up";
    like $callgrind, qr/^events: Bytes Blocks StmtBytes$/m, "$part: nytprofcg: the events";
    my ($cost) = $callgrind =~ /^totals: (.*)$/m;
    is $cost, "@$memory{qw(bytes blocks bytes)}", "$part: nytprofcg: all bytes and blocks";

    my $scopes = speedscope_profiles(written('nytp-speedscope', '--root', $file{$part}))->{profiles};
    is_deeply [map { [@$_{qw(unit total)}] } @$scopes],
        [['bytes', $memory->{bytes}], ['none', $memory->{blocks}]], "$part: nytp-speedscope: all bytes and blocks";
    my %there = map { $folded->{$_} > 0 ? ($_ => $folded->{$_}) : () } keys %$folded;
    is_deeply $scopes->[0]{stacks}, \%there, "$part: nytp-speedscope: the stacks of nytprofcalls";

    my $tables = "$scratch/$part-tables";
    written('nytprofcsv', '-o', $tables, $file{$part});
    is join(' ', sort map { s{.*/}{}r } glob "$tables/*"),
        'calls.csv files.csv kinds.csv line_kinds.csv lines.csv schema.sql subs.csv',
        "$part: nytprofcsv: the tables of memory";
    my (%own, %held);
    for my $site (@{ $memory->{sites} }) {
        my $sub = $site->{stack}[-1] // 'main::RUNTIME';
        $own{$sub} += $site->{bytes};
        $held{"$sub,$site->{kind}"} += $site->{bytes};
    }
    is_deeply { map { /^(.*?,.*?),\d+,(\d+),\d*,\d*\r$/ ? ($1 => $2) : () } split /\n/, slurp("$tables/kinds.csv") }, \%held,
        "$part: nytprofcsv: kinds by sub";
    delete $own{'main::RUNTIME'};
    my $subs = slurp("$tables/subs.csv");
    is_deeply { map { /^(.*?),.*,(\d+),\d+,\d+,\d*,\d*\r$/ && $2 > 0 ? ($1 => $2) : () } split /\n/, $subs }, \%own,
        "$part: nytprofcsv: the bytes of subs";
    my %samples = (subs => {}, lines => {});
    /^(.*?),.*,(\d+),(\d+)\r$/ and $samples{subs}{$1} += $2 for grep { !/^main::RUNTIME,/ } split /\n/, slurp("$tables/kinds.csv");
    /^(\d+),.*?,(\d+),.*,(\d+),\d+\r$/ and $samples{lines}{"$1:$2"} += $3 for split /\n/, slurp("$tables/line_kinds.csv");
    is_deeply { map { /^(.*?),.*,(\d+),[1-9]\d*\r$/ ? ($1 => $2) : () } grep { !/,,\r$/ } split /\n/, $subs }, $samples{subs},
        "$part: nytprofcsv: of how many samples the bytes of subs are an estimate";
    is_deeply { map { /^(\d+),.*?,(\d+),\d+,\d+,(\d+),\d+\r$/ ? ("$1:$2" => $3) : () } split /\n/, slurp("$tables/lines.csv") }, $samples{lines},
        "$part: nytprofcsv: ... and those of lines";
    is sum0(map { /,(\d+),\d+\r$/ } split /\n/, slurp("$tables/files.csv")), sum0(values %{ $samples{lines} }), "$part: nytprofcsv: ... and of files";
    my (%of_calls, %of_subs);
    /^(.*?),.*,(\d+),(\d+)\r$/ and push @{ $of_calls{$1} }, [$2, $3] for split /\n/, slurp("$tables/calls.csv");
    /^(.*?),.*,(\d+),(\d+)\r$/ and $of_subs{$1} = [$2, $3] for split /\n/, $subs;
    is_deeply { map { my $sub = $_; $sub => sum0(map { $_->[0] } @{ $of_calls{$sub} }) } keys %of_calls }, $samples{subs},
        "$part: nytprofcsv: ... and of calls";
    is_deeply { map { @{ $of_calls{$_} } == 1 ? ($_ => $of_calls{$_}[0]) : () } keys %of_calls },
        { map { @{ $of_calls{$_} } == 1 ? ($_ => $of_subs{$_}) : () } keys %of_calls }, "$part: nytprofcsv: ... and their errors";
    for my $table (qw(files lines)) {
        my ($all_blocks, $all_bytes) = (0, 0);
        /,(\d+),(\d+),\d*,\d*\r$/ and $all_blocks += $1, $all_bytes += $2 for split /\n/, slurp("$tables/$table.csv");
        is "$all_blocks $all_bytes", "@$memory{qw(blocks bytes)}", "$part: nytprofcsv: all blocks and bytes of $table";
    }

    for my $sub (grep { bytes_of($memory, $_) } qw(main::leak main::twice)) {
        is(($subs =~ /^\Q$sub\E,.*?,(\d+),\d+,\d+,\d+,\d+,\d*,\d*\r$/m)[0], blocks_of($memory, $sub),
            "$part: nytprofcsv: the blocks of $sub, counted once if it calls itself");
    }
    my $blocks_of_leak = blocks_of($memory, 'main::leak');
    $blocks_of_leak =~ s/(?<=\d)(?=(?:\d{3})+$)/,/g;
    like written('nytp-tree', '--markdown', $file{$part}), qr/^\| \Q$blocks_of_leak\E \|.*`main::leak`/m,
        "$part: nytp-tree --markdown: blocks of a sub";

    my $page = ReportPage->new(written('nytprofhtml', '-o', '-', $file{$part}));
    my ($core, $of_subs) = ($page->{core}, $page->subs);
    is_deeply [@{ $core->{about} }{qw(measure memory sampled_hz)}],
        ['bytes', { live => 'live memory', peak => 'memory at the peak', alloc => 'allocated memory' }->{$part}, 0],
        "$part: nytprofhtml says what it is of";
    is_deeply [@{ $core->{totals} }{qw(ticks statements)}], [@$memory{qw(bytes blocks)}],
        "$part: nytprofhtml: all bytes and blocks";
    is_deeply { map { $of_subs->{$_}{excl} ? ($_ => $of_subs->{$_}{excl}) : () } keys %$of_subs },
        { map { $sums->{$_} && $_ ne 'main::RUNTIME' ? ($_ => $sums->{$_}) : () } keys %$sums },
        "$part: nytprofhtml: the bytes of nytp-tree's subs";
    is_deeply { map { $_ => $of_subs->{"main::$_"}{calls} } grep { $of_subs->{"main::$_"} } qw(cache leak twice) },
        { map { bytes_of($memory, "main::$_") ? ($_ => blocks_of($memory, "main::$_")) : () } qw(cache leak twice) },
        "$part: nytprofhtml: the blocks of subs, counted once for a sub that calls itself";
    is sum0(@{ $core->{stacks}{excl} }), sum0(values %own), "$part: nytprofhtml: all bytes of stacks";
    is sum0(@{ $core->{stacks}{calls} }), sum0(map { @{ $_->{stack} } ? $_->{blocks} : () } @{ $memory->{sites} }),
        "$part: nytprofhtml: their blocks";
    my $kind_of = $core->{kinds};
    is_deeply { map { ("$core->{subs}{name}[$kind_of->{sub}[$_]],$kind_of->{name}[$kind_of->{kind}[$_]]" =>
                    $kind_of->{ticks}[$_]) } 0 .. $#{ $kind_of->{sub} } }, \%held, "$part: nytprofhtml: kinds by sub";
    my %error = map { /^(.*?,.*?),\d+,(\d+),(\d*),(\d*)\r$/ ? ($1 => $3 && $3 < 5 && $4 > $2 / 10 ? -1 : $4 || 0) : () } split /\n/, slurp("$tables/kinds.csv");
    is_deeply { map { ("$core->{subs}{name}[$kind_of->{sub}[$_]],$kind_of->{name}[$kind_of->{kind}[$_]]" =>
                    $kind_of->{error}[$_]) } 0 .. $#{ $kind_of->{sub} } }, \%error, "$part: nytprofhtml: how exact these are";
    my %in_file;
    $in_file{"$_->{file},$_->{kind}"} += $_->{bytes} for @{ $memory->{sites} };
    my $of_files = $core->{file_kinds};
    is_deeply { map { ("$core->{files}{name}[$of_files->{file}[$_]],$kind_of->{name}[$of_files->{kind}[$_]]" =>
                    $of_files->{ticks}[$_]) } 0 .. $#{ $of_files->{file} } }, \%in_file,
        "$part: nytprofhtml: kinds by file";
    is scalar @{ $core->{calls}{sub} }, 0, "$part: nytprofhtml: calls have no times";
    my $shown = $page->static =~ s{<dl.*?</dl>}{}gsr =~ s{<[^>]*>}{ }gr =~ s{\Q$scratch\E}{}gr;
    like $shown, qr/^\s*\Q$listed\E\s+of [a-z ]+, [\d,]+ blocks@{[$part eq 'peak' ? "" : "; peak of the process: \\S+ [KM]iB"]}\./m,
        "$part: nytprofhtml: the first sentence has nytp-tree's bytes";
    unlike $shown, qr/\b(?:\d+ m?s|seconds?|times?|calls?|statements?|runs?|ran|work|waiting)\b/i,
        "$part: nytprofhtml: no words of time";

    my $merged = "$scratch/$part.merged";
    written('nytprofmerge', '-o', $merged, $file{$part});
    my $again = read_memory($merged);
    is_deeply [map { [@$_{qw(bytes blocks kind line)}] } @{ $again->{sites} }],
        [map { [@$_{qw(bytes blocks kind line)}] } @{ $memory->{sites} }],
        "$part: nytprofmerge keeps bytes, blocks and kinds at their statements";
    is $again->{attributes}{$_}, $memory->{attributes}{$_}, "$part: nytprofmerge keeps $_"
        for qw(unit memory_of sampled_bytes heap_samples peak_bytes),
        grep { /^live_values_/ } keys %{ $memory->{attributes} };

  SKIP: {
        skip 'no go tool pprof', 1 if run(['go', 'version'])->{status} != 0;
        my $got = by_pprof($file{$part});
        my $name = { live => 'inuse', peak => 'peak', alloc => 'alloc' }->{$part};
        is_deeply $got->{types}, ["${name}_objects/count", "${name}_space/bytes"], "$part: nytp-pprof: the types";
        is_deeply $got->{sums}, [$memory->{blocks}, $memory->{bytes}], "$part: nytp-pprof: all blocks and bytes";
        is_deeply $got->{kinds}, \%want, "$part: nytp-pprof: kinds are labels";
        like $got->{raw}, qr/^PeriodType: space bytes\nPeriod: 4096$/m, "$part: nytp-pprof: the rate";
        unlike $got->{raw}, qr/^Duration/m, "$part: nytp-pprof: no duration";
    }
}
SKIP: {
    skip 'no go tool pprof', 1 if run(['go', 'version'])->{status} != 0;
    my $got  = by_pprof(@file{qw(alloc live peak)});
    my @want = map { my $memory = read_memory($file{$_}); @$memory{qw(blocks bytes)} } qw(alloc live peak);
    is_deeply $got->{types}, [map { ("${_}_objects/count", "${_}_space/bytes") } qw(alloc inuse peak)],
        'nytp-pprof: six types of three files';
    is_deeply $got->{sums}, \@want, '... with their sums';
    like $got->{default}, qr/^inuse_space/, '... of which what is live is shown';
    my $top = run(['go', 'tool', 'pprof', '-top', '-sample_index=inuse_space', '-unit=B', "$scratch/memory.pb.gz"],
        env => { HOME => $scratch })->{out};
    like $top, qr/\b$want[3]B\s+(?:100%\s+)?total$/m, 'go tool pprof -top: the total is that of nytp-tree';
}
like written('nytp-tree', '--table', $file{live}),
    qr/^Live memory: \d.* [KM]iB, by [\d,]+ samples; peak of the process: \d.* [KM]iB$/m,
    'nytp-tree --table says what it is of';
like written('nytp-tree', '--unit=KiB', $file{live}), qr/\d+\.?\d*KiB/, 'nytp-tree --unit=KiB';

# ---- errors ----------------------------------------------------------------------------------------

{
    my ($row, $whole) = ('', 0);
    for (split /\n/, written('nytp-table', '--by=subs', '--format=csv', '--memory=live', $file{time})) {
        $row = $1 if /^([\d.,]+),main::leak\r?$/;
    }
    my (undef, $bytes, $error, $samples) = (split /,/, $row)[0, 1, 2, -1];
    my @sites    = @{ read_memory($file{live})->{sites} };
    my $variance = sum0(map { $_->{error}**2 } @sites);
    my @of_leak  = grep { ($_->{stack}[-1] // '') eq 'main::leak' } @sites;
    my $own      = sum0(map { $_->{error}**2 } @of_leak);
    is $samples, sum0(map { $_->{samples} } @of_leak), 'nytp-table: samples of a sub';
    cmp_ok abs($error - sqrt($own * (1 - $own / $variance))), '<', 2, '... and the error of its bytes: what all have together is exact';
    near($bytes - sum0(map { $_->{kind} eq 'net values' ? $_->{bytes} : () } @of_leak), 8_000 * 120, 4 * $error, '... within which they are');
    my $temporary = written('nytp-table', '--by=lines', '--format=csv', '--memory=temporary', $file{time});
    my ($of_line) = $temporary =~ /^([\d.,]+),\S+:2\r?$/m;
    my @columns = split /,/, $of_line;
    ok $columns[2] > 0, 'a sum that was not counted has an error, also if it is one row' or diag $temporary;
    my $big = recorded('our @kept; sub big { push @kept, "x" x 9_000_000 } sub small { push @kept, map { "y" x 50 } 1 .. 100 } big(); small();', 65536);
    my $text = written('nytp-table', '--by=subs', '--memory=live', "$big/nytprof.out");
    like $text, qr/^ *\S+ +8\.59 MiB +8\.59 MiB +1 +8\.59 MiB +1 +main::big$/m, 'one sample of a large block is exact';
    like written('nytp-dprofpp', '--memory=live', "$big/nytprof.out"), qr{ Blocks +B/blk Cum\./b  Name\n(?:.*\n)* *[\d.]+ +8\.58\d +8\.58\d +1 +(90\d{5}) +\g{-1}  main::big$}m,
        'nytp-dprofpp: bytes of a block';
    like $text, qr/ main::RUNTIME$/m, 'what is outside of subs is a row';
    my $shrunk = recorded('our @k; sub gone { push @k, "x" x 900 for 1 .. 2000 } sub came { push @k, "y" x 900 for 1 .. 3000 } gone(); DB::heap_snapshot("then"); @k = (); came();', 4096);
    my %counted = map { written('nytprofmerge', "--memory=$_", '-o', "$scratch/view.out", "$shrunk/nytprof.out");
        ($_ => read_memory("$scratch/view.out")->{attributes}{sampled_sum} // '') } qw(live peak alloc temporary grown=then..);
    is_deeply [@counted{qw(peak alloc temporary)}], [0, 0, ''], 'views whose sum was counted';
    like $counted{live}, qr/^\d+$/, '... of what is live, with the error of arenas';
    ok $counted{'grown=then..'} > 5e4 && $counted{'grown=then..'} < 2e5, '... of what grew, with the error of what shrank' or diag explain \%counted;
    my ($squares, $count, %truth) = (0, 0);
    my $queues = 'my (@q, @r); sub turn { push @q, "x" x 500; shift @q if @q > 3000 } sub other { push @r, "y" x 900; shift @r if @r > 1700 } '
        . "for (1 .. 3200) { turn(); other() } DB::heap_snapshot('A');\nfor (1 .. 2000) { turn(); other() } DB::heap_snapshot('B');";
    for my $seed (1 .. 24) {    # what comes in one loop is what came in the other
        my $run = profiled(collector(), ['-e', $queues], options => { heap => 1 }, env => { NYTPROF_TEST_HEAP => "4096,$seed" });
        my @rows = split /\r?\n/, written('nytp-table', '--by=subs', '--format=csv', '--memory=grown=A..B', "$run->{profiles}/nytprof.out");
        /^[^,]+,(\d+),(\d+),.*,main::(?:turn|other)$/ and $count++, $squares += ($1 / $2)**2 for @rows;
    }
    ok $count > 20 && abs(sqrt($squares / $count) - 1) < 0.4, 'what has grown between two moments without growth is as far off as errors say'
        or diag sqrt($squares / $count), " of $count";
    ($squares, $count) = (0, 0);
    my $rows = 'our (@a, @b, %c); sub same { push @a, "x" x 500 for 1 .. 6000 } sub varied { push @b, map { "y" x (100 + $_ % 400) } 1 .. 4000 } '
        . 'sub hashes { $c{"key $_"} = { n => $_, t => "z" x 60 } for 1 .. 5000 } same(); varied(); hashes();';
    for my $seed (0 .. 24) {    # the first knows each block
        my $run = profiled(collector(), ['-e', $rows], options => { heap => 1 },
            env => { NYTPROF_TEST_HEAP => $seed ? "65536,$seed" : '1,1', PERL_HASH_SEED => 0 });
        for (split /\r?\n/, written('nytp-table', '--by=subs', '--format=csv', '--memory=live', "$run->{profiles}/nytprof.out")) {
            my ($got, $off, $name) = /^[^,]+,(\d+),(\d+),.*,(main::[a-z]+)$/ or next;
            $truth{$name} = $got if !$seed;
            $squares += (($got - $truth{$name}) / $off)**2, $count++ if $seed;
        }
    }
    my $spread = sqrt($squares / $count);
    ok $count == 72 && $spread > 0.75 && $spread < 1.3, 'estimates are as far off as their errors say' or diag "$spread, $count";
    my $few = recorded('our @kept; sub small { push @kept, map { "y" x 500 } 1 .. 200 } small();', 65536);
    like written('nytp-table', '--by=subs', '--memory=live', "$few/nytprof.out"), qr/ few .*main::small$/m, 'few samples';
}

# ---- ranges ----------------------------------------------------------------------------------------

{
    my $got = recorded('our @k; sub early { push @k, "e" x 1000 for 1 .. 3000 } sub middle { my @t = map { "m" x 1000 } 1 .. 6000 } '
        . 'sub late { push @k, "l" x 1000 for 1 .. 1000 } early(); $_->("early ends") for my $mark = \&DB::heap_snapshot; '
        . 'select undef, undef, undef, 0.2; $mark->("middle"); middle(); $mark->("late"); late();', 4096);
    my $file = "$got/nytprof.out";
    my %s;    # when each moment was, as a range has it
    my $rate;
    require Devel::NYTProf::ReadStream;
    Devel::NYTProf::ReadStream::for_chunks(sub {
        my ($tag, $key, $value) = @_;
        return if $tag ne 'ATTRIBUTE';
        $rate = $value if $key eq 'ticks_per_sec';
        $s{$2} = sprintf '%.7f', $1 / $rate if $key eq 'heap_mark' && $value =~ /^(\d+) (.*)/;
    }, filename => $file, quiet => 1);
    my $of = sub {
        my ($view, $range) = @_;
        written('nytprofmerge', "--memory=$view", $range ? "--range=$range" : (), '-o', "$scratch/range.out", $file);
        my $memory = read_memory("$scratch/range.out");
        return map { bytes_of($memory, "main::$_") } qw(early middle late);
    };
    my ($peak, $before, $in, $after) = map { [$of->(@$_)] } ['peak'], ['peak', "..$s{middle}"], ['peak', "$s{middle}..$s{late}"], ['peak', "$s{late}.."];
    cmp_ok $before->[0], '>', 2.5e6, 'a range before the peak: what was most there';
    is_deeply [@$before[1, 2]], [0, 0], '... and nothing of what came later';
    is_deeply $in, $peak, 'the range in which the peak is';
    cmp_ok $in->[1], '>', 5e6, '... has it';
    ok $after->[1] < 1e6 && $after->[2] > 8e5, 'a range after it has its own peak' or diag "@$after";
    is_deeply [$of->('live', "..$s{middle}")], [$of->("at=$s{middle}s")], 'live: at the end of the range';
    my @alloc = $of->('alloc', "$s{middle}..$s{late}");
    ok $alloc[0] == 0 && $alloc[1] > 5e6 && $alloc[2] == 0, 'alloc: in the range' or diag "@alloc";
    fails('a range of what has moments', qr/moments of its own, which do not go with --range/, 'nytp-tree', '--memory=grown=middle..', '--range=..1', $file);
    written('nytprofmerge', '--memory=grown=0.2..', '-o', "$scratch/none.out", profiled(collector(), ['-e', 'select undef, undef, undef, 0.4'], options => { heap => 1 })->{profiles} . '/nytprof.out');
    is read_memory("$scratch/none.out")->{bytes}, 0, 'a moment after which nothing comes: an empty profile';
    fails('a range after the run', qr/has no such moment/, 'nytp-tree', '--memory=peak', '--range=1000..', $file);
}

# ---- processes -------------------------------------------------------------------------------------

# What each process has at the moments between which it waits for the others: the sum is largest in the fourth, without the
# child that has most.
{
    my $got = profiled(collector(), ['-e', <<'END'], options => { heap => 1, addpid => 1 }, env => { NYTPROF_TEST_HEAP => '4096,1' });
our @kept;
sub grow  { push @kept, 'x' x 1000 for 1 .. $_[0] }
sub pause { select undef, undef, undef, 0.05 }
sub child {
    my ($size) = @_;
    pipe my $from, my $to; pipe my $back_from, my $back;
    my $pid = fork;
    return sub { $_[0] ? close $to : readline $back_from; pause(); waitpid $pid, 0 if $_[0] } if $pid;
    close $to; close $back_from;
    grow($size); pause();
    syswrite $back, "grown\n";
    readline $from;
    exit 0;
}
grow(5000);
my $first = child(10_000);
$first->(0); @kept = (); pause(); $first->(1);
grow(8000);
my $second = child(9000);
$second->(0); $second->(1);
END
    my @files = glob "$got->{profiles}/nytprof.out.*";
    is @files, 3, 'three processes' or diag $got->{err};
    written('nytprofmerge', '-o', "$scratch/three.out", @files);
    my $of = sub {
        my (@options) = @_;
        return summed(decode_json(written('nytp-tree', '--root', '--json', @options))->{tree}, 'exclusive_ticks', {})->{'main::grow'};
    };
    my $each = 1008 + 40;    # a string, its head, and its slot
    my %own  = map { $_ => $of->('--memory=peak', $_) } @files;
    near($of->('--memory=peak', "$scratch/three.out"), 17_000 * $each, 1000 * $each, 'the peak of several processes is that of their sum');
    near(sum0(values %own), 27_000 * $each, 1500 * $each, '... not the sum of their peaks');
    is_deeply [map { $of->('--memory=peak', '--process=' . s/.*\.//r, "$scratch/three.out") } @files], [@own{@files}],
        'a process that is chosen has its own peak';
}

# ---- a script without subs ---------------------------------------------------------------------------

{
    my $file   = recorded('my @k; push @k, "x" x 1000 for 1 .. 3000; my %h = map { $_ => 1 } 1 .. 2000;', 4096) . '/nytprof.out';
    my $memory = read_memory($file =~ s{nytprof\.out\z}{live.nytprof.out}r);
    my $tree   = run([tool('nytp-tree'), '--memory=live', $file]);
    is $tree->{err}, '', 'a script without subs: nytp-tree';
    my ($blocks) = $tree->{out} =~ /^100\.0 .*? ([\d,]+)  main::RUNTIME$/m;
    is(($blocks // '') =~ tr/,//dr, $memory->{blocks}, '... has all blocks');
    like $tree->{out}, qr/^! program\.pl:1 code outside of subs has /m, '... and says what stands out';
    is sum0(map { /^main::(?:RUNTIME|\(free in arenas\)),.*?,\d+,(\d+),/ ? $1 : () } split /\n/, written('nytprofcsv', '--table=kinds', '-o', '-', '--memory=live', $file)),
        $memory->{bytes}, '... nytprofcsv has its kinds';
}

# ---- each view, and streams that are cut -------------------------------------------------------------

{
    my $got = profiled(collector(), ['-e', <<'END'], options => { heap => 1, heap_holders => 1, compress => 0 }, env => { NYTPROF_TEST_HEAP => '4096,1' });
our (@kept, %cache);
sub keep { push @kept, 'k' x 500 for 1 .. 300 }
sub pass { my @lists = map { [1 .. 20] } 1 .. 300; return }
sub cached { $cache{$_} = 'c' x 300 for 1 .. 500 }
keep(); DB::heap_snapshot('A'); pass(); cached(); DB::heap_snapshot('B'); shift @kept for 1 .. 100; keep();
for my $round (1 .. 20) { keep(); pass(); DB::heap_snapshot($round) }
END
    my $file = "$got->{profiles}/nytprof.out";
    for my $view (qw(temporary held held=A at=A grown=A..B grown=B..)) {
        written('nytprofmerge', "--memory=$view", '-o', "$scratch/view.out", $file);
        my $memory = read_memory("$scratch/view.out");
        cmp_ok $memory->{bytes}, '>', 1e5, "$view: has something";
        is_deeply [map { $_->{total} } @{ speedscope_profiles(written('nytp-speedscope', '--root', "--memory=$view", $file))->{profiles} }],
            [@$memory{qw(bytes blocks)}], "$view: speedscope";
      SKIP: {
            skip 'no go tool pprof', 1 if run(['go', 'version'])->{status} != 0;
            is_deeply by_pprof("--memory=$view", $file)->{sums}, [@$memory{qw(blocks bytes)}], "$view: go tool pprof";
        }
    }

    my ($whole, $most) = (slurp($file), 0);
    my $step = $ENV{EXHAUSTIVE} ? 17 : 1009;
    my (@wrong, @sums);
    for (my $length = 0; $length < length $whole; $length += $step) {
        spew("$scratch/cut.out", substr $whole, 0, $length);
        my $stacks = run([tool('nytprofcalls'), '--root', '--memory=alloc', "$scratch/cut.out"]);
        push @wrong, "$length: $stacks->{status}, $stacks->{err}" if $stacks->{status} !~ /\A[01]\z/ || !$stacks->{status} && $stacks->{err} !~ /what is there is used/;
        push @sums, sum0(values %{ parsed($stacks->{out}) });
        push @wrong, "$length: $sums[-1] after $most" if $sums[-1] < $most - 20;    # each place is rounded
        $most = max($most, $sums[-1]);
    }
    is_deeply \@wrong, [], 'a stream that is cut: what came before';
    cmp_ok scalar(keys %{ { map { $_ => 1 } @sums } }), '>', 10, '... more and more';
}

# ---- a comparison ----------------------------------------------------------------------------------

{
    my $more = recorded($CODE =~ s/1 \.\. 5_000/1 .. 15_000/r, 4096);
    my $text = written('nytp-diff', $file{live}, "$more/live.nytprof.out");
    like $text, qr/^\s*old\s+new\s+change\s+%\s+p\s+blocks\s+sub$/m, 'nytp-diff: the columns';
    like $text, qr/^\s*\S+ [KM]iB ±\d+%\s+\S+ [KM]iB ±\d+%\s+\+\S+ [KM]iB\s+\+\S+ %\s+0\.000\s.*main::leak$/m,
        'nytp-diff: what grew, with the error of sampling';
    like $text, qr/^ *\S+ [KM]iB +\S+ [KM]iB +\+\S+ [KM]iB +\+\S+ % +[\d,]+ -> [\d,]+ +whole program$/m, '... but the sum was counted';
    my ($old_whole, $new_whole) = map { read_memory($_)->{bytes} } $file{live}, "$more/live.nytprof.out";
    my $by_kind = decode_json(written('nytp-diff', '--by=kinds', '--json', $file{live}, "$more/live.nytprof.out"));
    is_deeply [@{ $by_kind->{whole}{value} }{qw(old new old_spread)}], [$old_whole, $new_whole, 0], '... of both sides';
    my ($strings) = grep { $_->{name} eq 'strings' } @{ $by_kind->{rows} };
    is $strings->{value}{old}, bytes_of_kind(read_memory($file{live}), 'strings'), 'nytp-diff --by=kinds: the bytes of a kind';
    fails('nytp-diff --by=kinds of time', qr/have no kinds of memory/, 'nytp-diff', '--by=kinds', $file{time}, $file{time});
    my $same = written('nytp-diff', $file{live}, $file{live});
    like $same, qr/Nothing changed|~/, 'nytp-diff: the same file twice';
    my @sides = ($file{live}, "$more/live.nytprof.out");
    unlike written('nytp-diff', @sides, '--', @sides), qr/PERL_HASH_SEED/,
        'nytp-diff: blocks are estimates, and no calls whose numbers vary';
    my $over = run([tool('nytp-diff'), '--fail-over=10%', '--of=main::cache', $file{live}, "$more/live.nytprof.out"]);
    is $over->{status}, 3, 'nytp-diff --fail-over: a limit that is exceeded';
    like $over->{err}, qr/main::cache has .* more memory, over the limit/, '... in words of memory';
    my $counts = run([tool('nytp-diff'), '--fail-calls=10%', $file{live}, $file{live}]);
    is $counts->{status}, 1, 'nytp-diff --fail-calls: fails';
    like $counts->{err}, qr/--fail-calls does not go with profiles of memory/, '... and says why';
}

# ---- what is refused -------------------------------------------------------------------------------

my $shown_by =
    qr/^\S+: \Q$file{live}\E is a profile of memory; nytp-tree, nytp-table, nytprofcalls, nytp-dot, .* and nytp-diff show it$/;
fails($_, $shown_by, $_, $file{live})
    for qw(nytp-trace nytp-dprof);
fails('nytp-top', $shown_by, 'nytp-top', '--batch=1', $file{live});
fails("nytprofcsv --table=$_", qr/there is no table '$_' of memory/, 'nytprofcsv', "--table=$_", '-o', '-', $file{live})
    for qw(labels durations processes);
fails('nytprofcsv --table=kinds of time', qr/there is no table 'kinds' of time/,
    'nytprofcsv', '--table=kinds', '-o', '-',
    $file{time});
SKIP: {
    my @sql = ('sqlite3', ':memory:', ".cd $scratch/live-tables", '.read schema.sql',
        'select sum(bytes) from kinds; select sum(file_bytes) from (select distinct fid, file_bytes from sub_files); '
        . "select sub from line_subs where line = 2");
    my $got = run(\@sql);
    skip 'no sqlite3', 1 if $got->{status} == 127;
    my $memory = read_memory($file{live});
    my $placed = $memory->{bytes} - bytes_in($memory, qr{^/unknown-place$});
    is "$got->{out}$got->{err}", "$memory->{bytes}\n$placed\nmain::leak\n",
        'nytprofcsv: SQLite has the tables and views of memory';
}
fails("nytp-speedscope $_", qr/a profile of memory has no times of calls: $_ cannot show it/,
    'nytp-speedscope', $_, $file{live})
    for qw(--timeline --cpuprofile);
fails('nytp-pprof --lines', $shown_by, 'nytp-pprof', '--lines', $file{live});
my $together = sub {
    my ($one, $other) = @_;
    return qr/\Q$file{$one}\E is a profile of .*\Q$file{$other}\E one of .*they do not go together/;
};
for my $pair (['live', 'time'], ['time', 'live'], ['live', 'alloc']) {
    my @files = @file{@$pair};
    fails("nytp-dot --diff: @$pair", $together->($pair->[1], $pair->[0]), 'nytp-dot', "--diff=$files[0]", $files[1]);
    for my $program (qw(nytp-tree nytprofcalls nytp-diff nytp-speedscope)) {
        fails("$program: @$pair", $together->(@$pair), $program, @files);
    }
    my $got = run([tool('nytprofmerge'), '-o', "$scratch/mixed.out", @files]);
    is $got->{status}, 1, "nytprofmerge: @$pair: fails";
    like $got->{err}, $together->(@$pair), '... and names both files';
    ok !-e "$scratch/mixed.out", '... and writes no file';
}
fails('nytp-pprof: memory and time', $together->('live', 'time'), 'nytp-pprof', $file{live}, $file{time});
fails('--unit=ms', qr/is a profile of live memory, which is not in ms/, 'nytp-tree', '--unit=ms', $file{live});
fails('--unit=ms', qr/is a profile of live memory, which is not in ms/, 'nytprofcalls', '--unit=ms', $file{live});
fails('--unit=ms', qr/is a profile of live memory, which is not in ms/, 'nytp-speedscope', '--unit=ms', $file{live});
fails('--unit=KiB for time', qr/is a profile of time, which is not in KiB/, 'nytp-tree', '--unit=KiB', $file{time});
fails('--no-wait', qr/nothing in it waits/, 'nytp-tree', '--no-wait', $file{live});
fails('--slowest', qr/what is in it has no time \(--slowest\)/, 'nytp-tree', '--slowest=3', made_memory("$scratch/slowest.out"));
fails('--kinds of time', qr/is not a profile of memory: it has no kinds/, 'nytprofcalls', '--kinds', $file{time});
fails('nytp-tree -T', qr/no order of calls/, 'nytp-tree', '-T', $file{live});
my $process = read_memory($file{live})->{pid};
is written('nytprofcalls', "--process=$process", $file{live}), written('nytprofcalls', $file{live}),
    '--process of a profile of memory';
{
    my @live = map { made_memory("$scratch/process.$_.out", pid => $_) } 7, 8;
    written('nytprofmerge', '-o', "$scratch/processes.out", @live);
    my $head = sub { return (written('nytp-tree', '--table', @_) =~ /\A(.*)\n/)[0] };
    my $both = 'Live memory: 20.0 MiB, by 320 samples; sum of the peaks of processes: 22.0 MiB';
    is $head->(@live), $both, 'nytp-tree --table of two processes';
    is $head->("$scratch/processes.out"), $both, '... of their merged profile';
    for my $process (7, 8) {
        is $head->("--process=$process", @live), 'Live memory: 10.0 MiB, by 160 samples; peak of the process: 11.0 MiB',
            "... --process=$process has what that process says";
        is $head->("--process=$process", "$scratch/processes.out"), 'Live memory: 10.0 MiB',
            '... and nothing that is said of both';
    }
}

# ---- attributes that make no sense -----------------------------------------------------------------

sub made {
    my ($name, $value, %attribute) = @_;
    my %all = (unit => 'bytes', memory_of => 'live', sampled_bytes => 4096, %attribute);
    my $path = "$scratch/$name.out";
    spew($path, profile_bytes([VERSION => 5, 0],
        (map { [ATTRIBUTE => $_, $all{$_}] } grep { defined $all{$_} } sort keys %all),
        [ATTRIBUTE => 'ticks_per_sec', 1048576],
        [PID_START => 7, 1, 0], [NEW_FID => 1, 0, 0, 0, 0, 0, '/p.pl'], [SUB_ENTRY => 1, 1],
        (defined $value ? [ATTRIBUTE => 'memory', $value] : ()),
        [TIME_LINE => 1000, 1, 2], [DISCOUNT => ], [TIME_LINE => 500, 1, 2], [SUB_RETURN => 1, 1500, 1500, 'main::f'],
        [PID_END => 7, 1]));
    return $path;
}
my %values = ('3 strings' => [3, 'strings'], '5 of two words' => [5, 'of two words'],
    (map { $_ => [1, 'other'] } '', '0 strings', '-3 strings', 'x', '3', '3 ', '99999999999999999999 code',
    '9007199254740993 code'));
my $stack = "main::RUNTIME 0\nmain::RUNTIME;main::f";    # memory has a root
for my $value (sort keys %values) {
    my ($blocks, $kind) = @{ $values{$value} };
    my $path = made('made', $value);
    my $folded = parsed(written('nytprofcalls', '--blocks', '--kinds', $path));
    is_deeply { map { $folded->{$_} > 0 ? ($_ => 0 + $folded->{$_}) : () } keys %$folded },
        { "main::RUNTIME;main::f;[$kind]" => $blocks }, "memory=$value: $blocks of kind $kind";
    is written('nytprofcalls', $path), "$stack 1500\n", '... with all bytes';
    if ($kind ne 'other') {
        is written('nytprofcalls', '--strict', $path), "$stack 1500\n", '... and no error with --strict';
        next;
    }
    fails("--strict, memory=$value", qr/: \Q$path\E: offset \d+: expected a number of blocks and a kind after memory=$/,
        $_, '--strict', $path)
        for $value eq '' ? qw(nytprofcalls nytp-tree nytp-dot nytprofcg nytp-speedscope nytp-pprof) : 'nytprofcalls';
}
is written('nytprofcalls', '--blocks', made('none', undef)), "$stack 1\n", 'no memory=: one block';
for my $rate (undef, 0, -1, 'NaN', 'x') {
    my $path = made('rate', '3 strings', sampled_bytes => $rate);
    is written('nytprofcalls', '--blocks', $path), "$stack 3\n",
        'sampled_bytes=' . ($rate // 'nothing') . ': the numbers stay';
    unlike written('nytp-diff', $path, made('rate2', '9 strings', sampled_bytes => $rate)), qr/±\d/,
        '... without an error of sampling';
}

# ---- the stream ------------------------------------------------------------------------------------

# Stock's reader loses a line that crosses the end of its buffer; the collector writes a comment before such a line.
{
    my $subs = join '',
        map { "sub f$_ { push \@kept, 'x' x 5000; g$_(); return } sub g$_ { \$kept{$_} = [1]; push \@kept, 'some "
        . "text' x 500; return }\n" } 1 .. 6000;
    my $large = recorded("our (\@kept, %kept);\n$subs" . join('', map { "f$_();\n" } 1 .. 6000), 4096);
    my $count = 'my ($memory, $lines, $apart, $last) = (0, 0, 0, ""); for_chunks { my ($tag, $key) = @_; if ($tag '
        . 'eq "ATTRIBUTE" && $key eq "memory") { $memory++ } '
        . 'if ($tag eq "TIME_LINE") { $lines++; $apart++ if $last ne "memory" } $last = $tag eq "ATTRIBUTE" ? $key '
        . ': $tag } filename => shift; print "$memory $lines $apart"';
    my ($ours, $stock) =
        map { run([$^X, @$_, '-MDevel::NYTProf::ReadStream=for_chunks', '-e', $count, "$large/live.nytprof.out"]) }
        ['-I' . build_dir() . '/perl5'], [];
    my ($memory, $lines, $apart) = split ' ', $ours->{out} =~ s/^Reading.*\n//r;
    cmp_ok $memory, '>', 3 * 163_840 / 40, 'the stream has several of stock\'s buffers';
    is_deeply [$lines, $apart], [$memory, 0], 'each statement has its attribute directly before it';
  SKIP: {
        my $html = stock_program('nytprofhtml') or skip 'no stock', 1;
        is $stock->{out} =~ s/^Reading.*\n//r, $ours->{out} =~ s/^Reading.*\n//r, 'stock reads all of them, too';
        is $stock->{err}, '', '... without a warning';
        for my $part (qw(time live peak alloc)) {
            my $got = run([$html, '-f', $file{$part}, '-o', "$scratch/html-$part", '--no-flame']);
            is $got->{status}, 0, "stock's nytprofhtml of $part" or diag $got->{err};
            unlike $got->{err}, qr/warn|uninit|malformed/i, '... without warnings';
            like slurp("$scratch/html-$part/index.html"), qr/main::leak|leak/, '... which shows the subs';
        }
    }
}
SKIP: {
    skip 'needs the modules of this build', 1 if !-e build_dir() . '/perl5/Devel/NYTProf/Data.pm';
    for my $part (qw(live peak alloc)) {
        my $got = run([$^X, '-I' . build_dir() . '/perl5', '-MDevel::NYTProf::Data', '-e',
            'my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 }); print '
            . '$p->subname_subinfo_map->{"main::leak"}->excl_time * 2**20, " ", $p->attributes->{unit}', $file{$part}]);
        my @of_leak = grep { ($_->{stack}[-1] // '') eq 'main::leak' } @{ read_memory($file{$part})->{sites} };
        my $own = sum0(map { $_->{bytes} } @of_leak);
        my ($bytes, $unit) = split ' ', $got->{out};
        ok abs($bytes - $own) < 2, "$part: Data has the bytes" or diag "$bytes, not $own; $got->{err}";
        is $unit, 'bytes', '... and the unit';
    }
}
done_testing();
