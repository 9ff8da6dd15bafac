package NpmPackage;

# Packages of npm's registry, which tests alone use: each in one version, with the hash that the registry gave for it.
# They are kept under the build directory, and never in the repository.
#
#   use NpmPackage qw(npm_package);
#   my ($dir, $missing) = npm_package('axe-core');
#   plan skip_all => $missing if $missing;

use strict;
use warnings;

use Digest::SHA qw(sha512_base64);
use Exporter 'import';
use File::Path qw(make_path);
use File::Temp ();
use NYTPTest qw(build_dir run slurp);
use WebDriver;

our @EXPORT_OK = qw(npm_package);

# `npm view NAME@VERSION dist.integrity` prints the hash.
my %package = (
    'axe-core' => ['4.14.1', 'FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ'],
    'cobertura-parse' => ['1.0.5', 'uYJfkGhzw1wibe/8jqqHmSaPNWFguzq/IlSj83u3cSnZho/lUnfj0mLTmZGmB3AiKCOTYr22TYwpR1sXy2JEkg'],
    'pprof-format' => ['2.2.1', 'p4tVN7iK19ccDqQv8heyobzUmbHyds4N2FI6aBMcXz6y99MglTWDxIyhFkNaLeEXs6IFUEzT0zya0icbSLLY0g'],
    sax => ['1.6.1', '42tBVwLWnaQvW5zc4HbZrTuWccECCZfBi92FDuwtqxasH+JbPB3/FOKb1m222K42R4WxuxzzMsTswfzgtSu64Q'],
    speedscope => ['1.25.0', 'cpf9HWTZf1ijLXBJrk87Ve/54tnYx6rlf0gUThvn3ook6h63hLXVOQiMf44PT+XoV503cPfvfiT5gP5vojp6Ag'],
    xml2js => ['0.4.19', 'esZnJZJOiJR9wWKMyuvSE1y6Dq5LCuJanqhxslH2bxM6duahNZ+HMpCLhBQGZkbX6xRf8x1Y2eJlgt2q3qo49Q'],
    xmlbuilder => ['9.0.7', '7YXTQc3P2l9+0rjaUbLwMKRhtmwg1M1eDf6nag7urC7pIPYLD9W/jmzQ4ptRSUbodw5S0jfoGTflLemQibSpeQ'],
);

# Returns the directory of the package's files, or nothing and why it is not there.
sub npm_package {
    my ($name) = @_;
    my ($version, $hash) = @{ $package{$name} };
    my $kept = build_dir() . "/npm/$name-$version";
    return $kept if -e "$kept/package.json";
    return (undef, "no npm, which fetches $name") if !WebDriver::in_path('npm');
    make_path(build_dir() . '/npm');
    my $fresh = File::Temp->newdir(DIR => build_dir() . '/npm');
    my $got   = run(['npm', 'pack', '--loglevel=error', '--cache=cache', '--fetch-retries=0', '--fetch-timeout=20000',
        "$name\@$version"], dir => "$fresh");
    return (undef, "npm cannot fetch $name: " . join '; ',
        grep { defined } (split /\n/, "$got->{err}$got->{out}")[0 .. 3]) if $got->{status} != 0;
    my $tarball = "$fresh/$name-$version.tgz";
    die "$name $version is not what it was: its hash is " . sha512_base64(slurp($tarball)) . "\n"
        if sha512_base64(slurp($tarball)) ne $hash;
    my $tar = run(['tar', 'xzf', $tarball, '-C', "$fresh"]);
    die "tar: $tar->{err}\n" if $tar->{status} != 0;
    # a test that runs at the same time may have been faster
    rename "$fresh/package", $kept or -e "$kept/package.json" or die "$kept: $!\n";
    return $kept;
}

1;
