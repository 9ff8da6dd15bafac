# Callbacks from xsubs: first, any, reduce, sum of them, with subs and built-ins called from within, and exits from them.
use strict;
use warnings;
use List::Util qw(first any all none reduce reductions pairmap pairgrep max sum shuffle uniq sum0 maxstr);
use Scalar::Util qw(blessed reftype looks_like_number weaken dualvar);

sub is_big { my ($n) = @_; return $n > 5 }
sub add    { my ($x, $y) = @_; return $x + $y }
print first { is_big($_) } 1 .. 10;
print ' ', (any { is_big($_) } 1 .. 10) ? 'any' : 'none', ' ', (all { $_ > 0 } 1 .. 10) ? 'all' : 'not all';
print ' ', reduce { add($a, $b) } 1 .. 20;
print ' ', join(',', reductions { $a * $b } 1 .. 5);
print "\n", join(' ', pairmap { "$a=" . uc $b } a => 'x', b => 'y'), "\n";
print join(' ', pairgrep { $a =~ /b/ } a => 1, b => 2), "\n";
print max(map { add($_, 1) } 1 .. 5), sum(1 .. 4), ' ', join(',', uniq(1, 1, 2)), ' ', sum0(), maxstr(qw(a c b)), "\n";
my $died = eval { first { die "in a callback\n" } 1 .. 3; 1 };
print $@;
sub returns_from_within { my $x = first { return 1 if $_ == 2; 0 } 1 .. 3; return $x }
print returns_from_within(), "\n";
print first { (first { $_ == 2 } 1 .. 3) == $_ } 1 .. 3;
print "\n", join(' ', sort { $a <=> $b } grep { looks_like_number($_) } map { /(\d+)/ } qw(a1 b22 c)), "\n";
print blessed(bless [], 'Class'), reftype(bless {}, 'Class'), "\n";
my @nested = map { my $x = $_; first { $_ > $x } 1 .. 10 } 1 .. 5;
print "@nested\n";
sub Class::DESTROY { my $n = add(1, 2) }
