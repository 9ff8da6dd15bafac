package Devel::NYTProf::BuiltFor;

# Ends loading with a message if this is not the perl that the compiled part was built for. perl itself would end the program
# with the words "handshake key" or "undefined symbol".

use strict;

our $VERSION = '6.12';

# xs/built-for writes these: for people, and the release with the options that change perl's structures. Not all that perl
# calls options of binary compatibility do: Debian's debugperl has others, and loads what was built for its perl.
my ($perl, $options) = ('@PERL@', '@OPTIONS@');

# Not from Config, which the program may not have loaded.
my @here = grep { /^(?:MULTIPLICITY|USE_(?:64_BIT_INT|ITHREADS|LONG_DOUBLE|QUADMATH))$/ } split ' ', (Internals::V())[0];
if (join(' ', substr($], 0, 5), sort @here) ne $options) {
    require Config;
    my ($directory) = __FILE__ =~ m{(.*)/Devel/NYTProf/};
    die "Devel::NYTProf in $directory was built for perl $perl, and this is perl $Config::Config{version}"
        . " ($Config::Config{archname}), $^X. Build and install it for this one: make install PERL=$^X\n";
}

1;
