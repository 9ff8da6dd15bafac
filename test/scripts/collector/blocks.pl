# Blocks in blocks, with and without a scope of their own, in loops, statement modifiers and expressions: where each
# statement is, and what goes on after it. The program is left from within some.
use strict;
use warnings;
no warnings 'void';

sub f { return 1 }

sub blocks {
    my ($s, $i) = (0, 0);
    $s += eval { f() } for 1 .. 2;
    $s += eval { my $x; f() } for 1 .. 2;
    $s += do { local $_ = 1; f() } for 1 .. 2;
    $s += do { f() } for 1 .. 2;
    $s += (do { f(); f() }) + (do { f() }) for 1 .. 2;
    $s = 1 && do { f(); f() } for 1 .. 2;
    $s += $s ? do { my $x; f() } : do { my $x; f() } for 1 .. 2;
    $s += (sort { f(); $a <=> $b } 1 .. 3)[0] for 1 .. 2;
    $s += (map { my $x = f(); $x } 1 .. 3)[0] for 1 .. 2;
    $s += sub { my $x = f(); $x }->() for 1 .. 2;
    do { my $x = f(); f() } while $i++ < 3;
    do { f() } until $i++ > 9;
    f() while $i++ < 12;
    while ($i++ < 17) { my $x = f(); f() }
    while ($i++ < 21) {
        if ($i % 2) { f() }
        else        { my $x = f() }
    }
    for (my $j = 0; $j < 2; $j++) { f() }
    for (my $j = 0; $j < 2; $j++) { my $x = f() }
    for my $j (1 .. 2) { { f() } f() }
    for my $j (1 .. 2) { f() }
    continue { f() }
    while ($i++ < 26) { my $x = f() }
    continue { my $y = f() }
    foreach (1 .. 3) { next if f() }
    foreach (1 .. 3) { redo if $i++ < 35 }
    unless (my $x = f()) { f() }
    else                 { f() }
    eval { f() for 1 .. 2; f() };
    eval q{f() for 1 .. 2; f()};
    s/x/my $x = f(); f()/e for my @y = qw(x x);
    s/x/do { my $x = f(); f() }/ee for my @z = qw(x x);
    f(), f() for do { my $x = 1; 1 .. 2 };
    (f() ? f() : f()) for grep { do { my $x = 1; 1 } } 1 .. 2;
    return "$s $i";
}

print blocks(), "\n";
{
    print blocks(), "\n" for 1 .. 2;
}
eval { print "$_\n" for map { my $x = blocks(); $x } 1 .. 2; 1 } or die;
sub X::DESTROY { blocks() }
{ my $x = bless [], 'X' }
END { print f(), "\n" }
for my $i (1 .. 2) {
    if ($i == 2) { f(); exit 3 }
}
