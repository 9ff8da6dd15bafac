# Subs that change or vanish: redefined, undefined, deleted, localized globs, exported, constant, prototyped, stubs.
use strict;
use warnings;
no warnings qw(redefine once);

sub first { return 'first' }
print first(), "\n";
eval 'sub first { return "second" } 1' or die;
print first(), "\n";
*first = sub { return 'third' };
print first(), "\n";
{ no strict 'refs'; local *{'main::first'} = sub { return 'local' }; print &{'main::first'}(), "\n" }
sub gone { return 'there' }
my $kept = \&gone;
print gone(), "\n";
undef &gone;
print eval { gone() } // 'gone', ' ', eval { $kept->() } // 'gone', "\n";
sub deleted { return 'still called' }
my $ref = \&deleted;
delete $main::{deleted};
print $ref->(), "\n";
package Exporting { sub import { no strict 'refs'; *{ caller() . '::exported' } = \&exported } sub exported { return 'exported ' . inner() } sub inner { return 'inner' } }
Exporting->import;
print exported(), "\n";
use constant PI => 3;
use constant LIST => (1, 2);
print PI + 1, (LIST)[1], &PI, "\n";
sub stub;
sub empty { }
print stub(), defined empty() ? '' : 'empty', "\n";
sub stub { return 'defined later ' }
sub mydo (&;@) { my ($code, @list) = @_; return map { $code->($_) } @list }
print mydo { $_[0] + 1 } 1, 2;
print "\n";
sub nested_named { sub within { return 'within' } return within() }
print nested_named(), "\n";
print &CORE::lc('CORE'), ' ', (\&CORE::uc)->('core'), "\n";
BEGIN { *CORE::GLOBAL::hex = sub { return 'my hex ' . CORE::hex($_[0]) } }
print hex('ff'), "\n";
sub self_replacing { *self_replacing = sub { return 'replaced' }; return 'original' }
print self_replacing(), self_replacing(), "\n";
sub later;
our $scoped = 'outside';
my $stub = \&later;
*later = sub { local $scoped = 'inside'; return $scoped };
sub calls_stub { return $stub->() . ' ' . $scoped }
print calls_stub(), ' ', calls_stub(), "\n";
