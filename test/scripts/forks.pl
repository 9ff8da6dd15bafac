# Processes that fork further processes; some end early.
use strict;
use warnings;

sub work { my ($n) = @_; return $n < 2 ? $n : work($n - 1) + work($n - 2) }

sub child {
    my ($depth) = @_;
    work(8 - $depth);
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        child($depth - 1) if $depth > 0;
        work(5);
        exit $depth;
    }
    waitpid $pid, 0;
    return;
}

child(2);
work(7);
