# A child that ends within three calls, none of which ever returns.
use POSIX ();

sub leaf  { return 1 }
sub child { leaf() for 1 .. 3; POSIX::_exit(0) }

sub third {
    my $pid = fork // die "fork: $!\n";
    child() if $pid == 0;
    waitpid $pid, 0;
    return;
}
sub second { third(); return }
sub first  { second(); return }

first();
