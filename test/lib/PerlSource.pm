package PerlSource;

# The source of the perl that runs this, and a tree in which perl's own tests find what they look for.
#
#   use PerlSource qw(make_tree perl_source);
#   my $tarball = perl_source($dir);      # the file PERL_SOURCE, or what apt-get downloads to $dir
#   make_tree($tarball, "$dir/tree");     # the tests in t/, and lib/

use strict;
use warnings;

use Config;
use Cwd qw(abs_path);
use DebianSource qw(debian_source);
use Exporter 'import';
use File::Find qw(find);
use File::Path qw(make_path remove_tree);
use NYTPTest qw(slurp);

our @EXPORT_OK = qw(make_tree perl_source);

sub perl_source {
    my ($dir) = @_;
    return abs_path($ENV{PERL_SOURCE}) // die "$ENV{PERL_SOURCE}: $!\n" if defined $ENV{PERL_SOURCE};
    return eval { debian_source($dir, 'perl-base') } // die "$@get the source of this perl and set PERL_SOURCE=FILE\n";
}

# ---- the tree ----------------------------------------------------------------

# As after a build of perl, with this perl in the place of the one that is built: its modules are in lib/, and the tests
# in t/ run it as ./perl.
sub make_tree {
    my ($tarball, $tree) = @_;
    remove_tree($tree);
    make_path("$tree/lib");
    my @parts = map { "*/$_" } qw(t lib regen MANIFEST patchlevel.h);
    system('tar', '-C', $tree, '-xf', $tarball, '--strip-components=1', '--wildcards', '--no-wildcards-match-slash',
        @parts) == 0
        or die "$tarball: tar cannot unpack it\n";
    my $release = join '.', slurp("$tree/patchlevel.h") =~ /^#define\s+PERL_(?:REVISION|VERSION|SUBVERSION)\s+(\d+)/mg;
    die "$tarball: source of perl $release, not $Config{version}\n" if $release ne $Config{version};
    link_modules($_, "$tree/lib") for @Config{qw(privlibexp archlibexp)};
    for my $perl ("$tree/perl", "$tree/t/perl") { symlink $^X, $perl or die "$perl: $!\n" }
    return;
}

# Modules that were built, or that Debian has changed, take the place of those in the source.
sub link_modules {
    my ($from, $to) = @_;
    find({ follow => 1, no_chdir => 1, wanted => sub {
        my $path = $to . substr $File::Find::name, length $from;
        return if -d && make_path($path);
        return if -d;
        unlink $path;
        symlink $File::Find::name, $path or die "$path: $!\n";
    } }, $from);
    return;
}

1;
