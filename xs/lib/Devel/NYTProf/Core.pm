package Devel::NYTProf::Core;

use strict;

our $VERSION = '6.12';

# The readers of the stock distribution load a module of this name, too, for functions that are not here. They get their
# own, if it is installed in a later directory of @INC.
if (!defined $Devel::NYTProf::VERSION && scalar(caller()) ne 'Devel::NYTProf::Test') {
    require Devel::NYTProf::Stock;
    my $loaded = Devel::NYTProf::Stock::load('Core', __FILE__);
    return $loaded if $loaded;
}

require Devel::NYTProf::BuiltFor;
require XSLoader;
XSLoader::load('Devel::NYTProf', $VERSION);

1;
__END__

=head1 NAME

Devel::NYTProf::Core - loads the compiled part of Devel::NYTProf

=head1 DESCRIPTION

This module loads the compiled part of L<Devel::NYTProf> without beginning a profile. Programs load Devel::NYTProf; the functions
in here are for that module and for L<Devel::NYTProf::Test>.

If any other module loads it, it loads the module of the same name in a later directory of C<@INC> instead, if there is one:
the modules of the stock distribution that read profiles need their own.

=cut
