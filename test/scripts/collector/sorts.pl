# sort with blocks, named subs, prototypes, overloaded and recursive comparisons, in place.
use strict;
use warnings;

sub by_number { return $a <=> $b }
sub by_length { my ($x, $y) = ($a, $b); return length $x <=> length $y || $x cmp $y }
sub by_arguments ($$) { my ($x, $y) = @_; return $y <=> $x }
sub sorted_within { my @inner = sort { $b <=> $a } $a, $b, 5; return $a <=> $b }
sub key { my ($x) = @_; return $x % 7 }

package Other { sub compare { return $Other::a cmp $Other::b } sub run { return sort compare @_ } }

my @numbers = map { ($_ * 37) % 101 } 1 .. 60;
my @words   = qw(pear fig banana kiwi apple cherry date);
print "@{[sort { $a <=> $b } @numbers]}\n";
print "@{[sort by_number @numbers]}\n";
print "@{[sort by_length @words]}\n";
print "@{[sort by_arguments @numbers]}\n";
my $by = 'by_length';
{ no strict 'refs'; print "@{[sort $by @words]}\n" }
my $code = sub { return $b cmp $a };
print "@{[sort $code @words]}\n";
print "@{[reverse sort { key($a) <=> key($b) || $a <=> $b } @numbers]}\n";
print "@{[sort sorted_within 3, 1, 2]}\n";
print "@{[Other::run(@words)]}\n";
@numbers = sort { $b <=> $a } @numbers;
@numbers = sort @numbers;
print "@numbers\n";
print "@{[map { $_->[0] } sort { $a->[1] <=> $b->[1] or $a->[0] cmp $b->[0] } map { [$_, length] } @words]}\n";
