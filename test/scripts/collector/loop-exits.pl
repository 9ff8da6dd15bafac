# last, next and redo out of subs, blocks of grep and sort; return from nested blocks; labels; goto LABEL.
no warnings 'exiting';
use strict;

sub leaves_loop { last }
sub skips       { my ($n) = @_; next if $n % 2; return $n }
sub outer_label { deeper() }
sub deeper      { my $x = 1; last OUTER }
sub early       { my ($n) = @_; for my $i (1 .. 10) { while (1) { return "at $i" if $i == $n; last } } return 'never' }

my $turns = 0;
for my $i (1 .. 10) { $turns++; leaves_loop() if $i == 4 }
print "$turns\n";
my $sum = 0;
for my $i (1 .. 10) { $sum += skips($i) }
print "$sum\n";
OUTER: for my $i (1 .. 5) { for my $j (1 .. 5) { $turns++; outer_label() if $i == 2 && $j == 3 } }
print "$turns\n";
print early($_), "\n" for 1, 5, 11;
my $redone = 0;
for my $i (1 .. 3) { if ($i == 2 && $redone++ < 3) { redo } }
print "$redone\n";
{ my @found = grep { last if $_ > 3; 1 } 1 .. 10; }
print "out of grep\n";
my $n = 0;
AGAIN: $n++;
goto AGAIN if $n < 5;
print "$n\n";
sub with_goto { my $i = 0; START: $i++; goto START if $i < 3; return $i }
print with_goto(), "\n";
my @list = map { my $x = $_; my @r; for (1 .. 3) { next if $_ == $x; push @r, $_ } "@r" } 1 .. 3;
print join('|', @list), "\n";
do { $n-- } while $n > 0;
do { $n++ } until $n > 3;
$n += $_ foreach reverse 1 .. 4;
print "$n\n" unless $n < 0;
while (my ($k, $v) = each @list) { print "$k=$v\n"; last if $k }
for (my $i = 0; $i < 3; $i++) { $turns++ } continue_block(2);
sub continue_block { my ($m) = @_; while ($m) { next } continue { $m-- } return }
print "$turns\n";
