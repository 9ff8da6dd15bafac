# nytprofcalls as its user meets it: options, inputs, outputs, and the lines of profiles that are made up here.
# What those should be lies in test/data/nytprofcalls; BLESS=1 writes it anew.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(parsed);
use CollectorRun qw(profiled);
use JSON::PP ();
use NYTPTest qw(build_dir record run scratch_dir slurp spew top_dir);
use POSIX ();
use ProfileBytes qw(profile_bytes simple_profile);
use StockModules ();
use Test::More;

my $ours    = build_dir() . '/bin/nytprofcalls';
my $data    = top_dir() . '/test/data/nytprofcalls';
my $scratch = scratch_dir();

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# Depth, exclusive ticks, name. A little shop: a request is parsed, looked up and rendered, twice.
my @request = (
    [3, 120, 'Shop::Parser::token'],
    [3, 80,  'Shop::Parser::token'],
    [2, 300, 'Shop::Parser::parse'],
    [4, 900, 'DBI::st::execute'],
    [3, 40,  'Shop::Store::row'],
    [3, 5,   'Shop::Log::debug'],
    [2, 210, 'Shop::Store::lookup'],
    [4, 77,  'Shop::Template::__ANON__[(eval 17)[/srv/shop.pl:88]:1]'],
    [4, 33,  'Shop::Template::__ANON__[(eval 18)[/srv/shop.pl:88]:1]'],
    [3, 60,  'Shop::Template::escape'],
    [2, 150, 'Shop::Template::render'],
    [1, 25,  'main::request'],
    [1, 3,   'Shop::Log::debug'],
);
my %profile = (
    shop  => simple_profile([(@request) x 2], compress => 1),
    names => simple_profile([
        [2, 1, "main::new\nline"], [2, 2, "main::return\r"], [2, 4, "main::nul\0byte"], [2, 8, 'main::a;b c'],
        [2, 16, "main::tab\tbell\a"], [2, 32, "main::latin\xe4"], [2, 64, "main::\x{e4}\x{20ac}"], [2, 128, ''],
        [1, 256, 'main::run'],
    ]),
    orphans => simple_profile([[3, 1, 'main::deep'], [5, 2, 'main::deeper'], [2, 4, 'main::middle'],
        [9, 8, 'main::lost'], [4, 16, 'main::adrift']]),
    processes => profile_bytes(
        [VERSION    => 5, 0], [PID_START => 1, 0, 0], [SUB_RETURN => 2, 1, 1, 'main::parent'],
        [PID_START  => 2, 1, 0], [SUB_RETURN => 1, 2, 2, 'main::child'], [PID_END => 2, 0],
        [SUB_RETURN => 1, 4, 4, 'main::parent'], [PID_END => 1, 0],
    ),
    negative => simple_profile([[2, -50, 'main::stepped'], [2, 70, 'main::stepped'], [1, -100, 'main::back'],
        [1, -0.25, 'main::hardly']]),
    old   => profile_bytes([VERSION => 4, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 1, 0, 0],
        [SUB_RETURN => 1, 1, 1.75, 'main::f'], [PID_END => 1, 0]),
    empty => simple_profile([]),
);
my %path = map { $_ => spew("$scratch/$_.out", $profile{$_}) } keys %profile;

sub lines_of {
    my (@arguments) = @_;
    my $got = run([$ours, @arguments], dir => $scratch);
    is("$got->{status} $got->{err}", '0 ', join(' ', map { s{.*/}{}r } @arguments) . ': done');
    return $got->{out};
}

# ---- lines ----

sub is_golden {
    my ($name, $text) = @_;
    my $golden = "$data/$name.folded";
    spew($golden, $text) if $ENV{BLESS};
    return is($text, -e $golden ? slurp($golden) : undef, $name);
}

subtest 'lines of every sort of profile' => sub {
    is_golden($_, lines_of($path{$_})) for grep { $_ ne 'empty' } sort keys %path;
};

subtest 'lines with every option' => sub {
    my %options = (
        calls  => ['--calls'],
        ns     => ['--unit=ns'],
        us     => ['--unit', 'us'],
        min    => ['--min=8'],
        depth  => ['--depth=2'],
        reverse       => ['--reverse'],
        callees       => ['--reverse', '--depth=1'],
        'min-reverse' => ['--min=8.5', '--reverse', '--unit=us'],
        apart         => ['--no-merge-evals'],
        'depth-calls' => ['--calls', '--depth=1'],
    );
    my $total = sum(values %{ parsed(lines_of($path{shop})) });
    for my $name (sort keys %options) {
        my $text = lines_of(@{ $options{$name} }, $path{shop});
        is_golden("shop-$name", $text);
        my $per_tick = { us => 0.1, ns => 100 }->{ "@{ $options{$name} }" =~ /unit.(\w+)/ ? $1 : '' } // 1;
        is(sum(values %{ parsed($text) }), $name =~ /calls/ ? 26 : sprintf('%.0f', $total * $per_tick),
            "$name: the sum is kept");
    }
    is_golden('sum', lines_of(@path{qw(shop orphans old)}));
    is_golden('sum-ns', lines_of('--unit=ns', @path{qw(shop orphans old)}));
};

subtest 'units' => sub {
    my $ns  = parsed(lines_of('--unit=ns', $path{shop}));
    my $s   = parsed(lines_of('--unit=s', $path{shop}));
    is_deeply({ map { $_ => sprintf '%.0f', $s->{$_} * 1e9 } keys %$s }, $ns, 's: to the nanosecond');
    for ([us => 1e3], [ms => 1e6]) {
        my ($unit, $per) = @$_;
        my $shown = parsed(lines_of("--unit=$unit", $path{shop}));
        is_deeply([grep { !/^[1-9][0-9]*$/ } values %$shown], [], "$unit: whole numbers, none of them 0");
        is(sum(values %$shown), sprintf('%.0f', sum(values %$ns) / $per), "$unit: the sum is that of all, rounded");
        my @off = grep { abs(($shown->{$_} // 0) - $ns->{$_} / $per) >= 1 } keys %$ns;
        is("@off", '', "$unit: and each is off by less than one");
    }
    my $thirds = spew("$scratch/thirds.out", profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7],
        [PID_START => 7, 1, 5], (map { [SUB_RETURN => 1, $_->[1], $_->[1], "main::$_->[0]"] }
            [a => 3], [b => 17], [c => 14], [d => 4], [e => -3]), [PID_END => 7, 6]));
    is(lines_of('--unit=us', $thirds), "main::b 2\nmain::c 2\n", 'the largest remainders are rounded up')
        or diag(lines_of('--unit=ns', $thirds));
};

# 30 and 40 ticks outside of subs in two processes, of which the second one has ten times as many ticks in a second.
subtest '--root' => sub {
    my @files = map {
        my ($pid, $factor) = ($_, 10**($_ - 1));
        spew("$scratch/root$pid",
            profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1e7 * $factor], [PID_START => $pid, 1, 5],
            [NEW_FID => 1, 0, 0, 0x12, 0, 0, 'a.pl'], [TIME_LINE => 20 * $factor, 1, 1],
            [TIME_LINE => 100 * $factor, 1, 9],
            [DISCOUNT => ], [TIME_LINE => 10 * $pid * $factor, 1, 2],
            [SUB_RETURN => 2, 40 * $factor, 40 * $factor, 'main::g'],
            [SUB_RETURN => 1, 100 * $factor, 60 * $factor, 'main::f'],
            [PID_END => $pid, 6], [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 1e-5, 6e-6, 0, 0, 'main::f'],
            [SUB_CALLERS => 1, 9, 'main::f', 1, 4e-6, 4e-6, 0, 0, 'main::g']))
    } 1, 2;
    my $rooted = join '', map { "$_\n" } 'main::RUNTIME 70', 'main::RUNTIME;main::f 120',
        'main::RUNTIME;main::f;main::g 80';
    is(lines_of('--root', @files), $rooted, 'it is the root of all stacks, and has its time');
    is(lines_of('--root', spew("$scratch/both", slurp($files[0]) . slurp($files[1]))), $rooted,
        '... from one file, too');
    is(lines_of('--root', '--calls', @files), $rooted =~ s/ 70/ 2/r =~ s/ \d+$/ 2/mgr, 'a call for each process');
    is(lines_of('--root', '--min=30', @files), "main::RUNTIME 70\nmain::RUNTIME;main::f 200\n",
        '--min is a share of all time');
    is(lines_of('--root', '--depth=1', @files), "main::RUNTIME 270\n", '--depth counts it');
    like(lines_of('--root', '--reverse', @files), qr/^main::f;main::RUNTIME 120$/m, '--reverse');
    unlike(lines_of(@files), qr/RUNTIME/, 'without the option it is not there');
    my $tree = run([build_dir() . '/bin/nytp-tree', '--root', '--unit=ticks', @files]);
    is($tree->{out} =~ s/ *\t/ /gr, <<'END', 'nytp-tree shows the same');
main::RUNTIME x 2 270 ticks = (70 + 200) ticks
  main::f x 2 200 ticks = (120 + 80) ticks
    main::g x 2 80 ticks
END
    my $real = run([build_dir() . '/bin/nytp-dot', '--min=0', $files[0]]);
    like($real->{out}, qr/main::RUNTIME\\ninclusive 13\.0 us \(100\.0 %\), self 3\.00 us /, '... and nytp-dot');
};

# The stretches of time that speedscope's time line has, [stack, ns], those of one stack in a row as one; and how long each
# outermost call took.
sub stretches {
    my ($profile) = @_;
    my $json = JSON::PP::decode_json(run([build_dir() . '/bin/nytp-speedscope', '--timeline', '--unit=ns', '-o', '-', $profile])->{out});
    my (@stretches, @stack, @outermost);
    my $at = 0;
    for my $event (@{ $json->{profiles}[0]{events} }) {
        my $stack = join ';', @stack;
        if ($event->{at} > $at && @stack) {
            push @stretches, [$stack, 0] if !@stretches || $stretches[-1][0] ne $stack;
            $stretches[-1][1] += $event->{at} - $at;
        }
        $at = $event->{at};
        push @outermost, -$at if $event->{type} eq 'O' && !@stack;
        $outermost[-1] += $at if $event->{type} eq 'C' && @stack == 1;
        $event->{type} eq 'O' ? push @stack, $json->{shared}{frames}[$event->{frame}]{name} : pop @stack;
    }
    return (\@stretches, \@outermost);
}

subtest '--time-order' => sub {
    my $code = 'sub f { g($_[0]) for 1 .. 3; my $x = 0; $x += $_ for 1 .. 500 } sub g { h() if $_[0]; my $x = 0; $x += $_ for 1 .. 300 } '
        . 'sub h { my @x = sort { $a <=> $b } reverse 1 .. 200 } f($_ % 2) for 1 .. 5; h()';
    my $profile   = record('time-order', ['-e', $code], calls => 2, slowops => 2);
    my ($stretches, $outermost) = stretches($profile);
    my @stretches = @$stretches;
    my $order = sub { map { /^(.*) (\d+)$/ ? [$1, $2] : ['?', $_] } split /\n/, run([$ours, '--time-order', @_, $profile])->{out} };
    my @lines = $order->('--unit=ns');
    is_deeply([ map { $_->[0] } @lines ], [ map { $_->[0] } @stretches ], 'stacks follow one another as on the time line');
    is(join("\n", map { "$lines[$_][0] $lines[$_][1], not $stretches[$_][1]" }
        grep { abs($lines[$_][1] - $stretches[$_][1]) > 1 } 0 .. $#stretches), '', 'for as long');
    my $total = sum(map { $_->[1] } @lines);
    my @us    = $order->('--unit=us');
    cmp_ok(abs(sum(map { $_->[1] } @us) - $total / 1000), '<=', 0.5, 'microseconds are whole, and add up');
    cmp_ok(scalar(grep { $_->[1] > 1e9 } @us), '==', 0, 'none is 0 or less');
    my @root = $order->('--unit=ns', '--root');
    my @within = map { $_->[0] =~ s/^main::RUNTIME;//r } grep { $_->[0] ne 'main::RUNTIME' } @root;
    is_deeply([ map { $within[$_] } grep { $_ == 0 || $within[$_] ne $within[$_ - 1] } 0 .. $#within ],
        [ map { $_->[0] } @lines ], '--root shows what is between');
    cmp_ok(scalar(grep { $_->[0] eq 'main::RUNTIME' } @root), '>', 3, 'which there is');
    is(scalar(grep { tr/;// > 1 } map { $_->[0] } $order->('--depth=2')), 0, '--depth');
    my @min = $order->('--unit=ns', '--min=5');
    cmp_ok(scalar @min, '<', @lines / 2, '--min leaves short calls to their callers');
    my $least = $total / 20;
    my $unsure = @lines + sum(0, grep { abs($_ - $least) < 200 } @$outermost);    # rounding to ns, and to ticks
    cmp_ok(abs(sum(0, map { $_->[1] } @min) - sum(0, grep { $_ >= $least } @$outermost)), '<=', $unsure, 'but for outermost ones, which go');
    my $again = run([$ours, '--time-order', $profile])->{out};
    is(run([$ours, '--time-order', '-'], stdin => slurp($profile))->{out}, $again, 'from standard input, too');
    my $joined = spew("$scratch/joined.out", slurp($profile) x 2);
    is(run([$ours, '--time-order', $_])->{out}, $again . $again, 'of several profiles in a file') for $joined;
    is(run([$ours, '--time-order', $profile, $profile])->{out}, $again . $again, 'and of several files');
};

subtest '--annotate' => sub {
    my $code = 'use List::Util "sum"; sub f { my @x = map { sum(1 .. $_) } 1 .. 200; sort_them(@x) } sub sort_them { my @y = sort @_ } '
        . 'sub run { eval q{f(); 1}; f() } run()';
    my $profile = profiled('ours', ['-e', $code], options => { calls => 2, slowops => 2 })->{files}[0];
    my %frames = map { $_ => 1 } map { split /;/ } map { s/ \S+$//r } split /\n/,
        run([$ours, '--annotate', '--evals', '--root', $profile])->{out};
    ok($frames{$_}, "$_ is there") or diag(join "\n", sort keys %frames)
        for 'main::f_[j]', 'main::RUNTIME_[j]', 'List::Util::sum', 'main::CORE:sort', 'main::BEGIN@1_[i]', 'string eval at -e:1_[i]';
    for my $options ([], ['--reverse'], ['--calls'], ['--unit=us'], ['--time-order', '--unit=ns']) {
        my $plain = run([$ours, @$options, $profile])->{out};
        my $sort  = sub { join "\n", sort split /\n/, $_[0] };
        is($sort->(run([$ours, '--annotate', @$options, $profile])->{out} =~ s/_\[[ij]\]//gr), $sort->($plain),
            "with @$options nothing else changes");
    }
    my $diff = run([$ours, '--annotate', '--diff', $profile, $profile])->{out};
    like($diff, qr/^main::run_\[j\];main::f_\[j\];List::Util::sum \d+ \d+$/m, 'with --diff, too');
};

subtest 'the same by every spelling' => sub {
    my $calls = lines_of('--calls', $path{shop});
    my %same = (
        'one dash'           => ['-calls', $path{shop}],
        'abbreviated'        => ['--cal', $path{shop}],
        'one dash, short'    => ['-cal', $path{shop}],
        'after the file'    => [$path{shop}, '--calls'],
        '--stable'           => ['--calls', '--stable', $path{shop}],
        '-stab'              => ['-stab', '-calls', $path{shop}],
        'after --'          => ['--calls', '--', 'shop.out'],
        '-o -'               => ['--calls', '-o', '-', $path{shop}],
        'all of them'        => ['--calls', '--min=0', $path{shop}],
    );
    is(lines_of(@{ $same{$_} }), $calls, $_) for sort keys %same;
    my $got = run([$ours, '-calls', '-'], stdin => $profile{shop});
    is($got->{out}, $calls, 'standard input');
    is(run(['sh', '-c', '"$0" -calls "$1" | cat', $ours, $path{shop}])->{out}, $calls, 'into a pipe');
    is(run(['sh', '-c', 'cat "$1" | "$0" --calls -', $ours, $path{shop}])->{out}, $calls, 'out of a pipe');
    spew("$scratch/nytprof.out", $profile{shop});
    is(lines_of('--calls'), $calls, 'nytprof.out is the default');
};

# ---- messages ----

subtest 'nothing in there' => sub {
    my $got = run([$ours, $path{empty}]);
    is("$got->{status}$got->{out}", '0', 'no lines');
    like($got->{err}, qr/\Anytprofcalls: warning: the profile has no calls .*calls=0.*\n\z/, 'and why that may be');
};

subtest '--verbose' => sub {
    my ($head) = run([build_dir() . "/bin/nytp-tree", $path{shop}])->{out} =~ /\A\S+  (.*)\n100 %/ or die;
    for my $option (qw(--verbose -v -verbose)) {
        my $got = run([$ours, $option, $path{shop}]);
        is($got->{err} =~ s/^.*: recorded by .*\n//r, "nytprofcalls: 26 calls of 10 subs in 11 different stacks\nnytprofcalls: $head\n",
            $option);
        is($got->{out}, slurp("$data/shop.folded"), 'on stderr');
    }
  SKIP: {
        skip 'no script', 2 if system('script --version >/dev/null 2>&1') != 0;
        my @shown = map { run(['script', '-qec', "$ours $path{shop} $_", '/dev/null'], env => { TERM => 'xterm' })->{out} } '>/dev/null', '';
        is($shown[0], "nytprofcalls: $head\r\n", 'a terminal is told what the time is made of');
        unlike($shown[1], qr/nytprofcalls: /, '... but not among the stacks');
    }
};

subtest 'help and version' => sub {
    for my $option (qw(--help -h -help)) {
        my $text = lines_of($option);
        like($text, qr/^usage: nytprofcalls .*\| flamegraph\.pl/s, "$option: usage with a pipeline");
        cmp_ok($text =~ tr/\n//, '<=', 24, "$option: fits a screen");
    }
    like(lines_of('--version'), qr/^nytprofcalls \d+\.\d+\.\d+\n\z/, '--version');
};

subtest 'wrong usage' => sub {
    my %wrong = (
        'unrecognized option' => ['--nonsense'],
        'ambiguous'           => ['--st'],
        'requires an argument' => ['--unit'],
        "doesn't allow an argument"      => ['--calls=2'],
        's, ms, us, ns, ticks, B, KiB, MiB or GiB' => ['--unit=min'],
        '--unit has no effect with --calls' => ['--calls', '--unit=us'],
        'a percentage from 0 to 100'     => ['--min=101'],
        '--min=nan: expected'            => ['--min=nan'],
        '--min=-1: expected'             => ['--min=-1'],
        '--min=: expected'               => ['--min='],
        '--min=5x: expected'             => ['--min=5x'],
        'a whole number from 1 to 2147483647'       => ['--depth=0'],
        '--depth=99999999999: expected'  => ['--depth=99999999999'],
        '--depth=2x: expected'           => ['--depth=2x'],
    );
    for my $message (sort keys %wrong) {
        my $got = run([$ours, '-o', "$scratch/never", $path{shop}, @{ $wrong{$message} }]);
        is($got->{status}, 2, "$message: exit 2");
        like($got->{err}, qr/\Anytprofcalls: .*\Q$message\E.*\nTry 'nytprofcalls --help'\.\n\z/, 'says so');
        is($got->{out}, '', 'and nothing else');
    }
    ok(!-e "$scratch/never", 'no output');
};

# ---- the manual ----

# Its examples run, in their order and in one directory.
subtest 'examples of the manual' => sub {
    my $manual = slurp(top_dir() . '/nytprofcalls/nytprofcalls.1');
    my @blocks = $manual =~ /^\.Bd -literal[^\n]*\n(.*?)^\.Ed$/gms;
    my @scripts = grep { /^nytprofcalls/m } @blocks;
    cmp_ok(scalar @scripts, '>=', 6, 'there are some');
    my $dir = scratch_dir();
    symlink StockModules::flamegraph(), "$dir/flamegraph.pl" or die "flamegraph.pl: $!\n";
    my %env = (PATH => "$dir:" . build_dir() . "/bin:$ENV{PATH}", map { $_ => undef } qw(NYTPROF PERL5LIB PERL5OPT));
    spew("$dir/prog.pl", 'sub f { g() for 1 .. 9 } sub g { my $x = $_[0] } f() for 1 .. 99; fork; f(); wait');
    spew("$dir/$_.out", $profile{shop}) for qw(before after);
    for my $script (@scripts) {
        my $got = run(['sh', '-euc', $script], dir => $dir, env => \%env);
        like("$got->{status} $got->{err}", qr/\A0 (?:Ignored \d+ lines.*\n)?\z/,    # negative times, if any
            $script =~ s/\n.*//sr);
        ok(-s "$dir/$_", "... makes $_") for $script =~ /(?:>|-o) (\w+\.\w+)/g;
    }
    like(slurp("$dir/$_.svg"), qr/main::f/, "$_.svg shows subs") for qw(flame callers);
    like(slurp("$dir/difference.svg"), qr/main::request/, 'difference.svg too');
};

# ---- output ----

subtest 'output to a file' => sub {
    my $dir = scratch_dir();
    for my $arguments (['-o', "$dir/out"], ["-o$dir/out"], ["--output=$dir/out"], ['-output', "$dir/out"]) {
        is(lines_of($path{shop}, @$arguments), '', 'nothing on stdout');
        is(slurp("$dir/out"), slurp("$data/shop.folded"), 'the lines in the file');
        is_deeply([ glob "$dir/* $dir/.n*" ], ["$dir/out"], 'nothing beside it');
    }
    my $got = run([$ours, '-o', "$dir/no/out", $path{shop}]);
    is($got->{status}, 1, 'no such directory: exit 1');
    like($got->{err}, qr{\Anytprofcalls: \Q$dir\E/no/out: .*No such file or directory\n\z},
        'in the words of the system');
    for my $arguments (['-o', '/dev/full'], []) {
        $got = run(['sh', '-c', 'exec "$0" "$@" > /dev/full', $ours, $path{shop}, @$arguments]);
        is($got->{status}, 1, 'full disk: exit 1');
        like($got->{err}, qr/\Anytprofcalls: .*: cannot write: No space left on device\n\z/, 'and says so');
    }
};

subtest 'a reader that goes away' => sub {
    my $many = spew("$scratch/many.out", simple_profile([map { [1, 1, "main::a_sub_with_number_$_"] } 1 .. 20000]));
    my $got = run(['sh', '-c', '{ "$0" "$1"; echo $? >"$2"; } | head -n 1', $ours, $many, "$scratch/status"]);
    like($got->{out}, qr/\Amain::a_sub_with_number_1 1\n\z/, 'one line');
    is($got->{err}, '', 'ended quietly');
    is(slurp("$scratch/status"), 128 + POSIX::SIGPIPE() . "\n", 'by the signal');
};

subtest 'Ctrl-C while it reads' => sub {
    my $dir = scratch_dir();
    POSIX::mkfifo("$dir/fifo", 0600) or die "$dir/fifo: $!\n";
    my $pid = fork // die "fork: $!\n";
    exec $ours, '-o', "$dir/out", "$dir/fifo" or die "exec: $!\n" if $pid == 0;
    open my $fifo, '>', "$dir/fifo" or die "$dir/fifo: $!\n";    # goes on when it reads
    syswrite $fifo, substr $profile{shop}, 0, 100;
    kill INT => $pid;
    waitpid $pid, 0;
    is($? & 127, POSIX::SIGINT(), 'ended by the signal');
    is_deeply([ glob "$dir/* $dir/.n*" ], ["$dir/fifo"], 'left nothing');
};

done_testing();
