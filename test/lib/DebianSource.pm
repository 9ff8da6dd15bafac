package DebianSource;

# The source of installed Debian packages, as apt-get downloads it. Nothing of the system changes, nor do its lists of
# sources.
#
#   use DebianSource qw(debian_source);
#   my $tarball = debian_source($dir, 'perl-base');    # is kept in that directory; dies with what to do

use strict;
use warnings;

use Exporter 'import';
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use NYTPTest qw(run slurp spew);

our @EXPORT_OK = qw(debian_source);

my (%apt_options, $complaints);

# The tarball of the package's upstream version, in that directory.
sub debian_source {
    my ($dir, $package) = @_;
    my ($source, $version) = split ' ', join '',
        output('dpkg-query', '-W', '-f', '${source:Package} ${source:Version}', $package);
    die "$package is not an installed package of Debian's\n" if !defined $version;
    my ($upstream) = $version =~ /\A(?:\d+:)?(.*?)(?:-[^-]*)?\z/s;
    my ($kept) = glob "$dir/${source}_$upstream.orig.tar.*[!c]";
    return $kept // download($dir, $source, $version, $upstream);
}

# The standard output of a command, in lines; nothing if it fails.
sub output {
    my (@command) = @_;
    my $got = run(\@command);
    return ($got->{status} // 1) == 0 ? split /^/, $got->{out} : ();
}

# A mirror may have lost the source of a version that it has packages of. Every Debian version of a release has the same
# tarball.
sub download {
    my ($dir, $source, $version, $upstream) = @_;
    my @apt    = @{ $apt_options{$dir} //= updated($dir) };
    my @others = map { /^Version: ((?:\d+:)?\Q$upstream\E-.*)/ ? $1 : () } output('apt-cache', @apt, 'showsrc',
        '--only-source', $source);
    my $said   = $complaints;
    for my $from ($version, grep { $_ ne $version } @others) {
        my $got = run(['apt-get', @apt, '-qq', 'source', '--tar-only', '--download-only', "$source=$from"],
            dir => $dir);
        $said .= $got->{err};
        my ($tarball) = glob "$dir/${source}_$upstream.orig.tar.*[!c]";
        return $tarball if defined $tarball;
    }
    die "${said}apt-get has no source of $source $upstream\n";
}

sub updated {
    my ($dir) = @_;
    my @apt = apt_options("$dir/apt");
    $complaints = run(['apt-get', @apt, '-qq', 'update'])->{err};
    return \@apt;
}

# Options with which apt downloads sources from where the system has its packages of perl from. Lists and lists of
# sources are in that directory.
sub apt_options {
    my ($dir) = @_;
    remove_tree("$dir/sources");
    make_path("$dir/sources", "$dir/lists/partial");
    my %has_perl = map { m{ (\w+://\S+?)/? } ? ($1 => 1) : () } output('apt-cache', 'madison', 'perl');
    my $wanted   = sub { my ($text) = @_; return scalar grep { $has_perl{ s{/\z}{}r } } $text =~ m{\w+://\S+}g };
    for my $path ('/etc/apt/sources.list', glob '/etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources') {
        next if !-r $path;
        my $is_list = $path =~ /list\z/;
        my @entries = grep { $wanted->($_) } $is_list ? slurp($path) =~ /^deb\s.*\n/mg : split /\n(?:\s*\n)+/,
            slurp($path);
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

1;
