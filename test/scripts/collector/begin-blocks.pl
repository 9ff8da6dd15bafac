# BEGIN, UNITCHECK, CHECK, INIT and END blocks, several of each, with calls in them, and with objects that
# are destroyed after them; use with expressions.
use strict;
use warnings;
our @order;

BEGIN { push @order, 'b1' }
sub note { push @order, @_; return }
BEGIN { note('b2') } BEGIN { note('b3') }
UNITCHECK { note('u1') }
CHECK { note('c1') }
CHECK { note('c2') }
INIT { note('i1') }
INIT { note('i2') }
package Left { sub new { return bless [] } sub DESTROY { main::note('left'); return } }
CHECK { Left->new }
INIT { Left->new }
END { print "e1\n" }
END { print 'e2 ', join(' ', @order), "\n"; at_end() }
sub at_end { return print "at the end\n" }
use constant { ONE => 1, LIST => [map { note("k$_") || $_ } 1 .. 3] };
use if $] > 5, 'List::Util' => 'sum';
print sum(@{ +LIST }), ONE, "\n";
eval 'BEGIN { note("eb") } END { note("never before") } UNITCHECK { note("eu") } note("er")';
package Inner { BEGIN { main::note('pb') } sub import { main::note('import') } BEGIN { Inner->import } }
{
    my $closed = 5;
    BEGIN { $closed = 6 }
    sub closing { return $closed // 'undef' }
}
print closing(), "\n";
print "@order\n";
exit 4;
