# die from everywhere: deep down, in sort blocks, DESTROY, tie, map, string evals, signal and die handlers.
use strict;
use warnings;

sub thrower { my ($n) = @_; die "thrown\n" if !$n; thrower($n - 1); return }
sub catcher { my $ok = eval { thrower(@_); 1 }; return $ok ? 'none' : $@ }
sub rethrow { eval { thrower(3) }; die "again: $@" if $@; return }

package Dies { sub new { return bless [] } sub DESTROY { my $x = helper(); die "in DESTROY\n" } sub helper { return 1 } }
package Saves { sub new { return bless [] } sub DESTROY { eval { die "swallowed\n" } } }
package TieDies { sub TIESCALAR { return bless [] } sub FETCH { die "in FETCH\n" } }

package main;
print catcher($_) for 0 .. 20;
eval { rethrow() };
print $@;
eval { my @sorted = sort { die "in a sort\n" } 3, 1, 2 };
print $@;
sub dying_comparison { thrower(2) }
eval { my @sorted = sort dying_comparison 3, 1, 2 };
print $@;
{ local $SIG{__WARN__} = sub { print "warned: $_[0]" =~ s/ at .*//sr, "\n" }; { my $d = Dies->new } thrower(0) if 0 }
eval { my $s = Saves->new; die "kept\n" };
print $@;
tie my $tied, 'TieDies';
eval { my $x = $tied };
print $@;
eval { my @m = map { thrower($_) } 1 .. 3 };
print $@;
{
    local $SIG{__DIE__} = sub { print "handler: $_[0]"; die "replaced\n" };
    eval { thrower(1) };
    print $@;
}
{
    local $SIG{__DIE__} = sub { thrower_of_objects() };
    sub thrower_of_objects { die { code => 42 } }
    eval { thrower(1) };
    print $@->{code}, "\n";
}
{ local $SIG{__WARN__} = sub { die "a warning: $_[0]" =~ s/ at .*//sr . "\n" }; eval { warn 'careful' }; print $@ }
eval { eval { die "inner\n" }; print "inner: $@"; die "outer\n" };
print $@;
eval { local $@ = 'saved'; eval { die "lost\n" } };
print "left: '$@'\n";
eval { require Not::There };
print $@ =~ /^(Can't locate Not.There.pm)/, "\n";
eval { my $none; $none->method };
print $@ =~ /^(Can't call method "method")/, "\n";
eval { undefined_function() };
print $@ =~ /^(Undefined subroutine)/, "\n";
for my $i (1 .. 300) { eval { thrower($i % 5) } }
$_ = eval { last_one() } // "fell through\n";
sub last_one { eval { return "returned from eval" }; return }
print;
die "the last words\n";
