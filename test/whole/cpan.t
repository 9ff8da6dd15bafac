# The distribution for CPAN: it has what it says, is built and tested as others are, and does no harm to stock's
# modules. It is built with EXHAUSTIVE=1; otherwise the test looks whether it has all that its sources include.

use strict;
use warnings;

use Config;
use CPAN::Meta;
use File::Basename qw(dirname);
use FindBin;
use lib "$FindBin::Bin/../lib";

use File::Path qw(make_path);
use NYTPTest qw(run scratch_dir slurp spew top_dir);
use Test::More;

my ($top, $scratch) = (top_dir(), scratch_dir());
my $blanks = "$scratch/a path with blanks";
make_path("$blanks/tmp");
# No variables of the make that runs this.
my %env = (TMPDIR => "$blanks/tmp",
    map { $_ => undef } qw(MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES BUILD FORCE PERL5LIB PERL5OPT PERL_MM_OPT));

my $got = run(["$top/cpan/make-dist", "$scratch/made"]);
my ($tarball, $name) = $got->{out} =~ m{^(/.*/(Devel-NYTProf-Lean-[\d.]+)\.tar\.gz)$};
ok($tarball && -s $tarball, 'a tarball') or diag($got->{err}) or BAIL_OUT('no distribution');
my @packed = sort grep { !m{/$} } split /\n/, run(['tar', '-tzf', $tarball])->{out};
run(['tar', '-C', $blanks, '-xzf', $tarball]);
my $dir = "$blanks/$name";
is_deeply([sort map { "$name/$_" } split /\n/, slurp("$dir/MANIFEST")], \@packed, 'MANIFEST lists what is in it');
for my $file (qw(META.json META.yml)) {
    my $meta = eval { CPAN::Meta->load_file("$dir/$file") };
    is($meta && $meta->version, $name =~ s/.*-//r, "$file has the version") or diag($@);
    is($meta && $meta->provides->{'Devel::NYTProf'}{version}, '6.12', '... and that of the module');
}

sub configure { return run([$^X, 'Makefile.PL', @_], dir => $dir, env => \%env) }

# ---- where it cannot be built, or would do harm ----

my ($cc) = split ' ', $Config{cc};
make_path("$scratch/bin", "$scratch/lib/lib/perl5/$Config{archname}/Devel/NYTProf");
spew("$scratch/bin/$cc", "#!/bin/sh\nexit 1\n");
chmod 0755, "$scratch/bin/$cc" or die $!;
$got = run([$^X, 'Makefile.PL'], dir => $dir, env => { %env, PATH => "$scratch/bin:$ENV{PATH}" });
is($got->{status}, 0, 'nothing can be compiled with zlib.h: as CPAN\'s testers want it');
like($got->{out}, qr/^zlib\.h is missing/m, '... with the reason');
ok(!-e "$dir/Makefile", '... and no Makefile');

my $stock = "$scratch/lib/lib/perl5/$Config{archname}/Devel/NYTProf/Reader.pm";
spew($stock, "package Devel::NYTProf::Reader; 1;\n");
$got = configure("INSTALL_BASE=$scratch/lib");
isnt($got->{status}, 0, 'stock\'s modules are in the same directory: it stops');
like($got->{err}, qr{^Devel::NYTProf of CPAN is in \Q$scratch\E/lib/.*INSTALL_BASE=.*FORCE=1$}ms,
    '... with what to do');
ok(!-e "$dir/Makefile", '... and no Makefile');
is(configure("INSTALL_BASE=$scratch/lib", 'FORCE=1')->{status}, 0, '... unless it must');

# ---- where it can ----

is(configure("INSTALL_BASE=$scratch/own")->{status}, 0, 'perl Makefile.PL');
my (%compiled, @missing);
for my $file (grep { /\.(?:[ch]|xs)$/ } map { s{^\Q$name\E/}{}r } @packed) {
    my $source = slurp("$dir/$file");
    push @missing,
        map { "$file: $_" } grep { my $header = $_; !grep { -e "$dir/$_/$header" } dirname($file), qw(lib xs xs/read) }
        $source =~ /^ *# *include "(?!EXTERN\.h|perl\.h|XSUB\.h)([^"]+)"/mg;
    $compiled{$1} = 1 if $file =~ /(.*)\.(?:c|xs)$/;
}
is_deeply(\@missing, [], 'all that the sources include is in it');
my $makefile = slurp("$dir/Makefile");
is_deeply([grep { $makefile !~ m{\b\Q$_\E(?:\$\(OBJ_EXT\)|\.o)} } sort keys %compiled], [], 'all sources are compiled');
if (!$ENV{EXHAUSTIVE}) {
    done_testing;
    exit;
}
$got = run(['make', '-s', '-j2', 'OPTIMIZE=-O0 -Wall'], dir => $dir, env => \%env);
is($got->{status}, 0, 'make') or diag($got->{err});
unlike($got->{err}, qr/warning:/, '... without warnings');
$got = run(['make', 'test'], dir => $dir, env => \%env);
is($got->{status}, 0, 'make test') or diag($got->{out}, $got->{err});
is(run(['make', '-s', 'install'], dir => $dir, env => \%env)->{status}, 0, 'make install');
my $lib = "$scratch/own/lib/perl5";
$got = run([$^X, '-d:NYTProf', '-e', 'print $INC{"Devel/NYTProf.pm"}'],
    env => { %env, PERL5LIB => $lib, NYTPROF => "file=$scratch/nytprof.out" });
is($got->{out}, "$lib/$Config{archname}/Devel/NYTProf.pm", 'what is installed comes first');
$got = run([$^X, '-MDevel::NYTProf::Data', '-e',
    'print Devel::NYTProf::Data->new({ filename => shift, quiet => 1 })->attributes->{application}',
    "$scratch/nytprof.out"],
    env => { %env, PERL5LIB => $lib });
is($got->{out}, '-e', '... and its modules read what it has recorded');

done_testing;
