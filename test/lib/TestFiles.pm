package TestFiles;

# Where things are, and files as strings. NYTPTest has these functions, too: tests take them from there.

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp ();

our @EXPORT_OK = qw(top_dir build_dir scratch_dir slurp spew);

my $top = abs_path(dirname(__FILE__) . '/../..');

# The directory of the sources, and that of the build.
sub top_dir { return $top }

sub build_dir {
    my $build = $ENV{BUILD} // 'build';
    return $build =~ m{^/} ? $build : "$top/$build";
}

# A new directory, which is removed when the test ends.
sub scratch_dir { return File::Temp::tempdir('nytp-test-XXXXXX', TMPDIR => 1, CLEANUP => 1) }

sub slurp {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!\n";
    local $/;
    return scalar readline $in;
}

# Returns the path.
sub spew {
    my ($path, $bytes) = @_;
    open my $out, '>:raw', $path or die "$path: $!\n";
    print {$out} $bytes;
    close $out or die "$path: $!\n";
    return $path;
}

1;
