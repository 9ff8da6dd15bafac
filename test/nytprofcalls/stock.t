# nytprofcalls gives what stock's nytprofcalls gives, goes on where that gives up, and flamegraph.pl draws it.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use Collapsed qw(parsed frames_of stock_program stock_text);
use NYTPPrograms qw(recordings);
use NYTPTest qw(build_dir record run scratch_dir spew);
use StockModules ();
use Test::More;

my $ours    = build_dir() . '/bin/nytprofcalls';
my $dump    = build_dir() . '/test/dump-chunks';
my $scratch = scratch_dir();

my $AWKWARD = "main::with\nnew; line\t ";    # in test/scripts/shapes.pl

sub our_text {
    my ($name, @arguments) = @_;
    my $got = run([$ours, @arguments]);
    is($got->{status}, 0, "$name: done");
    return $got->{out};
}

# The sums of calls and of exclusive ticks over all returns of a profile.
sub sums_of {
    my ($path) = @_;
    my ($calls, $ticks) = (0, 0);
    for my $line (split /\n/, run([$dump, $path])->{out}) {
        my ($tag, $depth, $incl, $excl) = split /\t/, $line;
        next if $tag ne 'SUB_RETURN';
        $calls++;
        $ticks += $excl;
    }
    return ($calls, $ticks);
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# Sorted siblings, no stack twice: the order of frames, byte by byte.
sub is_sorted {
    my ($name, $text) = @_;
    my @stacks = map { s/ \S+$//r =~ tr/;/\0/r } split /\n/, $text;
    my @wrong  = grep { $stacks[ $_ - 1 ] ge $stacks[$_] } 1 .. $#stacks;
    return ok(!@wrong, "$name: sorted") || diag("$stacks[$wrong[0] - 1]\n$stacks[$wrong[0]]");
}

my ($compared, $given_up) = (0, 0);

sub compare {
    my ($name, @paths) = @_;
    my @sums = (0, 0);
    for my $path (@paths) {
        my @more = sums_of($path);
        $sums[$_] += $more[$_] for 0, 1;
    }
    for my $options ([], ['--calls']) {
        my $what = join ' ', $name, @$options;
        my $text = our_text($what, @$options, @paths);
        is_sorted($what, $text);
        is(sum(values %{ parsed($text) }), $sums[@$options ? 0 : 1], "$what: every call is in the sum");
        my $stock = stock_text($options, \@paths, $AWKWARD);
        $given_up++ if !defined $stock;
        next if !defined $stock;
        $compared++;
        is_deeply(parsed($text), parsed($stock), "$what: as stock");
    }
    return;
}

# ---- real programs, and programs of every sort of call ----

my @recordings = recordings();
compare($_->{name}, $_->{path}) for @recordings;
compare('shapes', record('shapes-default', ['test/scripts/shapes.pl']));
compare("shapes, calls=$_", record("shapes-calls$_", ['test/scripts/shapes.pl'], calls => $_)) for 0, 2;
compare('a thousand evals', record('thousand-evals',
    ['-e', 'sub f { 1 } eval "sub { f($_) for 1 .. 3 }->(); f()" for 1 .. 1000'], calls => 2));
compare('deep recursion', record('deep-recursion',
    ['-e', 'no warnings; sub down { my ($n) = @_; up($n - 1) if $n } sub up { down(@_) } down(300) for 1 .. 3'],
    calls => 2));
cmp_ok($compared, '>=', 30, 'stock read most of them');

# ---- several profiles ----

my %path = map { $_->{name} => $_->{path} } @recordings;
compare('three profiles', @path{qw(calls evals json)});
compare('one profile twice', ($path{calls}) x 2);

subtest 'merged by stock' => sub {
    my @inputs = @path{qw(calls evals)};
    my $got    = run([stock_program('nytprofmerge'), '--out', "$scratch/merged.out", @inputs]);
    is($got->{status}, 0, 'merged');
    my $merged = parsed(our_text('merged', "$scratch/merged.out"));
    is_deeply($merged, parsed(our_text('apart', @inputs)), 'the same as both at once');
};

# ---- where stock gives up ----

subtest 'frames that never return' => sub {
    my $before = $given_up;
    my @paths  = record('open-frames', ['test/scripts/open-frames.pl'], addpid => 1, calls => 2);
    is(scalar @paths, 2, 'two processes');
    compare("process $_", $paths[$_]) for 0, 1;
    compare('both', @paths);
    my ($child) = grep { $_->{'main::leaf'} } map { parsed(our_text('one', '--calls', $_)) } @paths;
    is_deeply($child, { 'main::leaf' => 3 }, 'what they called hangs off the root');
    compare('ended by a child', record('ended-by-child', ['test/scripts/ended-by-child.pl'], calls => 2));
    cmp_ok($given_up, '>', $before, 'stock gives up');
};

# ---- string evals ----

subtest 'evals apart' => sub {
    my $shapes = record('shapes-default', ['test/scripts/shapes.pl']);
    my $merged = parsed(our_text('merged', $shapes));
    my $apart  = parsed(our_text('apart', '--no-merge-evals', $shapes));
    cmp_ok(keys %$apart, '>', keys(%$merged) + 200, 'more stacks');
    my %joined;
    $joined{ s/\(((?:re_)?eval )\d+\)(?=\[)/(${1}0)/gr } += $apart->{$_} for keys %$apart;
    is_deeply(\%joined, $merged, 'which differ only in their numbers');
};

# ---- flamegraph.pl ----

# Of clocks that step back, negative times; those are not drawn.
sub draws {
    my ($name, $text) = @_;
    $text =~ s/^.* -[\d.]+\n//gm;
    my $got = run([$^X, StockModules::flamegraph(), '--minwidth', 0, spew("$scratch/folded", $text)]);
    is("$got->{status} $got->{err}", '0 ', "$name: drawn without a word");
    my %drawn = map { $_ => 1 } $got->{out} =~ /<title>(.*) \([\d,]+ samples, [^()]*\)<\/title>/g;
    my $frames = frames_of(parsed($text));
    my @lost   = grep { !$drawn{ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr } } keys %$frames;
    is_deeply(\@lost, [], "$name: with every frame");
    return;
}

subtest 'flame graphs' => sub {
    my $shapes = record('shapes-default', ['test/scripts/shapes.pl']);
    draws('awkward names', our_text('shapes', $shapes));
    draws('calls',    our_text('calls',    '--calls',   $path{calls}));
    draws('evals',    our_text('evals',    '--no-merge-evals', $path{evals}));
    draws('reversed', our_text('reversed', '--reverse', $path{pod2man}));
    draws('pruned',   our_text('pruned',   '--min=1',   $path{pod2man}));
    draws('in us',    our_text('in us',    '--unit=us', $path{json}));
};

done_testing();
