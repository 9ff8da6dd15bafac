# Subs and packages with names beyond ASCII.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

sub größe { my ($x) = @_; return length $x }
package Süß::Paket { sub neu { return bless [] } sub länge { return 'länge' } }
package main;
print größe('abc'), "\n" for 1 .. 3;
print Süß::Paket->neu->länge, "\n";
my $anon = sub { return größe(@_) };
print $anon->('xy'), "\n";
sub 日本 { return größe('x') }
print 日本(), "\n";
close STDOUT; # else perl encodes what is buffered after the last END block, when Debian's collector has ended the profile
