#!/usr/bin/perl

# What is installed is found and works, and uninstalling removes all of it.

use strict;
use warnings;

use File::Find qw(find);
use FindBin;
use lib "$FindBin::Bin/lib";

use NYTPTest qw(build_dir compiler run scratch_dir slurp top_dir);
use Test::More;

my ($build, $top, $root) = (build_dir(), top_dir(), scratch_dir());
my $prefix = '/opt/nytprof';
my %away   = (env => { PKG_CONFIG_SYSROOT_DIR => $root, PKG_CONFIG_PATH => "$root$prefix/lib/pkgconfig" });

# The variables of the make that runs this test come through MAKEFLAGS.
sub make {
    my ($goal) = @_;
    my $got = run(['make', '-s', $goal, "BUILD=$build", "DESTDIR=$root", "PREFIX=$prefix"], dir => $top);
    is($got->{status}, 0, "make $goal") or diag($got->{err});
    return $got->{out};
}

sub installed {
    my @paths;
    find({ no_chdir => 1, wanted => sub { push @paths, s{^\Q$root\E}{}r if !-d || -l } }, $root);
    return sort @paths;
}

sub directories {
    my @paths;
    find({ no_chdir => 1, wanted => sub { push @paths, s{^\Q$root\E}{}r if -d && $_ ne $root } }, $root);
    return join ' ', sort @paths;
}

make('install');
my %there = map { $_ => 1 } installed();
is_deeply([ grep { !m{^$prefix/} } keys %there ], [], 'nothing is outside the prefix');
ok($there{"$prefix/$_"}, $_)
    for qw(bin/nytprofcalls bin/nytprofcg include/nytprof.h share/man/man1/nytprofcalls.1 share/man/man1/nytprofcg.1);
for my $module (qw(Devel::NYTProf Devel::NYTProf::ReadStream Devel::NYTProf::Data)) {
    my ($page) = grep { m{/share/man/man3/\Q$module\E\.3\w*$} } keys %there;
    ok($page, "$module has a manual page") or next;
    like(slurp("$root$page"), qr/^\.SH "?NAME"?\n\Q$module\E \\- /m, '... with its name');
}

for my $tool (qw(nytprofcalls nytprofcg)) {
    like(run(["$root$prefix/bin/$tool", '--version'])->{out}, qr/^$tool \d+\.\d+\.\d+$/, "$tool says its version");
}

my $sections = run(['readelf', '-SW', "$root$prefix/lib/libnytprof.a"])->{out};
like($sections, qr/ \.text /, 'the static library has code');
unlike($sections, qr/gnu\.lto/, 'and nothing that only this compiler reads');

my @flags = split ' ', run(['pkg-config', '--cflags', '--libs', 'nytprof'], %away)->{out};
my @cc    = compiler();
my $got   = run([@cc, '-o', "$root/example", "$top/test/programs/example.c", @flags]);
is($got->{status}, 0, 'a program is compiled with what pkg-config says') or diag($got->{err});
$got = run(["$root/example", '/nonexistent'], env => { LD_LIBRARY_PATH => "$root$prefix/lib" });
like($got->{err}, qr{^/nonexistent: cannot open}, 'and runs with the shared library');
SKIP: {
    skip 'sanitizers have no static library', 3 if grep { /sanitize/ } @cc;
    @flags = split ' ', run(['pkg-config', '--static', '--cflags', '--libs', 'nytprof'], %away)->{out};
    $got   = run([@cc, '-static', '-o', "$root/example", "$top/test/programs/example.c", @flags]);
    is($got->{status}, 0, 'a static program, too') or diag($got->{err});
    like(run(["$root/example", '/nonexistent'])->{err}, qr{^/nonexistent: cannot open}, '... which runs');
    unlike(run(['readelf', '-lW', "$root/example"])->{out}, qr/INTERP/, '... and is static');
}
unlink "$root/example";

mkdir "$root$prefix/share/of-others" or die $!;
my $said = make('uninstall');
is_deeply([ installed() ], [], 'nothing is left');
is(directories(), "/opt $prefix $prefix/share $prefix/share/of-others", 'no directory either, but those of others');
cmp_ok(length $said, '<', 200, 'and little is said');
rmdir "$root$prefix/share/of-others" or die $!;

$got = run(['make', '-s', $_, "BUILD=$build", 'PREFIX=/opt/my programs'], dir => $top) and like($got->{err}, qr/PREFIX has a blank in it/, "a blank is refused: make $_")
    for qw(install clean);
mkdir "$root/other" or die $!;
run(['make', '-s', 'clean', "BUILD=$root/other"], dir => $top);
ok(!-e "$root/other" && -d $build, 'make clean removes the directory that it was given');

# As a user installs it: nothing is staged, and perl does not look there by itself.
my ($prefix_here) = "$root/here";
$got = run(['make', '-s', 'install', "BUILD=$build", 'DESTDIR=', "PREFIX=$prefix_here"], dir => $top);
my ($perl5lib) = $got->{out} =~ /^The collector is found with PERL5LIB=(\S+)$/m;
ok($perl5lib, 'where the collector is found') or diag($got->{out}, $got->{err});
$got = run([$^X, '-d:NYTProf', '-e', 'print $INC{"Devel/NYTProf.pm"}'], env => { PERL5LIB => $perl5lib, NYTPROF => "file=$root/nytprof.out" });
is($got->{out}, ($perl5lib // '') . '/Devel/NYTProf.pm', 'it is');
%away  = (env => { PKG_CONFIG_PATH => "$prefix_here/lib/pkgconfig" });
@flags = split ' ', run(['pkg-config', '--cflags', '--libs', 'nytprof'], %away)->{out};
$got   = run([@cc, '-o', "$root/example", "$top/test/programs/example.c", @flags]);
is($got->{status}, 0, 'a program is compiled with the library') or diag($got->{err});
like(run(["$root/example", '/nonexistent'])->{err}, qr{^/nonexistent: cannot open}, 'and finds it by itself');
run(['make', '-s', 'uninstall', "BUILD=$build", 'DESTDIR=', "PREFIX=$prefix_here"], dir => $top);
ok(!-e $prefix_here, 'uninstalled, with the prefix');

# ---- Debian's package of the stock programs ----

for my $tool (map { s{.*/}{}r } glob "$build/bin/*") {
    next if !-e "/usr/bin/$tool";
    for my $script (qw(preinst postrm)) {
        my ($names) = slurp("$top/debian/nytprof-tools.$script") =~ /^ *for name in (.*?);/m;
        ok((grep { $_ eq $tool } split ' ', $names), "stock has $tool, too: $script diverts it");
    }
}

# ---- the tarball ----

SKIP: {
    skip 'not a clone', 1 if !-e "$top/.git";
    $got = run(['make', '-s', 'dist', "BUILD=$root/dist"], dir => $top);
    my ($tarball) = glob("$root/dist/nytprof-*.tar.gz");
    ok($tarball, 'make dist') or diag($got->{err});
    my @packed = sort grep { length && !m{/$} } map { s{^nytprof-[\d.]+/}{}r } split /\n/, run(['tar', '-tzf', $tarball])->{out};
    is_deeply(\@packed, [ sort split /\n/, run(['git', 'ls-tree', '-r', '--name-only', 'HEAD'], dir => $top)->{out} ],
        'has every file of the last commit');
    if ($ENV{EXHAUSTIVE}) {
        run(['tar', '-C', $root, '-xzf', $tarball]);
        my ($unpacked) = glob("$root/nytprof-*");
        $got = run(['make', '-s'], dir => $unpacked, env => { MAKEFLAGS => undef, BUILD => undef });
        is($got->{status}, 0, 'and can be built') or diag($got->{err});
        ok(-x "$unpacked/build/bin/nytprofcalls", 'with its programs');
    }
}

done_testing;
