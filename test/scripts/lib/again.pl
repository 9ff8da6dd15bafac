use strict;
my $sum = 0;
$sum += main::leaf() ? 1 : 0 for 1 .. 4;
$sum;
