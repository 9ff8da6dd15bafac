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
use Exporter 'import';
use File::Basename qw(basename);
use File::Find qw(find);
use File::Path qw(make_path remove_tree);
use NYTPTest qw(run slurp spew);

our @EXPORT_OK = qw(make_tree perl_source);

sub perl_source {
    my ($dir) = @_;
    return abs_path($ENV{PERL_SOURCE}) // die "$ENV{PERL_SOURCE}: $!\n" if defined $ENV{PERL_SOURCE};
    my ($version) = output('dpkg-query', '-W', '-f', '${source:Version}', 'perl-base')
        or die "this perl is not a package of Debian's; get its source and set PERL_SOURCE=FILE\n";
    my ($upstream) = $version =~ /\A(?:\d+:)?(.*)-/s;
    my ($kept) = glob "$dir/perl_$upstream.orig.tar.*";
    return $kept // download($dir, $version, $upstream);
}

# The standard output of a command, in lines; nothing if it fails.
sub output {
    my (@command) = @_;
    my $got = run(\@command);
    return ($got->{status} // 1) == 0 ? split /^/, $got->{out} : ();
}

# A mirror may have lost the source of a version that it has packages of. Every Debian version of a release of perl has
# the same tarball.
sub download {
    my ($dir, $version, $upstream) = @_;
    my @apt = apt_options("$dir/apt");
    my $complaints = run(['apt-get', @apt, '-qq', 'update'])->{err};
    my @others = map { /^Version: (\Q$upstream\E-.*)/ ? $1 : () } output('apt-cache', @apt, 'showsrc', '--only-source', 'perl');
    for my $from ($version, grep { $_ ne $version } @others) {
        my $got = run(['apt-get', @apt, '-qq', 'source', '--tar-only', '--download-only', "perl=$from"], dir => $dir);
        $complaints .= $got->{err};
        my ($tarball) = glob "$dir/perl_$upstream.orig.tar.*";
        return $tarball if defined $tarball;
    }
    die "${complaints}apt-get has no source of perl $upstream; get perl-$upstream.tar.xz and set PERL_SOURCE=FILE\n";
}

# Options with which apt downloads sources from where the system has its packages of perl from. Lists and lists of sources are
# in that directory, so nothing of the system changes.
sub apt_options {
    my ($dir) = @_;
    remove_tree("$dir/sources");
    make_path("$dir/sources", "$dir/lists/partial");
    my %has_perl = map { m{ (\w+://\S+?)/? } ? ($1 => 1) : () } output('apt-cache', 'madison', 'perl');
    my $wanted   = sub { my ($text) = @_; return scalar grep { $has_perl{ s{/\z}{}r } } $text =~ m{\w+://\S+}g };
    for my $path ('/etc/apt/sources.list', glob '/etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources') {
        next if !-r $path;
        my $is_list = $path =~ /list\z/;
        my @entries = grep { $wanted->($_) } $is_list ? slurp($path) =~ /^deb\s.*\n/mg : split /\n(?:\s*\n)+/, slurp($path);
        s/^deb\s/deb-src /m || s/^Types:.*/Types: deb-src/mi for @entries;
        spew("$dir/sources/" . basename($path), join $is_list ? '' : "\n\n", @entries);
    }
    my %option = (
        'Dir::Etc::sourcelist'   => '/dev/null',
        'Dir::Etc::sourceparts'  => "$dir/sources",
        'Dir::State::lists'      => "$dir/lists",
        'Dir::Cache::pkgcache'   => '',
        'Dir::Cache::srcpkgcache' => '',
        'APT::Sandbox::User'     => scalar getpwuid $>, # the user _apt may not write here
    );
    return map { ('-o', "$_=$option{$_}") } sort keys %option;
}

# ---- the tree ----------------------------------------------------------------

# As after a build of perl, with this perl in the place of the one that is built: its modules are in lib/, and the tests in t/
# run it as ./perl.
sub make_tree {
    my ($tarball, $tree) = @_;
    remove_tree($tree);
    make_path("$tree/lib");
    my @parts = map { "*/$_" } qw(t lib regen MANIFEST patchlevel.h);
    system('tar', '-C', $tree, '-xf', $tarball, '--strip-components=1', '--wildcards', '--no-wildcards-match-slash', @parts) == 0
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
