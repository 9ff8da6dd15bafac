# debian/libnytprof1.symbols says in which version each function of the library appeared. It lists what the library
# exports, which is what the headers declare. No function is newer than the version that is being packaged.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(build_dir run slurp top_dir);
use Test::More;

my $top = top_dir();

my %version = slurp("$top/debian/libnytprof1.symbols") =~ /^ (nytp_\w+)\@NYTPROF_[\d.]+ (\S+)$/mg;
my $headers = join('',
    map { slurp("$top/lib/$_") } qw(nytprof.h nytprof-model.h)) =~ s{/\*.*?\*/}{}gsr =~ s/^typedef .*?;$//gmr;
my %declared = map { $_ => 1 } $headers =~ /\b(nytp_\w+)\(/g;
my %exported = map { /^(\w+)/ && $1 !~ /^NYTPROF_/ ? ($1 => 1) : () }
    split /\n/, run(['nm', '-D', '--defined-only', '--format=just-symbols', build_dir() . '/lib/libnytprof.so'])->{out};

is_deeply([sort keys %exported], [sort keys %declared], 'the library exports what the headers declare');
is_deeply([sort keys %version],  [sort keys %exported], 'debian/libnytprof1.symbols lists it');

# Otherwise the collector would compress with zlib, and no other test would notice that.
SKIP: {
    skip 'needs libdeflate.a', 1 if run(['cc', '-print-file-name=libdeflate.a'])->{out} !~ m{/};
    like(slurp(build_dir() . '/flags'), qr/-DNYTP_HAVE_LIBDEFLATE/, 'libdeflate is there and in the build');
}

my ($packaged) = slurp("$top/debian/changelog") =~ /\A\S+ \((\S+)\)/;
my %listed = map { $_ => 1 } values %version;
SKIP: {
    skip 'needs dpkg', 1 if run(['dpkg', '--version'])->{status} != 0;
    is(join(' ', grep { run(['dpkg', '--compare-versions', $_, 'gt', $packaged])->{status} == 0 } sort keys %listed),
        '',
        "no function is newer than $packaged");
}

# The version stands in the header alone, which the makefile reads.
my $public = slurp("$top/lib/nytprof.h");
my ($version) = $public =~ /^#define NYTP_VERSION_STRING "(\d+\.\d+\.\d+)"$/m;
my ($number)  = $public =~ /^#define NYTP_VERSION_NUMBER 0x([0-9a-f]{6})$/m;
is($number, sprintf('%02x%02x%02x', split /\./, $version // '0.0.0'), 'the number of the version is that of its text');
like($packaged, qr/^\Q$version\E(?:~|$)/, '... and of the package');

done_testing();
