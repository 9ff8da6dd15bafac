# debian/libnytprof0.symbols says in which version each function of the library appeared. It lists what the library
# exports, which is what the header declares. No function is newer than the version that is being packaged.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";

use NYTPTest qw(build_dir run slurp top_dir);
use Test::More;

my $top = top_dir();

my %version = slurp("$top/debian/libnytprof0.symbols") =~ /^ (nytp_\w+)\@NYTPROF_0 (\S+)$/mg;
my $header  = slurp("$top/lib/nytprof.h") =~ s{/\*.*?\*/}{}gsr =~ s/^typedef .*?;$//gmr;
my %declared = map { $_ => 1 } $header =~ /\b(nytp_\w+)\(/g;
my %exported = map { /^(nytp_\w+)/ ? ($1 => 1) : () }
    split /\n/, run(['nm', '-D', '--defined-only', '--format=just-symbols', build_dir() . '/lib/libnytprof.so'])->{out};

is_deeply([sort keys %exported], [sort keys %declared], 'the library exports what the header declares');
is_deeply([sort keys %version],  [sort keys %exported], 'debian/libnytprof0.symbols lists it');

my ($packaged) = slurp("$top/debian/changelog") =~ /\A\S+ \((\S+)\)/;
my %listed = map { $_ => 1 } values %version;
SKIP: {
    skip 'needs dpkg', 1 if run(['dpkg', '--version'])->{status} != 0;
    is(join(' ', grep { run(['dpkg', '--compare-versions', $_, 'gt', $packaged])->{status} == 0 } sort keys %listed), '',
        "no function is newer than $packaged");
}

done_testing();
