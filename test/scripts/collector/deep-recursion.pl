# Recursion far beyond what perl and the collectors make room for at first.
# Debian's collector crashes on this with blocks=1 and with calls=2.
use strict;
use warnings;
no warnings 'recursion';

sub deep { my ($n) = @_; return $n ? 1 + deep($n - 1) : 0 }
sub dive { my ($n) = @_; die "bottom\n" if !$n; dive($n - 1); return 1 }
print deep(50_000), "\n";
eval { dive(20_000) };
print $@;
print deep(10), "\n";
