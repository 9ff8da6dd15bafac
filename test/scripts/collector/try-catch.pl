# try, catch, finally and defer, with return, last and die in them.
use v5.36;
use feature qw(try defer);
no warnings qw(experimental::try experimental::defer);

sub thrower ($n) { die "thrown $n\n" if $n > 1; return $n }
sub tries ($n) { try { return 'value ' . thrower($n) } catch ($e) { chomp $e; return "caught $e" } }
sub with_finally ($n) {
    my @log;
    try { push @log, thrower($n) } catch ($e) { chomp $e; push @log, $e } finally { push @log, 'finally' }
    return "@log";
}
sub with_defer ($n) { my $text = ''; { defer { $text .= ' deferred' } $text .= thrower($n) } return $text }
sub rethrows { try { thrower(5) } catch ($e) { die "again: $e" } }
sub nested { try { try { thrower(6) } catch ($e) { thrower(7) } } catch ($e) { return "outer $e" } }

say tries($_) for 0 .. 3;
say with_finally($_) for 0 .. 3;
say with_defer(1);
eval { with_defer(2) };
print $@;
eval { rethrows() };
print $@;
print nested();
my $turns = 0;
for my $i (1 .. 10) { try { $turns++; next if $i % 2; last if $i > 6; thrower($i) } catch ($e) { $turns += 100 } }
say $turns;
for my $i (1 .. 3) { defer { $turns += cleanup() } $turns++ }
sub cleanup { return 1000 }
say $turns;
