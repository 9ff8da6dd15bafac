# Operators in one another, whose operands are calls, variables and the like: which ways they went, and which values their
# right operands had, as the same operators say that are written as calls.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(preloaded);
use CoverRun qw(branches_in_json covered devel_cover recordings);
use NYTPTest qw(fewer run scratch_dir spew);
use Test::More;

preloaded();

my $dir = scratch_dir();
my $state;
sub below  { my ($n) = @_; $state = ($state * 1103515245 + 12345) & 0x7FFFFFFF; return int($state / 65536) % $n }
sub one_of { return $_[below(scalar @_)] }

# What operands are. Each gives 0 or 1 in each round. The last ones leave by a loop, die, or have other operators in them.
my @leaves = ('g(%d)', 'g(%d)', '$v[%d]', '$h{%d}', '$o->m(%d)', '(g(%d) ? g(1) : $v[2])', 'eval { g(%d) or die; 1 }', 'r(%d, 2)', 'scalar(@{[ (1) x g(%d) ]})',
    '(1 == g(%d))', 'inner(%d)', 'ord(substr "\0a", g(%d))');

# [OPERATOR, LEFT, RIGHT] or a text.
sub tree {
    my ($depth) = @_;
    return sprintf one_of(@leaves), below(40) if $depth == 0 || below(4) == 0;
    return [one_of('&&', '||', '&&', '||', '//'), tree($depth - 1), tree($depth - 1)];
}

sub plain { my ($t) = @_; return ref $t ? '(' . plain($t->[1]) . " $t->[0] " . plain($t->[2]) . ')' : $t }

# Operators of a line by number, in the order of the source: parents before operands. Some leaves have one, too.
sub telling {
    my ($t, $line, $nth) = @_;
    if (!ref $t) {
        $$nth += $t =~ / \? | or /;
        return $t;
    }
    my $own = $$nth++;
    my $left = telling($t->[1], $line, $nth);
    return "O($line, $own, '$t->[0]', sub { scalar($left) }, sub { scalar(" . telling($t->[2], $line, $nth) . ') })';
}

# Statements around an operator, and how many others they have.
my @around = map { [$_, scalar(() = /\b(?:if|unless|while|and)\b|&&|\|\||\?/g)] } ('$y = %s;', 'if (%s) { $y++ }', 'if (%s) { $y++ } else { $y-- }', '$y = %s ? 3 : 4;', '$y = g(%s);', 'sub { return scalar %s }->();', '$y += %s;',
    '$y = !%s;', '$y = "a" . %s;', '$y++ while $y < 0 and %s;', '$z ||= %s;', '$v[50] &&= %s;', '$y = [scalar %s, 1];', '$y = do { $y++; %s };', 'unless (%s) { $y++ }',
    '$y = sub { my $q = shift; %s }->(1);', 'for ($y = 0; $y < 1 and %s; $y++) { $z++; }');

my $head = <<'END';
no warnings; our ($round, $y, $z) = (0); our (@v, %h); our $o = bless [];
sub g { my ($n) = @_; return ($n * 2654435761 >> ($round % 13)) & 1 } sub m { return g($_[1]) } sub r { my ($n, $d) = @_; return $d ? r($n, $d - 1) : g($n) }
sub inner { my ($n) = @_; return g($n) && g($n + 1) || g($n + 2) } sub O { my ($line, $nth, $op, $left, $right) = @_; my $l = $left->();
  my $ran = $op eq '&&' ? $l : $op eq '||' ? !$l : !defined $l; $s{$line}[$nth][$ran ? 0 : 1] = 1; return $l if !$ran; my $r = $right->(); $s{$line}[$nth][$r ? 2 : 3] = 1; return $r }
sub round { @v = map { g($_ + 7) } 0 .. 50; %h = map { $_ => g($_ + 3) } 0 .. 50; $z = 0;
END

sub form { my (@lines) = @_; return $head . join('', map { "$_\n" } @lines) . "}\nround(\$round++) for 1 .. \$ARGV[0];\nprint \"\$y\\n\";\n" }

my ($compared, $all_values) = (0, 0);
for my $seed (fewer(3, 1 .. ($ENV{EXHAUSTIVE} ? 40 : 8))) {
    $state = $seed * 7919 + 17;
    my $first = 1 + ($head =~ tr/\n//);
    my (@plain, @telling);
    for my $line ($first .. $first + 99) {
        my ($around, $before) = @{ $around[$line % @around] };
        $before += $around =~ /^for/;
        my $tree = tree(3);
        $tree = ['&&', $tree, 'g(1)'] if !ref $tree;
        push @plain,   sprintf $around, plain($tree);
        push @telling, sprintf $around, telling($tree, $line, \(my $nth = $before));
    }
    my $told = run([$^X, spew("$dir/telling.pl", form(@telling) . 'for my $l (keys %s) { print STDERR "$l $_ @{[ map { $_ // 0 } @{ $s{$l}[$_] }[0 .. 3] ]}\n" for grep { $s{$l}[$_] } 0 .. $#{ $s{$l} } }'), 3 + $seed]);
    spew("$dir/plain.pl", form(@plain));
    my $got = covered($dir, ['plain.pl', 3 + $seed]);
    is("$got->{status} $got->{out}$got->{err}", "0 $told->{out}", "seed $seed: the program does the same");
    my $seen = branches_in_json($dir, recordings($dir))->{'plain.pl'};
    my %truth;
    $truth{$1}[$2] = [$3, $4, $5, $6] while $told->{err} =~ /^(\d+) (\d+) (\d) (\d) (\d) (\d)$/mg;
    my @wrong;
    for my $line ($first .. $first + 99) {
        my $source = $plain[$line - $first];
        my @must   = @{ $truth{$line} // [] };
        for my $n (grep { $must[$_] } 0 .. $#must) {
            my @has = @{ $seen->{$line}[$n] // [] };
            $compared++;
            $all_values += @has > 2;
            push @wrong, "$line:$n: is @has, must be @{ $must[$n] }: $source" if "@has" ne "@{ $must[$n] }[0 .. $#has]";
        }
    }
    is(join("\n", @wrong), '', "seed $seed: ways and values");
}
cmp_ok($all_values, '>', 500, "of $compared operators the right operands of $all_values have values that are seen");

# ---- by hand: each line has one operator; what it has to be stands after it ----

my $by_hand = <<'END';
no warnings; sub f { $_[0] } sub none { return () } my (%h, $p, $q, $x, @list); my $r = 1;
sub tail { my ($l, $r) = @_; $l && f($r) }                      # 1 0 1 1
@list = (tail(1, 1), tail(1, 0)); $x = tail(1, 1);
sub empty { $_[0] && none() }                                   # 1 0 0 1
@list = empty(1); empty(1);
sub returns { return $_[0] || f($_[1]) }                        # 1 1 1 1
@list = (returns(0, 1), returns(0, 0), returns(1, 0));
$p ||= f(1);                                                    # 1 0 1 0
$q //= f(0);                                                    # 1 0 0 1
$r &&= f(0);                                                    # 1 0 0 1
$h{a}{b} ||= f(undef);                                          # 1 0 0 1
for my $i (0 .. 3) { eval { die "x\n" if $i == 3;
  $x = $i > 0 && f($i == 1 ? die("y\n") : $i);                  # 1 1 1 0
  } }
sub rec { my ($n) = @_;
  my $x = $n > 5 || rec($n ? 6 : 0 + $n + 6);                   # 1 1 1 0
  return $n }
rec(3);
sub odd { my ($n) = @_;
  my $got = $n > 0 && odd($n - 1);                              # 1 1 0 1
  return $n == 0 ? 0 : 0 }
odd(3);
my @found = grep { $_; $_ > 1 && f($_ == 2) } 1 .. 3;           # 1 1 1 1
@found = grep +($_ > 1 && f($_ == 2)), 1 .. 3;                  # 1 1 1 1
$x = $h{x} || [];                                               # 1 0
$x = $h{x} || 1;                                                # 1 0
{ no strict; f($x) or die; }                                    # 0 1
$x = [f($h{x} || f(1), 1)];                                     # 1 0
$x = [f($h{x} || ($x == 1), 1)];                                # 1 0 0 1
package Truth; use overload bool => sub { $calls++; 1 }; package main;
my $object = bless [], 'Truth';
$x = f(1) && $object;                                           # 1 0 0 0
if (f(1) && $object) { $x = 1 }
package Tied { sub TIESCALAR { bless [] } sub FETCH { $calls++; 0 } } tie my $tied, 'Tied';
$x = f(1) && $tied;                                             # 1 0 0 0
for my $i (0, 1) { last if 3 > f(2) and $i }
print "$Truth::calls $calls @found\n";
END
spew("$dir/hand.pl", $by_hand);
unlink recordings($dir);
my $plain = run([$^X, 'hand.pl'], dir => $dir);
is(covered($dir, ['hand.pl'])->{out}, $plain->{out}, 'by hand: magic and overloaded bools run as often as without');
my $hand  = branches_in_json($dir, recordings($dir))->{'hand.pl'};
my @lines = split /\n/, $by_hand;
for my $i (grep { $lines[$_] =~ /# ([\d ]+)$/ } 0 .. $#lines) {
    my ($must) = $lines[$i] =~ /# ([\d ]+)$/;
    is(join(', ', map { "@$_" } grep { @$_ } $hand->{ $i + 1 }[0]), $must, $lines[$i] =~ s/ +#.*//r);
}
is_deeply([@$hand{ grep { $lines[$_ - 1] =~ /^if \(f/ } 1 .. @lines }], [[[1, 0], [1, 0, 1, 0]]], 'an if shows the value of an overloaded object');

# ---- Devel::Cover of Debian, which counts how often ----

SKIP: {
    my $theirs = devel_cover($dir, 'hand.pl') or skip 'Devel::Cover is not installed', 2;
    my $of = $theirs->{condition};
    # It calls what says the truth of an object or a tied variable.
    my @both = grep { @{ $of->{$_} } == 1 && $lines[$_ - 1] !~ /\$(?:object|tied)/ && @{ $hand->{$_} } == 1 && @{ $hand->{$_}[0] } == 4 } sort { $a <=> $b } keys %$of;
    my @not  = grep { "@{ $hand->{$_}[0] }" ne "@{ $of->{$_}[0] }" } @both;
    is(join("\n", map { $lines[$_ - 1] =~ s/ +#.*//r . ": @{ $of->{$_}[0] }" } @not), '', 'Devel::Cover says the same of ' . @both . ' lines');
    cmp_ok(scalar @both, '>', 7, '... which are enough');
}

done_testing();
