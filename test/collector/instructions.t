# How many instructions the collector adds to the program's thread for six kinds of events, and, with EXHAUSTIVE=1, for
# calls with labels and spans. The clock is told, so they are the same in every run, and what makes the hot path slower
# fails here. The figures depend on perl, the compiler and libc: they are checked where test/data/instructions.txt has
# some for these versions, and printed where it has none. UPDATE=1 writes them. A commit that changes the file says why.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(exhaustive need_collector optional_module);
use Instructions qw(events have_callgrind instructions_of_events instructions_of_phases platform);
use NYTPTest qw(build_dir sanitized scratch_dir slurp spew top_dir valgrind);
use Test::More;

need_collector();
plan skip_all => 'a run under memcheck'      if valgrind();
plan skip_all => 'a build with sanitizers'   if sanitized();
plan skip_all => 'valgrind is not there'     if !have_callgrind();

my $TOLERANCE = 0.005;
my $FIGURES   = top_dir() . '/test/data/instructions.txt';

# The file: { platform => { event => instructions } }. A platform has a line, and its events are indented below it.
my (%figures, $of);
for (split /\n/, -e $FIGURES ? slurp($FIGURES) : '') {
    $figures{$of}{$2} = $1 if /^ +(\d+) (.+)/;
    $of = $_               if /^\S/;
}

my $platform = platform();
my $known    = $figures{$platform};
my %counted;

# What the collector adds for events.
sub added {
    my (@events) = @_;
    my ($plain, $ours) = map { { instructions_of_events([$^X, @$_], @events) } } [], ['-I' . build_dir() . '/perl5', '-d:NYTProf'];
    return map { $_ => sprintf '%.0f', $ours->{$_} - $plain->{$_} } @events;
}

sub is_near { my ($got, $known) = @_; return abs($got - $known) <= 1 + $known * $TOLERANCE }

my @LABELS = ('a pattern with a label', 'an xsub without a rule', 'a fetch with a label', 'a label that is new',
    'a span');
my @common = (events())[0 .. 5];
my @rare   = grep { !/fetch/ || optional_module('DBD::SQLite', 'libdbd-sqlite3-perl') } exhaustive() ? @LABELS : ();
%counted = (added(@common), map { added($_) } @rare);
for my $event (@common, @rare) {
    my $expected = !$ENV{UPDATE} && $known && $known->{$event};
    my $added    = $counted{$event};
    cmp_ok($added, '>', 0, "$event: $added instructions");
    next if !$expected;
    ok(is_near($added, $expected), "$event: within 0.5 % and 1 of $expected")
        or diag("$event: $added instructions; if they are meant to differ: make prove "
        . "T=test/collector/instructions.t UPDATE=1");
}
if (exhaustive()) {
    my ($shallow, $deep) = map { (added("a labelled recursion $_ deep"))[1] / $_ } 100, 1000;
    cmp_ok($deep, '<', 1.1 * $shallow,
        sprintf 'a labelled call takes as long in a deep recursion: %.0f and %.0f instructions', $shallow, $deep);
}

# A call takes as many instructions in a deep recursion as in another one, whatever the options are.
my $DEPTHS = scratch_dir() . '/depths.pl';
spew($DEPTHS, <<'PERL');
no warnings;
sub empty { }
sub loops { my $n = shift; for my $i (1 .. $n) { next if $i == 2; last if $i == 3 } return $n }
sub calls { getppid; for my $i (1 .. 50) { empty(); loops(3); lc('A') =~ /a/; { eval { die "x\n" } } } getppid }
sub at { my $depth = shift; if ($depth) { at($depth - 1) } else { calls() } }
at($_) for 50, 50, shift;
PERL
my @USUAL = ({}, { calls => 2 }, { calls => 0, blocks => 1 }, { findcaller => 1, leave => 0 });
my @MORE  = (map { my $option = $_; map { { $option => $_ } } 0, 1 } qw(stmts slowops subs heap use_db_sub blocks findcaller));
for my $options (@USUAL, exhaustive() ? @MORE : ()) {
    my $name = join(':', map { "$_=$options->{$_}" } sort keys %$options) || 'no options';
    my ($shallow, $deep) = (instructions_of_phases([$^X, '-I' . build_dir() . '/perl5', '-d:NYTProf', $DEPTHS,
        exhaustive() ? 20_000 : 5000], %$options))[-3, -1];
    cmp_ok($deep, '<', 1.02 * $shallow,
        sprintf '%s: calls take as long in a deep recursion: %d and %d instructions', $name, $shallow, $deep);
}

my @new = grep { !$known->{$_} } sort keys %counted;
diag("no figures for $platform, so these are not checked: " . join ', ', map { "$_ $counted{$_}" } @new)
    if @new && !$ENV{UPDATE};

if ($ENV{UPDATE}) {
    $figures{$platform} = { %{ $known // {} }, %counted };
    spew($FIGURES, join '',
        map { my $of = $_;
        "$of\n", map { sprintf "%6d %s\n", $figures{$of}{$_}, $_ } sort keys %{ $figures{$of} } } sort keys %figures);
    note("$FIGURES is written");
}
done_testing();
