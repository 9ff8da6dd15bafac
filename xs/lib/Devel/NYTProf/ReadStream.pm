package Devel::NYTProf::ReadStream;

use strict;
use warnings;

use Exporter 'import';

our ($VERSION, @EXPORT_OK);

# This comes before the rest is compiled, because deliver() becomes an op of its own.
BEGIN {
    $VERSION   = '6.12';
    @EXPORT_OK = ('for_chunks');
    require Devel::NYTProf::BuiltFor;
    require XSLoader;
    XSLoader::load('Devel::NYTProf::ReadStream', $VERSION);
}

# Errors that callbacks report with Carp name the line that calls for_chunks.
{ no warnings 'once'; $Carp::Internal{ +__PACKAGE__ }++ } # Carp is loaded only for an error

sub for_chunks (&%) {
    my ($callback, %option) = @_;
    return _read($callback, \%option);
}

# Devel::NYTProf::Data uses the rest, too.

sub _filename {
    my ($option) = @_;
    my $filename = $option->{filename} // 'nytprof.out';
    _complain(($filename =~ s/\0.*//sr) . '\0...: the name of a file has no NUL') if index($filename, "\0") >= 0; # C ends there
    print "Reading $filename\n" if !$option->{quiet};
    return $filename;
}

sub _read {
    my ($callback, $option) = @_;
    my $stream = open_stream(_filename($option), $callback);
    deliver($stream);
    _complain(problems($stream));
    return undef;
}

# Reports the error that ended reading, and the warning about what was skipped.
sub _complain {
    my ($error, $warning) = @_;
    return if !defined $error && !defined $warning;
    require Carp;
    Carp::carp($warning) if defined $warning;
    Carp::croak($error)  if defined $error;
    return;
}

1;
__END__

=encoding utf8

=head1 NAME

Devel::NYTProf::ReadStream - a profile, chunk by chunk

=head1 SYNOPSIS

    use Devel::NYTProf::ReadStream qw(for_chunks);

    for_chunks {
        my ($tag, @values) = @_;
        print "$.: $tag @values\n";
    } filename => 'nytprof.out', quiet => 1;

=head1 DESCRIPTION

A profile of L<Devel::NYTProf> is a sequence of chunks: files, statements, calls, the source of the program. This module passes
them to Perl code, one at a time, so that a profile of any size is read in little memory. It reads formats 4.0 and 5.0.
L<Devel::NYTProf::Data> loads a profile as a whole instead.

=head1 FUNCTIONS

=head2 for_chunks BLOCK OPTIONS

Calls the block for every chunk of a file, with the chunk's tag and its values in C<@_>. The result of the block is ignored.
Options:

=over

=item filename [nytprof.out]

The file; C<-> is standard input.

=item quiet [0]

Without it C<Reading FILE> is printed.

=back

C<$.> is the number of the chunk: 0 for VERSION, then 1, 2 and so on. Afterwards it is what it was before.

The values are valid during one call, because the next call has its values in the same place. To keep them, copy them, as
C<my ($tag, @values) = @_> does.

The block may end reading by C<die>, or by C<last> out of a loop around C<for_chunks>. It may call C<for_chunks> itself. It may
fork, but the child cannot go on with the file.

=head2 &for_chunks(HASH, OPTIONS)

The hash has a code reference for each tag, which is called for the chunks of that tag. The one of the empty string is called for
all other chunks. Chunks without one take almost no time, so this is the way to find rare chunks in a profile:

    &for_chunks({
        NEW_FID     => sub { my (undef, $fid, @more) = @_; ... },
        SUB_CALLERS => sub { ... },
    }, filename => 'nytprof.out');

The C<&> is needed because otherwise Perl expects a block. C<$.> counts all chunks.

=head1 CHUNKS

=over

=item VERSION => $major, $minor

The first chunk.

=item COMMENT => $text

A comment with its newline.

=item ATTRIBUTE => $key, $value

About the program and the run: C<basetime>, C<application>, C<perl_version>, C<ticks_per_sec> and others.

A profile of memory (C<NYTPROF=heap=1>) has C<unit> with the value C<bytes>: its ticks are bytes. Before each C<TIME_LINE>, the attribute
C<memory> says how many blocks these are and what for, such as C<17 strings>. C<memory_of> is C<live>, C<peak> or C<alloc>.

=item OPTION => $key, $value

The collector's options.

=item START_DEFLATE

The rest of the file is compressed.

=item PID_START => $pid, $parent_pid, $time

=item PID_END => $pid, $time

The beginning and the end of a process. Times are in seconds since 1970.

=item NEW_FID => $fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name

A file and its number. For a string eval, C<$eval_fid> and C<$eval_line> say where the C<eval> is.

=item TIME_LINE => $ticks, $fid, $line

=item TIME_BLOCK => $ticks, $fid, $line, $block_line, $sub_line

A statement, and the time until the next one, in ticks. The attribute C<ticks_per_sec> says how many ticks a second has.

=item DISCOUNT

The next statement goes on after a call or block and was counted before.

=item SUB_ENTRY => $caller_fid, $caller_line

A call begins. Recorded with C<calls=2>.

=item SUB_RETURN => $depth, $inclusive_ticks, $exclusive_ticks, $name

A call ends.

=item SUB_INFO => $fid, $first_line, $last_line, $name

Where a sub is defined.

=item SUB_CALLERS => $fid, $line, $count, $inclusive, $exclusive, $recursive, $depth, $name, $caller

The calls of a sub from one line by one caller, with times in seconds. There may be several for one line and caller; add them up.
C<$recursive> is the inclusive time of calls inside calls of the same sub, and C<$depth> the greatest depth of these. Xsubs and
built-ins have one more such chunk, without line and count.

=item SRC_LINE => $fid, $line, $text

A line of source, with its newline.

=item COVER_UNIT => $unit, $fid, $line, $kind, $twin, $sub, $count, $points

=item COVER_HIT => $unit, $point, $outcomes

Coverage, which L<Devel::NYTProf::Cover> records: code that was compiled, and what of it has run.

=back

Names that are characters in Perl are characters here, too. All others are bytes.

=head1 EXAMPLES

=head2 A file as JSON lines

    use Devel::NYTProf::ReadStream qw(for_chunks);
    use JSON::PP;

    my $json = JSON::PP->new->ascii;
    for_chunks { print $json->encode([$., @_]), "\n" } filename => $ARGV[0], quiet => 1;

=head2 Calls between packages

    use Devel::NYTProf::ReadStream qw(for_chunks);

    my %calls;
    &for_chunks({
        SUB_CALLERS => sub {
            my ($count, $called, $caller) = @_[3, 8, 9];
            my ($from, $to) = map { /(.*)::/s ? $1 : 'main' } $caller, $called;
            $calls{"$from -> $to"} += $count if $count && $from ne $to;
        },
    }, filename => $ARGV[0], quiet => 1);
    print "$calls{$_} $_\n" for sort { $calls{$b} <=> $calls{$a} || $a cmp $b } keys %calls;

=head1 DIAGNOSTICS

C<for_chunks> dies with one line that names the file, the place and the reason: the file cannot be opened, is not a profile, is
damaged, or stops early because the program was killed or is still running. The chunks before that have been delivered. Lines of
text that cannot be understood are skipped with a warning.

Reading takes more memory only for large chunks, and for processes that have not ended. It may take 32 MiB and 8 times the bytes
that were read. A file that takes more was probably made to exhaust memory. The environment variable C<NYTP_MEMORY_MIB> sets
another limit. The names in a F<tmon.out>, which is not compressed, are kept in memory.

=head1 SEE ALSO

L<Devel::NYTProf::Data>, L<Devel::NYTProf>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
