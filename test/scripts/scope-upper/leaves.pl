# Subs and blocks that are left from within. Each of them is called 20 times, and leaf() is called 8 times each time.
use strict;
use warnings;
use Scope::Upper qw(unwind yield leave reap uplevel SUB CALLER UP HERE SCOPE);

sub leaf { return 1 }

sub outer   { my @got = between(); leaf(); return "@got" }
sub between { thrown(); leaf() }
sub thrown  { leaf(); unwind 'past' => SUB UP; leaf() }

sub loops { for my $i (1 .. 3) { for my $j (1 .. 3) { unwind $i => SUB if $j == 2 } } }

sub yields { my $x = do { leaf(); yield 'yielded' => HERE; leaf() }; leaf(); return $x }
sub leaves { my $x = do { leave 'left'; leaf() }; leaf(); return $x }

sub reaps  { reaped(); leaf(); return 'reaped' }
sub reaped { reap sub { leaf() } => SCOPE(1); return 1 }

sub levels { return level() }
sub level  { return uplevel { leaf(); (caller 0)[3] } CALLER }

sub recurses { my ($n) = @_; return $n ? recurses($n - 1) : unwind 'deep' => SUB UP UP }

sub evals     { my $x = eval { in_eval(); 1 }; return 'evaluated' }
sub in_eval   { unwind 'of the eval' => SUB UP }

print join(' ', outer(), loops(), yields(), leaves(), reaps(), levels(), recurses(5), evals()), "\n" for 1 .. 20;
