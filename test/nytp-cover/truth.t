# Which lines have run, and which way conditions went, of programs that say so themselves: neither a line more nor one less.

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use CoverRun qw(branches_of covered devel_cover lines_of recordings);
use CoverTruth qw(programs truth);
use NYTPTest qw(fewer run scratch_dir slurp spew);
use Test::More;

preloaded();

my $dir = scratch_dir();

sub differences {
    my ($truth, $lines, $branches, @source) = @_;
    my ($of, $any) = @$truth{qw(lines any)};
    my @wrong = map { "$_: ran $of->{$_}, recorded " . ($lines->{$_} // 'nothing') . ": $source[$_ - 1]" }
        grep { ($lines->{$_} // '') ne $of->{$_} } sort { $a <=> $b } keys %$of;
    push @wrong, map { "$_: is no statement: $source[$_ - 1]" }
        grep { $_ > 1 && $_ < @source && !exists $of->{$_} && !$any->{$_} } sort { $a <=> $b } keys %$lines;
    for my $line (sort { $a <=> $b } keys %{ $truth->{branches} }) {
        my $got = join ' or ', map { "@$_" } @{ $branches->{$line} // [] };
        push @wrong, "$line: went @{ $truth->{branches}{$line} }, recorded $got: $source[$line - 1]"
            if $got ne "@{ $truth->{branches}{$line} }";
    }
    return @wrong;
}

my ($all_lines, $all_branches) = (0, 0);
for my $seed (fewer(4, 1 .. ($ENV{EXHAUSTIVE} ? 50 : 8))) {
    my ($plain, $telling) = programs($seed, 250);
    spew("$dir/plain.pl", $plain);
    my $told     = run([$^X, spew("$dir/telling.pl", $telling)]);
    my $truth    = truth($told->{err});
    my $recorded = covered($dir, ['plain.pl']);
    is("$recorded->{status} $recorded->{out}$recorded->{err}", "0 $told->{out}", "seed $seed: the program does the same");
    my @files = recordings($dir);
    my @wrong = differences($truth, lines_of(@files)->{'plain.pl'}, branches_of(@files)->{'plain.pl'}, split /\n/, $plain);
    is(join("\n", @wrong), '', "seed $seed: what has run has run, and nothing else");
    $all_lines    += keys %{ $truth->{lines} };
    $all_branches += grep { "@$_" ne '0 0' } values %{ $truth->{branches} };
}
cmp_ok($all_lines,    '>', 200, "$all_lines lines have a statement");
cmp_ok($all_branches, '>', 50,  "$all_branches conditions went one way or both");

# ---- Devel::Cover of Debian ----

# Its known errors: it has no lines of formats, and none of elsif.
SKIP: {
    my $theirs = devel_cover($dir, 'plain.pl') or skip 'Devel::Cover is not installed', 3;
    my @files = recordings($dir);
    my ($ran, $ways) = (lines_of(@files)->{'plain.pl'}, branches_of(@files)->{'plain.pl'});
    my @source = ('', split /\n/, slurp("$dir/plain.pl"));
    my %line   = map { my $line = $_; $line => (grep { $_->[0] } @{ $theirs->{statement}{$line} }) ? 1 : 0 } keys %{ $theirs->{statement} };
    my @wrong  = map { "$_: theirs " . ($line{$_} // 'nothing') . ', ours ' . ($ran->{$_} // 'nothing') . ": $source[$_]" }
        grep { ($line{$_} // '') ne ($ran->{$_} // '') && $source[$_] !~ /elsif/ && $source[ $_ - 2 ] !~ /^format/ } sort { $a <=> $b } keys %{ { %line, %$ran } };
    is(join("\n", @wrong), '', 'Devel::Cover says the same of the lines');
    my @alone = grep { @{ $theirs->{branch}{$_} } == 1 && @{ $ways->{$_} // [] } == 1 } sort { $a <=> $b } keys %{ $theirs->{branch} };
    is(join("\n", map { "$source[$_]: @{ $ways->{$_}[0] }" } grep { "@{ $ways->{$_}[0] }" ne "@{ $theirs->{branch}{$_}[0] }" } @alone), '', '... and of branches');
    cmp_ok(scalar @alone, '>', 20, '... which are enough');
}

done_testing();
