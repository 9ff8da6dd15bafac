# An object that is called as a sub: overloaded, blessed code, through goto; what overloads must happen once.
use strict;
use warnings;

my $asked = 0;
package Times {
    use overload '&{}' => sub { my ($self) = @_; $asked++; return sub { return $self->{n} * $_[0] } }, 'fallback' => 1;
    sub new { my ($class, $n) = @_; return bless { n => $n }, $class }
}
package main;

my $five = Times->new(5);
print $five->(4), ' ', &$five(3), "\n";
sub passes_on { goto &$five }
print passes_on(2), "\n";
print join(' ', map { $five->($_) } 1 .. 3), "\n";
my $blessed = bless sub { return "called with @_" }, 'Code';
print $blessed->(1), "\n";
print "asked $asked times\n";
