package Devel::NYTProf::Data;

use strict;

our $VERSION = '6.12';

# Modules and programs of the stock distribution need their own module, which has many more methods.
my ($package, $program) = caller;
if ("$package $program" =~ m{^Devel::NYTProf::|[ /]nytprof[a-z]+\z}) {
    require Devel::NYTProf::Stock;
    my $loaded = Devel::NYTProf::Stock::load('Data', __FILE__);
    return $loaded if $loaded;
}
require Devel::NYTProf::RawData;

1;
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf::Data - a whole profile as Perl data

=head1 SYNOPSIS

    use Devel::NYTProf::Data;

    my $profile = Devel::NYTProf::Data->new({ filename => 'nytprof.out', quiet => 1 });
    printf "%s took %g s\n", @{ $profile->attributes }{qw(application profiler_duration)};
    my $subs = $profile->subname_subinfo_map;
    printf "%d %g %s\n", $_->calls, $_->excl_time, $_->subname
        for sort { $b->excl_time <=> $a->excl_time } values %$subs;

=head1 DESCRIPTION

This module reads a profile that L<Devel::NYTProf> has written, and sums it up by file, line, sub and caller. Its memory grows with
the lines and subs that ran, not with how often they ran. L<Devel::NYTProf::ReadStream> gives the chunks of the file instead.

The data are those of the module of that name on CPAN, in the same places. String evals are not combined, and only the methods
below exist. For F<nytprofhtml> and other programs of that distribution, their own module is loaded, if it is installed in a later
directory of C<@INC>.

=head1 METHODS

=over

=item new({ OPTIONS })

Loads a file. Options are C<filename> [nytprof.out] and C<quiet> [0]; without C<quiet> it prints C<Reading FILE>. With a
C<callback>, a code reference or a hash of them, it calls that for every chunk, as C<for_chunks> of L<Devel::NYTProf::ReadStream>
does, and returns undef.

=item attributes

A hash about the run: C<application>, C<basetime>, C<perl_version>, C<ticks_per_sec> and others as they are in the file, and

    profiler_start_time     of the last process, in seconds since 1970
    profiler_end_time
    profiler_duration       seconds, summed over processes
    profiler_active         the same without the time of the profiler itself
    total_stmts_measured
    total_stmts_discounted  statements that went on after a call and were counted before
    total_stmts_duration    seconds
    total_sub_calls
    complete                1

=item options

A hash of the collector's options.

=item all_fileinfos

All files: see L</Files>.

=item fileinfo_of(FILE)

A file by its number, its name, or the end of its name after a slash, if that is unambiguous. Otherwise undef.

=item subname_subinfo_map

A hash of all subs by their names: see L</Subs>.

=item inc

The directories that Perl looks for modules in.

=back

=head1 DATA

The profile is a hash, which programs may read:

    attribute       as above
    option
    fid_fileinfo    [fid] => file
    fid_srclines    [fid][line] => text
    fid_line_time   [fid][line] => [ seconds, executions ]
    fid_block_time  the same by the first line of the enclosing block, with blocks=1
    fid_sub_time    the same by the first line of the enclosing sub, with blocks=1
    profile_modes   { fid_line_time => 'line', ... }: which of these three exist
    sub_subinfo     { name => sub }

Files and subs have weak references to the profile. Keep the profile as long as you use one of them.

=head2 Files

Objects of the class C<Devel::NYTProf::FileInfo>, arrays with these columns and methods:

     0  filename, name
     1  eval_fid        of a string eval: the file that has the eval; otherwise empty
     2  eval_line
     3  fid
     4  flags
     5  size
     6  mtime
     7  profile
     8  eval_fi         the file of eval_fid
     9  evals           reference to an array of the evals in this file, or undef; has_evals returns the list
    10  subs            { name => sub } of the subs defined in it; subs_defined returns the list
    11  sub_call_lines  { line => { name of the sub called => calls } }

=head2 Subs

Objects of the class C<Devel::NYTProf::SubInfo>:

     0  fid              if several evals define it, that of the first; if no file is known, 1
     1  first_line       0 for xsubs and built-ins
     2  last_line
     3  calls
     4  incl_time        seconds, of outermost calls
     5  excl_time
     6  subname, name
     7  profile
     8  recur_max_depth
     9  recur_incl_time  of calls within calls of the same sub
    10  caller_fid_line_places  { fid => { line => calls } }, or undef

and C<fileinfo>, the file.

=head2 Calls

The calls of one sub from one line are a plain array:

    [ count, incl_time, excl_time, 0, 0, recur_incl_time, recur_max_depth, { caller => undef, ... } ]

=head1 EXAMPLE

The hottest lines of a file:

    use Devel::NYTProf::Data;

    my ($filename, $name) = @ARGV;
    my $profile = Devel::NYTProf::Data->new({ filename => $filename, quiet => 1 });
    my $file    = $profile->fileinfo_of($name) or die "no file $name\n";
    my $times   = $profile->{fid_line_time}[$file->fid];
    my $source  = $profile->{fid_srclines}[$file->fid];
    my @hottest = sort { $times->[$b][0] <=> $times->[$a][0] } grep { $times->[$_] } 0 .. $#$times;
    for my $line (splice @hottest, 0, 10) {
        printf "%.6f s %6d times, line %d: %s", @{ $times->[$line] }, $line, $source->[$line] // "\n";
    }

=head1 DIAGNOSTICS

C<new> dies, as C<for_chunks> does, if the file cannot be read, is damaged or stops early. It never loads a part of a profile.

It also dies if the data would take more than 64 MiB and 512 times the size of the file. Profiles of programs take up to some
hundred times their size, most of all those with many string evals. A small file that takes more was probably made to exhaust memory.
The environment variable C<NYTP_MEMORY_MIB> sets another limit. The estimate is too high rather than too low. It does not include
Perl itself, nor the memory for reading: see L<Devel::NYTProf::ReadStream>.

=head1 SEE ALSO

L<Devel::NYTProf::ReadStream>, L<Devel::NYTProf>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
