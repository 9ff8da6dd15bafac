package Devel::NYTProf::Test;

use strict;
use warnings;

use Devel::NYTProf::Core;
use Exporter 'import';

our $VERSION   = '6.12';
our @EXPORT_OK = qw(example_sub example_xsub example_xsub_eval set_errno ticks_for_usleep);

sub example_sub { }

1;
__END__

=head1 NAME

Devel::NYTProf::Test - subs in C that tests of profilers can call

=head1 SYNOPSIS

    use Devel::NYTProf::Test qw(example_xsub set_errno ticks_for_usleep);

    example_xsub(0, \&callback);
    example_xsub(0, 'eval', '1 + 1');
    eval { example_xsub(0, 'die') };

=head1 DESCRIPTION

Nothing is exported by default, and nothing is profiled unless L<Devel::NYTProf> was loaded.

=over

=item example_xsub(UNUSED, ACTION, ARG)

An xsub. If ACTION is a code reference, it calls that without arguments; if it is C<"eval">, it evaluates ARG; if it is C<"die">, it
dies. If ACTION is false or missing, it does nothing. Exceptions of the code it calls reach the caller. Returns an empty list.

=item example_xsub_eval()

An xsub that evaluates a call of example_xsub().

=item example_sub()

An empty sub, in perl.

=item set_errno(NUMBER)

Sets the C variable C<errno>, which C<$!> shows.

=item ticks_for_usleep(MICROSECONDS)

Sleeps, and measures the time with the profiler's clock. Returns the ticks that have passed, how many of them were lost (0), the
ticks in a second, and the number of the POSIX clock.

=back

=cut
