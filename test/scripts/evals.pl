# String evals of every kind: repeated, nested, failing, defining subs, with names beyond ASCII.
use strict;
use warnings;
use utf8;

sub plain { my ($n) = @_; return $n * 2 }

sub twice {
    my ($code) = @_;
    return map { eval $code } 1 .. 2;
}

sub größe { return length "@_" }

{
    package Zähler;
    sub new { return bless { n => 0 }, shift }
    sub zählen { my $self = shift; return ++$self->{n} }
}

twice('plain(3)');
twice('eval "plain(4) for 1 .. 2"; größe(5)');
twice('no such code');
twice('no warnings "redefine"; sub made { return plain(6) } made()');
eval qq{#line 7 "named elsewhere"\nplain(\$_) for 1 .. 3};
eval "größe('ß', \$_)" for 1 .. 5;

my $counter = Zähler->new;
$counter->zählen for 1 .. 10;

my $anonymous = sub { my $inner = sub { return plain(shift) }; return $inner->(shift) };
$anonymous->($_) for 1 .. 3;
my @sorted  = sort { plain($a) <=> plain($b) } reverse 1 .. 20;
my $squared = "1 2 3" =~ s/(\d)/plain($1)/ger;
my @matched = "aXbXc" =~ /(?{ plain(1) })X/g;
