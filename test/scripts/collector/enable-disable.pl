# Turning the profiler off and on, in statements, subs, evals and loops; what it returns.
use strict;
use warnings;

sub work { my ($n) = @_; my $sum = 0; $sum += inner($_) for 1 .. $n; return $sum }
sub inner { return $_[0] * 2 }
sub turns_off { inner(1); DB::disable_profile() if defined &DB::disable_profile; inner(2); return }
sub turns_on { inner(3); DB::enable_profile() if defined &DB::enable_profile; inner(4); return }
work(5);
turns_off();
work(6);
turns_on();
work(7);
for my $i (1 .. 20) { if ($i % 2) { turns_off() } else { turns_on() } work(2) }
eval { turns_off(); die "out\n" };
turns_on();
print $@, work(3), "\n";
my @states = defined &DB::enable_profile ? map { $_ ? DB::enable_profile() : DB::disable_profile() } 1, 1, 0, 0, 1 : (1, 1, 1, 0, 0);
print "@states\n";
