# For a collector in trouble: enough calls for several blocks, evals, built-ins, children; what it prints tells
# whether it was disturbed, and so does its exit status.
use strict;
use warnings;

my ($sum, %seen) = (0);
sub leaf { my ($n) = @_; $sum += $n; return $n }
sub branch { my ($n) = @_; $seen{ leaf($n) % 7 }++; return "n$n" =~ /9/ ? 1 : 0 }

$| = 1;
my $nines = 0;
$nines += branch($_) for 1 .. $ARGV[0];
eval "sub made_$_ { leaf($_) } made_$_()" for 1 .. 20;
print "$sum $nines ", join(' ', map { "$_=$seen{$_}" } sort keys %seen), "\n";

my $pid = fork // die "fork: $!\n";
if ($pid == 0) {
    branch($_) for 1 .. 100;
    print "child $sum\n";
    exit 5;
}
waitpid $pid, 0;
print 'ended with ', $? >> 8, "\n";
open my $in, '<', $0 or die "$0: $!\n";
my @lines = <$in>;
print scalar(@lines), " lines, errno kept: ", ($! = 2) + 0, "\n";
END { print "at the end $?\n" }
exit 3;
