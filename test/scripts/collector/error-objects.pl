# Exceptions that are objects: what is in $@ when the program ends is destroyed by what perl does at its end.
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
print "$count destroyed\n";
