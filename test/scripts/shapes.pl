# Code in all places: subs, file scope of several files, hundreds of string evals, recursive evals, unusual names
# and lines.
use strict;
use warnings;
use lib 'test/scripts/lib';
use Scope; use List::Util qw(first);
use Sub::Util qw(set_subname);

sub leaf { my $x = lc 'ABC'; return $x =~ /b/ } leaf(); sub other { leaf(); leaf() } other();

sub loads { require Late; return Late::work($_[0]) }
sub does  { return do './test/scripts/lib/again.pl' }
loads($_) for 1 .. 3;
does(); do './test/scripts/lib/again.pl' for 1 .. 2;

eval "sub many$_ { leaf() } many$_(); sub { leaf() }->()" for 1 .. 220;
eval 'leaf(); sub { other() }->()' for 1 .. 30;
for my $n (1 .. 5) { no warnings 'redefine'; eval "sub same { leaf() for 1 .. $n } same()" }
for (1 .. 3) { eval 'eval q{leaf() for 1 .. 2; eval q{leaf()}}' }

sub unwinds { my ($n) = @_; eval q{ $n > 0 ? unwinds($n - 1) : leaf() }; return }
unwinds(4);
sub ping { my ($n) = @_; leaf(); return $n > 0 ? pong($n - 1) : 0 }
sub pong { my ($n) = @_; other(); return $n > 0 ? ping($n - 1) : 0 }
ping(6); pong(3);
sub thrower { my ($n) = @_; die "enough\n" if $n == 0; thrower($n - 1) }
eval { thrower(5) };

set_subname("main::with\nnew; line\t ", sub { leaf() })->() for 1 .. 3;
set_subname('main::(1) looks like an id', sub { leaf() })->();
set_subname("main::gr\x{f6}\x{df}e", sub { leaf() })->();

package Guard { sub new { return bless {}, shift } sub DESTROY { main::leaf(); return } }
Guard->new for 1 .. 3;
sub by_number { leaf(); return $a <=> $b }
my @sorted = sort by_number 5, 3, 9, 1;
my $found  = first { leaf() && $_ > 2 } 1 .. 5;
(my $text = 'a b c') =~ s/(\w)/leaf() . $1/ge;

sub far {
# line 70000 "far:away.tt"
    leaf() for 1 .. 3;
    return;
}
far(); sub further { leaf() } further();
our $kept = Guard->new;
END { leaf() }
