# Direct, mutual and deep recursion, with built-ins on the way.
use strict;
use warnings;
no warnings 'recursion';

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }

sub even { my ($n) = @_; return $n == 0 ? 1 : odd($n - 1) }
sub odd  { my ($n) = @_; return $n == 0 ? 0 : even($n - 1) }

sub deep {
    my ($n) = @_;
    return 0 if !$n;
    return 1 + deep($n - 1);
}

sub ackermann {
    my ($m, $n) = @_;
    return $n + 1 if !$m;
    return ackermann($m - 1, $n ? ackermann($m, $n - 1) : 1);
}

sub walk {
    my ($tree) = @_;
    return ref $tree ? join(',', map { walk($_) } @$tree) : "<$tree>";
}

print fib(15), ' ', even(301), ' ', deep(90), ' ', ackermann(2, 6), "\n";
print walk([1, [2, [3, [4, 5]], 6], [[[7]]]]), "\n";
my $anon;
$anon = sub { $_[0] ? 1 + $anon->($_[0] - 1) : 0 };
print $anon->(100), "\n";
my $hanoi = 0;
sub hanoi { my ($n, @pegs) = @_; return if !$n; hanoi($n - 1, @pegs[0, 2, 1]); $hanoi++; hanoi($n - 1, @pegs[2, 1, 0]) }
hanoi(8, qw(a b c));
print "$hanoi\n";
