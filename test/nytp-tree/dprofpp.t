# nytp-tree on a tmon.out against the real dprofpp, for every letter of its options: on what perl -d:DProf
# records, on what nytp-dprof writes, and on random profiles with overhead. Where dprofpp is wrong, ours is
# right; those tests name the fault.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(exhaustive);
use DProfRun qw(dprofpp record_dprof);
use List::Util qw(sum0);
use NYTPTest qw(build_dir record run scratch_dir slurp spew);
use ProfileBytes qw(simple_profile);
use Test::More;

my $ours    = build_dir() . '/bin/nytp-tree';
my $scratch = scratch_dir();

sub tree {
    my (@arguments) = @_;
    my $got = run([$ours, @arguments]);
    $got->{err} =~ s/\Anytp-tree: warning: --(?:autoload has no effect|pull has no effect without --group)\n//
        if grep { /^-[AP]/ } @arguments;
    return $got->{err} eq '' && $got->{status} == 0 ? $got->{out} : "complains: $got->{err}";
}

# ---- profiles ----

# Marks from lines "NAME TICKS", indented by two blanks a level; a name with * is gone to from the line above.
sub marks {
    my ($text, %id) = @_;
    my (@open, @marks);
    my $leave = sub { push @marks, "- " . pop @open };
    for (split /\n/, $text) {
        my ($indent, $goto, $name, $ticks) = /^( *)(\*?)(\S+)(?: (\d+))?/ or die "? $_\n";
        $leave->() while @open > length($indent) / 2 + ($goto ? 1 : 0);
        if (!$id{$name}) {
            $id{$name} = sprintf '%x', 2 + keys %id;
            push @marks, "& $id{$name} " . $name =~ s/::(?=\w+$)/ /r;
        }
        push @marks, ($goto ? '* ' : '+ ') . $id{$name};
        push @open, $id{$name} if !$goto;
        push @marks, sprintf '@ %d %d %d', $ticks * 3 / 4, $ticks / 4, $ticks * 5 / 4 if $ticks;
    }
    $leave->() while @open;
    return @marks;
}

# over: what 10,000 pairs of marks cost, in ticks of user, system and real time.
sub dprof_file {
    my ($name, $hz, $over, @marks) = @_;
    my @run = map { my $n = $_; sum0(map { /^@/ ? (split)[$n] : () } @marks, '@ 3 2 7') } 1 .. 3;
    return spew("$scratch/$name.tmon", join "\n", '#fOrTyTwO', "\$hz=$hz;", q{$XS_VERSION='DProf 20110802.00';},
        "\$over_utime=$over->[0]; \$over_stime=$over->[1]; \$over_rtime=$over->[2];", '$over_tests=10000;',
        "\$rrun_utime=$run[0]; \$rrun_stime=$run[1]; \$rrun_rtime=$run[2];",
        '$total_marks=' . grep({ /^[-+*]/ } @marks), '', 'PART2', @marks,
        '+ & Devel::DProf::write', '@ 3 2 7', '- & Devel::DProf::write', '');
}

sub random_calls {
    my ($seed) = @_;
    srand $seed;
    my ($text, $depth) = ('', 0);
    for (1 .. 400) {
        $depth = int rand($depth < 6 ? $depth + 2 : $depth);
        $text .= '  ' x $depth . (qw(main Foo Bar::Baz))[rand 3] . '::' . (qw(a b c d e f))[rand 6] . ' '
            . int(rand(10) ** 3) . "\n";
    }
    return $text . "Last::but_one 3\nLast::one 1\n";
}

my %program = (
    nested    => 'sub f { g() for 1 .. 3; h() } sub g { h() } sub h { my $x = 0; $x += $_ for 1 .. 200_000 } f(); h()',
    recursive => 'sub f { my $n = shift; my $x = 0; $x += $_ for 1 .. 50_000; f($n - 1), g($n - 1) if $n > 0 } sub '
    . 'g { f($_[0] - 1) if $_[0] > 0 } f(5)',
    dying     => 'sub f { eval { g() }; h() } sub g { h(); die "x\n" } sub h { my $x = 0; $x += $_ for 1 .. 200_000 '
    . '} f(); eval { f(); g() }; h()',
    anonymous => 'my $x = 0; $x += $_ for 1 .. 300_000; my @s = map { my $n = $_; sub { $n and &{ $s[$n - 1] } } } '
    . '0 .. 3; $_->() for @s; sub { sub { 1 }->() }->()',
    module    => 'use Text::Wrap; $Text::Wrap::columns = 20; wrap("", "  ", "many words " x 50) for 1 .. 5',
);
my %tmon = map { $_ => record_dprof($program{$_}) } keys %program;
$tmon{"random-$_->[0]"} = dprof_file("random-$_->[0]", $_->[1], $_->[2], marks(random_calls($_->[0])))
    for [1, 1000, [0, 0, 0]], [2, 10_000, [40_000, 20_000, 80_000]], [3, 60, [10_000, 5_000, 20_000]],
    [4, 1_000_000, [333_333, 0, 1_000_000]];
my $converted = run([build_dir() . '/bin/nytp-dprof', '-o', "$scratch/converted.tmon",
    my $calls = record('dprofpp-calls', ['-MText::Wrap', '-e', 'wrap("", "  ", "many words " x 50) for 1 .. 5'])]);
is($converted->{status}, 0, 'nytp-dprof') or diag($converted->{err});
$tmon{converted} = "$scratch/converted.tmon";

# ---- tables ----

# Lines of words, without the lines that continue a wrapped name.
sub words { return map { [split] } split /\n/, $_[0] }

# Theirs is cut where ours is rounded: off by less than one in its last place, away from zero.
sub same_number {
    my ($ours, $theirs) = @_;
    return 1 if $ours eq $theirs;
    return 0 if "$ours$theirs" =~ /[^-\d.]/ || $theirs !~ /^\d*\.(\d*)$/;
    my $unit = 10 ** -length $1;
    return $ours - $theirs > 0 && $ours - $theirs < 1.001 * $unit;
}

sub same_table {
    my ($ours, $theirs, $what) = @_;
    my @ours   = words($ours);
    my @theirs = words($theirs);
    my @different;
    for my $i (0 .. ($#ours > $#theirs ? $#ours : $#theirs)) {
        my ($o, $t) = ($ours[$i] // [], $theirs[$i] // []);
        push @different, "@$o, not @$t" if @$o != @$t || grep { !same_number($o->[$_], $t->[$_]) } 0 .. $#$o;
    }
    return is_deeply(\@different, [], $what);
}

# The lines, by their last words.
sub by_name { return join "\n", sort { ($a =~ /(\S*)$/)[0] cmp ($b =~ /(\S*)$/)[0] || $a cmp $b } split /\n/, $_[0] }

# The default and -I with all files, each other option with one in three; with EXHAUSTIVE=1, all with all.
my @OPTIONS = (['-a'], ['-l'], ['-v'], ['-z'], ['-U'], ['-d'], ['-E'], ['-O', 2], ['-O', -1], ['-q'], ['-R'], ['-A'],
    ['-F'], ['-I', '-l', '-d'], ['-v', '-O3', '-q']);
my $turn = 0;
for my $name (sort keys %tmon) {
    $turn++;
    my @options = ([], ['-I'], @OPTIONS[grep { exhaustive() || ($_ + $turn) % 3 == 0 } 0 .. $#OPTIONS]);
    subtest $name => sub {
        my $path = $tmon{$name};
        is(tree($_, $path), dprofpp($_, $path), $_) for qw(-T -t);
        for my $clock ([], ['-r'], ['-s'], ['-u']) {
            for my $options (@options) {
                next if @$clock && "@$options" ne '-I';
                # Times of what was recorded differ from run to run, and dprofpp sorts equal averages by their rounding
                # errors. So all rows are shown.
                my $averages = $name !~ /^random/ && ($options->[0] // '') eq '-v';
                my @all      = $averages ? ('-O', 10_000) : ();
                my ($ours, $theirs) =
                    (tree('--table', @$clock, @$options, @all, $path), dprofpp(@$clock, @$options, @all, $path));
                ($ours, $theirs) = map { by_name($_) } $ours, $theirs if $averages;
                same_table($ours, $theirs, "table @$clock @$options");
            }
            is_deeply([sort { $a cmp $b } lines_by_path(tree('-S', @$clock, $path))],
                [sort { $a cmp $b } lines_by_path(dprofpp('-S', @$clock, $path))],
                "-S @$clock: every line of the tree");
        }
        like(tree('-S', '-R', $path), qr/__ANON__\([0-9a-f]+\)/, '-R keeps anonymous subs apart')
            if $name eq 'anonymous';
    };
}

# "outer;inner REST" for each line of -S.
sub lines_by_path {
    my @path;
    return map {
        my ($indent, $name, $rest) = /^( *)(\S+)(.*)/s;
        splice @path, length($indent) / 2, @path, $name;
        join(';', @path) . $rest
    } split /\n/, $_[0];
}

subtest 'only a sub and what it called: -g' => sub {
    for my $name (grep { /random/ } sort keys %tmon) {
        for my $sub ('Foo::a', 'main::c') {
            is(tree($_, '-g', $sub, $tmon{$name}), dprofpp($_, '-g', $sub, $tmon{$name}), "$name $_ -g $sub")
                for qw(-T -t);
            same_table(tree('--table', '-I', '-g', $sub, $tmon{$name}), dprofpp('-I', '-g', $sub, $tmon{$name}),
                "$name -I -g $sub");
            is_deeply([sort { $a cmp $b } lines_by_path(tree('-S', '-g', $sub, $tmon{$name}))],
                [sort { $a cmp $b } lines_by_path(dprofpp('-S', '-g', $sub, $tmon{$name}))], "$name -S -g $sub");
        }
    }
};

subtest 'groups and filters: -G -P -f' => sub {
    my $path = dprof_file('groups', 1000, [0, 0, 0], marks(<<'END'));
main::top 100
  Foo::a 48
  Foo::b 32
  Bar::c 16
  Foo::a 4
main::other 8
Last::but_one 0
Last::one 0
END
    my $theirs = sub { run(['dprofpp', @_, $path])->{out} };
    same_table(tree('-G', 'Foo', $path), $theirs->('-G', 'Foo'), '-G is a table');
    is(tree('-G', 'Foo', $path) =~ s/^[^OG].*\n//gmr, <<'END', 'with the sums of the group before it, in ticks');
Option G Grouping: [Foo]
Grouping [Foo] Calls: [3]
Grouping [Foo] Times: [84]
Grouping [Foo] IncTimes: [84]
END
    same_table(tree('-G', 'none', $path), $theirs->('-G', 'none') =~ s/^.* none\n//mr, '-G of nothing');
    same_table(tree('--table', '-f', 'Foo|Bar', $path), $theirs->('-f', 'Foo|Bar'), '-f');
    same_table(tree('--table', '-f', 'main', '-I', $path), $theirs->('-f', 'main', '-I'), '-f -I');
    same_table(tree('-q', '-G', 'Foo', '-P', $path) =~ s/.* other\n//r,
        $theirs->('-q', '-G', 'Foo', '-P') =~ s/.* other\n//r, '-G -P');
    same_table(tree('--table', '-P', $path), $theirs->('-P'), '-P alone');
};

subtest 'versions: -V' => sub {
    my ($theirs) = dprofpp('-V', $tmon{nested}) =~ /^(XS_VERSION: .*\n)/m;
    like(tree('-V', $tmon{nested}), qr/^nytp-tree \S+\n\Q$theirs\E\z/, 'ours, and that of the profiler');
    like(tree('-V', $calls), qr/^nytp-tree \S+\nXS_VERSION: \d\.\d+\n\z/, 'of a nytprof.out, too');
    like(tree('-V', "$scratch/none"), qr/^nytp-tree \S+\n\z/, 'there need be none');
};

subtest 'profiles of both kinds together, in any order' => sub {
    my @tables = map { tree('--table', '-a', '-O', -1, @$_) } [$tmon{nested}, $calls], [$calls, $tmon{nested}];
    like($tables[0], qr/Text::Wrap::wrap\n/, 'what is in the one');
    my ($name) = tree('-S', $tmon{nested}) =~ /(main::\w+)/;
    like($tables[0], qr/ \Q$name\E\n/, 'and in the other');
    my ($one, $other) = map { [map { @$_ } words($_)] } @tables;
    is(scalar @$one, scalar @$other, 'the order does not matter');
    # Sums that were added up in another order may be rounded another way.
    my @different = grep { !same_number($one->[$_], $other->[$_])
        && !same_number($other->[$_], $one->[$_]) } 0 .. $#$one;
    is("@$one[@different]", "@$other[@different]", '... to the numbers');
};

subtest 'labels, which a tmon.out has not' => sub {
    my @options = ('--labels=span', '-q', '-O', -1);
    my $got     = run([$ours, @options, $tmon{nested}]);
    is("$got->{status} $got->{out}", '0 ', 'no rows');
    is($got->{err}, "nytp-tree: warning: the profile has no labels of that kind (NYTPROF=labels=... records them)\n",
        'a warning');
    my $spans = spew("$scratch/spans.out",
        simple_profile([[2, 50_000, 'main::f'], [1, 10_000, 'NYTProf::span GET /a']]));
    for my $paths ([$tmon{nested}, $spans], [$spans, $tmon{nested}]) {
        like(tree(@options, @$paths), qr{^[^\n]* 1 [^\n]*  GET /a\n\z}, 'beside a profile with spans, those alone');
    }
};

# ---- where dprofpp is wrong ----

my $goto = dprof_file('goto', 1000, [0, 0, 0], marks("main::caller 4\n  main::gone 400\n  *main::target 40\n"));
subtest 'fault: after goto the two subs swap their times' => sub {
    my %theirs = map { $_->[-1] => $_->[1] } words(dprofpp('-q', $goto));
    is_deeply([@theirs{qw(main::gone main::target)}], ['0.040', '0.000'], 'with dprofpp');
    is(tree('-S', $goto), <<"END", 'not here');
main::caller x 1  \t0.444s = (0.004 + 0.440)s
  main::gone x 1  \t0.400s
  main::target x 1  \t0.040s
END
};

subtest 'fault: -S is sorted by name, not by inclusive time' => sub {
    my $path = dprof_file('order', 1000, [0, 0, 0], marks("main::a 4\nmain::b 40\nmain::c 400\n"));
    is(join(' ', dprofpp('-S', $path) =~ /main::(\w)/g), 'a b c', 'with dprofpp');
    is(join(' ', tree('-S', $path) =~ /main::(\w)/g), 'c b a', 'not here');
};

subtest 'fault: -f and -G miss the last two subs' => sub {
    my $path = dprof_file('last', 1000, [0, 0, 0], marks("main::a 4\nFoo::b 40\nFoo::c 400\n"));
    like(dprofpp('-q', '-f', 'Foo', $path), qr/Foo::b.*Foo::c|Foo::c.*Foo::b/s, '-f with dprofpp');
    is(join(' ', tree('--table', '-q', '-f', 'Foo', $path) =~ /(\w+::\w)/g), 'main::a', 'not here');
    is(join(' ', tree('-S', '-f', 'Foo', $path) =~ /(\w+::\w)/g), 'main::a', 'nor in trees');
    is(tree('--table', '-q', '-G', 'Foo', $path), <<'END', '-G');
Option G Grouping: [Foo]
Grouping [Foo] Calls: [2]
Grouping [Foo] Times: [440]
Grouping [Foo] IncTimes: [440]
 99.1   0.440  0.440      2   0.2200 0.2200  Foo
 0.90   0.004  0.004      1   0.0040 0.0040  main::a
END
};

subtest 'fault: the time of calls within a group counts twice' => sub {
    my $path = dprof_file('within', 1000, [0, 0, 0], marks("Foo::a 40\n  Foo::b 20\nmain::x 0\nmain::y 0\n"));
    like(run(['dprofpp', '-G', 'Foo', $path])->{out}, qr/ IncTimes: \[80\]\n.*^ 100\.   0\.060  0\.080 .* Foo$/ms, 'with dprofpp');
    like(tree('--table', '-G', 'Foo', $path), qr/ IncTimes: \[60\]\n.*^ 100\.   0\.060  0\.060 .* Foo$/ms, 'not here');
};

subtest 'fault: numbers are cut to fit, and names are wrapped' => sub {
    my $long = 'main::' . 'long_name' x 6;
    my $path = dprof_file('cut', 1000, [0, 0, 0], marks("main::a 1234567\nmain::b 9999599\n$long 8\n"));
    like(dprofpp('-q', $path),
        qr/^ 89\.0   9999\. 9999\.5 .*main::b\n 10\.9   1234\. 1234\.5 .*main::a\n.*long_namel$/ms, 'with dprofpp');
    is(tree('--table', '-q', $path), <<"END", 'here they are rounded and whole');
 89.0   10000 9999.6      1   9999.6 9999.6  main::b
 11.0   1235. 1234.6      1   1234.6 1234.6  main::a
 0.00   0.008  0.008      1   0.0080 0.0080  $long
END
    $path = dprof_file('many', 1000, [0, 0, 0], ('& 2 main a', ('+ 2', '- 2') x 1_234_567));
    like(tree('--table', '-q', $path), qr/^ 0\.00   0\.000  0\.000 1234567   0\.0000 0\.0000  main::a$/m,
        'numbers of calls are whole, too');
};

# A run of that many ticks, from which the overhead of its marks is subtracted.
sub head_of_run {
    my ($hz, $ticks) = @_;
    my $path = dprof_file('head', $hz, [0, 0, 7], marks("main::a 3\n"));
    spew($path, slurp($path) =~ s/rrun_rtime=\d+/rrun_rtime=$ticks/r);
    return map { (split /\n/)[0] } run(['dprofpp', $path])->{out}, tree('--table', $path);
}

subtest 'elapsed times of all sizes, below zero too' => sub {
    for my $hz (100, 997, 1_000_000) {
        for my $ticks (-123_456_789, -12345, $hz < 1e6 ? (-77, -5, 3) : (), 12345, 123_456_789) {
            my ($theirs, $ours) = head_of_run($hz, $ticks);
            is($ours, $theirs, "$ticks ticks of 1/$hz s");
        }
    }
};

subtest 'fault: exponents are cut off' => sub {
    my ($theirs, $ours) = head_of_run(997_000, -77);
    is($theirs, 'Total Elapsed Time = -8.22467 Seconds', 'with dprofpp');
    is($ours, 'Total Elapsed Time = -0.00008 Seconds', 'not here');
};

subtest 'fault: marks that make no sense are miscounted in silence, and headers evaluated' => sub {
    my $made = "$scratch/made";
    my $path = spew("$scratch/evil.tmon",
        slurp($goto) =~ s/^\$over_tests=.*/\$over_tests=10000; open my \$f, '>', '$made';/mr);
    run(['dprofpp', $path]);
    ok(-e $made, 'dprofpp runs what the header says');
    unlink $made;
    my $got = run([$ours, '-S', $path]);
    ok(!-e $made, 'we do not');
    for (['an id that is not defined', "+ 77\n- 77\n"], ['an exit of a sub that was not entered', "- 2\n"]) {
        my ($what, $marks) = @$_;
        $path = spew("$scratch/bad.tmon", slurp($goto) =~ s/(?=^\+ & Devel)/$marks/mr);
        $got = run([$ours, $path]);
        is("$got->{status}$got->{out}", '1', "$what is an error");
        like($got->{err}, qr/bad\.tmon: .*offset \d+.*expected/, '... that says where');
    }
};

subtest 'calls that are still open: an error that names them, unless -F is given' => sub {
    my $path = dprof_file('open', 1000, [0, 0, 0], (marks("main::a 4\n  main::b 40\n"))[0 .. 5]);
    my $got  = run([$ours, '-S', '-o', "$scratch/never", $path]);
    is("$got->{status}$got->{out}", '1', 'no output');
    like($got->{err}, qr/no exit of main::b, main::a/, 'both are named');
    ok(!-e "$scratch/never", 'no file');
    $got = run([$ours, '-F', $path]);
    is($got->{status}, 0, '-F');
    is($got->{out}, "main::a x 1  \t0.044s = (0.004 + 0.040)s\n  main::b x 1  \t0.040s\n",
        '... closes them at the end');
    is(tree('--table', '-q', '-F', $path) =~ /complains: nytp-tree: warning/ ? 1 : 0, 1, '... with a warning');
};

done_testing();
