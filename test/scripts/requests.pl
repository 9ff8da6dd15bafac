# Answers three requests, with pauses before each of them that are not calls if slowops=0.
use strict;
use warnings;

sub answer { my ($n) = @_; my $sum = 0; $sum += $_ for 1 .. 1000 * $n; return render($sum) }
sub render { my ($sum) = @_; $sum .= $_ for 1 .. 500; return $sum }

for my $request (1 .. 3) {
    select undef, undef, undef, 0.1 * $request;
    answer($request);
}
