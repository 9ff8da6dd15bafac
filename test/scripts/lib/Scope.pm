package Scope;
use strict;
use warnings;

sub helper { my $sum = 0; $sum += $_ for 1 .. 5; return $sum }

my %table = map { $_ => helper() } 1 .. 20;
helper() for 1 .. 3;

sub import { helper(); return }

1;
