package Devel::NYTProf::Core;

use strict;

our $VERSION = '6.12';

# The readers of the stock distribution ask for a module of this name too, for functions that
# are not here. Where it is installed behind this one, they get its own.
if (!defined $Devel::NYTProf::VERSION && scalar(caller()) ne 'Devel::NYTProf::Test') {
    require Devel::NYTProf::Stock;
    my $loaded = Devel::NYTProf::Stock::load('Core', __FILE__);
    return $loaded if $loaded;
}

require XSLoader;
XSLoader::load('Devel::NYTProf', $VERSION);

1;
__END__

=head1 NAME

Devel::NYTProf::Core - loads what Devel::NYTProf is made of

=head1 DESCRIPTION

This loads the compiled part of L<Devel::NYTProf> and begins nothing. Programs load Devel::NYTProf; the
functions in here are for that module and for L<Devel::NYTProf::Test>.

Asked for by any other module, it makes way for the module of the same name further down in C<@INC>, if there
is one: the modules of the stock distribution that read profiles need their own.

=cut
