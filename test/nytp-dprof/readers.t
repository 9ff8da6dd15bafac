# nytp-dprof over many profiles: dprofpp and dprof2calltree read what it writes
# without a word, and show the calls and times that the profile has.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use DProfRun qw(calls_of dprofpp tree_of);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir run scratch_dir slurp spew);
use ProfileBytes qw(profile_bytes simple_profile);
use Test::More;

my $bin        = build_dir() . '/bin';
my $nytp_dprof = "$bin/nytp-dprof";
my $scratch    = scratch_dir();

# The tmon.out of a profile that must convert without a word.
sub converted {
    my ($name, $profile, @options) = @_;
    my $got = run([$nytp_dprof, @options, '-o', "$scratch/$name.tmon", $profile]);
    is "$got->{status} $got->{err}$got->{out}", '0 ', "$name: converted";
    return "$scratch/$name.tmon";
}

sub escaped {
    my ($name) = @_;
    utf8::encode($name) if !utf8::decode(my $copy = $name);    # bytes that are not UTF-8 are Latin-1
    return $name =~ s/([\0- %\x7f])/sprintf '%%%02X', ord $1/ger;
}

# From the returns, innermost first, as [depth, ticks, name]: a sub that returns has called what is one deeper and has
# no caller yet. Gives the lines of the tree.
sub tree_of_returns {
    my (@roots, @waiting);
    for (@_) {
        my ($depth, $ticks, $name) = @$_;
        push @roots, map { @{ $_ // [] } } splice @waiting, $depth + 2 if @waiting > $depth + 2;
        my $called = (splice @waiting, $depth + 1)[0];
        push @{ $waiting[$depth] }, [escaped($name), $called // []];
    }
    push @roots, map { @{ $_ // [] } } @waiting;
    my @todo = map { [0, $_] } @roots;
    my $text = '';
    while (my $next = shift @todo) {
        my ($level, $call) = @$next;
        $text .= '   ' x $level . "$call->[0]\n";
        unshift @todo, map { [$level + 1, $_] } @{ $call->[1] };
    }
    return $text;
}

# What dprof2calltree and dprofpp make of it.
sub reads {
    my ($name, $profile, $tmon, @returns) = @_;
    my $tree = dprofpp('-T', $tmon);
    is $tree, tree_of_returns(@returns), "$name: dprofpp shows the calls";
    my $ours = run(["$bin/nytp-tree", '-T', $profile]);
    is $ours->{out} =~ s/^( *)(.*)/$1 . escaped($2)/gemr, $tree, "$name: as nytp-tree shows those of the profile";
    like dprofpp('-O', -1, $tmon), qr/^%Time ExclSec/m, "$name: and a table";

    my $ticks = 0;
    $ticks += $_->[1] for @returns;
    my $got = run(['dprof2calltree', '-f', "$name.tmon"], dir => $scratch);
    is "$got->{status} $got->{out}", '0 ', "$name: dprof2calltree reads it";
    is $got->{err}, "Writing kcachegrind output to cachegrind.out.$name.tmon\n", "$name: without a word";
    my ($summary) = slurp("$scratch/cachegrind.out.$name.tmon") =~ /^summary: (\d+)/m;
    cmp_ok abs($summary - $ticks), '<=', 1, "$name: and has the same total";
    return;
}

for my $recording (recordings()) {
    my ($name, $profile) = ($recording->{name} =~ tr/ /-/r, $recording->{path});
    my @returns = map { [@$_[2, 3, 1]] } grep { $_->[0] eq '<' } calls_of($profile);
    next if !@returns;
    my $tmon = converted($name, $profile);
    reads($name, $profile, $tmon, @returns) if @returns < ($ENV{EXHAUSTIVE} ? 3_000 : 1_000); # dprofpp takes long

    # Every stack has its time, to the tick that rounding costs it.
    my %excl;
    for my $side (0, 1) {
        my $got = run(["$bin/nytprofcalls", '--no-merge-evals', ($profile, $tmon)[$side]]);
        is $got->{err}, '', "$name: nothing to complain of";
        while ($got->{out} =~ /^(.*) (-?\d+)$/mg) {
            my ($stack, $ticks) = ($1, $2);
            $stack =~ s/%(20|09)/?/g;
            $stack =~ s/%25/%/g;
            $excl{$stack}[$side] = $ticks;
        }
    }
    my @differ = grep { my ($x, $y) = @{ $excl{$_} }; !defined $x || !defined $y || abs($x - $y) > 1 } sort keys %excl;
    ok !@differ, "$name: stacks and their times are the profile's" or diag explain { map { $_ => $excl{$_} } @differ };
}

# ---- made up ----

my %made = (
    names => [
        [2, 1, "main::new\nline"], [2, 2, "main::a b"], [2, 3, "main::tab\tend "], [2, 4, 'main::100%'],
        [2, 5, 'plain'],
        [2, 6, ''], [2, 7, 'A::B::'], [2, 8, '::c'], [2, 9, 'main::__ANON__[/a::b/(eval 1)[/x y.pl:3]:1]'],
        [2, 10, "main::caf\xc3\xa9"], [2, 10, "main::caf\xe9"], [2, 11, 'main::' . 'x' x 10_000], [1, 256, 'main::run'],
    ],
    deep    => [map { [3_000 - $_, 1, 'main::r'] } 0 .. 2_999],
    blocks  => [(map { my $n = $_; (map { [3, $_, "main::c$_"] } 1 .. $n % 7), [2, $n, "main::b"] } 1 .. 40_000),
        [1, 1, 'main::a']],
    open    => [[3, 1, 'main::f'], [3, 2, 'main::g'], [2, 3, 'main::h'], [2, 4, 'main::i']],
    back    => [[2, -50, 'main::stepped'], [2, 70, 'main::on'], [1, 0.25, 'main::part'], [1, 0.5, 'main::more']],
);
my %tree_only = map { $_ => 1 } qw(deep blocks);    # dprof2calltree would take long
for my $name (sort keys %made) {
    my $profile = spew("$scratch/$name.out", simple_profile($made{$name}, compress => 1));
    my $tmon    = converted($name, $profile);
    if ($tree_only{$name}) {
        my @calls = calls_of($tmon);
        ok tree_of(@calls) eq tree_of_returns(@{ $made{$name} }), "$name: every call is there";
        is_deeply [map { "$_->[3] $_->[1]" } grep { $_->[0] eq '<' } @calls],
            [map { "$_->[1] $_->[2]" } @{ $made{$name} }],
            "$name: with its time";
    }
    elsif ($name eq 'names') {
        my $empty = sub {
            $_[0] =~ s/^( *)$/$1main::%/mr =~ s/^( *)plain$/$1main::plain/mr =~ s/^( *)::c$/$1%::c/mr =~ s/B::$/B::%/mr;
        };
        is dprofpp('-T', $tmon), $empty->(tree_of_returns(@{ $made{$name} })), 'names: dprofpp shows all of them';
    }
    else {
        reads($name, $profile, $tmon, @{ $made{$name} });
    }
}

# Processes do not call one another.
{
    my $profile = spew("$scratch/processes.out", profile_bytes(
        [VERSION => 5, 0], [PID_START => 1, 0, 10], [SUB_RETURN => 2, 1, 1, 'main::lost'],
        [PID_START => 2, 1, 11], [SUB_RETURN => 1, 2, 2, 'main::child'], [PID_END => 2, 12],
        [SUB_RETURN => 1, 4, 4, 'main::parent'], [PID_END => 1, 13.5],
    ));
    my $tmon = converted('processes', $profile);
    is dprofpp('-T', $tmon), "main::lost\nmain::child\nmain::parent\n", 'processes: calls of one are not in another';
    like dprofpp($tmon), qr/^Total Elapsed Time = +3\.5 /, 'processes: they ran from the first start to the last end';
    like slurp($tmon), qr/^\$total_marks=6$/m, 'processes: marks are counted';
}

# ---- manners ----

{
    my $profile = "$scratch/open.out";
    my $piped   = run(['sh', '-c', "$nytp_dprof -o - $profile | dprofpp -T /dev/stdin"]);
    is $piped->{out}, dprofpp('-T', "$scratch/open.tmon"), 'through a pipe it is the same';
    is run([$nytp_dprof, '-o', '-'], stdin => '')->{status}, 1, 'without a profile there is an error';

    my $dir = scratch_dir();
    spew("$dir/nytprof.out", slurp($profile));
    is run([$nytp_dprof, '-v'], dir => $dir)->{err} =~ s/^.*: recorded by .*\n//r, "nytp-dprof: 4 calls of 4 subs\n",
        'it says what it read';
    is slurp("$dir/tmon.out"), slurp("$scratch/open.tmon"), 'from nytprof.out to tmon.out, without arguments';

    spew("$dir/cut.out", substr simple_profile($made{open}), 0, -12);
    my $cut = run([$nytp_dprof, 'cut.out'], dir => $dir);
    like "$cut->{status} $cut->{err}", qr/^0 nytp-dprof: warning: cut\.out(?:: it was cut|: 1 process killed or still running); what is there/,
        'cut: what is there, and a warning';
    is run([$nytp_dprof, '--strict', '-o', 'strict.tmon', 'cut.out'], dir => $dir)->{status}, 1,
        'cut: an error if that is asked for';
    ok !-e "$dir/strict.tmon", 'and no output';

    my $none = run([$nytp_dprof, spew("$dir/none.out", simple_profile([]))], dir => $dir);
    is "$none->{status} $none->{err}",
        "0 nytp-dprof: warning: the profile has no calls (recorded with calls=0 or subs=0?)\n", 'no calls: a warning';
    is dprofpp('-T', "$dir/tmon.out"), '', 'and an empty tree';

    is run([$nytp_dprof, 'a', 'b'])->{status}, 2, 'two profiles are one too many';
    my $full = run([$nytp_dprof, '-o', '/dev/full', $profile]);
    is "$full->{status} $full->{err}", "1 nytp-dprof: /dev/full: cannot write: No space left on device\n",
        'a full disk is reported';
    my $lost = run([$nytp_dprof, '-o', 'lost.tmon', "$scratch/blocks.out"], dir => $dir,
        env => { TMPDIR => "$dir/nowhere" });
    is "$lost->{status} $lost->{err}",
        "1 nytp-dprof: temporary file: No such file or directory (TMPDIR says where it is)\n",
        'a temporary file that cannot be made is reported';
    ok !-e "$dir/lost.tmon", 'and there is no output';
}

done_testing;
