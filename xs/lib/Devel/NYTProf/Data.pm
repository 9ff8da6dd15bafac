package Devel::NYTProf::Data;

use strict;

our $VERSION = '6.12';

# Modules and programs of the stock distribution need their own, which has many methods more.
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

This reads a profile that L<Devel::NYTProf> wrote, and sums it up: files, lines, subs and who calls them. It
takes memory for each line and sub that ran, not for how often. L<Devel::NYTProf::ReadStream> gives the
chunks of the file instead.

It loads what the module of that name on CPAN loads, in the same places, and no more. String evals are not put together, and of
the many methods of that module there are those below. When F<nytprofhtml> or another program
of that distribution runs, its own module is loaded, provided that it is installed further down in C<@INC>.

=head1 METHODS

=over

=item new({ OPTIONS })

Loads a file. Options are C<filename> [nytprof.out] and C<quiet> [0]; a true C<quiet> keeps it from printing
C<Reading FILE>. With a C<callback>, a code reference or a hash of them, it calls that for every chunk as C<for_chunks> of
L<Devel::NYTProf::ReadStream> does, and returns undef.

=item attributes

A hash of what is known of the run: C<application>, C<basetime>, C<perl_version>, C<ticks_per_sec> and
others as they are in the file; and

    profiler_start_time     of the last process, in seconds since 1970
    profiler_end_time
    profiler_duration       seconds, summed over processes
    profiler_active         less what the profiler itself took
    total_stmts_measured
    total_stmts_discounted  those that were counted before: a call within them returned
    total_stmts_duration    seconds
    total_sub_calls
    complete                1

=item options

A hash of the collector's options.

=item all_fileinfos

The files that have been seen: see L</Files>.

=item fileinfo_of(FILE)

One of them, by its number, its name, or the end of its name from a slash on, if that is unambiguous. Else undef.

=item subname_subinfo_map

A hash of all subs by their names: see L</Subs>.

=item inc

The directories that Perl looks for modules in.

=back

=head1 DATA

The profile is a hash, which may be looked into:

    attribute       as above
    option
    fid_fileinfo    [fid] => file
    fid_srclines    [fid][line] => text
    fid_line_time   [fid][line] => [ seconds, executions ]
    fid_block_time  the same by the first line of the block around, with blocks=1
    fid_sub_time    the same by the first line of the sub around, with blocks=1
    profile_modes   { fid_line_time => 'line', ... }: which of these three there are
    sub_subinfo     { name => sub }

Files and subs know the profile, but do not keep it: it has to be kept for as long as one of them is used.

=head2 Files

Objects of the class C<Devel::NYTProf::FileInfo>, arrays with these columns and methods:

     0  filename, name
     1  eval_fid        of a string eval: where it was done; else empty
     2  eval_line
     3  fid
     4  flags
     5  size
     6  mtime
     7  profile
     8  eval_fi         the file of eval_fid
     9  evals           reference to an array of those done in this file, or undef; has_evals is the list
    10  subs            { name => sub } that are defined in it; subs_defined is the list
    11  sub_call_lines  { line => { name of the sub called => calls } }

=head2 Subs

Objects of the class C<Devel::NYTProf::SubInfo>:

     0  fid              of several evals that define it, the first; the first file, if it is not known
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

Of one sub from one line, plain arrays:

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

C<new> dies as C<for_chunks> does when a file cannot be read, is damaged or stops early. A profile is not loaded in part.

It dies as well when what it loads would take more than 64 MiB and 512 times the size of the file. Profiles of programs take
up to some hundred times their size, those with many string evals most; a small file that wants more was made to. The
environment variable C<NYTP_MEMORY_MIB> allows another amount. What is counted is
rather too much than too little, but without Perl itself, and what reading takes besides: see L<Devel::NYTProf::ReadStream>.

=head1 SEE ALSO

L<Devel::NYTProf::ReadStream>, L<Devel::NYTProf>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
