# Lvalue subs, references to what they return, substr and local on them.
use strict;
use warnings;

my ($value, @array, %hash) = (1);
sub value : lvalue { $value }
sub element : lvalue { my ($i) = @_; $array[$i] }
sub of_hash : lvalue { $hash{ $_[0] } }
sub chosen : lvalue { my $other = helper(); $_[0] ? $value : $hash{else} }
sub helper { return 1 }
sub both : lvalue { ($array[0], $array[1]) }
package Object { sub new { return bless { n => 0 } } sub n : lvalue { $_[0]{n} } }

value() = 5;
value()++;
value() .= 'x';
print value(), "\n";
element($_) = $_ * 2 for 0 .. 5;
print "@array\n";
of_hash('k') = 'v';
chosen(1) = 'chosen';
chosen(0) = 'else';
print "$value $hash{else} $hash{k}\n";
(both()) = (8, 9);
print "@array\n";
my $object = Object->new;
$object->n = 3;
$object->n += 4;
print $object->n, "\n";
substr(value(), 0, 2) = 'CH';
print "$value\n";
for (value()) { $_ = 'aliased' }
print "$value\n";
my $ref = \value();
$$ref = 'through a reference';
print "$value\n";
