# Options that cannot have an effect, and options that change at run time: one line says so, or what is recorded
# follows.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector nytprof_value profiled);
use NYTPTest qw(scratch_dir);
use ProfileCompare qw(read_profile);
use Test::More;

need_collector();

sub with_options {
    my ($value, $program) = @_;
    return profiled('ours', ['-e', $program // '1'], env => { NYTPROF => $value }, dir => scratch_dir());
}

is(with_options("$_=7")->{err}, "Devel::NYTProf: $_ has no effect\n", "$_ has no effect") for qw(evals expand perldb);
for (['blocks=1', 'stmts=0'], ['use_db_sub=1', 'stmts=0'], ['calls=2', 'subs=0'], ['findcaller=1', 'subs=0'],
    ['slowops=3', 'subs=0'], ['labels=sql', 'subs=0']) {
    my ($option, $other) = @$_;
    my $said = $option =~ s/labels\K.*//r;
    for my $value ("$option:$other", "$other:$option") {
        is(with_options($value)->{err}, "Devel::NYTProf: $said has no effect with $other\n",
            "$value: the first has no effect");
    }
}

# Options that the start decides: set to another value they stay, and one line says so. Options that can be switched
# off, and on again.
my %LATE = (
    leave => [1, 0], use_db_sub => [0, 1], clock => [0, 1], optimize => [1, 0], savesrc => [1, 0], nameevals => [1, 0],
        nameanonsubs => [1, 0],
    posix_exit => [0, 1], endatexit => [0, 1],
);
for my $name (sort keys %LATE) {
    my ($first, $other) = @{ $LATE{$name} };
    for (0, 1) {
        my $got = with_options("$name=$first", "DB::set_option('$name', \$_) for $first, $other");
        is($got->{err},
            "Devel::NYTProf: $name=$other: only NYTPROF can set that, before the program starts; it is $first\n",
            "$name=$other at run time");
        ($first, $other) = ($other, $first);
    }
}
is(with_options('', "DB::set_option('$_', 'sql')")->{err},
    "Devel::NYTProf: $_: only NYTPROF can set that, before the program starts\n",
    "$_ at run time") for 'labels', 'start', 'sigexit';

# The calls that a program is recorded to make after it has set options, how many of its lines are recorded, and what it
# prints.
sub recorded_after {
    my ($options, @set) = @_;
    my $got = profiled('ours',
        ['-e', join "\n", 'sub f { $_[0] + 1 }', 'sub g { f(7) =~ /8/ }', 'sub h { f(1); g(); f(2) }',
        map({ my ($name, $value) = split /=/; "DB::set_option('$name', $value);" } @set), 'h() for 1 .. 4'],
        options => $options);
    my $profile = read_profile($got->{files}[0], $got->{dir});
    my %calls;
    for (sort keys %{ $profile->{arcs} }) {
        $calls{"$1>$2"} += $profile->{arcs}{$_}{count} if /^main::(\S+) -> main::(\S+) at/;
    }
    my @lines = grep { m{:[123]\z} } keys %{ $profile->{executed} };
    return join(' ', map { "$_ $calls{$_}" } sort keys %calls) . '; lines ' . @lines . "\n$got->{err}";
}

sub late {
    my ($set, $is) = @_;
    return "Devel::NYTProf: $set: only NYTPROF can set that, before the program starts; it is $is\n";
}

my $SUBS = 'RUNTIME>h 4 g>f 4 h>f 8 h>g 4; lines 3';
my $ALL  = "RUNTIME>h 4 g>CORE:match 4 g>f 4 h>f 8 h>g 4; lines 3\n";
my $BARE = "; lines 3\n";
for (
    [{},                             [],                          $ALL],
    [{ leave => 0 },                 ['leave=1'],                 $ALL . late('leave=1', 0)],
    [{},                             ['leave=0'],                 $ALL . late('leave=0', 1)],
    [{},                             ['use_db_sub=1'],            $ALL . late('use_db_sub=1', 0)],
    [{ use_db_sub => 1 },            ['use_db_sub=0'],            $ALL . late('use_db_sub=0', 1)],
    [{},                             ['stmts=0'],                 $ALL =~ s/lines 3/lines 0/r],
    [{},                             ['stmts=0', 'stmts=1'],      $ALL],
    [{ stmts => 0 },                 ['stmts=1'],                 ($ALL =~ s/lines 3/lines 0/r) . late('stmts=1', 0)],
    [{},                             ['slowops=0'],               "$SUBS\n"],
    [{},                             ['slowops=0', 'slowops=2'],  $ALL],
    [{},                             ['slowops=1'],               "$SUBS\n"], # CORE::match is not in main
    [{ slowops => 1 },               ['slowops=2'],               $ALL],
    [{ slowops => 0 },               ['slowops=2'],               "$SUBS\n" . late('slowops=2', 0)],
    [{},                             ['slowops=3'],               $ALL . late('slowops=3', 2)],
    [{ labels => 'regex' },          ['slowops=0'],               "$SUBS\n"],
    [{},                             ['subs=0'],                  $BARE],
    [{},                             ['subs=0', 'subs=1'],        $ALL],
    [{ subs => 0 },                  ['subs=1'],                  $BARE . late('subs=1', 0)],
    [{},                             ['findcaller=1', 'calls=2'], $ALL],
) {
    my ($options, $set, $expected) = @$_;
    is(recorded_after($options, @$set), $expected, join ', then ', nytprof_value(%$options) || 'no option', @$set);
}

done_testing();
