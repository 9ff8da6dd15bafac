# Writes modules and loads them: more files than fit a byte, deep paths, names with spaces, one that is changed and loaded again.
use strict;
use warnings;
use File::Path qw(make_path);

make_path('made/deep/er', 'made/with space');
sub make { my ($path, $text) = @_; open my $out, '>', $path or die; print {$out} $text; close $out or die; return $path }
make("made/M$_.pm", "package M$_;\nsub f { return g() + $_ }\nsub g { return 0 }\n1;\n") for 1 .. 150;
push @INC, 'made';
my $sum = 0;
for my $n (1 .. 150) { require "M$n.pm"; no strict 'refs'; $sum += &{"M${n}::f"}() }
print "$sum\n";
make('made/deep/er/Far.pm', "package Far; sub far { return join '|', caller } 1");
require './made/deep/er/Far.pm';
print Far::far(), "\n";
print do(make('./made/with space/a file.pl', "sub spaced { return 'spaced' } spaced()")), "\n";
for my $round (1 .. 3) { no warnings; do(make('./made/again.pl', "\n" x $round . "sub again { return $round } 1")); print again(), "\n" }
chdir 'made/deep';
require './er/../er/Far.pm';
make('../local.pl', "sub local_one { return 'local' } 1");
do '../local.pl';
print local_one(), "\n";
