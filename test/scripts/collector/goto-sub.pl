# goto &sub: to perl subs, to xsubs, to closures, in chains and loops.
use strict;
use warnings;
use List::Util ();
use Scalar::Util ();

sub target { return "target(@_) of " . (caller(0))[3] . ' from line ' . (caller(0))[2] }
sub jump   { unshift @_, 'jumped'; goto &target }
sub chain  { @_ = map { $_ + 1 } @_; goto &jump }
sub to_xs  { goto &List::Util::sum }
sub to_ref { my $code = shift; goto &$code }
sub to_blessed { goto \&Scalar::Util::blessed }
sub loop { my ($n) = @_; return 'end of loop' if !$n; @_ = ($n - 1); goto &loop }
sub method { my $self = $_[0]; goto $self->can('target') }
sub closure_maker { my ($x) = @_; return sub { return "$x@_" } }

print target(0), "\n", jump(1), "\n", chain(1, 2), "\n";
print to_xs(1 .. 10), ' ', to_xs(5), "\n";
print to_ref(sub { return "anonymous @_" }, 3), ' ', to_ref(closure_maker('closure'), 4), "\n";
print to_blessed(bless []) // 'no', ' ', to_blessed([]) // 'no', "\n";
print loop(200), "\n";
print main->method(5), "\n";
my @context = (jump(7), scalar(jump(8)));
print "@context\n";
jump(9);
sub dies { goto &target_that_dies }
sub target_that_dies { die "in the target\n" }
eval { dies() };
print $@;
eval { goto_nowhere() };
sub goto_nowhere { goto &not_defined }
print $@ =~ /^(Goto undefined subroutine)/, "\n";

sub leaf { return 1 }
sub refused { my $done = eval { goto &List::Util::sum }; print $@ =~ /^(Can't goto subroutine)/, "\n"; return leaf() }
sub refused_in_sort { return join ' ', sort { eval { goto &List::Util::sum }; leaf(); $a <=> $b } 2, 1 }
sub jumps_when_sorted { goto &List::Util::sum }
sub refused_as_sort { my @sorted = eval { sort jumps_when_sorted 2, 1 }; print $@ =~ /^(Can't goto subroutine)/, "\n"; return leaf() }
print refused(1), ' ', refused_in_sort(), ' ', refused_as_sort(), "\n";

package Lazy;
our $AUTOLOAD;
sub stub;
sub other_stub;
sub AUTOLOAD { return "$AUTOLOAD " . main::leaf() }
package main;
sub to_stub { goto &Lazy::stub }
sub later;
my $later = \&later;
{ no warnings 'redefine'; *later = sub { return 'later ' . leaf() } }
sub to_later { goto &$later }
print to_stub(), ' ', Lazy::other_stub(), ' ', to_later(), "\n";
