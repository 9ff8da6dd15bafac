package Shop; sub row { my $x = shift; return $x =~ /a/ ? deep(3) : 1 } sub deep { my $n = shift; $n ? deep($n - 1) : 0 }
package main; eval "sub g$_ { Shop::row('a') } g$_()" for 1 .. 3; Shop::row($_) for 'a', 'b';
