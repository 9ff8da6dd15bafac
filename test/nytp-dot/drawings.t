# nytp-dot: the real dot draws every graph, and the tests examine the drawing.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use DotGraph qw(drawn);
use List::Util qw(max sum0);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir fails_cleanly record run scratch_dir slurp spew top_dir);
use ProfileBytes qw(profile_bytes);
use StockModules ();
use Test::More;

binmode $_, ':encoding(UTF-8)' for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $nytp_dot = build_dir() . '/bin/nytp-dot';
my $scratch  = scratch_dir();

# The drawing of a profile, which must be made without a message.
sub graph_of {
    my ($name, $profile, @options) = @_;
    my $got = run([$nytp_dot, @options, $profile]);
    is($got->{status}, 0, "$name: done") or diag($got->{err});
    is($got->{err}, '', "$name: no message");
    my $graph = drawn($got->{out});
    is($graph->{complaint}, '', "$name: dot draws it without a message");
    return $graph;
}

sub subs_of { my @subs = sort grep { $_ ne 'not shown ' } keys %{ $_[0]{nodes} }; return @subs }

# The shares of the time in a text: "12.3 % (4.5 %)" is inclusive and exclusive.
sub shares {
    my ($node) = @_;
    my ($line) = grep { /%/ } @{ $node->{lines} };
    return map { s/<//r } $line =~ /(<?[\d.]+) %/g;
}

# ---- real programs ----

# What holds for every graph.
sub complaints {
    my ($graph) = @_;
    my @complaints;
    my %node = map { $_ => $graph->{nodes}{$_} } subs_of($graph);
    my $note = $graph->{nodes}{'not shown '};
    my %led_to = map { $_->{to} => 1 } grep { $_->{from} ne $_->{to} } @{ $graph->{edges} };
    my $sum = 0;
    for my $name (sort keys %node) {
        my ($incl, $excl) = shares($node{$name});
        push @complaints, "$name: $excl % of $incl %" if $excl > $incl || $incl > 100;
        push @complaints, "$name is not connected" if !$led_to{$name} && $name !~ /^main(?:::RUNTIME)?$/;
        $sum += $excl;
    }
    $sum += (join(' ', @{ $note->{lines} }) =~ /<?([\d.]+) % of the time/)[0] // 0 if $note;
    push @complaints, "the parts add up to $sum %" if abs($sum - 100) > 0.1 * (1 + keys %node);
    for my $edge (@{ $graph->{edges} }) {
        push @complaints, "$edge->{title}: from nowhere" if !$node{ $edge->{from} } || !$node{ $edge->{to} };
    }
    return @complaints;
}

subtest 'real programs' => sub {
    my @variants = (
        ['--no-builtins'], ['--theme=gray'], ['--theme=print', '--cluster=file'],
        ['--color-by=self', '--theme=colorblind'],
        ['--collapse=package'], ['--cluster=package'], ['--no-merge-evals', '--max-nodes=30'], ['--depth=4'],
    );
    my $turn = 0;
    for my $recording (recordings()) {
        my ($name, $path) = @$recording{qw(name path)};
        next if $name =~ /cloc|stmts-only/;    # without calls
        my $graph = graph_of($name, $path);
        is_deeply([complaints($graph)], [], "$name: invariants hold");
        ok($graph->{dot} eq run([$nytp_dot, $path])->{out}, "$name: the same bytes again");
        my @options = @{ $variants[$turn++ % @variants] };
        is_deeply([complaints(graph_of("$name @options", $path, @options))], [], "$name @options: invariants hold");
    }
};

# Of the sub: calls, inclusive and exclusive seconds, from the tip.
sub numbers_in_tip {
    my ($node) = @_;
    my %unit = (s => 1, ms => 1e-3, us => 1e-6);
    my ($incl, $incl_unit, $excl, $excl_unit) = $node->{tip} =~ /inclusive ([\d.]+) (\w+) .*self ([\d.]+) (\w+) /;
    my ($calls) = $node->{tip} =~ /^calls: ([\d,]+)/m;
    return (($calls // 0) =~ tr/,//dr, $incl * $unit{$incl_unit}, $excl * $unit{$excl_unit});
}

subtest 'the stock reader says the same' => sub {
    my ($path) = map { $_->{path} } grep { $_->{name} eq 'pod2man' } recordings();
    my $script = 'use Devel::NYTProf::Data; my $p = Devel::NYTProf::Data->new({ filename => shift, quiet => 1 });
        for my $s (values %{ $p->subname_subinfo_map }) { printf "%s\t%d\t%.9f\t%.9f\n", $s->subname, $s->calls, $s->incl_time, $s->excl_time }';
    my $got = run([StockModules::command(), '-e', $script, $path], env => { PERL5LIB => undef });
    is($got->{status}, 0, 'stock reads it') or diag($got->{err});
    my $graph = graph_of('all of it', $path, '--begin', '--min=0', '--max-nodes=100000', '--min-edge=100');
    my ($seen, @wrong) = 0;
    for (split /\n/, $got->{out}) {
        my ($name, $calls, $incl, $excl) = split /\t/;
        next if !$calls || !$graph->{nodes}{$name};
        my ($our_calls, $our_incl, $our_excl) = numbers_in_tip($graph->{nodes}{$name});
        $seen++;
        push @wrong, "$name: $our_calls $our_incl $our_excl, not $calls $incl $excl"
            if $our_calls != $calls || abs($our_incl - $incl) > 0.006 * $incl + 1e-6
            || abs($our_excl - $excl) > 0.006 * $excl + 1e-6;
    }
    cmp_ok($seen, '>', 100, 'of many subs');
    is_deeply(\@wrong, [], 'calls, inclusive and exclusive times');
    is($seen, subs_of($graph) - 1, 'of all but main::RUNTIME');
};

# ---- a small one, made up ----

# main::RUNTIME -> A::main -> A::left, B::right -> C::deep -> main::CORE:match; A::left calls itself, B::right
# and C::deep each other. Times are in milliseconds; the program takes 100.
my @arcs = (
    ['main::RUNTIME', 'A::main',         1,  90, 10, 0],
    ['A::main',       'A::left',         10, 20, 15, 0],
    ['A::left',       'A::left',         40, 0,  5,  4],
    ['A::main',       'B::right',        5,  60, 10, 0],
    ['B::right',      'C::deep',         50, 49, 30, 0],
    ['C::deep',       'B::right',        7,  0,  1,  1],
    ['C::deep',       'main::CORE:match', 1000, 18, 18, 0],
    ['A::main',       'A::rare',         3,  0.3, 0.3, 0],
    ['A::rare',       'C::deep',         1,  0.2, 0.2, 0],
);
my %first_line = ('A::main' => 10, 'A::left' => 20, 'B::right' => 30, 'C::deep' => 3, 'A::rare' => 40);

sub small {
    my (@more) = @_;
    return profile_bytes(
        [VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [ATTRIBUTE => 'application', 'bin/shop.pl'],
        [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0, 0, 0, '/srv/bin/shop.pl'], [NEW_FID => 2, 0, 0, 0, 0, 0, '/srv/lib/C & D.pm'],
        [TIME_LINE => 1_000_000, 1, 1],
        [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'main::CORE:match'],
        (map { [SUB_INFO => $_ eq 'C::deep' ? 2 : 1, $_, $first_line{$_}, $first_line{$_} + 5] } sort keys %first_line),
        (map { [SUB_CALLERS => 1, 5, $_->[0], $_->[2], $_->[3] / 1e3, $_->[4] / 1e3, 0, $_->[5], $_->[1]] } @arcs,
        @more),
        [PID_END => 7, 2.5],
    );
}

my $small = spew("$scratch/small.out", small());
my @all   = ('A::left', 'A::main', 'A::rare', 'B::right', 'C::deep', 'main::CORE:match', 'main::RUNTIME');

sub edge_between {
    my ($graph, $from, $to) = @_;
    return (grep { $_->{from} eq $from && $_->{to} eq $to } @{ $graph->{edges} })[0];
}

subtest 'nodes and edges' => sub {
    my $graph = graph_of('small', $small, '--min=0', '--min-edge=0');
    is_deeply([subs_of($graph)], \@all, 'subs');
    ok(!$graph->{nodes}{'not shown '}, 'nothing is hidden, so there is no note');
    is_deeply($graph->{lines}, ['bin/shop.pl', '100 ms, 1,117 calls'], 'the title');
    is_deeply($graph->{nodes}{'A::left'}{lines}, ['A', 'left', '20.0 % (20.0 %)  50×'], 'a node');
    is($graph->{nodes}{'A::left'}{tip},
        "A::left\n/srv/bin/shop.pl:20\ninclusive 20.0 ms (20.0 %), self 20.0 ms (20.0 %)\ncalls: 50",
        'its tip');
    like($graph->{nodes}{'C::deep'}{tip}, qr{^C::deep\n/srv/lib/C & D\.pm:3\n}, 'with a file of an odd name');
    like($graph->{nodes}{'main::CORE:match'}{tip}, qr/^main::CORE:match \(built-in\)\n/, 'a built-in is called one');
    my ($fill) = $graph->{dot} =~ /main::CORE:match \(built-in\)[^;]*?fillcolor="?(#\w+)|fillcolor="?(#\w+)[^;]*main::CORE:match \(built-in\)/s ? $1 // $2 : '';
    like($fill, qr/^#(\w\w)\1\1$/, '... and grey');
    is_deeply($graph->{nodes}{'main::RUNTIME'}{lines}, ['main', 'RUNTIME', '100.0 % (10.5 %)'],
        'the root has the rest');
    is_deeply(edge_between($graph, 'A::main', 'B::right')->{lines}, ['60.0 %  5×'], 'an edge');
    is(edge_between($graph, 'A::main', 'B::right')->{tip},
        "A::main → B::right\ninclusive 60.0 ms (60.0 %), self 10.0 ms (10.0 %)\ncalls: 5", 'its tip');
    is_deeply(edge_between($graph, 'A::left', 'A::left')->{lines}, ['depth 4  40×'],
        'recursion is a loop with its depth');
    is_deeply(edge_between($graph, 'C::deep', 'B::right')->{lines}, ['depth 1  7×'], 'so it is by way of another');
    my ($hot, $cold) = @{ $graph->{nodes} }{qw(A::main A::rare)};
    cmp_ok($hot->{$_}, '>', $cold->{$_}, "$_ grows with the weight") for qw(size pen);
    isnt($hot->{fill}, $cold->{fill}, 'and the colour changes');
    cmp_ok(edge_between($graph, 'A::main', 'B::right')->{pen}, '>', edge_between($graph, 'A::main', 'A::rare')->{pen},
        'so does the pen of an edge');
};

subtest 'colours' => sub {
    my @options = ('--min=0');
    my %fills = map { my $theme = $_; ($theme => graph_of($theme, $small, @options, "--theme=$theme")->{nodes}) }
        qw(heat gray print colorblind);
    is(scalar(keys %{ { map { $_->{'A::main'}{fill} => 1 } values %fills } }), 4, 'each theme has its own');
    is_deeply([grep { $_ !~ /^(?:#fffff?f?|#ffffff)$/ } map { $fills{print}{$_}{fill} } @all], [], 'print has none');
    for my $name (@all) {
        my ($red, $green, $blue) = $fills{gray}{$name}{fill} =~ /[0-9a-f]{2}/g;
        ok($red eq $green && $green eq $blue, "gray: $name is") if $red;
    }
    my $self = graph_of('self', $small, @options, '--color-by=self')->{nodes};
    cmp_ok($self->{'C::deep'}{size}, '>', $self->{'A::main'}{size},
        '--color-by=self: a sub with much exclusive time is large');
    isnt($self->{'C::deep'}{fill}, $fills{heat}{'C::deep'}{fill}, '... and hot');
    cmp_ok($fills{heat}{'C::deep'}{size}, '<', $fills{heat}{'A::main'}{size},
        'by default, a sub with much inclusive time is');
};

subtest 'what is shown' => sub {
    my $deep = ['B::right', 'C::deep', 'main::CORE:match'];
    my @cases = (
        ['--from=A::left'  => ['A::left']],
        ['--from=B::right' => $deep],
        ['--to=A::left'  => ['A::left', 'A::main', 'main::RUNTIME']],
        ['--to=A::rare'  => ['A::main', 'A::rare', 'main::RUNTIME']],
        ['--from=A::main --to=A::left' => ['A::left', 'A::main']],
        ['--depth=1'       => ['A::main', 'main::RUNTIME']],
        ['--depth=2'       => [grep { !/deep|match/ } @all]],
        ['--from=A::main --depth=1' => ['A::left', 'A::main', 'A::rare', 'B::right']],
        ['--to=main::CORE:match --depth=1' => ['C::deep', 'main::CORE:match']],
        ['--focus=left'    => ['A::left', 'A::main', 'main::RUNTIME']],
        ['--focus=(?i)^a::LEFT$' => ['A::left', 'A::main', 'main::RUNTIME']],
        ['--focus=nowhere' => []],
        ['--ignore=^C'     => [grep { !/deep|match/ } @all]],
        ['--ignore=main|left' => ['main::RUNTIME']],
        ['--min=25'  => ['A::main', 'B::right', 'C::deep', 'main::RUNTIME']],
        ['--min=100' => ['main::RUNTIME']],
        ['--min=50 --from=A::left' => ['A::left']],
        ['--max-nodes=3'   => ['A::main', 'B::right', 'main::RUNTIME']],
        ['--max-nodes=1'   => ['main::RUNTIME']],
        ['--no-builtins'   => [grep { !/CORE/ } @all]],
        ['--collapse=package' => ['A', 'B', 'C', 'main']],
        ['--collapse=package --ignore=C' => ['A', 'B', 'main']],
    );
    for my $case (@cases) {
        my ($options, $expected) = @$case;
        my $graph = graph_of($options, $small, '--min=0', '--min-edge=0', split / /, $options);
        is_deeply([subs_of($graph)], $expected, $options);
    }
};

subtest 'what is not shown is summed up' => sub {
    my $graph = graph_of('threshold', $small, '--min=19');
    is_deeply($graph->{nodes}{'not shown '}{lines}, ['Not shown: 2 of 7 subs', '18.3 % of the time, 1,003 calls',
        '2 below --min=19'], 'by --min');
    $graph = graph_of('default', $small);
    is_deeply($graph->{nodes}{'not shown '}{lines}, ['Not shown: 1 of 7 subs', '0.3 % of the time, 3 calls',
        '1 below --min=0.5'], 'by default');
    $graph = graph_of('edges', $small, '--min=0', '--min-edge=10');
    is_deeply($graph->{nodes}{'not shown '}{lines}, ['2 lighter arrows, 8 calls'], 'by --min-edge');
    ok(!edge_between($graph, 'A::rare', 'C::deep'), 'a light edge is not there');
    ok(edge_between($graph, 'A::main', 'A::rare'), 'unless it is the only one to a sub');
    $graph = graph_of('many reasons', $small, '--ignore=^B', '--depth=1', '--max-nodes=1');
    my $note = join "\n", @{ $graph->{nodes}{'not shown '}{lines} };
    like($note, qr/^\d+ $_$/m, $_) for 'by --ignore', 'beyond --depth=1', 'beyond --max-nodes=1';
    $graph = graph_of('a detour', spew("$scratch/detour.out", small(['A::rare', 'D::worker', 30, 9, 9, 0])));
    my $detour = edge_between($graph, 'A::main', 'D::worker');
    ok($detour && $detour->{dashed}, 'a dashed arrow leads to a sub whose callers are hidden');
    like($detour->{tip}, qr/^A::main → D::worker\nby way of 1 that are not shown\n.*^calls: 30$/ms,
        'with the sum of its calls');
};

subtest 'built-ins and packages' => sub {
    my $graph = graph_of('--no-builtins', $small, '--no-builtins');
    is($graph->{nodes}{'C::deep'}{lines}[2], '49.2 % (48.2 %)  51×',
        'have the time of the caller');
    $graph = graph_of('--collapse=package', $small, '--collapse=package');
    is_deeply($graph->{nodes}{A}{lines}, ['A', '90.0 % (30.3 %)  1×'], 'a package');
    like($graph->{nodes}{A}{tip}, qr/^3 subs\ncalls from other packages: 1\ncalls within: 53$/m, 'its tip');
    ok(!edge_between($graph, 'A', 'A'), 'calls within it are no loop');
    for (['package', { A => 3, B => 1, C => 1, main => 2 }],
        ['file', { '/srv/bin/shop.pl' => 3, '/srv/lib/C & D.pm' => 1 }]) {
        my ($by, $members) = @$_;
        $graph = graph_of("--cluster=$by", $small, "--cluster=$by");
        is_deeply([sort keys %{ $graph->{clusters} }], [sort keys %$members], "--cluster=$by: all of them are there");
    }
    is_deeply($graph->{clusters}{'/srv/lib/C & D.pm'}{lines}, ['C & D.pm'], 'a file without its directories');
    my ($recorded) = record('calls', [top_dir() . '/test/scripts/calls.pl']);
    my %written;
    for my $heap ('', map { "glibc.malloc.$_" } 'tcache_count=0', 'mxfast=0', 'top_pad=1000000') {
        local $ENV{GLIBC_TUNABLES} = $heap;
        $written{ run([$nytp_dot, '--cluster=package', '--min=0', $recorded])->{out} }++;
    }
    is(scalar keys %written, 1, 'the order of the frames does not depend on addresses');
    my $package = graph_of('by package', $small, '--cluster=package');
    is_deeply($package->{nodes}{'C::deep'}{lines}[0], 'deep', 'the node does not repeat the name of the frame');
};

# main: A::a 100 -> B::b 20 -> A::x 5 -> B::y 1; B::z 4; C::c 7; in ms of 200. The time of A below B counts once in A.
subtest 'packages are measured from the calls' => sub {
    my @called = (['main::RUNTIME', 'A::a', 126, 100, 1], ['A::a', 'B::b', 26, 20, 2], ['B::b', 'A::x', 6, 5, 3],
        ['A::x', 'B::y', 1, 1, 4], ['main::RUNTIME', 'B::z', 4, 4, 1], ['main::RUNTIME', 'C::c', 7, 7, 1]);
    my $packages = sub {
        my ($name, @returns) = @_;
        my $profile = profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 1000], [PID_START => 7, 1, 1.5],
            [NEW_FID => 1, 0, 0, 0, 0, 0, '/srv/calls.pl'], [TIME_LINE => 200, 1, 1],
            (map { [SUB_RETURN => @$_[4, 2, 3, 1]] } @called[@returns]),
            (map { [SUB_CALLERS => 1, 5, $_->[0], 1, $_->[2] / 1e3, $_->[3] / 1e3, 0, 0, $_->[1]] } @called),
            [PID_END => 7, 2.5]);
        my $graph = graph_of($name, spew("$scratch/$name.out", $profile), '--collapse=package', '--min=0', '--min-edge=0');
        my %edges = map { ("$_->{from} $_->{to}" => 0 + ($_->{tip} =~ /inclusive ([\d.]+)/)[0]) } @{ $graph->{edges} };
        return { (map { ($_ => $graph->{nodes}{$_}{lines}[1]) } subs_of($graph)), %edges };
    };
    my %expected = (main => '100.0 % (31.5 %)', A => '63.0 % (52.5 %)  2×', B => '15.0 % (12.5 %)  3×', C => '3.5 % (3.5 %)  1×',
        'main A' => 126, 'main B' => 4, 'A B' => 26, 'B A' => 0, 'main C' => 7);
    is_deeply($packages->('all', 3, 2, 1, 0, 4, 5), \%expected, 'what is in a call of the package counts once');
    my $some = $packages->('some', 3, 2, 1, 0, 4);
    is_deeply([@$some{'C', 'main C'}], [@expected{'C', 'main C'}], 'without the calls of a package, it has the time of its sums');
};

subtest 'BEGIN blocks' => sub {
    my @begin = (
        ['main::RUNTIME', 'A::BEGIN@3',   1, 8, 1, 0],
        ['main::RUNTIME', 'A::BEGIN@4',   1, 6, 4, 0],
        ['A::BEGIN@3',    'A::BEGIN@7.2', 1, 2, 2, 0],
        ['A::BEGIN@3',    'B::BEGIN@1',   1, 5, 5, 0],
        ['A::BEGIN@4',    'B::right',     2, 2, 2, 0],
    );
    my $profile = spew("$scratch/begin.out", small(@begin));
    my $graph   = graph_of('folded', $profile);
    my $folded  = $graph->{nodes}{'A::BEGIN'};
    is_deeply($folded->{lines}, ['A', '3 BEGIN blocks', '13.5 % (6.8 %)'], 'those of a package are one box');
    like($folded->{tip}, qr/^A::BEGIN\n.*^3 BEGIN blocks\ncalls: 2\ncalls within: 1$/ms, 'whose tip counts them');
    ok(!edge_between($graph, 'A::BEGIN', 'A::BEGIN'), 'a block within another is not a loop');
    my $arrow = edge_between($graph, 'main::RUNTIME', 'A::BEGIN');
    is_deeply([$arrow->{lines}, $arrow->{tip} =~ /^calls: (\d+)$/m], [[], 2],
        'calls of them are one arrow, without text: the box has the same numbers');
    is_deeply([grep { /BEGIN@/ } subs_of($graph)], ['B::BEGIN@1'], 'a block alone in its package keeps its name');
    is_deeply([complaints($graph)], [], 'invariants hold');
    is(scalar(subs_of(graph_of('--from', $profile, '--from=A::BEGIN'))), 5, 'the box has a name for --from');
    like(run([$nytp_dot, '-v', $profile])->{err}, qr/ of 10 subs, /, '--verbose counts each block');
    my $hidden = graph_of('hidden', $profile, '--min=20')->{nodes}{'not shown '}{lines};
    like($hidden->[0], qr/^Not shown: 7 of 11 subs$/, 'and so does the note');
    my @apart = subs_of(graph_of('--begin', $profile, '--begin', '--min=0'));
    is_deeply([grep { /BEGIN/ } @apart], ['A::BEGIN@3', 'A::BEGIN@4', 'A::BEGIN@7.2', 'B::BEGIN@1'],
        '--begin: each is a box');
};

# A caller, a callee, and milliseconds of its calls, inclusive and exclusive.
sub chain_of {
    my ($name, @arcs) = @_;
    return spew("$scratch/$name.out",
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', 10_000_000], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0, 0, 0, '/srv/chain.pl'], [TIME_LINE => 1_000_000, 1, 1],
        [SUB_CALLERS => 0, 0, '', 0, 0, 0, 0, 0, 'B::CORE:match'],
        (map { [SUB_CALLERS => 1, 5, $_->[0], $_->[4] // 1, $_->[2] / 1e3, $_->[3] / 1e3, 0, 0, $_->[1]] } @arcs),
        [PID_END => 7, 2.5]));
}

subtest 'chains' => sub {
    my @arcs = (['main::RUNTIME', 'A::start', 90, 1], ['A::start', 'A::run', 89, 1], ['A::run', 'B::work', 88, 28],
        ['B::work', 'B::left', 30, 30, 7], ['B::work', 'B::right', 30, 1], ['B::right', 'B::CORE:match', 29, 29]);
    my $chain = chain_of('chain', @arcs);
    my $graph = graph_of('joined', $chain);
    is_deeply([subs_of($graph)], ['A::start', 'B::CORE:match', 'B::left', 'B::right', 'main::RUNTIME'],
        'calls with nearly all the time of their only caller are in its box; built-ins are not');
    my $box = $graph->{nodes}{'A::start'};
    is_deeply($box->{lines}, ['A', 'start', '› run', '› B::work', '90.0 % (30.0 %)  1×'],
        '... which has their names, without a package twice, and the sum of their own times');
    like($box->{tip}, qr/^A::start\n.*self 1\.00 ms .*^A::run\n.*^B::work\ninclusive 88\.0 ms .*self 28\.0 ms /ms,
        '... and, in its tip, the numbers of each');
    is_deeply([map { edge_between($graph, 'A::start', $_)->{lines} } 'B::left', 'B::right'], [[], []],
        '... arrows say nothing that their boxes say');
    is(edge_between($graph, 'A::start', 'B::left')->{tip} =~ /^(.*)$/m && $1, 'B::work → B::left',
        'the tip of an arrow says whose it is');
    is_deeply([complaints($graph)], [], 'invariants hold');
    is(scalar(subs_of(graph_of("$_: apart", $chain, $_))), 7, "$_: each has a box")
        for '--url={sub}', '--cluster=package', "--diff=$chain";
    $graph = graph_of('of ten', chain_of('long', (['main::RUNTIME', 'C::f0', 90, 1], map {
        ['C::f' . $_, 'C::f' . ($_ + 1), 89.9 - $_ / 10, 0.1] } 0 .. 8)));
    is_deeply($graph->{nodes}{'C::f0'}{lines}, ['C', 'f0', '› f1', '› f2', '› 6 more', '› f9', '90.0 % (1.9 %)  1×'],
        'of a long one, the middle is counted');
};

subtest 'what keeps chains apart' => sub {
    my @arcs = (['main::RUNTIME', 'A::start', 90, 1], ['A::start', 'A::run', 89, 1]);
    my %case = (
        'its own time'       => [['A::run', 'A::last', 80, 80]],
        'another caller'     => [['A::run', 'A::last', 88, 87], ['main::RUNTIME', 'A::last', 1, 1]],
        'another callee'     => [['A::run', 'A::last', 86, 86], ['A::run', 'A::other', 2, 2]],
        'a dashed arrow'     => [['A::run', 'A::last', 85, 85], ['A::run', 'A::rare', 0.3, 0.1],
            ['A::rare', 'A::other', 0.2, 0.2], ['A::rare', 'A::other2', 2, 2]],
    );
    for my $why (sort keys %case) {
        my $graph = graph_of($why, chain_of('apart', @arcs, @{ $case{$why} }));
        ok($graph->{nodes}{'A::last'}, $why);
        ok(!$graph->{nodes}{'A::run'}, '... while what is above is joined');
    }
    my $round = chain_of('round', ['main::RUNTIME', 'A::a', 90, 1], ['A::a', 'A::b', 89, 87], ['A::b', 'A::a', 0, 1]);
    my $graph = graph_of('round', $round, '--from=A::a');
    is_deeply([subs_of($graph)], ['A::a'], 'calls in a circle are a box');
    is_deeply([map { "$_->{from} $_->{to}" } @{ $graph->{edges} }], ['A::a A::a'], '... and one arrow leads back to it');
};

# So that a page of A4 can be read.
subtest 'sizes of the title and of boxes' => sub {
    my $size_of = sub { (graph_of(@_)->{dot} =~ /graph \[.*?fontsize="?([\d.]+)/s)[0] };
    my $calls = join '', map { chr(65 + $_ % 26) . "::f$_ " } 1 .. 79;
    my $many  = spew("$scratch/eighty.out", small(map { ['main::RUNTIME', $_, 1, 1, 1, 0] } split / /, $calls));
    is($size_of->('few', $small), 14, 'the title of a few boxes');
    is($size_of->('80 boxes', $many, '--max-nodes=80'), 14, '... and of many');
    my @sizes = sort { $a <=> $b } graph_of('boxes', $small)->{dot} =~ /fillcolor=.*?fontsize="?([\d.]+)/gs;
    cmp_ok($sizes[0], '>=', 9, 'the smallest box');
    cmp_ok($sizes[-1], '<=', 14, 'the largest one');
};

# Dot fails on this graph without newrank.
subtest 'calls round and round through packages' => sub {
    my @calls = map { [split />/] } qw(main::RUNTIME>B::a B::a>A::b A::c>A::e A::b>A::c A::b>B::d C::g>A::c B::d>C::f
        A::b>C::g A::c>B::a
        C::g>C::h B::d>A::e);
    my $profile = spew("$scratch/round.out", profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
        (map { [SUB_CALLERS => 1, 1, $_->[0], 9, 0.5, 0.01, 0, 0, $_->[1]] } @calls), [PID_END => 7, 2.5]));
    is(scalar(subs_of(graph_of('round', $profile, '--cluster=package'))), 9, 'all are drawn');
};

subtest 'links' => sub {
    my $graph = graph_of('--url', $small, '--url=https://src.example/{file}?a=1&line={line}#{sub}');
    is($graph->{nodes}{'C::deep'}{url}, 'https://src.example//srv/lib/C%20%26%20D.pm?a=1&line=3#C::deep',
        'to the place');
    is($graph->{nodes}{'main::CORE:match'}{url}, undef, 'no link if the place is not known');
    $graph = graph_of('--url', $small, '--url={package}\\N"');
    is($graph->{nodes}{'main::CORE:match'}{url}, 'main\\N%22', 'nothing in it means anything to dot');
};

# ---- odd names and graphs ----

subtest 'names' => sub {
    my @names = (
        'A::"quoted"', 'A::back\\slash', 'A::ends in \\', 'A::\\N\\G\\l', "A::new\nline", 'A::<b>html</b>',
            'A::{record|field}',
        'A::&lt;&amp;', 'A::a -> b;', '%percent', 'graph', '', "A::gr\xf6\xdfe", "A::\x{20ac}\x{1f600}",
        "A::\0nul\x1b[31m",
        "A::\xc3\xa4 bytes", 'A::' . 'x' x 10_000, ('P' x 5000) . '::' . ('ö' x 5000), 'A::new\\nline',
        'A::__ANON__[/srv/lib/X.pm:12]',
        '::', 'A::', '[::', "A::trailing blank ",
    );
    my $profile = profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0, 0, 0, "/srv/\"odd\"\\\n.pl"],
        (map { [SUB_INFO => 1, $_, 1, 2] } @names),
        (map { [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.1, 0.1, 0, 0, $_] } @names), [PID_END => 7, 2.5]);
    spew("$scratch/names.out", $profile);
    for my $options ('', '--cluster=package', '--cluster=file', '--collapse=package', '--url=x:{sub}{file}') {
        my $graph = graph_of("names $options", "$scratch/names.out", split / /, $options);
        next if $options eq '--collapse=package';
        is(scalar(subs_of($graph)), @names + 1, "$options: each is there");
        my %tips = map { $_->{tip} =~ s/\n.*//sr => $_ } values %{ $graph->{nodes} };
        my %shown_as = ("A::new\nline" => 'A::new\\nline', '' => '(unnamed)',
            "A::\0nul\x1b[31m" => 'A::\\0nul\\x1b[31m',
            'A::new\\nline' => 'A::new\\nline (2)', "A::\xc3\xa4 bytes" => 'A::ä bytes',
            'A::trailing blank ' => 'A::trailing blank');
        for my $name (@names) {
            my $shown = $shown_as{$name} // $name;
            ok($tips{$shown}, "$options: " . substr($shown, 0, 40)) or next;
            cmp_ok(max(map { length } @{ $tips{$shown}{lines} }), '<', 60, '... no label is too long');
        }
        next if $options;
        is_deeply([@{ $tips{'A::\\N\\G\\l'}{lines} }[0, 1]], ['A', '\\N\\G\\l'], 'no escape in a name means anything');
        is($tips{'A::&lt;&amp;'}{lines}[1], '&lt;&amp;', 'nor does an entity');
        is($tips{'A::__ANON__[/srv/lib/X.pm:12]'}{lines}[1], '__ANON__[X.pm:12]',
            'files of anonymous subs lose their directories');
        like($tips{graph}{tip}, qr{\n/srv/"odd"\\\\n\.pl:1\n}, 'so it is with files');
    }
};

subtest 'recursion all round' => sub {
    my @ring = map { ["R::s$_", 'R::s' . ($_ + 1) % 50] } 0 .. 49;
    my $bytes = profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
        (map { [SUB_CALLERS => 1, 1, $_->[0], 9, 0, 0.01, 0.02, 8, $_->[1]] } @ring),
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 1, 0.5, 0.01, 0, 0, 'R::s7'], [PID_END => 7, 2.5]);
    spew("$scratch/ring.out", $bytes);
    is(scalar(subs_of(graph_of('ring', "$scratch/ring.out", '--max-nodes=60'))), 51, 'a ring of 50 subs');
    for my $options ('--from=R::s3', '--to=R::s3', '--focus=s3$', '--ignore=s3$', '--depth=60', '--collapse=package',
        '--min=5') {
        graph_of("ring $options", "$scratch/ring.out", $options);
    }
};

# emit takes all the time, and 28 % of it are calls that it gets by way of read.
subtest 'calls within others' => sub {
    my $bytes = profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5],
        [SUB_CALLERS => 1, 1, 'main::RUNTIME', 5, 0.1, 0.01, 0, 0, 'E::emit'],
        [SUB_CALLERS => 1, 2, 'E::emit', 80, 0.085, 0.06, 0, 0, 'E::read'],
        [SUB_CALLERS => 1, 3, 'E::read', 80, 0, 0.01, 0.028, 1, 'E::emit'],
        [SUB_CALLERS => 1, 2, 'E::emit', 9, 0.02, 0.02, 0.09, 2, 'E::log'],
        [SUB_CALLERS => 1, 3, 'E::read', 9, 0.001, 0, 0.09, 2, 'E::log'], [PID_END => 7, 2.5]);
    my $graph = graph_of('emit', spew("$scratch/emit.out", $bytes), '--min-edge=1');
    my $back  = edge_between($graph, 'E::read', 'E::emit');
    is_deeply($back->{lines}, ['28.0 % inner', 'depth 1  80×'], 'have a share of their own');
    ok($back->{dashed}, 'are dashed');
    ok(!edge_between($graph, 'E::emit', 'E::read')->{dashed}, 'unlike others');
    like($back->{tip}, qr/^within other calls of the same: 28\.0 ms \(28\.0 %\)$/m, 'and say so');
    cmp_ok($back->{pen}, '>', edge_between($graph, 'E::emit', 'E::log')->{pen}, 'and are as thick as their share');
    is(edge_between($graph, 'E::read', 'E::log')->{lines}[0], '21.0 % inner',
        'several calls deep, they are no more than the calls that they are in');
};

subtest '50,000 subs' => sub {
    my $many = 50_000;
    my ($seed, @arcs) = (1);
    my $random = sub { $seed = ($seed * 1_103_515_245 + 12_345) % 2**31; return int($seed / 65536) % $_[0] };
    for my $i (1 .. $many) {
        for my $place (1 .. 3) {
            my $from = $i < 10 ? 0 : $random->($i < 20_000 ? $i : 20_000);
            my $caller = $from ? 'P' . $from % 97 . "::sub$from" : 'main::RUNTIME';
            push @arcs, [SUB_CALLERS => 1, $place, $caller, 1 + $random->(100), $random->(1000) / $i, 1e-4, 0, 0,
                'P' . $i % 97 . "::sub$i"];
        }
    }
    my $profile = spew("$scratch/many.out",
        profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 1.5], @arcs, [PID_END => 7, 2.5]));
    for my $options ('', '--min=0 --min-edge=0') {
        my $graph = graph_of("many $options", $profile, '--url={sub}', split / /, $options);
        is(scalar(subs_of($graph)), 40, 'as many as --max-nodes');
        like(join('; ', @{ $graph->{nodes}{'not shown '}{lines} }), qr/of 50,001 subs/, 'and the rest is summed up');
        is_deeply([grep { !/the parts add up|is not connected/ } complaints($graph)], [], 'invariants hold');
    }
};

subtest 'older names' => sub {
    my %now = ('--node-threshold=19' => '--min=19', '--edge-threshold=10' => '--min-edge=10',
        '--root=B::right' => '--from=B::right',
        '--leaf A::left' => '--to A::left', '--color=self' => '--color-by=self');
    for my $old (sort keys %now) {
        my ($before, $after) = map { run([$nytp_dot, split(' ', $_), $small]) } $old, $now{$old};
        is("$before->{status}$before->{err}", '0', $old);
        ok($before->{out} eq $after->{out}, "... is $now{$old}");
    }
};

# ---- input, output, failures ----

subtest 'input and output' => sub {
    my $expected = run([$nytp_dot, $small])->{out};
    ok($expected eq run([$nytp_dot, '-'], stdin => slurp($small))->{out}, 'from stdin');
    ok($expected eq run([$nytp_dot],
        dir => do { mkdir "$scratch/here"; spew("$scratch/here/nytprof.out", slurp($small)); "$scratch/here" })->{out},
        'nytprof.out is the default');
    is(run([$nytp_dot, $small, '-o', "$scratch/to.dot"])->{out}, '', '-o FILE: nothing on stdout');
    ok(slurp("$scratch/to.dot") eq $expected, 'but there');
    like(run([$nytp_dot, '-v', $small])->{err}, qr/^nytp-dot: 1117 calls of 6 subs, 9 arcs\n\z/m, '--verbose');
    my ($silent) = map { $_->{path} } grep { $_->{name} eq 'stmts-only' } recordings();
    my $got = run([$nytp_dot, $silent]);
    like($got->{err}, qr/^nytp-dot: warning: the profile has no calls.*\n\z/, 'a profile without calls: a warning');
    is_deeply([subs_of(drawn($got->{out}))], ['main::RUNTIME'], 'and the root alone');
    $got = run([$nytp_dot, spew("$scratch/header.out", "NYTProf 5 0\n")]);
    is_deeply(drawn($got->{out})->{nodes}{'main::RUNTIME'}{lines}, ['main', 'RUNTIME', '0.0 % (0.0 %)'], 'without any time, too');
};

subtest 'failures' => sub {
    my $bytes = slurp($small);
    fails_cleanly($nytp_dot, 'missing', 1, qr/^nytp-dot: .*missing.*No such file/, "$scratch/missing");
    fails_cleanly($nytp_dot, 'directory', 1, qr/^nytp-dot: .*directory/i, $scratch);
    fails_cleanly($nytp_dot, 'not a profile', 1, qr/not a Perl profile/, spew("$scratch/text", "hello\n"));
    fails_cleanly($nytp_dot, 'cut and --strict', 1, qr/cut short/, '--strict',
        spew("$scratch/cut", substr $bytes, 0, -5));
    fails_cleanly($nytp_dot, 'damaged', 1, qr/offset \d+/, spew("$scratch/damaged", substr($bytes, 0, -5) . '~~~~~~'));
    fails_cleanly($nytp_dot, 'no such sub', 1, qr/^nytp-dot: --from=nobody: no such sub was called\n\z/,
        '--from=nobody', $small);
    fails_cleanly($nytp_dot, 'nearly such a sub', 1, qr/^nytp-dot: --to=deep: no such sub was called; C::deep was\n\z/,
        '--to=deep', $small);
    fails_cleanly($nytp_dot, 'a sub among packages', 1, qr/^nytp-dot: --from=C::deep: no such package was called\n\z/,
        '--collapse=package', '--from=C::deep', $small);
    fails_cleanly($nytp_dot, 'two profiles', 2, qr/one profile/, $small, $small);
    fails_cleanly($nytp_dot, $_, 2, qr/^nytp-dot: .*\n.*--help/, $_, $small) for '--nonsense', '--theme=pink',
        '--color-by=incl', '--cluster=sub',
        '--collapse=file', '--depth=0', '--depth=x', '--max-nodes=-1', '--min=101', '--min-edge=nan',
        '--min=1x', '--focus=(', '--ignore=*', '--url=x{y}';
    fails_cleanly($nytp_dot, 'two ways', 2, qr/--cluster has no effect with --collapse=package/, '--cluster=file',
        '--collapse=package', $small);
    my $got = run([$nytp_dot, "$scratch/cut"]);
    is($got->{status}, 0, 'cut: done');
    like($got->{err}, qr/^nytp-dot: warning: .*(?: was cut|killed or still running);/, 'with a warning');
    is(drawn($got->{out})->{complaint}, '', 'and a graph');
    $got = run([$nytp_dot, '--salvage', "$scratch/damaged"]);
    is($got->{status} . drawn($got->{out})->{complaint}, '0', '--salvage: done, and drawn');
    $got = run([$nytp_dot, '-o', '/dev/full', $small]);
    is($got->{status}, 1, 'disk full: failed');
    like($got->{err}, qr/No space left/, 'in the words of the system');
};

subtest 'help and version' => sub {
    for my $option (qw(--help -h -help)) {
        my $got = run([$nytp_dot, $option]);
        is("$got->{status}$got->{err}", '0', "$option: done");
        like($got->{out}, qr/^usage: nytp-dot .*\n.*dot -Tsvg/s, "$option: usage with an example");
        cmp_ok($got->{out} =~ tr/\n//, '<=', 25, "$option: fits a screen");
    }
    like(run([$nytp_dot, '--version'])->{out}, qr/^nytp-dot \d+\.\d+\.\d+\n\z/, '--version');
};

done_testing();
