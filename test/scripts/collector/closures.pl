# Closures made in loops, anonymous subs on one line, named ones, lexical and state subs, currying, callbacks.
use v5.26;
use warnings;
use Sub::Util qw(set_subname subname);

my @adders = map { my $n = $_; sub { return $_[0] + $n } } 1 .. 5;
print join(' ', map { $_->(10) } @adders), "\n";
my ($first, $second) = (sub { return 'first' }, sub { return 'second' });
print $first->(), $second->(), "\n" for 1 .. 2;
sub counter { my $n = shift; return { up => sub { return ++$n }, down => sub { return --$n } } }
my @counters = map { counter($_) } 1, 10;
print $_->{up}->(), $_->{up}->(), $_->{down}->(), "\n" for @counters;
my $curry = sub { my $x = shift; sub { my $y = shift; sub { my $z = shift; return "$x$y$z" } } };
print $curry->(1)->(2)->(3), "\n";
use feature 'current_sub';
my $factorial = sub { my ($n) = @_; return $n < 2 ? 1 : $n * __SUB__->($n - 1) };
print $factorial->(10), "\n";
state sub kept { state $calls = 0; return ++$calls }
print kept(), kept(), "\n";
my $named = set_subname('Given::name', sub { return (caller(0))[3] });
print $named->(), ' ', subname($named), "\n";
{
    no strict 'refs';
    *{"made_$_"} = do { my $n = $_; sub { return "made $n" } } for 1 .. 3;
    print &{"made_$_"}(), "\n" for 1 .. 3;
    *alias = \&counter;
    local *temporary = sub { return 'temporary' };
    print temporary(), "\n";
}
print alias(5)->{up}->(), "\n";
(sub { print "at once @_\n" })->(1);
&{ sub { print "with ampersand\n" } };
sub passes_on { &receives }
sub receives { return print "got @_\n" }
passes_on(1, 2);
print sub { return wantarray ? 'list' : 'scalar' }->(), "\n";
print scalar sub { return wantarray ? 'list' : 'scalar' }->(), "\n";
