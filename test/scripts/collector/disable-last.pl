# Turning the profiler off for good, in a sub; the rest of the program is not profiled.
use strict;
use warnings;

sub work { return $_[0] + 1 }
sub turns_off { work(1); DB::disable_profile() if defined &DB::disable_profile; work(2); return }
work(3);
turns_off();
print work(4), "\n";
