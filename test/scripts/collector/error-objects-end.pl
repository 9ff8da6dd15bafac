# An exception that is an object, in $@ when END blocks run.
use strict;
use warnings;

package Failure;
my $count = 0;
sub new { my ($class, $text) = @_; return bless { text => $text }, $class }
sub throw { my ($class, $text) = @_; die $class->new($text) }
sub text { return $_[0]{text} }
sub DESTROY { my ($self) = @_; $count++ if length $self->text; return }

package main;

for my $n (1 .. 3) {
    eval { Failure->throw("no $n") };
    print $@->text, "\n";
}
END { print "$count at the end\n" }
END { eval { Failure->throw("late") }; print $@->text, "\n" }
