# Subs that take a known time, asleep or busy. Prints what each call really took:
#   NAME SECONDS          the sub with what it calls
# Busy ones run one operator, so that nothing is measured in between. Arguments: the clock; 1 if time() takes 1 ms and what is
# busy takes no time (test/programs/told-clock.c).
use strict;
use warnings;
use Time::HiRes ();

my $bytes = 'x' x 65_536;
my ($clock, $told) = (shift // Time::HiRes::CLOCK_MONOTONIC(), shift);
my %took;
our ($big, $per_second);

sub now   { return Time::HiRes::clock_gettime($clock) }
sub timed { my ($name, $start) = @_; $took{$name} += now() - $start; return }

# tr is no built-in that is measured, nor does it run statements.
sub burn {
    my ($seconds) = @_;
    return scalar map { time } 1 .. 1000 * $seconds if $told;
    my $work = 'x' x (length($bytes) * $seconds * $per_second);
    return $work =~ tr/y//;
}

sub calibrate {
    my $work  = $bytes x 100;
    my $start = now();
    my $none  = $work =~ tr/y//;
    $per_second = 100 / (now() - $start);
    $big = $bytes x (0.05 * $per_second);
    return;
}

sub sleep_1ms    { my $s = now(); select undef, undef, undef, 0.001; timed(sleep_1ms    => $s); return }
sub sleep_20ms   { my $s = now(); select undef, undef, undef, 0.02;  timed(sleep_20ms   => $s); return }
sub sleep_300ms  { my $s = now(); select undef, undef, undef, 0.3;   timed(sleep_300ms  => $s); return }
sub sleep_2s     { my $s = now(); sleep 2;                           timed(sleep_2s     => $s); return }
sub busy_1ms     { my $s = now(); burn(0.001);                       timed(busy_1ms     => $s); return }
sub busy_50ms    { my $s = now(); burn(0.05);                        timed(busy_50ms    => $s); return }
sub busy_500ms   { my $s = now(); burn(0.5);                         timed(busy_500ms   => $s); return }

sub inner { my $s = now(); select undef, undef, undef, 0.01; timed(inner => $s); return }

sub outer {
    my $s    = now();
    my $own  = now();
    my $none = $told ? map { time } 1 .. 50 : $big =~ tr/y//;
    timed(own_of_outer => $own);
    inner();
    select undef, undef, undef, 0.03;
    inner();
    $own  = now();
    $none = $told ? map { time } 1 .. 50 : $big =~ tr/y//;
    timed(own_of_outer => $own);
    timed(outer => $s);
    return;
}

sub recurse { my ($n) = @_; my $s = now(); select undef, undef, undef, 0.005; recurse($n - 1) if $n; timed("recurse_$n" => $s); return }

calibrate() if !$told;
sleep_1ms() for 1 .. 5;
sleep_20ms();
sleep_300ms();
sleep_2s();
busy_1ms() for 1 .. 5;
busy_50ms();
busy_500ms();
outer();
recurse(4);
printf "%s %.9f\n", $_, $took{$_} for sort keys %took;
