# Code in regular expressions: literal, interpolated, recursive; replacements that call and evaluate.
use strict;
use warnings;
use re 'eval';

my @seen;
sub seen { push @seen, @_; return 1 }
my $code = '(?{ seen("run time") })';
'x' =~ /x$code/ for 1 .. 3;
my $nested;
$nested = qr/\((?:[^()]+|(??{ $nested }))*\)/;
print 'x(a(b)c)y' =~ /($nested)/ ? "$1\n" : "none\n";
(my $text = 'a1b22c333') =~ s/(\d+)/double($1)/ge;
print "$text\n";
sub double { my ($n) = @_; return $n =~ s/(\d)/$1$1/gr }
$text =~ s/(\d+)/'"<$1>"'/gee;
print "$text\n";
my @parts = split /(?{ seen('split') })[a-c]/, $text;
print scalar(@parts), ' ', scalar(@seen), "\n";
$text = join '', map { chr(97 + $_ % 26) } 1 .. 200;
my $count = () = $text =~ /[aeiou]/g;
while ($text =~ /(.)(?=z)/g) { $count += pos $text }
print "$count\n";
$text =~ tr/a-e/A-E/;
$text =~ s/$_/\U$_/g for qw(f g h);
print $text, "\n";
