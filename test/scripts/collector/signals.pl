# Handlers that return, that die out of what they interrupt, that run in the middle of a sort.
use strict;
use warnings;

my $count = 0;
$SIG{USR1} = sub { handled('USR1') };
$SIG{USR2} = sub { die "out of here\n" };
sub handled { my ($what) = @_; $count++; return $what }
sub interrupted { my ($n) = @_; kill USR1 => $$; return $n + 1 }
sub dies_within { kill USR2 => $$; return 'not reached' }

interrupted($_) for 1 .. 100;
print "$count\n";
print eval { dies_within() } // $@ for 1 .. 20;
my @sorted = sort { kill USR1 => $$; $a <=> $b } 3, 2, 1;
print "@sorted ", $count > 100 ? 'more' : 'none', "\n";
{
    local $SIG{USR1} = 'IGNORE';
    kill USR1 => $$;
    local $SIG{ALRM} = 'named_handler';
    kill ALRM => $$;
}
sub named_handler { print "named\n" }
$SIG{__WARN__} = sub { print "warning: ", $_[0] =~ s/ at .*//sr, "\n" };
warn 'of something';
my $undef;
my $text = "x$undef";
