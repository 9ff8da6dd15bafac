# Formats with calls in them, page tops, and formline by hand.
use strict;
use warnings;

our ($name, $text) = ('', '');
sub shorten { my ($s) = @_; return lc $s }
our $numbered = 0;
sub number { return ++$numbered }

format STDOUT_TOP =
Name   Text
------ ----------
.
format STDOUT =
@<<<<< ^<<<<<<<<< @>>>
$name, $text,     number()
~~     ^<<<<<<<<<
       $text
.
format OTHER =
@*
shorten($name)
@##.## @|||||||
3.14159, $name
.
for (1 .. 5) {
    ($name, $text) = ("NAME$_", 'some words that need more than one line');
    write;
}
{
    my $old = select STDOUT;
    local $~ = 'OTHER';
    write for 1 .. 3;
    select $old;
}
formline "@<< @>>\n", 'a', 'b';
print $^A;
$^A = '';
sub swrite { my $format = shift; local $^A = ''; formline $format, @_; return $^A }
print swrite("@>>>>@|||@<<<<|\n", 1, 2, 3) for 1 .. 3;

our ($scoped, $page) = (1, 0);
sub caller_of_write {
    my @kept = (1 .. 5);
    my ($left, $right) = ('left', 'right');
    { local $~ = shift; write }
    return join ' ', @kept, $left, $right, $scoped;
}
format OF_LOCAL =
@<<< @<<<
local $scoped = 5, $scoped
.
format OF_MY =
@<<< @<<<
my $own = 5, my @list = (1, 2)
.
print caller_of_write($_), "\n" for qw(OF_LOCAL OF_MY OF_LOCAL);
{
    open my $out, '>', \my $text or die;
    my $old = select $out;
    local ($^, $~, $=, $^L) = ('OF_MY', 'OF_LOCAL', 4, '');
    my @kept = (1 .. 3);
    for (1 .. 6) { my $turn = $_; write; print "@kept $turn $scoped\n" }
    select $old;
    print $text;
}
