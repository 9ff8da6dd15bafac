# nytp-speedscope, nytp-pprof, nytp-trace and nytprofcalls --diff over many profiles: what their readers read has the
# calls and times that nytprofcalls has.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Exports qw(cpuprofile perfetto_calls speedscope_profiles trace_calls);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir slurp spew valgrind);
use ProfileBytes qw(profile_bytes);
use Test::More;
use Written qw(rows_of);

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();
my $tmon    = spew("$scratch/tmon.out",
    run(["$bin/nytp-dprof", '-o', '-',
        record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1)])->{out});

sub result {
    my ($program, @arguments) = @_;
    my $got = run(["$bin/$program", @arguments]);
    is("$got->{status} $got->{err}" =~ s/$program: warning: the profile has no calls .*\n//r, '0 ',
        "$program @arguments[0 .. $#arguments - 1]");
    return $got->{out};
}

# Stacks of nytprofcalls with values other than 0. Names in the exports are not escaped; those of the recordings need
# no escapes.
sub folded {
    my %values;
    for (split /\n/, result('nytprofcalls', @_)) {
        my ($stack, $value) = /^(.*) (\S+)$/ or die "line $_\n";
        $values{$stack} = $value if $value != 0;
    }
    return \%values;
}

# The order of lines: callers before callees, names in byte order.
sub stack_key { return $_[0] =~ s/ \S+ \S+$//r =~ tr/;/\0/r }

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# ---- speedscope ----

my $IS_WAITING = qr/, waiting \(merged\)\z/;

sub added_up {
    my ($profiles, $unit) = @_;
    my %sum;
    for my $p (grep { $_->{unit} eq $unit && $_->{name} !~ $IS_WAITING } @$profiles) {
        $sum{$_} += $p->{stacks}{$_} for keys %{ $p->{stacks} };
    }
    return \%sum;
}

# Sums are exact; of a stack whose time is negative (the clock stepped back), the next one has it.
sub times_agree {
    my ($got, $expected, $what) = @_;
    my %negative = map { $expected->{$_} < 0 ? ($_ => 1) : () } keys %$expected;
    return is_deeply($got, $expected, $what) if !%negative;
    return is(sum(values %$got), sum(values %$expected), "$what, in all");
}

# The ns of lines that took time: FILE:LINE => ns.
sub lines_of {
    my ($path) = @_;
    my (undef, @rows) = split /\r?\n/, result('nytprofcsv', '--table=lines', '-o', '-', $path);
    my %lines;
    for (@rows) {
        my ($file, $line, $time_s) = /^\d+,(.*),(\d+),\d+,([\d.]+)(?:,[\d.]*)*\z/ or next;    # not below 0
        $lines{"$file:$line"} += sprintf '%.0f', $time_s * 1e9 if $time_s > 0;
    }
    return evals_added_up(\%lines);
}

# Programs name the runs of an eval after different ones of them.
sub evals_added_up {
    my ($lines) = @_;
    my %sum;
    $sum{ s/eval \d+/eval 0/gr } += $lines->{$_} for keys %$lines;
    return \%sum;
}

sub speedscope_ok {
    my ($name, $path, $calls, $ns, @options) = @_;
    my $shown = speedscope_profiles(result('nytp-speedscope', @options, $path));
    times_agree(added_up($shown->{profiles}, 'nanoseconds'), $ns, "$name: speedscope has the times");
    is_deeply(added_up($shown->{profiles}, 'none'), $calls, "$name: and the calls");
    my $cpu = cpuprofile(result('nytp-speedscope', '--cpuprofile', @options, $path));
    times_agree($cpu->{stacks} // {}, $ns, "$name: and so does the .cpuprofile");
    return if @options;
    is_deeply(evals_added_up($cpu->{lines} // {}), lines_of($path),
        "$name: ... with the times of lines that nytprofcsv has");
    my $timeline = speedscope_profiles(result('nytp-speedscope', '--timeline', $path), gaps => 1);
    is(sum(map { values %{ $_->{stacks} } } @{ $timeline->{profiles} }), sum(values %$ns),
        "$name: the timeline has the same time");
    return;
}

# ---- traces ----

sub trace_ok {
    my ($name, $path, $calls, $ns) = @_;
    my $perfetto = perfetto_calls(result('nytp-trace', $path));
    is_deeply($perfetto->{stacks} // {}, $calls, "$name: Perfetto has the calls");
    is($perfetto->{total_ns}, sum(values %$ns), "$name: and the time");
    my $json = trace_calls(result('nytp-trace', '--json', $path));
    is_deeply($json->{stacks} // {}, $calls, "$name: JSON has the calls");
    return;
}

for my $recording (recordings(), { name => 'a tmon.out', path => $tmon }) {
    my ($name, $path) = @$recording{qw(name path)};
    my $calls = folded('--calls', $path);
    next if sum(values %$calls) > (valgrind() ? 2000 : $ENV{EXHAUSTIVE} ? 1e9 : 30_000);
    my $ns = folded('--unit=ns', $path);
    subtest $name => sub {
        my $with_go = system('go version >/dev/null 2>&1') == 0;
        speedscope_ok($name, $path, $calls, $ns) if %$calls;
        trace_ok($name, $path, $calls, $ns) if %$calls;
        pprof_ok($name, $path, $calls, $ns) if %$calls && $with_go;
        pass;
    };
}

# ---- pprof ----

# -raw shows samples and locations by number; its times are in ns. Newer ones than that of Go 1.19 also show a column.
sub pprof_raw {
    my ($path) = @_;
    my $raw = run(['go', 'tool', 'pprof', '-raw', $path], env => { HOME => $scratch });
    is($raw->{status}, 0, 'pprof reads it') or diag($raw->{err});
    return $raw->{out} =~ s/(:-?\d+):\d+(?= s=\d+\(.*\)$)/$1/gmr;
}

sub pprof_samples {
    my ($path) = @_;
    my ($samples, $locations) = pprof_raw($path) =~ /^Samples:\n[^\n]*\n(.*?)^Locations\n(.*?)^Mappings/ms or return {};
    my %name = $locations =~ /^ *(\d+): 0x0 M=1 (.*?) (?:\((?:re_)?eval \d+\)(?:\[.*\])?|[^ ]*):-?\d+ s=\d+\(.*\)$/mg;
    my %stacks;
    for ($samples =~ /^ *(\d+ +\d+: [\d ]+)$/mg) {
        my ($ns, $count, @ids) = /\d+/g;
        my $stack = join ';', map { $name{$_} // "location $_" } reverse @ids;
        $stacks{calls}{$stack} += $count if $count;
        $stacks{ns}{$stack}    += $ns    if $ns;
    }
    return \%stacks;
}

sub pprof_ok {
    my ($name, $path, $calls, $ns, @options) = @_;
    my $pb    = spew("$scratch/p.pb.gz", result('nytp-pprof', @options, $path));
    my $shown = pprof_samples($pb);
    is_deeply($shown->{calls}, $calls, "$name: pprof has the calls");
    times_agree($shown->{ns} // {}, $ns, "$name: and the times");
    return;
}

SKIP: {
    skip 'no go tool pprof', 1 if system('go version >/dev/null 2>&1') != 0;
    my $path = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my %env  = (env => { HOME => $scratch });
    subtest 'go tool pprof' => sub {
        my $pb  = spew("$scratch/p.pb.gz", result('nytp-pprof', $path));
        my $top = run(['go', 'tool', 'pprof', '-sample_index=calls', '-nodecount=500', '-nodefraction=0', '-top', $pb],
            %env);
        my %flat = map { /^ *(\d+) .*%  (\S.*)$/ ? ($2 => $1) : () } split /\n/, $top->{out};
        my %leaf;
        my $calls = folded('--calls', $path);
        $leaf{ s/.*;//r } += $calls->{$_} for keys %$calls;
        is($flat{'main::fib'}, $leaf{'main::fib'}, '-top: the calls of a sub');
        like($top->{out}, qr/^Type: calls$/m, 'of the type calls');
        is(scalar(keys %flat), scalar(keys %leaf), 'all subs');
        my $none = run(['go', 'tool', 'pprof', '-top', "-diff_base=$pb", $pb], %env);
        like($none->{out}, qr/Showing nodes accounting for 0, 0% of/, '-diff_base: no difference');
        my $lines = spew("$scratch/l.pb.gz", result('nytp-pprof', '--lines', $path));
        my $list  = run(['go', 'tool', 'pprof', '-sample_index=statements', '-list=^main::fib$', $lines], %env);
        like($list->{out}, qr/^ *[\d.]+k? +[\d.]+k? +6:sub fib \{/m, '-list: the source of a sub with its statements')
            or diag($list->{out}, $list->{err});
        like(run(['go', 'tool', 'pprof', '-proto', '-output=/dev/null', $pb], %env)->{status}, qr/^0$/, '-proto');
    };
    subtest 'lines of calls' => sub {
        my $raw = pprof_raw(spew("$scratch/p.pb.gz", result('nytp-pprof', $path)));
        my %lines = map { $_ => 1 } $raw =~ /^ *\d+: 0x0 M=1 main::left \S*:([1-9]\d*) s=/mg;
        cmp_ok(scalar(keys %lines), '>=', 1, 'of a caller');
    };
    subtest 'several processes' => sub {
        my @paths = map { $_->{path} } grep { $_->{name} =~ /^forks / } recordings();
        cmp_ok(scalar @paths, '>', 1, 'there are some');
        my $pb  = spew("$scratch/p.pb.gz", result('nytp-pprof', @paths));
        my $raw = pprof_raw($pb);
        my %pids = map { $_ => 1 } $raw =~ /^ +pid:\[(\d+)/mg;
        is(scalar(keys %pids), scalar @paths, 'a label for each');
        my $shown = speedscope_profiles(result('nytp-speedscope', @paths));
        is(scalar(grep { $_->{name} !~ $IS_WAITING } @{ $shown->{profiles} }), 2 * @paths,
            'two profiles of speedscope for each, besides those of waiting');
        is(perfetto_calls(result('nytp-trace', @paths))->{processes}, scalar @paths, 'a process of a trace for each');
    };
}

# ---- damage, depth, odd times ----

sub made {
    my ($name, @chunks) = @_;
    return spew("$scratch/$name",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 3], [PID_START => 7, 1, 1.5], @chunks,
            [PID_END => 7, 9]));
}

subtest 'three ticks in a second' => sub {
    my $path = made('three', map { [SUB_RETURN => 1, 1, 1, "main::f$_"] } 1 .. 3);
    my $shown = speedscope_profiles(result('nytp-speedscope', $path));
    is($shown->{profiles}[0]{total}, 1e9, 'are a second');
    is_deeply([sort { $a <=> $b } values %{ $shown->{profiles}[0]{stacks} }], [333333333, 333333333, 333333334],
        'each rounded, the sum exact');
    is(perfetto_calls(result('nytp-trace', $path))->{total_ns}, 1e9, 'in a trace, too');
};

subtest 'times below zero' => sub {
    my $path = made('negative', [SUB_RETURN => 1, 5, 5, 'main::a'], [SUB_RETURN => 1, -2, -2, 'main::b'],
        [SUB_RETURN => 1, 4, 4, 'main::c']);
    my $shown = speedscope_profiles(result('nytp-speedscope', $path));
    is($shown->{profiles}[0]{total}, 2333333333, 'the sum stays');
    is(perfetto_calls(result('nytp-trace', $path))->{total_ns}, 2333333333, 'in a trace, too');
};

subtest 'no calls' => sub {
    for my $path (made('none'),
        spew("$scratch/no-process", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => ticks_per_sec => 3]))) {
        for my $options ([], ['--timeline'], ['--timeline', '--unit=ticks']) {
            my $shown = speedscope_profiles(run(["$bin/nytp-speedscope", @$options, $path])->{out});
            is(sum(map { $_->{total} } @{ $shown->{profiles} }), 0,
                "nytp-speedscope @$options: empty profiles, without which the app opens no file");
        }
        is(perfetto_calls(run(["$bin/nytp-trace", $path])->{out})->{calls}, 0, 'an empty trace');
        is(trace_calls(run(["$bin/nytp-trace", '--json', $path])->{out})->{calls}, 0, 'in JSON, too');
    }
};

subtest 'deep recursion' => sub {
    my $path = made('deep', map { [SUB_RETURN => $_, 1, 1, 'main::deep'] } reverse 1 .. 3000);
    my $got = run(["$bin/nytp-speedscope", $path]);
    like($got->{err},
        qr/^nytp-speedscope: warning: stacks are cut at --depth=2000; 1000 levels more were added to it\n\z/,
        'a warning');
    my $shown = speedscope_profiles($got->{out});
    is($shown->{profiles}[1]{total}, 3000, 'no call is lost');
    $got = run(["$bin/nytp-pprof", $path]);
    like($got->{err}, qr/^nytp-pprof: warning: stacks are cut at --depth=2000; 1000 levels more were added to it\n\z/,
        'pprof warns, too');
    cmp_ok(length $got->{out}, '<', length run(["$bin/nytp-pprof", '--depth=3000', $path])->{out},
        '--depth allows more');
    $got = run(["$bin/nytp-trace", $path]);
    like($got->{err}, qr/^nytp-trace: warning: 2488 calls deeper than --depth=512 left out/,
        'a trace leaves calls out');
    is(perfetto_calls($got->{out})->{total_ns}, 1000e9, 'and keeps their time');
};

# Subs that wait call nothing here, so the stacks of waiting are those that end with such a sub.
subtest 'waiting' => sub {
    my $code = 'sub nap { select undef, undef, undef, 0.001 } sub work { my $x = 0; $x += $_ for 1 .. 99; nap() } '
        . 'work(); nap(); system "true"; if (fork == 0) { work(); exit } wait';
    my @paths = record('waits', ['-e', $code]);
    my $waits = qr/(?:^|;)main::CORE:(?:sselect|system|wait)\z/;
    for my $path (@paths) {
        my $ns = folded('--unit=ns', $path);
        my %waiting = map { /$waits/ ? ($_ => $ns->{$_}) : () } keys %$ns;
        my ($process) = rows_of('processes', $path);
        my %shown;
        for my $option ('--unit=ns', '--root', '--min=9', '--depth=1') {
            my $all = speedscope_profiles(run(["$bin/nytp-speedscope", $option, $path])->{out});
            my ($waited) = grep { $_->{name} =~ $IS_WAITING } @{ $all->{profiles} };
            is($waited->{total}, sprintf('%.0f', $process->{waiting_s} * 1e9), "$option: what nytprofcsv says");
            $shown{$option} = $waited->{stacks};
        }
        is_deeply($shown{'--unit=ns'}, \%waiting, 'the stacks that wait');
        is_deeply($shown{'--root'}, { map { ("main::RUNTIME;$_" => $waiting{$_}) } keys %waiting }, 'with the root');
        is_deeply([grep { /;/ } keys %{ $shown{'--depth=1'} }], [], '--depth adds them to their callers');
    }
    is(scalar @paths, 2, 'of two processes');
    my $path = made('work', [SUB_RETURN => 1, 1, 1, 'main::work']);
    is(scalar @{ speedscope_profiles(result('nytp-speedscope', $path))->{profiles} }, 2, 'none if nothing waits');
};

# calls=1 has no lines of calls, and calls=2 has them.
subtest '--root' => sub {
    for my $calls (1, 2) {
        my $main = 'my $x = 0; $x += $_ for 1 .. 300_000; do "./test/scripts/calls.pl" or die';
        my $path = record("root-$calls", ['-e', $main], calls => $calls);
        my ($all, $ns) = map { folded('--root', $_, $path) } '--calls', '--unit=ns';
        cmp_ok($ns->{'main::RUNTIME'}, '>', 0, "calls=$calls: the root has time");
        speedscope_ok("calls=$calls", $path, $all, $ns, '--root');
        pprof_ok("calls=$calls", $path, $all, $ns, '--root') if system('go version >/dev/null 2>&1') == 0;
    }
    my $path = made('no-calls', [NEW_FID => 1, 0, 0, 0, 0, 0, 'x.pl'], [TIME_LINE => 3, 1, 1]);
    my $got  = speedscope_profiles(run(["$bin/nytp-speedscope", '--root', $path])->{out});
    is_deeply(added_up($got->{profiles}, 'nanoseconds'), { 'main::RUNTIME' => 1e9 },
        'a program without subs is all root');
    is(run(["$bin/$$_[0]", '--root', $$_[1], $path])->{status}, 2, "$$_[0] --root $$_[1] is wrong usage")
        for ['nytp-speedscope', '--timeline'], ['nytp-pprof', '--lines'];
};

subtest '--min' => sub {
    my $path = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $ns = sum(values %{ folded('--unit=ns', $path) });
    my $all = speedscope_profiles(result('nytp-speedscope', $path));
    my $some = speedscope_profiles(result('nytp-speedscope', '--min=2', $path));
    is($some->{profiles}[0]{total}, $ns, 'speedscope: the sum stays');
    cmp_ok(scalar(keys %{ $some->{profiles}[0]{stacks} }), '<', scalar(keys %{ $all->{profiles}[0]{stacks} }),
        'with fewer stacks');
    my $trace = perfetto_calls(result('nytp-trace', '--min=10us', $path));
    cmp_ok($trace->{calls}, '<', perfetto_calls(result('nytp-trace', $path))->{calls}, 'trace: fewer calls');
};

# ---- --diff ----

subtest 'nytprofcalls --diff' => sub {
    my $old = record('calls', ['test/scripts/calls.pl'], calls => 2, slowops => 2, blocks => 1);
    my $new = record('calls-db', ['test/scripts/calls.pl'], calls => 2, slowops => 1, use_db_sub => 1);
    my %values = map { my ($stack, $before, $after) = /^(.*) (\S+) (\S+)$/ or die;
        ($stack => [$before, $after]) } split /\n/, result('nytprofcalls', '--diff', '--calls', $old, $new);
    my ($before, $after) = map { folded('--calls', $_) } $old, $new;
    my %expected = map { $_ => [$before->{$_} // 0, $after->{$_} // 0] } keys %$before, keys %$after;
    is_deeply(\%values, \%expected, 'each stack has both values');
    my $lines = result('nytprofcalls', '--diff', $old, $new);
    is($lines, join('', map { "$_\n" } sort { stack_key($a) cmp stack_key($b) } split /\n/, $lines), 'sorted');
    for my $options (['--min=2'], ['--depth=2'], ['--reverse']) {
        my @rows = map { [/(\S+) (\S+)$/] } split /\n/,
            result('nytprofcalls', '--diff', '--unit=ns', @$options, $old, $new);
        is(sum(map { $_->[0] } @rows), sum(values %{ folded('--unit=ns', $old) }), "@$options: the sum of the first");
        is(sum(map { $_->[1] } @rows), sum(values %{ folded('--unit=ns', $new) }), 'and of the second');
    }
    my @scaled = map { [/(\S+) (\S+)$/] } split /\n/, result('nytprofcalls', '--diff-scale', '--unit=ns', $old, $new);
    my ($sum, $wanted) = (sum(map { $_->[0] } @scaled), sum(map { $_->[1] } @scaled));
    cmp_ok(abs($sum - $wanted), '<=', @scaled, '--diff-scale brings the first to the second');
    my $svg = run(['perl', '/usr/share/perl5/Devel/NYTProf/flamegraph.pl', spew("$scratch/diff", $lines)]);
    like($svg->{out}, qr/<svg.*main::fib/s, 'flamegraph.pl draws it');
    is($svg->{err}, '', 'without a word');
    is(run(["$bin/nytprofcalls", '--diff', $old])->{status}, 2, 'one profile is wrong usage');
};

done_testing();
