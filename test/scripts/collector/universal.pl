# Methods of all kinds: inherited, by name in a variable, can, isa, SUPER, mro, indirect, class ones, DESTROY.
use strict;
use warnings;
use mro;

package Base { sub new { my ($class, %a) = @_; my $self = bless {%a}, $class; return $self->init } sub init { return $_[0] } sub name { return 'base' } sub DESTROY { $main::destroyed++ } }
package Left { our @ISA = 'Base'; use mro 'c3'; sub name { my $self = shift; return 'left ' . $self->next::method } }
package Right { our @ISA = 'Base'; use mro 'c3'; sub name { my $self = shift; return 'right ' . $self->next::method } sub init { my $self = shift; $self->SUPER::init; $self->{right} = 1; return $self } }
package Both { our @ISA = ('Left', 'Right'); use mro 'c3'; sub name { my $self = shift; return 'both ' . $self->maybe::next::method } }

package main;
our $destroyed = 0;
my $object = Both->new(a => 1);
print $object->name, "\n" for 1 .. 3;
my $method = 'name';
print $object->$method, ' ', Base->can('name')->($object), ' ', $object->Left::name, "\n";
my $class = 'Right';
print $class->new->name, ' ', "Base"->new->name, ' ', (bless {}, 'Left')->name, "\n";
print $object->isa('Right') ? 'isa ' : '', UNIVERSAL::can($object, 'none') ? 'can' : 'cannot', ' ', Both->can('new') == \&Base::new ? 'same' : 'other', "\n";
my $code = sub { my ($self, @rest) = @_; return ref($self) . "@rest" };
print $object->$code(1, 2), "\n";
{ my $temporary = Base->new; Base->new }
undef $object;
print "$destroyed\n";
no strict 'refs';
*{'Base::added'} = sub { return 'added' };
print Both->new->added, "\n";
@Both::ISA = ('Base');
print Both->new->name, ' ', Both->can('init')->(5), "\n";
print Base->VERSION // 'no version', "\n";
