# Signatures with defaults, slurpy parameters, prototypes, and calls that do not fit them.
use v5.36;

sub plain ($x, $y) { return $x + $y }
sub defaults ($x, $y = $x * 2, $z = helper($x, $y)) { return "$x $y $z" }
sub helper ($x, $y) { return $x . $y }
sub slurps ($first, @rest) { return $first . scalar @rest }
sub hash ($first, %named) { return join ' ', $first, map { "$_=$named{$_}" } sort keys %named }
sub unnamed ($, $second, $=) { return $second }
sub proto :prototype($;$) ($x, $y = 'none') { return "$x/$y" }
my $anon = sub ($n, $code = sub ($m) { return $m + 1 }) { return $code->($n) };

say plain(1, 2);
say defaults(1), ' ', defaults(1, 2), ' ', defaults(1, 2, 3);
say slurps(1), ' ', slurps(1, 2, 3);
say hash('a', b => 1, c => 2);
say unnamed(1, 2), unnamed(1, 2, 3);
say proto 5;
say proto(5, 6);
say $anon->(1), $anon->(1, sub ($m) { return $m * 10 });
for my $wrong ([1], [1, 2, 3]) { eval { plain(@$wrong) }; print $@ =~ s/ at .*//sr, "\n" }
eval { hash(1, 2) };
print $@ =~ s/ at .*//sr, "\n";
