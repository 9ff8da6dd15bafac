# Deep recursion through a block, a sort, an eval and a map; what is left on unwinding.
use strict;
use warnings;
no warnings 'recursion';

sub down {
    my ($n) = @_;
    return 0 if !$n;
    my $kind = $n % 4;
    return 1 + down($n - 1) if $kind == 0;
    return 1 + eval { down($n - 1) } if $kind == 1;
    return 1 + (map { down($n - 1) } 1)[0] if $kind == 2;
    local $_ = $n;
    my ($found) = grep { down($n - 1) >= 0 } 1;
    return 1 + $found;
}
print down(60), "\n";
sub dive { my ($n) = @_; die "bottom\n" if !$n; dive($n - 1); return 1 }
eval { dive(90) };
print $@;
sub sort_deep { my ($n) = @_; return 1 if !$n; my @s = sort { sort_deep($n - 1); $a <=> $b } 2, 1; return scalar @s }
print sort_deep(8), "\n";
sub eval_deep { my ($n) = @_; return $n ? 1 + eval 'eval_deep($n - 1)' : 0 }
print eval_deep(40), "\n";
