# Lines and files that the program claims to have.
use strict;
use warnings;
sub before { return __LINE__ }
print before(), "\n";
# line 100 "claimed.pl"
sub claimed { return __FILE__ . ' ' . __LINE__ }
print claimed(), "\n";
warn "a warning";
# line 7
sub again { my $x = shift;
    return $x + 1 }
print again($_), "\n" for 1 .. 3;
#line 5000 "/absolute/path.tt"
sub far { return
    claimed() . again(1) }
print far(), "\n";
eval qq{#line 3 "in an eval"\nsub in_eval { die "there" }\nin_eval()};
print $@;
# line 20 "line-directives.pl"
print join ' ', (sub { return caller })->(), "\n";
for my $i (1 .. 3) {
# line 30 "loop.pl"
    print again($i), "\n";
# line 60
    claimed();
}
eval "\n\nprint __FILE__ =~ /eval/ ? __LINE__ : 'no', qq(\\n)";
