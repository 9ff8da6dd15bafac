# Waits in a known stack, and says which one it is: perl's own caller() is the referee. The first argument names
# the stack. Says it as lines of SUB<TAB>FILE<TAB>LINE, innermost first, then a line "ready", and waits for input.

use strict;
use warnings;
use utf8;
use feature qw(say current_sub);
no warnings qw(recursion once);

use List::Util ();

$| = 1;
binmode STDOUT, ':utf8';

# Not in the stack that it tells: the reading op is, as a built-in.
sub wait_here {
    my @lines;
    for (my $up = 0; my @call = caller $up; $up++) {
        push @lines, join "\t", $call[3] eq '(eval)' ? ($call[7] ? '(require)' : defined $call[6] ? '(string)' : '(block)') : $call[3],
            @call[1, 2];
    }
    print map { "$_\n" } @lines, 'ready';
    sysread STDIN, my $answer, 1;
    return 1;
}

sub plain { return wait_here() }
sub recursive { my ($n) = @_; return $n ? recursive($n - 1) : wait_here() }
sub by_name { wait_here() if !our $waited++; return $a <=> $b }
sub not_args { return &plain; }
sub jumps { goto &plain }
my $closure = sub { my $inner = sub { wait_here() }; return $inner->() };

package Auto { our $AUTOLOAD; sub AUTOLOAD { return $AUTOLOAD =~ /DESTROY/ ? 0 : main::wait_here() } }
package Over { use overload '+' => sub { main::wait_here() }, '""' => sub { 'text' }; sub new { return bless {}, shift } }
package Tied { sub TIESCALAR { return bless [], shift } sub FETCH { main::wait_here(); return 1 } }
package Gone { sub DESTROY { main::wait_here() } }
package Base { sub method { my ($self) = @_; return main::wait_here() } }
package Derived { our @ISA = 'Base'; sub method { my ($self) = @_; return $self->SUPER::method } }
package main;

sub größe { return wait_here() }

my %stack = (
    plain      => sub { plain() },
    recursion  => sub { recursive(7) },
    deep       => sub { recursive(300) },
    deepest    => sub { recursive(10_000) },
    sort_block => sub { my @sorted = sort { wait_here() if !our $once++; $a <=> $b } 3, 2, 1 },
    sort_sub   => sub { my @sorted = sort by_name 3, 2, 1 },
    map_block  => sub { my @all = map { wait_here() } 1 },
    first      => sub { List::Util::first { wait_here() } 1 },
    string     => sub { eval "plain();\n1" or die },
    strings    => sub { eval qq{sub { eval "\\n\\nwait_here()" }->();\n1} or die },
    made       => sub { my $made = eval "\n\nsub { plain() }"; $made->() },
    block      => sub { eval { plain(); 1 } or die },
    ($] < 5.034 ? () : (trying => eval(qq{#line 57 "stacks.pl"\n} . q{use feature 'try'; no warnings; sub { try { plain() } catch ($e) { die $e } }}) || die $@)),
    dying      => sub { local $SIG{__DIE__} = sub { wait_here() }; eval { die "so\n" } },
    warning    => sub { local $SIG{__WARN__} = sub { wait_here() }; warn "so\n" },
    autoload   => sub { Auto->missing(1) },
    closures   => sub { $closure->() },
    overload   => sub { my $sum = Over->new + 1 },
    tied       => sub { tie my $tied, 'Tied'; my $value = $tied },
    global     => sub { our $global = bless [], 'Gone'; exit },
    destructor => sub { my $gone = bless [], 'Gone'; undef $gone },
    method     => sub { Derived->method },
    not_args   => sub { not_args(1, 2) },
    jump       => sub { jumps(1) },
    signal     => sub { local $SIG{USR1} = sub { wait_here() }; kill USR1 => $$; select undef, undef, undef, 0.01 for 1 .. 10 },
    regex      => sub { 'x' =~ /x(?{ wait_here() })/ },
    replace    => sub { (my $text = 'x') =~ s/x/wait_here()/e },
    replacing  => sub { (my $text = 'x') =~ s{x}{ my $called = plain(); $called }e },
    replaced   => sub { (my $text = 'xy') =~ s{x(.)}{ my $y = $1; $y =~ s{y}{ my $z = 1; wait_here() }e; $y }e },
    required   => sub { require './waits.pl' },
    done       => sub { do './waits.pl' },
    utf8       => sub { größe() },
    itself     => sub { my $again = sub { $_[0] ? __SUB__->($_[0] - 1) : wait_here() }; $again->(2) },
    computed   => sub {
        my @array = (1 .. 4);
        my ($string, %none) = 'abcdef';
        tie my $tied, 'Computed';
        'key=value' =~ /(\w+)=/ or die;
        no warnings 'uninitialized';
        many_arguments($1, $#array, $tied, substr($string, 2, 2), $$, $none{absent}, *STDOUT, ${qr/x/}, undef, my $fresh);
    },
    arguments  => sub { many_arguments('text', 42, -1.5, undef, [1], {}, bless([], 'Some::Class'), 'x' x 100, "\x{263a}") },
);

sub Computed::TIESCALAR { return bless [] }
sub Computed::FETCH     { return 42 }

sub many_arguments { return wait_here() }

my $chosen = shift // die 'which of ' . join(' ', sort keys %stack) . "\n";
if ($chosen eq 'list') {
    say for sort keys %stack;
    exit;
}
$stack{$chosen}->();
