# Prints every chunk that Devel::NYTProf::ReadStream delivers, and where the module was found.
#
#   perl dump-stream.pl PROFILE

use strict;
use warnings;

use B ();
use Devel::NYTProf::ReadStream qw(for_chunks);

# A value with its type: u integer, n float, " characters, ' bytes.
sub text_of {
    my $flags = B::svref_2object(\$_[0])->FLAGS;
    return "u$_[0]" if $flags & B::SVf_IOK;
    return sprintf 'n%.17g', $_[0] if $flags & B::SVf_NOK;
    my ($bytes, $type) = ($_[0], utf8::is_utf8($_[0]) ? '"' : "'");
    utf8::encode($bytes) if $type eq '"';
    return $type . $bytes =~ s/([^!-~]|%)/sprintf '%%%02X', ord $1/ger;
}

print STDERR $INC{'Devel/NYTProf/ReadStream.pm'}, "\n";
for_chunks { print join("\t", $., map { text_of($_) } @_), "\n" } filename => $ARGV[0], quiet => 1;
