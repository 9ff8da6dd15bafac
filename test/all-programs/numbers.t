# All programs say the same of a profile: the time that is 100 %, and of each sub the calls, its own and its inclusive
# time.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(optional_module profiled);
use IO::Uncompress::Gunzip qw(gunzip);
use JSON::PP qw(decode_json);
use List::Util qw(max sum0);
use Numbers qw(said_by saying);
use NYTPTest qw(build_dir converters run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes);
use ReportPage;
use Test::More;
use Written qw(rows_of);

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

sub empty {
    my ($name, @attributes) = @_;
    return spew("$scratch/$name.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], @attributes,
            [PID_START => 1, 1, 1.5], [PID_END => 1, 2.5]));
}
my $empty         = empty('empty');
my $empty_sampled = empty('sampled-empty', [ATTRIBUTE => 'sampled_hz', 100]);

my $work = <<'END';
use strict; use warnings;
sub leaf { my $x = shift; $x += $_ for 1 .. 20; return $x }
sub twice { return leaf($_[0]) + leaf(1) }
sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub text { my $s = 'a' x 30; $s =~ s/a+?b?//g for 1 .. 5; return sprintf '%s', $s }
sub pause { select undef, undef, undef, 0.02 }
sub work { twice($_) for 1 .. 40; fib(9); text() for 1 .. 10; pause() if $_[0] % 2 }
END

my @recorded = (    # name, source after $work, options of the collector, what is special
    ['a script', 'work($_) for 1 .. 4; my $x = 0; $x += $_ for 1 .. 20_000;'],
    ['a server', 'for my $child (1 .. 3) { next if fork; work($_) for 1 .. $child + 2; exit } 1 while wait > 0; '
    . 'work(2)', { addpid => 1 }],
    ['a server with a worker that was killed',
        'for my $child (1 .. 2) { next if fork; for my $request (1 .. 30) { work($request); kill KILL => $$ if '
        . '$child == 2 && $request == 29 } exit } 1 while wait > 0', { addpid => 1 }],
    ['killed',   'sub main_loop { for (1 .. 60) { work($_); kill KILL => $$ if $_ == 50 } } main_loop()'],
    ['stmts=0',  'work($_) for 1 .. 4', { stmts => 0 }],
    ['calls=0',  'work($_) for 1 .. 4', { calls => 0 },
    without => qr/stacks|nytprofcalls|tree|speedscope|pprof|trace|top/],
    ['threads',  'use threads; my @t = map { my $n = $_; threads->create(sub { work($n) }) } 1 .. 3; $_->join for '
    . '@t; work(4)', {}, needs => ['threads', 'perl']],
    ['an exit in a sub', 'sub deep { my $n = shift; work(2); exit if !$n; deep($n - 1) } deep(5)'],
    ['Coro',     'use Coro; my @c = map { my $n = $_; async { for (1 .. 3) { work($n); cede } } } 1 .. 3; $_->join '
    . 'for @c', {}, needs => ['Coro', 'libcoro-perl']],
    ['calls=2',  'work($_) for 1 .. 4', { calls => 2, blocks => 1, leave => 0 }],
    ['slowops=0', 'work($_) for 1 .. 4; BEGIN { work(1) }', { slowops => 0 }],
    ['clock=2',  'work($_) for 1 .. 4', { clock => 2 }],
    ['labels',   'open my $f, "<", $0; work($_) for 1 .. 4', { labels => 'file,regex' }],
);

sub nearly {
    my ($got, $want, $said, $least) = @_;
    my $margin = $said->{digits} ? 0.6 * 10**(1 - $said->{digits}) * max(abs $want, 1e-9) : 0;
    return abs($got - $want) <= max($margin, $least);
}

# Whether a name is the same in all programs: some leave out numbers of evals and directories.
sub is_plain { my ($name) = @_; return $name =~ /\A(?:main::\w+|main::CORE:\w+)\z/ && $name !~ /__ANON__|BEGIN|NULL/ }

sub complaints {
    my ($program, $said, $want, %special) = @_;
    my @wrong = %{ $said->{subs} } ? () : 'no subs';
    # As in dprofpp, 100 % of a tmon.out is the time that it says the program ran.
    push @wrong, sprintf 'the whole is %.7f s, not %.7f s', $said->{whole}, $want->{whole}
        if defined $said->{whole} && !($special{run_time} && $program eq 'nytp-tree')
        && !grep { nearly($said->{whole}, $_, $said, 1e-6) } $want->{whole}, $want->{sum} // ();
    for my $name (sort grep { is_plain($_) && $_ ne 'main::RUNTIME' } keys %{ $want->{subs} }) {
        my ($got, $sub) = ($said->{subs}{$name}, $want->{subs}{$name});
        next if !$sub->{calls};
        if (!$got) {
            push @wrong, "no $name" if !$said->{is_part};
            next;
        }
        push @wrong, "$name: $got->{calls} calls, not $sub->{calls}"
            if defined $got->{calls} && $got->{calls} != $sub->{calls} && !$special{samples};
        for my $time (qw(own incl)) {
            push @wrong, sprintf '%s: %s %.7f s, not %.7f s', $name, $time, $got->{$time}, $sub->{$time}
                if defined $got->{$time} && !nearly($got->{$time}, $sub->{$time}, $said, 1e-6);
            my $percent = 100 * $sub->{$time} / $want->{whole};
            push @wrong, sprintf '%s: %s %.1f %%, not %.1f %%', $name, $time, $got->{"${time}_percent"}, $percent
                if defined $got->{"${time}_percent"} && abs($got->{"${time}_percent"} - $percent) > 0.11;
        }
    }
    return @wrong;
}

sub uncompressed {
    my ($bytes) = @_;
    gunzip(\$bytes => \my $inflated) if $bytes =~ /\A\x1f\x8b/;
    return $inflated // $bytes;
}

# The subs in the stacks of a report.
sub stack_names {
    my ($html) = @_;
    my $core = ReportPage->new($html)->{core};
    return map { $core->{subs}{name}[$_] } @{ $core->{stacks}{sub} };
}

# files: those of single processes. The whole is the time of statements or, if that is more, of calls. A program that
# shows each process takes the sum of the wholes of the processes.
sub agree {
    my ($name, $path, %special) = @_;
    my $want = said_by('nytprofhtml', $path);
    $want->{sum} = sum0(map { said_by('nytprofhtml', $_)->{whole} } @{ $special{files} }) if $special{files};
    cmp_ok(scalar(grep { $_->{calls} } values %{ $want->{subs} }), '>=', $special{least} // 4, "$name: has calls");
    for my $program (grep { !defined $special{without} || !/$special{without}/ } saying()) {
        my @wrong = complaints($program,
            said_by($program, $path,
                $program eq 'nytp-diff' ? (empty => $special{samples} ? $empty_sampled : $empty) : ()), $want,
                %special);
        is(join("\n", @wrong), '', "$name: $program");
    }
    return $want;
}

# The profile of one process, or of several that are merged.
sub profile_of {
    my ($name, @files) = @_;
    return $files[0] if @files == 1;
    is(run(["$bin/nytprofmerge", '-o', "$scratch/merged.out", @files])->{status}, 0, "$name: merged");
    return "$scratch/merged.out";
}

for my $case (@recorded) {
    my ($name, $code, $options, %special) = @$case;
    next if $special{needs} && !optional_module(@{ $special{needs} });
    my $got  = profiled('ours', ['-e', $work . $code], options => $options // {});
    my $path = profile_of($name, @{ $got->{files} });
    agree($name, $path, %special, files => $got->{files});
    next if $name ne 'a script';
    my $tmon = "$scratch/tmon.out";
    is(run(["$bin/nytp-dprof", '-o', $tmon, $path])->{status}, 0, 'tmon.out');
    agree('tmon.out', $tmon, run_time => 1);
}

# ---- statements took longer in one process, calls in the other ----

my @two = map { my ($pid, $statements, $calls) = @$_;
    spew("$scratch/$pid.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000],
        [PID_START => $pid, 1, 1.5], [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => $statements, 1, 1],
        [SUB_RETURN => 1, $calls, $calls, 'main::f'],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, $calls / 1000, $calls / 1000, 0, 0, 'main::f'],
        [PID_END => $pid, 2.5])) }
    [7, 100, 50], [8, 50, 100];
agree('two processes', profile_of('two processes', @two), files => \@two, least => 1);

# ---- samples: 10 of 10 ms in 3 subs; the last one ends in a call that goes on ----

my @sampled = (
    [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'sampled_hz', 100],
    [PID_START => 7, 1, 1.5],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 40_000, 1, 1],
    [SUB_ENTRY => 1, 1], [TIME_LINE => 30_000, 1, 2], [TIME_LINE => 149_000, 1, 2],
    [SUB_ENTRY => 1, 2], [SUB_ENTRY => 1, 2], (map { [TIME_LINE => 20_000, 1, 2] } 1 .. 5),
    [SUB_RETURN => 3, 100_000, 100_000, 'main::g'], [SUB_RETURN => 2, 100_000, 0, 'main::f'],
    [SUB_RETURN => 1, 279_000, 179_000, 'main::f'],
    [TIME_LINE => 60_000, 1, 1],
);
my @arcs = ([1, 1, 'main::RUNTIME', 1, 0.0279, 0.0179, 0, 0, 'main::f'], [1, 2, 'main::f', 1, 0, 0, 0.01, 1, 'main::f'],
    [1, 2, 'main::f', 1, 0.01, 0.01, 0, 0, 'main::g']);
agree('samples',
    spew("$scratch/sampled.out", profile_bytes(@sampled, (map { [SUB_CALLERS => @$_] } @arcs), [PID_END => 7, 2.5])),
    samples => 1, least => 1);
agree('samples, cut',
    spew("$scratch/cut.out",
        profile_bytes(@sampled, [SUB_ENTRY => 1, 1], [SUB_ENTRY => 1, 2], [TIME_LINE => 50_000, 1, 3],
            [SUB_RETURN => 2, 50_000, 50_000, 'main::g'])), samples => 1, least => 1);

# ---- what is completed of a process that was killed ----

# f calls g three times; the sums were saved after the first of them. Then g was called, and f has not returned.
my @killed = (
    [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
    [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [TIME_LINE => 100, 1, 1],
    [SUB_RETURN => 2, 5, 5, 'main::g'], [SUB_CALLERS => 1, 10, 'main::f', 1, 0.005, 0.005, 0, 0, 'main::g'],
    [SUB_RETURN => 2, 6, 6, 'main::g'], [SUB_RETURN => 2, 7, 7, 'main::g'], [SUB_RETURN => 1, 20, 2, 'main::f'],
    [SUB_RETURN => 2, 3, 3, 'main::g'], [SUB_CALLERS => 1, 10, 'main::f', 1, 0.003, 0.003, 0, 0, 'main::g'],
    [SUB_RETURN => 2, 4, 4, 'main::g'],
);
my $killed = spew("$scratch/killed.out", profile_bytes(@killed));
sub calls_of {
    my ($path) = @_;
    return [map { join ' ', (split /,/)[0, 1, 4, 5, 6, 7] } grep { /^main/ } split /\r?\n/,
        run(["$bin/nytprofcsv", '--table=calls', '-o', '-', $path])->{out}];
}
my @complete = (
    'main::f main::RUNTIME  1 0.020000000 0.002000000',
    'main::g main::RUNTIME  2 0.007000000 0.007000000',
    'main::g main::f  1 0.010000000 0.010000000',
    'main::g main::f 10 2 0.008000000 0.008000000',
);
is_deeply(calls_of($killed), \@complete, 'calls after the last sums have no line');
is_deeply(calls_of(spew("$scratch/in-f.out", profile_bytes(grep { "@$_[0, -1]" ne 'SUB_RETURN main::f' } @killed))),
    ['main::g main::RUNTIME  3 0.017000000 0.017000000', $complete[3]],
    'those of a sub that has not returned count once');
{
    my $merged = "$scratch/of-killed.out";
    like(run(["$bin/nytprofmerge", '-o', $merged, $killed])->{err}, qr/1 process killed or still running/, 'nytprofmerge warns');
    is_deeply(calls_of($merged), \@complete, 'the merged profile has all calls');
    is(run(["$bin/nytprofmerge", '-o', "$scratch/again.out", $merged])->{status}, 0, 'it can be merged again');
    for my $path ($merged, "$scratch/again.out") {
        my $got = run(["$bin/nytprofcg", '-o', '-', $path]);
        is($got->{err},
            "nytprofcg: warning: $path: when it was merged, 1 process had no end (still running, killed, or the "
            . "file was cut)\n", 'which warns, too');
        like(run(["$bin/nytprofhtml", '-o', '-', $path])->{out}, qr/When the profile was merged, 1 process had no end/,
            'the report says so');
    }
    my $got = run(["$bin/nytprofcg", '-o', '-', '-'], stdin => slurp($killed));
    is($got->{out} =~ s/^(?:cmd|desc).*\n//mgr,
        run(["$bin/nytprofcg", '-o', '-', $killed])->{out} =~ s/^(?:cmd|desc).*\n//mgr, 'from a pipe, too');
    $got = run(["$bin/nytp-dot", '--collapse=package', '-'], stdin => slurp($killed));
    like($got->{err},
        qr/nytp-dot: warning: standard input cannot be read twice, so numbers of calls are incomplete\n\z/,
        'or a warning');
}

# ---- what would make times infinite ----

for my $rate ('1e-308', '0', '-1', '1e300', 'nan', 'inf') {
    my $path = spew("$scratch/rate.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $rate], @killed[2 .. $#killed],
            [PID_END => 7, 2.5]));
    for my $program ($rate eq '1e-308' ? converters() : 'nytprofcg') {
        my $got = run(["$bin/$program", ($program eq 'nytprofcsv' ? '--table=subs' : ()), '-o', '-', $path]);
        like($got->{err},
            qr/\A$program: warning: \Q$path\E: offset \d+: ticks_per_sec is not a number from 1e-9 to 1e18; line skipped\n/, "$program: ticks_per_sec=$rate is refused");
        is($got->{status}, 0, '... and the profile is read');
        next if $program =~ /html|pprof|trace|merge/;
        unlike($got->{out}, qr{\b(?:inf|nan)\b}, '... without infinite numbers');
    }
}

# ---- --min is a share of the same time ----

# 100 ticks of statements, 20 of them in f.
my $small = spew("$scratch/small.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'],
    [TIME_LINE => 100, 1, 1], [SUB_RETURN => 2, 5, 5, 'main::g'], [SUB_RETURN => 1, 20, 15, 'main::f'],
    [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.02, 0.015, 0, 0, 'main::f'],
    [SUB_CALLERS => 1, 1, 'main::f', 1, 0.005, 0.005, 0, 0, 'main::g'], [PID_END => 7, 2.5]));
for my $shown (['nytprofcalls'], ['nytprofcalls', '--reverse'], ['nytp-tree'], ['nytp-tree', '--json'],
    ['nytp-tree', '--table'], ['nytp-speedscope'], ['nytp-pprof'], ['nytp-dot', '--min-edge=0'],
    ['nytprofhtml', '--no-source']) {
    my ($program, @options) = @$shown;
    my $has_g = sub {
        my $out = run(["$bin/$program", @options, "--min=$_[0]", '-o', '-', $small])->{out};
        return $program eq 'nytprofhtml' ? !!grep { $_ eq 'main::g' } map { stack_names($_) } $out
            : uncompressed($out) =~ /\bg\b/;
    };
    ok($has_g->(4.9) && !$has_g->(5.1), "@$shown: 5 % of all time");
}

# ---- what stands out has the work of the tables, and its share ----

# Of 1,000 ticks 400 are waiting: each of ten requests runs a query and throws, which waits.
my @each = map { my $id = $_; (
    (map { ([TIME_LINE => 2, 1, 30], [SUB_RETURN => 2, 2, 2, 'DBI::st::execute SELECT a']) } 1 .. 12),
    [TIME_LINE => 10, 1, 50], [TIME_LINE => 40, 1, 52], [SUB_RETURN => 3, 40, 40, 'main::CORE:sleep'], [SUB_RETURN => 2, 50, 10, 'X::throw'],
    [TIME_LINE => 16, 1, 20], [SUB_RETURN => 1, 90, 16, 'NYTProf::span GET /a'], [TIME_LINE => 10, 1, 60], [SUB_RETURN => 1, 10, 10, 'NYTProf::span GET /b'],
) } 1 .. 10;
my @sums = ([20, 'NYTProf::span GET /a', 120, 0.24, 0.24, 'DBI::st::execute SELECT a'], [20, 'NYTProf::span GET /a', 10, 0.5, 0.1, 'X::throw'],
    [52, 'X::throw', 10, 0.4, 0.4, 'main::CORE:sleep'], [9, 'main::RUNTIME', 10, 0.9, 0.16, 'NYTProf::span GET /a'], [9, 'main::RUNTIME', 10, 0.1, 0.1, 'NYTProf::span GET /b']);
my $found_in = spew("$scratch/found.out",
    profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [ATTRIBUTE => 'labels', 'sql,sql=DBI::st::execute'], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, '/a.pl'], [SUB_INFO => 1, 'X::throw', 50, 55], @each,
        (map { [SUB_CALLERS => 1, @$_[0 .. 4], 0, 0, $_->[5]] } @sums), [PID_END => 7, 2.5]));

# What a table of nytprofcsv says, as name => seconds.
sub csv_seconds {
    my ($table, $name, $seconds) = @_;
    return map { $_->{$name} => $_->{$seconds} } rows_of($table, $found_in);
}

subtest 'what stands out' => sub {
    my $said = run(["$bin/nytp-tree", '--findings', '--json', $found_in]);
    is($said->{err}, '', 'findings');
    my %found = map { $_->{rule} => $_ } @{ decode_json($said->{out})->{findings} };
    my %is = ('heavy-span' => 0.5, 'repeated-query' => 0.24, exceptions => 0.1, waiting => 0.4);
    for my $rule (sort keys %is) {
        my ($of, $whole) = $rule eq 'waiting' ? ('all time', 1) : ('the work', 0.6);
        is_deeply([map({ sprintf '%.4f', $found{$rule}{$_} } qw(seconds share)), $found{$rule}{of}],
            [map({ sprintf '%.4f', $_ } $is{$rule}, $is{$rule} / $whole), $of], "$rule: of $of, $whole s");
    }
    my $page = run(["$bin/nytp-tree", '--markdown', $found_in])->{out};
    like($page, qr/^\| 10 \| 900 ms \| 90\.0 % \| 500 ms \| 400 ms \| `GET \/a` \|$/m, 'the request in the page');
    like($page, qr/^- GET \/a ran 10 times, 90\.0 ms each: 500 ms, 83 % of the work$/m, '... which stands out');
    like($page, qr/^\| 10 \| 100 ms \| 10\.0 % \| 500 ms \| 50\.0 % \| `X::throw` \|$/m, 'the sub in the page');
    like($page, qr/^- X::throw and what it calls, 10 calls: 100 ms, 17 % of the work$/m, '... which stands out');
    my $report = ReportPage->new(run(["$bin/nytprofhtml", '-o', '-', $found_in])->{out});
    my ($labels, $totals) = @{ $report->{core} }{qw(labels totals)};
    my %label = map { $labels->{text}[$_] => $labels->{incl}[$_] / $totals->{ticks} } keys @{ $labels->{text} };
    is_deeply([map { sprintf '%.4f', $label{$_} } 'GET /a', 'SELECT a'], ['0.9000', '0.2400'], 'the report');
    is_deeply([$report->static =~ /<li data-rule="([^"]+)"><span class="share">(\d+) %</g],
        ['heavy-span' => 83, 'hot-line' => 40, 'repeated-query' => 40, 'hot-line' => 27, exceptions => 17], '... and its first five findings');
    my %csv = (csv_seconds('labels', 'label', 'label_inclusive_s'), csv_seconds('subs', 'sub', 'inclusive_s'));
    is_deeply([map { sprintf '%.4f', $csv{$_} } 'GET /a', 'SELECT a', 'X::throw', 'main::CORE:sleep'], ['0.9000', '0.2400', '0.5000', '0.4000'], 'nytprofcsv');
    my %tree = map { my @row = split ' ', $_, 7; $row[6] ? ($row[6] => $row[2]) : () } map { split /\n/, run(["$bin/nytp-tree", @$_, $found_in])->{out} }
        ['--labels=span'], ['--labels=sql'], ['--table', '-O', 0];
    is_deeply([map { 0 + $tree{$_} } 'GET /a', 'SELECT a', 'X::throw', 'main::CORE:sleep'], [0.9, 0.24, 0.5, 0.4], 'nytp-tree');
};

done_testing();
