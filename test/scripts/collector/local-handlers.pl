# Handlers for die and warn, local ones, nested ones, objects, and exit from within.
use strict;
use warnings;

my @log;
sub log_it { push @log, @_; return scalar @log }
$SIG{__DIE__} = sub { log_it('die: ' . (ref $_[0] || $_[0] =~ s/ at .*//sr)) };
$SIG{__WARN__} = sub { log_it('warn: ' . $_[0] =~ s/ at .*//sr) };
sub level3 { warn 'from level 3'; die 'level 3' }
sub level2 { local $SIG{__WARN__} = sub { log_it("inner $_[0]" =~ s/ at .*//sr) }; level3() }
sub level1 { local $SIG{__DIE__} = sub { log_it('local'); die bless {}, 'Error' }; level2() }
eval { level1() };
print ref $@, "\n";
eval { level2() };
print $@ =~ s/ at .*//sr, "\n";
eval { local $SIG{__DIE__}; level3() };
eval { eval { die 'nested' }; log_it('after nested'); die };
eval "1 +* 1";
print "$_\n" for map { s/\(eval \d+\)(\[[^\]]*\])?/(eval)/gr =~ s/\n.*//sr } @log;
sub Error::DESTROY { log_it('destroyed') }
END { log_it('end'); print scalar(@log), "\n" }
$SIG{__DIE__} = sub { print 'last handler: ', $_[0] =~ s/ at .*//sr, "\n"; exit 3 };
level3();
