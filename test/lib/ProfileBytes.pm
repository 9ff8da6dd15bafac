package ProfileBytes;

# Profiles made up chunk by chunk, by an encoder that shares nothing with lib/.
#
#   use ProfileBytes qw(profile_bytes simple_profile);
#   my $bytes = profile_bytes([VERSION => 5, 0], [PID_START => 7, 1, 0], [SUB_RETURN => 1, 5, 5, 'main::f']);

use strict;
use warnings;

use Compress::Zlib ();
use Exporter 'import';
use POSIX qw(frexp ldexp);

our @EXPORT_OK = qw(profile_bytes simple_profile);

# Tag byte, and the fields in the order of the stream: u number, n float, s string.
my %layout = (
    PID_START   => ['P', 'uun'],
    PID_END     => ['p', 'un'],
    NEW_FID     => ['@', 'uuuuuus'],
    TIME_LINE   => ['+', 'uuu'],
    TIME_BLOCK  => ['*', 'uuuuu'],
    DISCOUNT    => ['-', ''],
    SUB_ENTRY   => ['>', 'uu'],
    SUB_RETURN  => ['<', 'unns'],
    SUB_INFO    => ['s', 'usuu'],
    SUB_CALLERS => ['c', 'uusunnnus'],
    SRC_LINE    => ['S', 'uus'],
    COVER_UNIT  => ['U', 'uuuuusus'],
    COVER_HIT   => ['H', 'uuu'],
);

sub _number {
    my $n = $_[0] & 0xFFFF_FFFF;
    return pack 'C', $n if $n < 0x80;
    return pack 'n', 0x8000 | $n if $n < 0x4000;
    return substr pack('N', 0xC00000 | $n), 1 if $n < 0x200000;
    return pack 'N', 0xE0000000 | $n if $n < 0x10000000;
    return pack 'CN', 0xFF, $n;
}

sub _string {
    my ($s) = @_;
    my $tag = utf8::is_utf8($s) ? '"' : "'";
    utf8::encode($s) if $tag eq '"';
    return $tag . _number(length $s) . $s;
}

# After an attribute nv_size of 12 or 16, numbers are long doubles of x86.
my $nv_size = 8;

sub _float {
    my ($n) = @_;
    return pack 'd', $n if $nv_size == 8;
    my ($fraction, $exponent) = frexp(abs $n);
    return pack 'Q<S<x' . ($nv_size - 10), ldexp($fraction, 53) << 11,
        ($n < 0 ? 0x8000 : 0) | ($n ? $exponent + 16382 : 0);
}

my %encode = (u => \&_number, n => \&_float, s => \&_string);

sub _chunk {
    my ($name, @values) = @_;
    return "NYTProf $values[0] $values[1]\n" if $name eq 'VERSION';
    return "#$values[0]\n" if $name eq 'COMMENT';
    $nv_size = $values[1] if $name eq 'ATTRIBUTE' && $values[0] eq 'nv_size';
    return ($name eq 'OPTION' ? '!' : ':') . "$values[0]=$values[1]\n" if $name =~ /^(?:OPTION|ATTRIBUTE)$/;
    my ($tag, $fields) = @{ $layout{$name} // die "$name is not a chunk\n" };
    return join '', $tag, map { $encode{ substr $fields, $_, 1 }->($values[$_]) } 0 .. length($fields) - 1;
}

# What follows a START_DEFLATE is compressed.
sub profile_bytes {
    my (@chunks) = @_;
    my $bytes = '';
    $nv_size = 8;
    while (my $chunk = shift @chunks) {
        return $bytes . 'z' . Compress::Zlib::compress(join '', map { _chunk(@$_) } @chunks)
            if $chunk->[0] eq 'START_DEFLATE';
        $bytes .= _chunk(@$chunk);
    }
    return $bytes;
}

# A complete profile of one process with the given returns: [depth, exclusive ticks, name].
# Options: ticks_per_sec, compress.
sub simple_profile {
    my ($returns, %option) = @_;
    return profile_bytes(
        [VERSION   => 5, 0],
        [ATTRIBUTE => 'ticks_per_sec', $option{ticks_per_sec} // 10_000_000],
        ($option{compress} ? ['START_DEFLATE'] : ()),
        [PID_START => 4711, 1, 1.5],
        [NEW_FID   => 1, 0, 0, 0x12, 0, 0, '/srv/shop.pl'],
        (map { [SUB_RETURN => $_->[0], $_->[1], @$_[1, 2]] } @$returns),
        [PID_END => 4711, 2.5],
    );
}

1;
