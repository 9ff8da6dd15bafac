package Devel::NYTProf::Stock;

use strict;

# Paths of modules that were tried. There may be several of ours in @INC.
our %tried;

sub load {
    my ($name, $asking) = @_;
    $tried{$asking} = 1;
    for my $dir (grep { !ref } @INC) {
        my $path = ($dir =~ m{^/} ? '' : './') . "$dir/Devel/NYTProf/$name.pm";
        next if $tried{$path}++ || !-e $path;
        $INC{"Devel/NYTProf/$name.pm"} = $path;
        return do($path) || die $@ || $!;
    }
    return;
}

1;
__END__

=head1 NAME

Devel::NYTProf::Stock - finds modules of the stock distribution

=head1 DESCRIPTION

The stock distribution on CPAN has modules of the same names as some of these, with functions and methods that are not here. Its own
modules and programs, F<nytprofhtml> for example, need those. When one of them loads such a module, this one loads it from a later
directory of C<@INC>.

It is used by L<Devel::NYTProf::Core> and L<Devel::NYTProf::Data>, not by programs.

=cut
