#!/usr/bin/perl

# What is installed is found and works, and uninstalling removes all of it.

use strict;
use warnings;

use File::Find qw(find);
use File::Path qw(make_path);
use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(clean_env);
use NYTPTest qw(build_dir compiler run sanitized scratch_dir slurp spew top_dir valgrind);
use Test::More;

my ($build, $top, $root) = (build_dir(), top_dir(), scratch_dir());
my $prefix = '/opt/nytprof';
my %away   = (env => { PKG_CONFIG_SYSROOT_DIR => $root, PKG_CONFIG_PATH => "$root$prefix/lib/pkgconfig" });

# The variables of the make that runs this test come through MAKEFLAGS.
sub try_make {
    return run(['make', '-s', @_, "BUILD=$build", "DESTDIR=$root", "PREFIX=$prefix"], dir => $top);
}

sub make {
    my @goal = @_;
    my $got  = try_make(@goal);
    is($got->{status}, 0, "make @goal") or diag($got->{err});
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
    for qw(bin/nytprofcalls bin/nytprofcg include/nytprof.h include/nytprof-model.h share/man/man1/nytprofcalls.1
    share/man/man1/nytprofcg.1
        share/man/man7/nytprof-filters.7);
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
    skip 'sanitizers have no static library', 3 if sanitized();
    skip 'valgrind does not know what a static libc does', 3 if valgrind();
    @flags = split ' ', run(['pkg-config', '--static', '--cflags', '--libs', 'nytprof'], %away)->{out};
    $got   = run([@cc, '-static', '-o', "$root/example", "$top/test/programs/example.c", @flags]);
    is($got->{status}, 0, 'a static program, too') or diag($got->{err});
    like(run(["$root/example", '/nonexistent'])->{err}, qr{^/nonexistent: cannot open}, '... which runs');
    unlike(run(['readelf', '-lW', "$root/example"])->{out}, qr/INTERP/, '... and is static');
}
$got = run([@cc, '-o', "$root/example", "$top/test/programs/nytp-files.c", @flags]);
is($got->{status}, 0, 'a program that uses the model is compiled, too') or diag($got->{err});
unlink "$root/example";

mkdir "$root$prefix/share/of-others" or die $!;
my $said = make('uninstall');
is_deeply([ installed() ], [], 'nothing is left');
is(directories(), "/opt $prefix $prefix/share $prefix/share/of-others", 'no directory either, but those of others');
cmp_ok(length $said, '<', 200, 'and little is said');
rmdir "$root$prefix/share/of-others" or die $!;

# ---- files of others ----

# Devel::NYTProf as CPAN installs it, into the same directory, before ours and after it.
my ($module) = grep { m{/Devel/NYTProf\.pm$} } keys %there;
my $cpan = "$root$module";
make_path($cpan =~ s{/[^/]+$}{}r);
spew($cpan, "package Devel::NYTProf; our \$VERSION = '6.14'; 1;\n");
$got = try_make('install');
isnt($got->{status}, 0, 'a module of CPAN is there: nothing is installed');
like($got->{err}, qr/not ours:\n  \Q$cpan\E\n.*FORCE=1/s, '... it says which, and what to do');
is_deeply([ installed() ], [$module], '... and nothing has changed');
like(make('uninstall'), qr{\Q$prefix\E/share/nytprof/installed does not exist}, 'nothing to remove');
is_deeply([ installed() ], [$module], '... and CPAN\'s module is still there');
make('install', 'FORCE=1');
like(slurp($cpan), qr/nytprof-tools|Devel::NYTProf::Core/, 'FORCE=1 replaces it');
is_deeply([ installed() ], [ sort keys %there ], '... with everything else');
spew($cpan, "package Devel::NYTProf; our \$VERSION = '6.15'; 1;\n");
like(make('uninstall'), qr{^\Q$cpan\E: not ours, left there$}m, 'a module that CPAN has put there since is named');
is_deeply([ installed() ], [$module], '... and is all that is left');
unlink $cpan or die $!;

# What make calls, with files that are quicker to make.
sub files {
    my ($where, %text) = @_;
    for my $path (keys %text) {
        make_path("$where$path" =~ s{/[^/]+$}{}r);
        spew("$where$path", $text{$path});
    }
    return $where;
}
sub put {
    my ($stage, $to, $perl) = @_;
    return run(["$top/.ci/installed", 'put', $stage, $to, '/p/installed', $perl // '/p/perl1', '/p/bin/own'],
        env => { FORCE => undef });
}
sub remove {
    my ($from, $perl) = @_;
    return run(["$top/.ci/installed", 'remove', $from, '/p/installed', $perl // '/p/perl1']);
}
sub left {
    my ($where) = @_;
    return join ' ', map { s{^\Q$where\E}{}r } grep { !-d || -l } glob "$where/*/* $where/*/*/*";
}

my $older = files("$root/older", '/p/bin/x' => 'older', '/p/bin/own' => 'own', '/p/perl1/x.pm' => 'older',
    '/p/bin/gone' => 'older');
my $newer = files("$root/newer", '/p/bin/x' => 'newer', '/p/bin/own' => 'own', '/p/perl2/x.pm' => 'newer');
put($older, "$root/a");
$got = put($newer, "$root/a", '/p/perl2');
is("$got->{status} $got->{err}", '0 ', 'a newer version over an older one, and for another perl');
is(slurp("$root/a/p/bin/x"), 'newer', '... which replaces it');
is(-s "$root/a/p/perl1/x.pm", 5, '... and leaves what other perls use');
rename "$root/a", "$root/moved" or die $!;
$got = remove("$root/moved", '/p/perl3');
is($got->{status}, 1, 'removing it for a third perl fails');
like($got->{err}, qr{^nothing is installed in /p/perl3, .*\n  /p/perl1\n  /p/perl2\n.*PERL=},
    '... and names the others');
remove("$root/moved");
is(left("$root/moved"), '/p/installed /p/bin/gone /p/bin/own /p/bin/x /p/perl2/x.pm',
    'removing it for one perl leaves the other\'s, and what is for all');
$got = remove("$root/moved", '/p/perl2');
is("$got->{status} $got->{out}$got->{err}", '0 ', 'removing it for the last perl');
ok(!-e "$root/moved/p", '... removes everything, also after moving what was staged');
put($_->[0], "$root/a", $_->[1]) for [$older, '/p/perl1'], [$newer, '/p/perl2'];
remove("$root/a", '/p/perl2');
is(left("$root/a"), '/p/installed /p/bin/gone /p/bin/own /p/bin/x /p/perl1/x.pm',
    'a file that both perls have stays with the first one');

# A directory in the place of a file stands for whatever interrupts it.
put($older, "$root/b");
my $newest = files("$root/newest", '/p/bin/x' => 'newest', '/p/more/x' => 'newest', '/p/more/y' => 'newest');
make_path("$root/b/p/more/x/of-others");
spew("$root/b/p/bin/x.nytp-new", 'part of it'); # from being killed
$got = run(["$top/.ci/installed", 'put', $newest, "$root/b", '/p/installed', '/p/perl1'], env => { FORCE => 1 });
like($got->{err}, qr{^cannot write \Q$root/b\E/p/more/x: }, 'an installation that stops half way says where');
is(slurp("$root/b/p/bin/x"), 'newest', '... some of it is there');
remove("$root/b");
is(left("$root/b"), '', '... and is removed again');
ok(-d "$root/b/p/more/x/of-others", '... and nothing else');
rmdir "$root/b/p/more/x/$_" for 'of-others', '';
put($older, "$root/b");
is(put($newest, "$root/b")->{status}, 0, '... or repeated');

$got = run(['make', '-s', 'install', "BUILD=$build", 'DESTDIR=', 'PREFIX=~/here'], dir => $top);
like($got->{err}, qr{PREFIX is not an absolute path: ~/here}, 'a path that the shell has not expanded is refused');
$got = run(['make', '-s', $_, "BUILD=$build", 'PREFIX=/opt/my programs'], dir => $top)
    and like($got->{err}, qr/PREFIX has a blank in it/, "a blank is refused: make $_")
    for qw(install clean);
mkdir "$root/other" or die $!;
run(['make', '-s', 'clean', "BUILD=$root/other"], dir => $top);
ok(!-e "$root/other" && -d $build, 'make clean removes the directory that it was given');

# As a user installs it: nothing is staged, and perl does not look there by itself.
my ($prefix_here) = "$root/here";
$got = run(['make', '-s', 'install', "BUILD=$build", 'DESTDIR=', "PREFIX=$prefix_here"], dir => $top);
my ($perl5lib) = $got->{out} =~ /^The collector is found with PERL5LIB=(\S+)$/m;
ok($perl5lib, 'where the collector is found') or diag($got->{out}, $got->{err});
$got = run([$^X, '-d:NYTProf', '-e', 'print $INC{"Devel/NYTProf.pm"}'],
    env => { clean_env(), PERL5LIB => $perl5lib, NYTPROF => "file=$root/nytprof.out" });
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
    my @packed = sort grep { length && !m{/$} } map { s{^nytprof-[\d.]+/}{}r } split /\n/,
        run(['tar', '-tzf', $tarball])->{out};
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
