# `make -n` changes nothing, DEPS=no installs nothing, and what looks after files knows all of them.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use NYTPTest qw(run scratch_dir slurp spew top_dir);
use Test::More;

my ($top, $dir) = (top_dir(), scratch_dir());

# The sources, with another .ci/deps, which writes down how it was called.
mkdir "$dir/$_" or die for qw(tree tree/.ci);
symlink $_, "$dir/tree/" . s{.*/}{}r or die for grep { !m{/build$} } glob "$top/*";
spew("$dir/tree/.ci/deps", "#!/bin/sh\necho \"\$@\" >>'$dir/asked'\n");
chmod 0755, "$dir/tree/.ci/deps";

sub make {
    my @arguments = @_;
    unlink "$dir/asked";
    my %env = (MAKEFLAGS => undef, MAKELEVEL => undef, DEPS => undef, BUILD => undef);
    my $bare = $arguments[0] eq 'BARE' && shift @arguments;
    my $got  = run(['make', ($bare ? () : ('-C', "$dir/tree", "BUILD=$dir/build")), @arguments], env => \%env,
        dir => "$dir/tree");
    return ($got, -e "$dir/asked" ? slurp("$dir/asked") : '');
}

for my $goals (['all'], ['test'], ['lint'], ['demo'], ['check-all'], ['install', "DESTDIR=$dir/stage"],
    ['bench', '--no-print-directory']) {
    my ($got, $asked) = make('-n', @$goals);
    is($got->{status}, 0, "make -n @$goals") or diag($got->{err});
    like($got->{out}, qr/ -c lib\/base\/error\.c/, '... shows what it would compile');
    is($asked, '', '... and asks for no packages');
    ok(!-e "$dir/build" && !-e "$dir/stage", '... and makes no file');
}
my ($got, $asked) = make('help', '--no-print-directory');
is($asked, '', 'help needs nothing');

# Nothing but the needs and the flags is made before the first recipe, which fails here.
for my $case ([], ['DEPS=no']) {
    ($got, $asked) = make('demo', 'CC=false', @$case);
    is($asked, (@$case ? '--no-install ' : '') . "build demo\n", "make demo @$case");
    isnt($got->{status}, 0, '... goes on with the build');
}

# The words of MAKEFLAGS depend on which options and variables there are. No compiler is found here.
for my $case (['BARE', '-j2'], ['BARE', '-s'], ['BARE', '-j2', '-s', '-k'], ['BARE'], ['-j2'],
    ['CC=none', '-j', '-R']) {
    spew("$dir/tree/.ci/deps", "#!/bin/sh\necho \"\$@\" >>'$dir/asked'\nexit 1\n");
    ($got, $asked) = make(@$case, 'demo');
    is($asked, "build demo\n", "make @$case demo asks for packages");
    like($got->{err}, qr/packages are missing/, '... and ends if it gets none');
}

# What is installed is found: here pkg-config finds nothing before that.
spew("$dir/tree/.ci/deps", "#!/bin/sh\n>'$dir/installed-all'\n");
spew("$dir/pkg-config",
    "#!/bin/sh\n[ -e '$dir/installed-all' ] && exec pkg-config \"\$@\"\necho asked too early >&2\nexit 1\n");
chmod 0755, "$dir/pkg-config";
unlink glob "$dir/build/needs/*" or die 'no stamp';
($got) = make('demo', 'CC=false', "PKG_CONFIG=$dir/pkg-config");
unlike($got->{err}, qr/asked too early|does not find/, 'packages are looked for after they are installed');
isnt($got->{status}, 0, '... and the build, which fails here, goes on');

# .ci/deps itself, where hardly any program is found.
mkdir "$dir/path" or die;
for my $name (qw(sh id cat)) {
    my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    symlink $path, "$dir/path/$name" or die $!;
}
for my $name (qw(apt-get sudo env)) {
    spew("$dir/path/$name", "#!/bin/sh\necho $name >>'$dir/installed'\nexit 1\n");
    chmod 0755, "$dir/path/$name";
}
$got = run(["$top/.ci/deps", '--no-install', 'test'], env => { PATH => "$dir/path" });
is($got->{status}, 1, '.ci/deps --no-install fails if something is missing');
like($got->{err}, qr/^packages are missing; as root: apt-get install .* cloc /m, '... and says what');
ok(!-e "$dir/installed", '... but does not try to install it');

# ---- .clang-tidy, .editorconfig, CONTRIBUTING.md ----

SKIP: {
    skip 'not a clone', 3 if !-e "$top/.git";
    my @files = split /\0/, run(['git', '-c', 'safe.directory=*', 'ls-files', '-z'], dir => $top)->{out};
    my ($headers) = slurp("$top/.clang-tidy") =~ /^HeaderFilterRegex: '(.*)'/m;
    is_deeply([grep { /\.h$/ && "$top/$_" !~ $headers } @files], [], '.clang-tidy looks at all headers');
    my $raw    = qr{^(?:test/data/|test/fuzz/found/|LICENSE$)|\.svg$|\.png$};
    my @with_tabs = grep { $_ !~ $raw && slurp("$top/$_") =~ /^\t/m } grep { -f "$top/$_" } @files;
    is_deeply([grep { !/^(?:GNUmakefile|.*\.mk|debian\/rules)$/ } @with_tabs], [],
        "files with tabs are those of .editorconfig");
    my %known = map { $_ => 1 } map { m{`([\w.-]+)/}g } grep { /^\| `/ } split /\n/,
        slurp("$top/CONTRIBUTING.md") =~ s/^.*?^## Folders//msr =~ s/^## .*//msr;
    my %folders = map { $_ => 1 } map { m{^([^/]+)/} } @files;
    is_deeply([sort grep { !$known{$_} } keys %folders], [], 'CONTRIBUTING.md knows all folders');
}

done_testing();
