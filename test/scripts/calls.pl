# Calls of every kind: recursive, mutual, by goto, left by die and last, methods, DESTROY, AUTOLOAD, built-ins.
use strict;
use warnings;
use List::Util qw(first sum);

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }
sub even { my ($n) = @_; return $n == 0 ? 1 : odd($n - 1) }
sub odd { my ($n) = @_; return $n == 0 ? 0 : even($n - 1) }
sub left { goto &fib }
sub thrown { die "over\n" }
sub caught { return eval { thrown() } // 'caught' }

sub leaves_loop {
    no warnings 'exiting';
    last;
}

{
    package Thing;
    our $AUTOLOAD;
    sub new { return bless [], shift }
    sub AUTOLOAD { return $AUTOLOAD =~ /DESTROY/ ? 0 : length $AUTOLOAD }
    sub DESTROY { my $self = shift; push @$self, 1; return }
}

for my $n (1 .. 12) {
    fib($n);
    even($n);
    left($n);
    caught();
    Thing->new->anything($n);
    for (1) { leaves_loop() }
    my $found = first { odd($_) } 1 .. $n;
    my $total = sum map { fib($_) } 1 .. 4;
}

open my $null, '>', '/dev/null' or die $!;
print {$null} "$_\n" for 1 .. 20;
close $null;
my @parts  = split /,/, join ',', map { sprintf '%03d', $_ } 1 .. 20;
my @sorted = sort { $b cmp $a } grep { /1/ } @parts;
BEGIN { fib(3) }
END   { fib(2) }
