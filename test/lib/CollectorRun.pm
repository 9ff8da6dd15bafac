package CollectorRun;

# Runs programs under a collector, and without one. COLLECTOR=stock tests Debian's collector instead of the
# one of this build: tests of what stock can do must pass with it, the others must fail.
#
#   use CollectorRun qw(collector need_collector plain profiled same_behaviour);
#   need_collector();                # or the test is skipped
#   my $got = profiled(collector(), ['-e', 'f()'], options => { calls => 2 });
#   # { status, signal, timeout, out, err, dir, files => [paths of profiles] }

use strict;
use warnings;

use Command;
use Config;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Find qw(find);
use File::Glob qw(bsd_glob);
use NYTPTest qw(build_dir clock_library compiler patience preload run scratch_dir slurp top_dir);
use POSIX ();
use Test::More ();

our @EXPORT_OK = qw(
    as_users clean_env clock_library collector command exhaustive need_collector need_system_perl nytprof_value optional_module
    plain preload preloaded profiled same_behaviour same_files start finish tool
);

my $TIMEOUT_S = 120;

sub collector { return ($ENV{COLLECTOR} // 'ours') eq 'stock' ? 'stock' : 'ours' }

# Whether to test everything, however long it takes: `make check-all`.
sub exhaustive { return !!$ENV{EXHAUSTIVE} }

# Skips the whole test if the collector is not built, but not if only its shared object is missing: that must
# fail.
sub need_collector {
    return if collector() eq 'stock';
    my $module = build_dir() . '/perl5/Devel/NYTProf.pm';
    Test::More::plan(skip_all => "the collector is not built: no $module") if !-e $module;
    return;
}

# Skips the whole test if it profiles a program of the system whose perl is not the one that the collector was built
# for.
sub need_system_perl {
    my ($program) = @_;
    my ($here, $there) = map { join '-', (stat)[0, 1] } $^X, '/usr/bin/perl';
    Test::More::plan(skip_all => "$program has the system's perl, and the collector is for $^X") if $here ne $there;
    return;
}

# perl, with options that make it find that collector. Debian's is in the vendor directories, which come after
# the site's, where one may be installed. A perl that was not packaged may have stock's in the site's. Both have the
# same number of directories, because some programs walk through all of them.
sub command {
    my ($which) = @_;
    my $first = $which eq 'ours' ? build_dir() . '/perl5' : build_dir() . '/no-collector';
    return ($^X, map { "-I$_" } $first, grep { length } @Config{qw(vendorarch vendorlib)});
}

# One of our programs, if it was built.
sub tool {
    my ($name) = @_;
    my $path = build_dir() . "/bin/$name";
    return -x $path ? $path : undef;
}

# The value of the variable NYTPROF.
sub nytprof_value {
    my (%option) = @_;
    s/([\\:=])/\\$1/g for values %option;
    return join ':', map { "$_=$option{$_}" } sort keys %option;
}

# An environment that does not change what perl does, with the same order of hashes each time.
sub clean_env {
    return (
        PERL5LIB       => undef,
        PERL5OPT       => undef,
        PERL5DB        => undef,
        NYTPROF        => undef,
        LC_ALL         => 'C',
        PERL_HASH_SEED => 0,
        PERL_PERTURB_KEYS => 0,
        # The library of a sanitizer must be loaded before perl.
        (defined $ENV{PRELOAD} ? (LD_PRELOAD => $ENV{PRELOAD}, ASAN_OPTIONS => 'detect_leaks=0') : ()),
    );
}

# The environment in which a user runs commands. PATH begins with the programs of the build, the given directories and
# the directory of the perl that the collector was built for.
sub as_users {
    my (@directories) = @_;
    my $path = join ':', build_dir() . '/bin', @directories, dirname($^X), $ENV{PATH};
    return (clean_env(), PATH => $path, PERL5LIB => build_dir() . '/perl5');
}

# Starts the test again with the library of the address sanitizer, if the build has one: for tests that load
# built modules themselves, and start perls that do.
sub preloaded {
    my %env = clean_env();
    return if !defined $env{LD_PRELOAD} || defined $ENV{LD_PRELOAD};
    @ENV{qw(LD_PRELOAD ASAN_OPTIONS)} = @env{qw(LD_PRELOAD ASAN_OPTIONS)};
    exec $^X, $0 or die "$^X: $!\n";
}

# Starts a command: see Command.pm; options: its own, and timeout_s.
sub start {
    my ($command, %options) = @_;
    return { %{ Command::start($command, %options) }, timeout_s => patience($options{timeout_s} // $TIMEOUT_S) };
}

# Waits for it. If it runs too long, it is killed together with its children.
sub finish {
    my ($job) = @_;
    my $timeout = 0;
    local $SIG{ALRM} = sub { $timeout = 1; kill KILL => -$job->{pid} };
    alarm $job->{timeout_s};
    my $waited;
    do { $waited = waitpid $job->{pid}, 0 } while $waited < 0 && $!{EINTR};
    my $ended = $?;
    alarm 0;
    return { %{ Command::result($job, $ended) }, timeout => $timeout };
}

sub in_fresh_dir {
    my (%run) = @_;
    my $dir = $run{dir} // scratch_dir();
    $run{prepare}->($dir) if $run{prepare};
    return $dir;
}

# perl with these arguments, and no profiler. Options: dir (default: a new one),
# prepare (called with the directory), env, stdin, under (a command to run it
# with), timeout_s.
sub plain {
    my ($arguments, %run) = @_;
    my $dir = in_fresh_dir(%run);
    my $got = finish(start([@{ $run{under} // [] }, $^X, @$arguments], %run, dir => $dir,
        env => { clean_env(), %{ $run{env} // {} } }));
    return { %$got, dir => $dir };
}

# gcc's address sanitizer can hang in a child that is forked while another thread starts.
sub _without_thread {
    my ($which, $arguments) = @_;
    return $which eq 'ours' && "@$arguments" =~ /\bfork/ && join(' ', compiler()) =~ /=address/ ? (thread => 0) : ();
}

# The same under a collector; further options: options (of NYTPROF; file is
# nytprof.out in a directory of its own), load (default -d:NYTProf), perl5db,
# meanwhile (called with the pid, before its end is waited for), async (returns a sub that finishes the run).
sub profiled {
    my ($which, $arguments, %run) = @_;
    my $dir      = in_fresh_dir(%run);
    my $profiles = $run{profiles} // scratch_dir();
    my %env      = (clean_env(), NYTPROF => nytprof_value(file => "$profiles/nytprof.out",
        _without_thread($which, $arguments), %{ $run{options} // {} }));
    $env{PERL5DB} = $run{perl5db} if defined $run{perl5db};
    my @load = defined $run{load} ? @{ $run{load} } : defined $run{perl5db} ? '-d' : '-d:NYTProf';
    my $job  = start([@{ $run{under} // [] }, command($which), @load, @$arguments],
        %run, dir => $dir, env => { %env, %{ $run{env} // {} } });
    $run{meanwhile}->($job->{pid}) if $run{meanwhile};
    my $end = sub {
        my $got = finish($job);
        return { %$got, dir => $dir, profiles => $profiles, files => [sort { $a cmp $b } bsd_glob("$profiles/*")] };
    };
    return $run{async} ? $end : $end->();
}

# What the program printed, without what a profiler must change: with nameevals and nameanonsubs, perl's own names
# say where they come from, and there is one more directory of modules. Options that exclude each other are warned of.
# In a forked child, the thread sanitizer mistakes a thread for its parent's if both begin at the same place.
sub as_plain {
    my ($text, $dir) = @_;
    $text =~ s/\Q$dir\E/DIR/g;
    $text =~ s/\(\@INC (?:contains|entries checked): [^)]*\)/(\@INC)/g;
    1 while $text =~ s/(\((?:re_)?eval \d+\))\[[^][]*\]/$1/;
    $text =~ s/__ANON__\[[^][]*\]/__ANON__/g;
    $text =~ s/^Devel::NYTProf: \S+ has no effect with .*\n//mg;
    $text =~ s/^==[0-9]+==ThreadSanitizer: dup thread with used id .*\n//mg;
    return $text;
}

# Tests that a run under a collector looked like the one without. $varies matches what differs from run to run.
sub same_behaviour {
    my ($plain, $got, $name, $varies) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my @want = map { as_plain($plain->{$_}, $plain->{dir}) } qw(out err);
    my @have = map { as_plain($got->{$_}, $got->{dir}) } qw(out err);
    if (defined $varies) { s/$varies//g for @want, @have }
    my $same = !$got->{timeout} && $plain->{signal} == $got->{signal} && "@want" eq "@have"
        && ($plain->{status} // 'none') eq ($got->{status} // 'none');
    Test::More::ok($same, "$name: runs as without the collector") and return 1;
    Test::More::diag('ran too long') if $got->{timeout};
    Test::More::diag("$$_[0]: status " . ($$_[1]{status} // 'none') . ", signal $$_[1]{signal}, stdout\n"
            . substr($$_[1]{out}, -1500) . "\nstderr\n" . substr($$_[1]{err}, -1500))
        for ['without', $plain], ['with', $got];
    return 0;
}

# What a program left in its directory, except profiles: { path => bytes, or the target of a link }.
sub _left_in {
    my ($dir) = @_;
    my %left;
    find({ no_chdir => 1, wanted => sub {
        my $path = substr $_, length $dir;
        $left{$path} = -l $_ ? 'to ' . readlink : -f _ ? slurp($_) : -d _ ? 'a directory' : 'a special file';
        delete $left{$path} if $left{$path} =~ /\ANYTProf /;
    } }, $dir);
    return \%left;
}

# Tests that both runs left the same files.
sub same_files {
    my ($plain, $got, $name, $varies) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my ($want, $have) = map { my $left = _left_in($_->{dir}); my $dir = $_->{dir};
        $_ = as_plain($_, $dir) for values %$left; $left } $plain, $got;
    if (defined $varies) { s/$varies//g for values %$want, values %$have }
    my @differ = grep { ($want->{$_} // 'nothing') ne ($have->{$_} // 'nothing') } sort keys %{ { %$want, %$have } };
    return Test::More::ok(!@differ, "$name: leaves the same files") || Test::More::diag(join "\n", @differ);
}

# Whether perl has that module; notes it if it is missing.
sub optional_module {
    my ($module, $package) = @_;
    return 1 if system($^X, '-e', "exit !eval 'require $module'") == 0;
    Test::More::diag("not tested: $module is missing" . (defined $package ? " (Debian: $package)" : ''));
    return 0;
}

1;
