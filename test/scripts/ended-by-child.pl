# The child that open() forks ends at once, and finishes its parent's profile while two calls are open.
use POSIX ();

sub leaf { return 1 }
leaf() for 1 .. 500;

sub second {
    open my $child, '-|' or POSIX::_exit(0);
    close $child;
    return;
}
sub first { second(); return }

first();
leaf() for 1 .. 5;
