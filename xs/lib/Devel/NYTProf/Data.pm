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

The data are those of the module of that name on CPAN, in the same places, and the methods return the same, with the
exceptions that L</Differences> lists. For F<nytprofhtml> and other programs of that distribution, their own module is loaded, if
it is installed in a later directory of C<@INC>.

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

=item get_profile_levels

Which times exist: C<< { fid_line_time => 'line', ... } >>.

=item get_fid_line_data(LEVEL)

The times of the level C<line>, C<block> or C<sub>: see L</DATA>.

=item all_fileinfos, eval_fileinfos, noneval_fileinfos

All files, string evals, files that are not string evals: see L</Files>.

=item resolve_fid(FILE)

The number of a file: by its name; FILE itself if it is a number; by the end of its name after a slash, if that is unambiguous.
Otherwise undef.

=item fileinfo_of(FILE)

A file by what resolve_fid() accepts. Otherwise undef.

=item subs_defined_in_file(FILE)

The subs of a file, as a hash by their names.

=item subs_defined_in_file_by_line(FILE)

The same, as a hash of arrays by their first line.

=item subname_subinfo_map

A hash of all subs by their names: see L</Subs>.

=item subinfo_of(NAME)

A sub by its name, or undef.

=item file_line_range_of_sub(NAME)

The name and number of the sub's file, the sub's first and last line, and the file as an object.

=item package_subinfo_map(MERGE, NESTED)

A hash of arrays of subs by their package, as C<"Foo::Bar::">. With MERGE, each array has one sub, with the sums of all. With NESTED,
it is a tree, C<< { Foo => { Bar => { '' => [...] } } } >>.

=item inc

The directories that Perl looks for modules in.

=item load_profile_data_from_file(FILENAME)

A function. It returns what new() blesses.

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
     9  evals           reference to an array of the evals in this file, or undef
    10  subs            { name => sub } of the subs defined in it
    11  sub_call_lines  { line => { name of the sub called => calls } }

Further methods. NESTED includes the evals in a file, and those in these.

    is_eval, is_fake, is_pmc, is_file       is_file: none of the first two
    abs_filename                            with the c of .pmc
    filename_without_inc                    without a directory of @INC
    summary                                 number and name
    has_evals(NESTED), evals_by_line        the latter { line => { fid => eval } }
    outer(OUTERMOST)                        the file that has this eval, or the one at the end of the chain; and the line
    sibling_evals                           the evals of the same line
    subs_defined(NESTED), subs_defined_sorted(NESTED)
    line_time_data([LEVEL, ...])            [line] => [ seconds, executions ] of the first level that exists
    sum_of_stmts_time(NESTED), sum_of_stmts_count(NESTED)
    excl_time                               seconds; undef if no statement ran
    has_savesrc                             [line] => text, as saved in the profile
    srclines_array                          the text without the empty line 0; if it was not saved, that of the file as it is now
    src_digest                              lines, length and checksum of the text
    meta, cache                             hashes for notes of a program

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
    10                   { fid => { line => calls } }, or undef; of xsubs and built-ins with an empty hash for fid 0

Further methods:

    fileinfo                        the file
    package, subname_without_package
    kind                            perl, xsub or opcode
    is_xsub, is_opcode, is_anon     is_xsub of built-ins is true, too
    caller_fid_line_places          column 10 without fid 0
    caller_fids, caller_count       the files that have calls, the number of lines
    caller_places                   a list of [ fid, line, calls ]
    called_by_subnames              { caller => undef, ... }
    clone                           a copy, for merge_in
    merge_in(SUB)                   adds the times and calls of another sub to this one
    meta, cache                     hashes for notes of a program

=head2 Calls

The calls of one sub from one line are a plain array:

    [ count, incl_time, excl_time, 0, 0, recur_incl_time, recur_max_depth, { caller => undef, ... } ]

=head2 Differences

String evals are never combined: the module on CPAN does that, unless it has the option C<skip_collapse_evals>. What is not found is
undef, without a warning. filename_without_inc() removes whole directories only. merge_in() never changes the sub that it adds, and package_subinfo_map(1) does not change the
profile. These methods of that module do not exist:

    collapse_evals_in, collapse_sibling_evals                   they combine string evals
    dump_profile_data, dump                                     they print data for its authors
    normalize_variables, normalize_for_test                     its own tests need them

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
