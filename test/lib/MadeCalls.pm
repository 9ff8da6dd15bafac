package MadeCalls;

# A profile of calls that a test writes down as a tree.
#
#   use MadeCalls qw(made_calls);
#   made_calls("$scratch/old", ['main::g', 10, 0.01, ['main::f', 2, 0.001]], ['main::h', 1, 0.5]);
#
# main::RUNTIME calls main::g 10 times, each of which takes 0.01 seconds itself and calls main::f twice. Of a sub below
# itself, inclusive times are those of the outermost call.

use strict;
use warnings;

use Exporter 'import';
use NYTPTest qw(spew);
use ProfileBytes qw(profile_bytes);

our @EXPORT_OK = qw(made_calls);

my $per_s = 10_000_000;

# Adds a call to the chunks and to the sums by caller; returns its inclusive seconds.
sub _call {
    my ($state, $caller, $depth, $spec) = @_;
    my ($name, undef, $own, @inner) = @$spec;
    my $inclusive = $own;
    $state->{open}{$name}++;
    for my $callee (@inner) {
        $inclusive += _call($state, $name, $depth + 1, $callee) for 1 .. $callee->[1];
    }
    my $is_outer = --$state->{open}{$name} == 0;
    my $sum = $state->{arcs}{$caller}{$name} //= [0, 0, 0, 0, 0];
    $sum->[0]++;
    $sum->[$is_outer ? 1 : 3] += $inclusive;
    $sum->[2] += $own;
    $sum->[4] = 1 if !$is_outer;
    push @{ $state->{returns} }, [SUB_RETURN => $depth, $inclusive * $per_s, $own * $per_s, $name];
    return $inclusive;
}

# Options, in a hash before the trees: labels (the attribute), outside (seconds outside of subs, 0.1), and file, in which
# each sub has a line.
sub made_calls {
    my ($path, @trees) = @_;
    my %o     = ref $trees[0] eq 'HASH' ? %{ shift @trees } : ();
    my $file  = $o{file} // '/srv/shop.pl';
    my $state = { arcs => {}, returns => [], open => {} };
    my $total = $o{outside} // 0.1;
    for my $tree (@trees) {
        $total += _call($state, 'main::RUNTIME', 1, $tree) for 1 .. $tree->[1];
    }
    my (%line, @sums);
    for my $caller (sort keys %{ $state->{arcs} }) {
        for my $name (sort keys %{ $state->{arcs}{$caller} }) {
            my ($count, $incl, $excl, $reci, $depth) = @{ $state->{arcs}{$caller}{$name} };
            $line{$_} //= 2 + keys %line for $caller, $name;
            push @sums, [SUB_CALLERS => 1, $line{$caller}, $caller, $count, $incl, $excl, $reci, $depth, $name];
        }
    }
    return spew($path,
        profile_bytes([VERSION => 5, 0], [ATTRIBUTE => 'ticks_per_sec', $per_s], [ATTRIBUTE => 'application', 'shop.pl'],
            ($o{labels} ? [ATTRIBUTE => 'labels', $o{labels}] : ()), [PID_START => 1, 1, 1.5],
        [NEW_FID => 1, 0, 0, 0x12, 0, 0, $file], [TIME_LINE => $total * $per_s, 1, 1], @{ $state->{returns} },
        (map { [SUB_INFO => 1, $_, $line{$_}, $line{$_}] } sort keys %line), @sums, [PID_END => 1, 2.5]));
}

1;
