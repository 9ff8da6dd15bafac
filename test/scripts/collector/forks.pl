# Children that end in their own ways, one after the other.
use strict;
use warnings;
use POSIX ();

$| = 1;
sub leaf { my ($n) = @_; return $n * 2 }
sub work { my ($n) = @_; my $sum = 0; $sum += leaf($_) for 1 .. $n; return $sum }

sub in_child {
    my ($how) = @_;
    my $pid = fork // die;
    if (!$pid) { work(20); $how->(); exit 9 }
    waitpid $pid, 0;
    print 'ended with ', $? >> 8, "\n";
    return;
}

work(50);
in_child(sub { exit 3 });
in_child(sub { $! = 2; die "a child's end\n" });
in_child(sub { in_child(sub { work(5); exit 4 }); exit 5 });
in_child(sub { exec $^X, '-e', 'exit 6' });
print `echo through a shell`;
system 'exit 7;';
print $? >> 8, "\n";
open my $pipe, '-|', 'echo', 'from a pipe' or die;
print <$pipe>;
close $pipe;
open $pipe, '|-', 'cat' or die;
print {$pipe} "to a pipe\n";
close $pipe;
my $child = open $pipe, '-|';
if (!$child) { print "said by a child ", work(3), "\n"; exit 0 }
print <$pipe>;
close $pipe;
work(10);
