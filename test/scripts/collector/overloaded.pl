# Operators, conversions and dereferencing in perl.
use strict;
use warnings;

package Number {
    use overload
        '+'    => sub { return Number->new($_[0]{n} + (ref $_[1] ? $_[1]{n} : $_[1])) },
        '-'    => \&minus,
        'neg'  => 'negate',
        '<=>'  => sub { my ($x, $y, $swapped) = @_; my $c = $x->{n} <=> (ref $y ? $y->{n} : $y); return $swapped ? -$c : $c },
        '""'   => sub { return "N($_[0]{n})" },
        'bool' => sub { return $_[0]{n} != 0 },
        '<>'   => sub { return $_[0]{n} > 0 ? $_[0]{n}-- : undef },
        '@{}'  => sub { return [1 .. $_[0]->size] },
        'qr'   => sub { return qr/n/ },
        '='    => sub { return Number->new($_[0]{n}) },
        '++'   => sub { $_[0]{n}++; return $_[0] };
    sub new    { my ($class, $n) = @_; return bless { n => $n }, $class }
    sub minus  { my ($x, $y, $swapped) = @_; my $d = $x->{n} - (ref $y ? $y->{n} : $y); return Number->new($swapped ? -$d : $d) }
    sub negate { return Number->new(-$_[0]{n}) }
    sub size   { return $_[0]{n} }
}

package Fallback { use overload 'cmp' => sub { return "$_[0][0]" cmp "$_[1][0]" }, 'nomethod' => sub { return "no $_[3]" } }

my ($three, $five) = map { Number->new($_) } 3, 5;
print $three + $five, ' ', $five - 1, ' ', 10 - $five, ' ', -$three, "\n";
print join(' ', sort { $a <=> $b } map { Number->new($_) } 9, 2, 7), "\n";
print "@$three\n";
print "true\n" if $three;
my $copy = $five;
$copy++;
print "$copy $five\n";
while (my $n = <$three>) { print "take $n\n" }
print "banana" =~ $five ? "matches\n" : "does not\n";
my @words = map { bless [$_], 'Fallback' } qw(pear apple);
print join(' ', map { $_->[0] } sort { $a cmp $b } @words), ' ', $words[0] * 2, "\n";
