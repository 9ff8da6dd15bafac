# Tied scalars, arrays, hashes and handles: every access is a call.
use strict;
use warnings;

package Counter { sub TIESCALAR { my $n = $_[1]; return bless \$n } sub FETCH { return ${ $_[0] }++ } sub STORE { ${ $_[0] } = $_[1] } }

package List {
    sub TIEARRAY  { return bless [] }
    sub FETCH     { return $_[0][$_[1]] }
    sub STORE     { return $_[0][$_[1]] = "<$_[2]>" }
    sub FETCHSIZE { return scalar @{ $_[0] } }
    sub STORESIZE { $#{ $_[0] } = $_[1] - 1 }
    sub CLEAR     { @{ $_[0] } = () }
    sub PUSH      { my $self = shift; push @$self, map { uc } @_ }
    sub EXTEND    { }
    sub UNTIE     { print "untied\n" }
    sub DESTROY   { }
}

package Upper {
    require Tie::Hash;
    our @ISA = 'Tie::StdHash';
    sub FETCH { my ($self, $key) = @_; return uc($self->SUPER::FETCH($key) // '') }
}

package Handle {
    sub TIEHANDLE { return bless [] }
    sub PRINT     { my $self = shift; push @$self, join $, // '', @_; return 1 }
    sub PRINTF    { my $self = shift; return $self->PRINT(sprintf shift, @_) }
    sub READLINE  { return shift @{ $_[0] } }
    sub CLOSE     { return 1 }
}

package main;
tie my $counter, 'Counter', 5;
print "$counter $counter ", $counter + $counter, "\n";
$counter = 1;
print "$_\n" for $counter, $counter;
tie my @list, 'List';
@list = (1, 2, 3);
push @list, 'four', 'five';
print join(' ', @list), " $#list\n";
print join(' ', sort { $b cmp $a } @list), "\n";
untie @list;
tie my %upper, 'Upper';
@upper{qw(a b)} = qw(x y);
print join(' ', map { "$_=$upper{$_}" } sort keys %upper), "\n";
local $upper{a} = 'local';
print $upper{a}, "\n";
tie *HANDLE, 'Handle';
print HANDLE 'one', "\n";
printf HANDLE "%s two\n", 1 + 1;
print scalar <HANDLE>, scalar <HANDLE>;
close HANDLE;
