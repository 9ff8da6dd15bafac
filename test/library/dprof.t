# What Devel::DProf records is read as it is: its own programs are the referees.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use DProfRun qw(calls_of dprofpp record_dprof tree_of);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use Test::More;

my $bin     = build_dir() . '/bin';
my $scratch = scratch_dir();

my %program = (
    nested    => 'sub f { g() for 1 .. 3; h() } sub g { h() } sub h { my $x = 0; $x += $_ for 1 .. 50_000 } f(); h()',
    recursive => 'sub f { my $n = shift; f($n - 1), g($n - 1) if $n > 0 } sub g { f($_[0] - 1) if $_[0] > 0 } f(5)',
    dying     => 'sub f { eval { g() }; h() } sub g { h(); die "x\n" } sub h { 1 } f(); eval { f(); g() }; h()',
    exiting   => 'sub f { g() } sub g { exit 3 } sub END { g2() } sub g2 { 1 } f()',
    anonymous => 'my @s = map { my $n = $_; sub { $n and &{ $s[$n - 1] } } } 0 .. 3; $_->() for @s; sub { sub { 1 '
    . '}->() }->()',
    modules   => 'use File::Spec; File::Spec->catfile("a", "b"); File::Spec->rel2abs("x"); '
    . 'UNIVERSAL::can("File::Spec", "join")',
);
# goto replaces a call, and dprofpp draws it so; it only counts the times wrong.
$program{goto}     =
    'sub f { g(); h() } sub g { goto &h } sub h { 1 } sub c { goto &d } sub d { goto &g } f(); c() for 1 .. 2';
$program{autoload} = 'package A; sub new { bless {} } sub AUTOLOAD { our $AUTOLOAD; my $n = $AUTOLOAD; no strict "refs";
    *$n = sub { main::seen($n) }; goto &$n } package main; sub seen { 1 } my $o = A->new; $o->x; $o->x; $o->y; A::z()';

for my $name (sort keys %program) {
    my $tmon  = record_dprof($program{$name});
    my @calls = calls_of($tmon);
    cmp_ok scalar @calls, '>=', 4, "$name: there are calls";
    is tree_of(@calls), dprofpp('-T', $tmon), "$name: the tree is dprofpp's";

    my $folded = run(["$bin/nytprofcalls", '--calls', $tmon]);
    is "$folded->{status} $folded->{err}", '0 ', "$name: nytprofcalls has no complaint";
    my $sum = 0;
    $sum += $_ for $folded->{out} =~ / (\d+)$/mg;
    is $sum, grep({ $_->[0] eq '<' } @calls), "$name: and counts all calls";

    my $callgrind = run(["$bin/nytprofcg", '-o', '-', $tmon]);
    is "$callgrind->{status} $callgrind->{err}", '0 ', "$name: nytprofcg has no complaint";
    like $callgrind->{out}, qr/^fn=\(\d+\) /m, "$name: and shows subs";
    my $counted = 0;
    $counted += $_ for $callgrind->{out} =~ /^calls=(\d+) /mg;
    is $counted, $sum, "$name: and all their calls";
}

# The older dialects, as all programs read them: line by line, or much at a time.
my %older = (
    absolute     =>
        "+ 10 1 100 main::a\n+ 11 1 101 main::b\n- 12 1 102 main::b\n+ 12 1 102 main::b\n- 13 1 103 main::b\n- 14 2 "
        . "105 main::a\n",
    transitional =>
    "+ & main::a\n@ 1 0 1\n+ & main::b\n@ 1 0 1\n- & main::b\n+ & main::b\n@ 1 0 1\n- & main::b\n@ 1 1 2\n- & "
    . "main::a\n",
);
for my $name (sort keys %older) {
    my $tmon = spew("$scratch/$name.out", "#fOrTyTwO\n\$hz=100;\n\$XS_VERSION='DProf 19970606';\n"
            . "\$rrun_utime=12; \$rrun_stime=3; \$rrun_rtime=18\nPART2\n$older{$name}");
    my $folded = run(["$bin/nytprofcalls", '--calls', $tmon]);
    is "$folded->{status} $folded->{err}$folded->{out}", "0 main::a 1\nmain::a;main::b 2\n",
        "$name: nytprofcalls reads it";
    my $callgrind = run(["$bin/nytprofcg", '-o', '-', $tmon]);
    is "$callgrind->{status} $callgrind->{err}", '0 ', "$name: so does nytprofcg";
    is join(' ', sort $callgrind->{out} =~ /^calls=(\d+) /mg), '1 2', "$name: with the same calls";
    my $graph = run(["$bin/nytp-dot", '--url={sub}', $tmon]);
    like "$graph->{status} $graph->{err}$graph->{out}", qr/^0 digraph.*"main::a" -> "main::b"/s,
        "$name: so does nytp-dot";
}

# A killed program has no exits for what was running, and no totals in its header.
my $killed = record_dprof('sub f { g() for 1 .. 3 } sub g { h() } sub h { 1 } f() for 1 .. 20_000; f(kill 9, $$)');
{
    my $got = run(["$bin/nytprofcalls", $killed]);
    is $got->{status}, 0, 'killed: what is there is used';
    like $got->{err}, qr/^nytprofcalls: warning: \Q$killed\E: it was cut; what is there is used$/m,
        'killed: with a warning';
    is run(["$bin/nytprofcalls", '--strict', $killed])->{status}, 1, 'killed: an error if that is asked for';
    my @calls = calls_of($killed);
    my ($entries, $returns) = map { my $mark = $_; scalar grep { $_->[0] eq $mark } @calls } '>', '<';
    cmp_ok $entries, '>', 10_000, 'killed: calls were seen';
    is $returns, $entries, 'killed: each of them returns';
}

# Cut anywhere, there is a prefix of the tree and no complaint but that.
{
    my $whole = slurp(record_dprof($program{dying}));
    my $all   = tree_of(calls_of(spew("$scratch/whole.tmon", $whole)));
    my $start = index($whole, "PART2\n");
    my @wrong;
    for my $size (map { $start + 6 + 7 * $_ } 0 .. (length($whole) - $start - 6) / 7) {
        my $cut  = spew("$scratch/cut.tmon", substr $whole, 0, $size);
        my $tree = tree_of(calls_of($cut));
        push @wrong, $size if $tree ne substr $all, 0, length $tree;
    }
    is "@wrong", '', 'cut: the tree is the beginning of the whole one';
}

# Lines that perl would run if they were evaluated.
{
    my $evil = slurp("$scratch/whole.tmon") =~ s/^(\$hz=.*)/$1 system('touch $scratch\/evaluated');/mr;
    my $got  = run(["$bin/nytprofcalls", spew("$scratch/evil.tmon", $evil)]);
    is $got->{status}, 0, 'a header with code in it is read';
    like $got->{err}, qr/warning: .*a header line was skipped: expected \$NAME=VALUE;/, 'and there is a warning';
    ok !-e "$scratch/evaluated", 'and not run';
}

# The other programs of the family take it like any profile, and with others.
{
    my $tmon = "$scratch/whole.tmon";
    my ($one, $two) = map { run(["$bin/nytprofcalls", '--calls', ($tmon) x $_])->{out} } 1, 2;
    is $two, $one =~ s/(\d+)$/2 * $1/gemr, 'twice the same profile is twice the calls';
    my $text = slurp($tmon) =~ s/\n/\r\n/gr;
    is run(["$bin/nytprofcalls", '--calls', '-'], stdin => $text)->{out}, $one, 'with other line ends it is the same';
    (my $damaged = slurp($tmon)) =~ s/^- /? /m;
    my $got = run(["$bin/nytprofcalls", spew("$scratch/damaged.tmon", $damaged)]);
    is $got->{status}, 1, 'damage is an error';
    like $got->{err}, qr/^nytprofcalls: \Q$scratch\E\/damaged.tmon: offset \d+: expected a mark: one of/,
        'that says where';
    is $got->{out}, '', 'and leaves no output';
}

done_testing;
