package Devel::NYTProf::Data;

# Devel/NYTProf/Data.pm loads this, unless it loads the module of the stock distribution.

use strict;
use warnings;

require Devel::NYTProf::ReadStream;

# Errors name the line of the program that loads the file.
{ no warnings 'once'; $Carp::Internal{ +__PACKAGE__ }++ } # Carp is loaded only for an error

sub new {
    my ($class, $option) = @_;
    $option //= {};
    return Devel::NYTProf::ReadStream::_read($option->{callback}, $option) if $option->{callback};
    my $profile = bless {}, $class;
    my $filename = Devel::NYTProf::ReadStream::_filename($option);
    Devel::NYTProf::ReadStream::_complain(Devel::NYTProf::ReadStream::load($profile, $filename));
    return $profile;
}

sub attributes          { return $_[0]{attribute} }
sub options             { return $_[0]{option} }
sub subname_subinfo_map { return $_[0]{sub_subinfo} }
sub inc                 { return @INC }
sub all_fileinfos       { return grep { defined } @{ $_[0]{fid_fileinfo} } }

sub fileinfo_of {
    my ($self, $file) = @_;
    return $file if ref $file || !defined $file;
    return $self->{fid_fileinfo}[$file] if $file =~ /^[0-9]+$/;
    my ($same) = grep { $_->filename eq $file } $self->all_fileinfos;
    return $same if $same;
    my @matching = grep { $_->filename =~ m{/\Q$file\E\z} } $self->all_fileinfos;
    return @matching == 1 ? $matching[0] : undef;
}

# Methods of items, by their columns.
sub _accessors {
    my ($class, %column) = @_;
    for my $name (keys %column) {
        my $at = $column{$name};
        no strict 'refs';
        *{"Devel::NYTProf::${class}::$name"} = sub { return $_[0][$at] };
    }
    return;
}

_accessors(FileInfo => (
    name => 0, filename => 0, eval_fid => 1, eval_line => 2, fid => 3, flags => 4, size => 5, mtime => 6, profile => 7,
    eval_fi => 8, evals => 9, subs => 10, sub_call_lines => 11,
));
_accessors(SubInfo => (
    fid => 0, first_line => 1, last_line => 2, calls => 3, incl_time => 4, excl_time => 5, name => 6, subname => 6,
    profile => 7, recur_max_depth => 8, recur_incl_time => 9, caller_fid_line_places => 10,
));

sub Devel::NYTProf::FileInfo::has_evals    { return @{ $_[0][9] // [] } }
sub Devel::NYTProf::FileInfo::subs_defined { return values %{ $_[0][10] } }
sub Devel::NYTProf::SubInfo::fileinfo      { return $_[0][7] && defined $_[0][0] ? $_[0][7]->fileinfo_of($_[0][0]) : undef }

1;
__END__

=head1 NAME

Devel::NYTProf::RawData - the methods of Devel::NYTProf::Data

=head1 DESCRIPTION

L<Devel::NYTProf::Data> loads this module. Programs load Devel::NYTProf::Data.

=cut
