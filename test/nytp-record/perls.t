# Samples programs of other perls: with EXHAUSTIVE=1, those that NYTP_PERLS names, with blanks between them. The tests
# of stacks, of steps, of dumps and of xsubs run with each.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run);
use Sampled qw(may_sample);
use Test::More;

my @perls = split ' ', $ENV{NYTP_PERLS} // '';
plan skip_all => 'set EXHAUSTIVE=1 and NYTP_PERLS="/opt/perl-5.38/bin/perl ..."' if !$ENV{EXHAUSTIVE} || !@perls;
my $forbidden = may_sample();
plan skip_all => $forbidden if defined $forbidden;

for my $perl (@perls) {
    my $version = run([$perl, '-MConfig', '-e', 'print "$Config{version}, $Config{archname}"'])->{out};
    isnt($version, '', "$perl is a perl");
    for my $test (qw(stacks steps dump xsubs)) {
        my $got = run([$^X, "$FindBin::Bin/$test.t"], env => { NYTP_OTHER_PERL => $perl, EXHAUSTIVE => 0 },
            dir => "$FindBin::Bin/../..");
        is($got->{status}, 0, "$version: $test.t") or diag($got->{err});
    }
}
done_testing();
