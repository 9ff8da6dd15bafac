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
