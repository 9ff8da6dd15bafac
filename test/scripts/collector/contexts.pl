# What the called can see of its caller: context, caller, @_, aliases, local, wantarray through goto and AUTOLOAD.
use strict;
use warnings;
use Carp qw(carp croak confess longmess);

sub context { return wantarray ? 'list' : defined wantarray ? 'scalar' : print "void\n" }
my @list = context();
my $scalar = context();
context();
print "@list $scalar\n";
sub change { $_ .= '!' for @_; return }
my ($x, $y) = ('x', 'y');
change($x, $y);
print "$x$y\n";
sub frames { my @f; my $i = 0; while (my @c = caller $i++) { push @f, "$c[3]:$c[2]" } return join ' ', @f }
sub through { return frames(@_) }
print through(1), "\n";
print eval { through(1) }, "\n";
print eval 'through(1)', "\n";
print join(' ', map { frames() } 1 .. 2), "\n";
our $global = 'global';
sub reads { return $global }
sub localizes { local $global = 'local'; return reads() }
print localizes(), reads(), "\n";
sub complains { croak 'croaked' }
eval { complains() };
print $@ =~ s/ at .*//sr, "\n";
sub long { return longmess('long') }
print long() =~ tr/\n//, "\n";
$! = 2;
sub keeps { my $e = 0 + $!; return $e }
print keeps(), 0 + $!, "\n";
eval { die "in eval\n" };
sub sees { return $@ }
print sees();
'match' =~ /(a)/;
sub captures { return $1 // 'none' }
print captures(), "\n";
sub rec { my $d = shift; local $_ = $d; return $d ? rec($d - 1) . $_ : '' }
print rec(9), "\n";
print scalar(sub { return @_ }->(4, 5, 6)), "\n";
my @r = (sub { return unless $_[0]; return (1, 2) }->(0));
print scalar(@r), "\n";
sub DB_args { package DB; my @c = caller 1; return "@DB::args" }
sub with_args { return DB_args() }
print with_args(7, 8), "\n";
local $_ = 'topic';
print for map { uc } 'a', 'b';
print "\n", sprintf('%vd', '1.2.3'), "\n";
