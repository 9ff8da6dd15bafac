# AUTOLOAD: as function, method, with goto, for DESTROY, defining what it was asked for.
use strict;
use warnings;

package Lazy;
our $AUTOLOAD;
sub new { return bless {}, shift }

sub AUTOLOAD {
    my $name = $AUTOLOAD =~ s/.*:://r;
    return if $name eq 'DESTROY';
    no strict 'refs';
    my $value = length $name;
    *{$AUTOLOAD} = sub { my ($self, $n) = @_; return $value * ($n // 1) };
    goto &$AUTOLOAD;
}

package Delegating;
our $AUTOLOAD;
sub AUTOLOAD { my $name = $AUTOLOAD =~ s/.*:://r; return $name eq 'DESTROY' ? () : "asked for $name(@_[1 .. $#_])" }

package Derived;
our @ISA = 'Lazy';
sub own { return 'own' }

package main;
my $lazy = Lazy->new;
print $lazy->first(2), ' ', $lazy->first(3), ' ', $lazy->second_one, "\n" for 1 .. 3;
print Delegating->something(1, 2), "\n" for 1 .. 2;
my $derived = Derived->new;
print $derived->own, ' ', $derived->third, ' ', $derived->can('third') ? 'can' : 'cannot', "\n";
sub main::AUTOLOAD { our $AUTOLOAD; return "function $AUTOLOAD" }
print not_there(1), "\n";
print main->neither, "\n";
undef $lazy;
