# Exceptions that are objects: each is destroyed when the next comes. None is left for the end: under the stock collector,
# which has an END block, that one would be destroyed before it.
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
eval { 1 };
print "$count destroyed\n";
