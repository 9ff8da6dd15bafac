package Devel::NYTProf::ReadStream;

use strict;
use warnings;

use Exporter 'import';

our ($VERSION, @EXPORT_OK);

# Before the rest is compiled: deliver() becomes an op of its own.
BEGIN {
    $VERSION   = '6.12';
    @EXPORT_OK = ('for_chunks');
    require XSLoader;
    XSLoader::load('Devel::NYTProf::ReadStream', $VERSION);
}

# What callbacks complain of with Carp is at the line that calls for_chunks.
{ no warnings 'once'; $Carp::Internal{ +__PACKAGE__ }++ } # Carp is loaded when there is something to say

sub for_chunks (&%) {
    my ($callback, %option) = @_;
    return _read($callback, \%option);
}

# The rest is for Devel::NYTProf::Data, too.

sub _filename {
    my ($option) = @_;
    my $filename = $option->{filename} // 'nytprof.out';
    _complain(($filename =~ s/\0.*//sr) . '\0...: no name of a file has a NUL') if index($filename, "\0") >= 0; # C ends there
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

# Of what is wrong with a profile: what ended it early, and what was passed over.
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

A profile that L<Devel::NYTProf> wrote is a sequence of chunks: files, statements, calls, the text of the
program. This hands them to Perl code, one at a time, so that a profile of any size is read in little memory.
Formats 4.0 and 5.0 are read. L<Devel::NYTProf::Data> loads a profile as a whole instead.

=head1 FUNCTIONS

=head2 for_chunks BLOCK OPTIONS

Calls the block for every chunk of a file, with the chunk's tag and its values in C<@_>. What the block returns
does not matter. Options:

=over

=item filename [nytprof.out]

The file; C<-> is standard input.

=item quiet [0]

A true value keeps it from printing C<Reading FILE>.

=back

C<$.> is the number of the chunk: 0 for VERSION, then 1, 2 and so on. Afterwards it is what it was before.

The values are good for one call: the next has its own in the same place. To keep one, copy it, as C<my ($tag,
@values) = @_> does.

The block may end it all with C<die>, or with C<last> out of a loop around C<for_chunks>. It may call C<for_chunks>
itself. It may fork, but the child cannot go on with the file.

=head2 &for_chunks(HASH, OPTIONS)

A hash of code references by tag: each gets the chunks of its tag, and that of the empty string all the others.
Chunks that nobody asks for cost next to nothing, so this is the way to get at what is rare in a profile:

    &for_chunks({
        NEW_FID     => sub { my (undef, $fid, @more) = @_; ... },
        SUB_CALLERS => sub { ... },
    }, filename => 'nytprof.out');

The C<&> in front is needed, for otherwise Perl wants a block. C<$.> counts all chunks.

=head1 CHUNKS

=over

=item VERSION => $major, $minor

The first one.

=item COMMENT => $text

With its newline.

=item ATTRIBUTE => $key, $value

What is known of the program and the run: C<basetime>, C<application>, C<perl_version>, C<ticks_per_sec> and others.

=item OPTION => $key, $value

The collector's options.

=item START_DEFLATE

What follows is compressed in the file.

=item PID_START => $pid, $parent_pid, $time

=item PID_END => $pid, $time

A process, and the times in seconds since 1970.

=item NEW_FID => $fid, $eval_fid, $eval_line, $flags, $size, $mtime, $name

A file, known by its number from here on. For a string eval, C<$eval_fid> and C<$eval_line> are where it was done.

=item TIME_LINE => $ticks, $fid, $line

=item TIME_BLOCK => $ticks, $fid, $line, $block_line, $sub_line

A statement, and the time until the next one. Ticks are turned into seconds by the attribute C<ticks_per_sec>.

=item DISCOUNT

The next statement was counted before: a call within it returned.

=item SUB_ENTRY => $caller_fid, $caller_line

A call begins. (With C<calls=2>.)

=item SUB_RETURN => $depth, $inclusive_ticks, $exclusive_ticks, $name

A call ends.

=item SUB_INFO => $fid, $first_line, $last_line, $name

Where a sub is.

=item SUB_CALLERS => $fid, $line, $count, $inclusive, $exclusive, $recursive, $depth, $name, $caller

All calls of a sub from one line by one caller, in seconds. C<$recursive> is the inclusive time of calls within
calls of the same sub, and C<$depth> how deep they went. Xsubs and built-ins have one more, without a line and count.

=item SRC_LINE => $fid, $line, $text

A line of source, with its newline.

=back

Names that Perl has as characters arrive as such, all others as bytes.

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

C<for_chunks> dies with one line that names the file, and what is wrong with it where: it cannot be opened, is no
profile, is damaged, or stops early because the program was killed or is still running. What comes before that
has been delivered. Lines of text that make no sense are passed over with a warning.

Reading takes more memory only for a chunk that is large, and for processes that have no end yet. That may be 32 MiB and 8 times what of the
file was read; a file that wants more was made to, most likely. The environment variable
C<NYTP_MEMORY_MIB> allows another amount. Of a F<tmon.out>, which is not compressed, the names are kept.

=head1 SEE ALSO

L<Devel::NYTProf::Data>, L<Devel::NYTProf>.

=head1 COPYRIGHT AND LICENCE

The same terms as Perl itself: L<perlartistic> or L<perlgpl>.

=cut
