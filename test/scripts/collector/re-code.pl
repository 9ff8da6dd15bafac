# Literal code in regular expressions, with calls in it, and a die.
# Debian's collector crashes on this with blocks=1.
use strict;
use warnings;

my @seen;
sub seen { push @seen, @_; return 1 }
'abcd' =~ /(?:(\w)(?{ seen($1) }))+$/;
print "@seen\n";
my $compiled = qr/(\d+)(?(?{ is_even($1) })e|o)/;
sub is_even { return $_[0] % 2 == 0 }
print join(' ', map { /^$compiled$/ ? 'yes' : 'no' } qw(2e 3o 2o 13e)), "\n";
eval { 'x' =~ /x(?{ die "in a match\n" })/ };
print $@;
sub matches { return $_[0] =~ /^(?:(.)(?{ seen(matches_too(defined $1 ? $1 : '')) }))*$/ }
sub matches_too { return $_[0] =~ /b(?{ seen('b') })/ ? 'yes' : 'no' }
print matches('abc') ? "@seen\n" : "none\n";
