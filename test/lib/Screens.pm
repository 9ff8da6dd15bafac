# What terminals of several widths show of a program, and whether that is what it was: the screens lie in test/data/PROGRAM, and BLESS=1
# writes them anew.
package Screens;

use strict;
use warnings;

use Exporter qw(import);
use File::Path qw(make_path);
use NYTPTest qw(build_dir run slurp spew top_dir);
use Test::More;

our @EXPORT_OK = qw(screen screens_stay);

# What a terminal of so many columns shows of a command in a directory.
sub screen {
    my ($columns, $dir, $command, %env) = @_;
    my $shell = "stty cols $columns rows 24; exec " . build_dir() . "/bin/$command";
    my $got = run(['script', '-qec', $shell, '/dev/null'], dir => $dir, env => { LC_ALL => 'C.UTF-8', TERM => 'xterm', %env });
    return $got->{out} =~ s/\r\n/\n/gr;
}

# Compares texts by their width, "pipe" or "ascii" (80 columns in the locale C). No line is wider than the terminal.
sub screens_stay {
    my ($program, $name, $shown) = @_;
    my $dir = top_dir() . "/test/data/$program";
    make_path($dir);
    for my $width (sort keys %$shown) {
        spew("$dir/$name-$width", $shown->{$width}) if $ENV{BLESS};
        is($shown->{$width}, slurp("$dir/$name-$width"), "$name: $width");
        next if $width eq 'pipe';
        utf8::decode(my $text = $shown->{$width});
        my $columns = $width eq 'ascii' ? 80 : $width;
        my @wide = grep { length > $columns } split /\n/, $text;
        is_deeply(\@wide, [], '... and no line is wider');
    }
    return;
}

1;
