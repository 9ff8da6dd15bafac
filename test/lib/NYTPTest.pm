package NYTPTest;

# What the perl tests share: where things are, running commands, and profiles
# of real programs recorded by the stock collector.
#
#   use FindBin;
#   use lib "$FindBin::Bin/lib";
#   use NYTPTest qw(record run build_dir);
#
#   my $path = record('pod2man', ['/usr/bin/pod2man', $pod], calls => 2);
#   my $got  = run([build_dir() . '/bin/nytprofcg', '-f', $path, '-o', '-']);
#   is $got->{status}, 0;

use strict;
use warnings;

use Command;
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
use Fcntl qw(LOCK_EX);
use File::Basename qw(basename dirname);
use File::Glob qw(bsd_glob);
use File::Path qw(make_path remove_tree);
use Test::More ();
use TestFiles qw(top_dir build_dir scratch_dir slurp spew);

our @EXPORT_OK =
    qw(top_dir build_dir clock_library compiler preload scratch_dir slurp spew run fails_cleanly has_ended valgrind fewer patience until_true record
    chunk_tags converters median memory_is_limited sanitized);

# A shell lets programs in the background ignore INT and QUIT, and nohup(1) HUP. Programs that a test runs must not
# inherit that.
@SIG{qw(HUP INT QUIT)} = ('DEFAULT') x 3;

# The compiler of the build, with the same sanitizers.
sub compiler { return split ' ', $ENV{COMPILER} // 'cc' }

# Whether the build has a sanitizer.
sub sanitized { return !!grep { /sanitize/ } compiler() }

# Whether programs run under memcheck, some forty times slower: see Memcheck.pm.
sub valgrind { return !!$ENV{VALGRIND} }

# Whether the system keeps a limit of memory. qemu-user does not: what ends by the limit would take all memory there.
sub memory_is_limited {
    return (run(['prlimit', '--as=' . (100 << 20), $^X, '-e', 'my $x = "x" x (200 << 20)'])->{status} // 1) != 0;
}

# All cases of a list; under memcheck one in so many, and the last one.
sub fewer {
    my ($one_in, @all) = @_;
    return @all if !valgrind();
    my @some = @all[grep { $_ % $one_in == 0 || $_ == $#all } 0 .. $#all];
    Test::More::note('under memcheck ' . @some . ' of ' . @all);
    return @some;
}

sub median { my @n = sort { $a <=> $b } @_; return ($n[$#n / 2] + $n[@n / 2]) / 2 }

# Seconds that something may take, more of them under memcheck, in an emulated machine, or with sanitizers.
sub patience {
    my ($s) = @_;
    return $s * (valgrind() || $ENV{EMULATED} ? 20 : sanitized() ? 4 : 1);
}

# Whether a process has ended, also if nobody has waited for it yet.
sub has_ended { my ($pid) = @_; return (eval { slurp("/proc/$pid/stat") } // '') !~ /\) [^ZX]/ }

# Whether the condition became true within a time that is far more than it needs. With the process that makes it true,
# only as long as that one runs.
sub until_true {
    my ($condition, $pid) = @_;
    my $end = time + patience(600);
    while (time < $end) {
        my $was_last = defined $pid && has_ended($pid);
        return 1 if $condition->();
        return 0 if $was_last;
        select undef, undef, undef, 0.01;
    }
    return 0;
}

# The longest command, a compilation, takes 20 s of processor time, and some minutes beside twenty other processes.
my $LIMIT_S = 1200;

# Waits for a child that has a process group of its own. After so many seconds the group is killed, and the test ends.
# It is also killed if the test is interrupted.
sub wait_for_group {
    my ($pid, $limit_s, $name) = @_;
    my $end = sub { my ($why) = @_; kill KILL => -$pid; waitpid $pid, 0; die "$name: $why\n" };
    local @SIG{qw(INT TERM HUP)} = (sub { $end->("ended by SIG$_[0]") }) x 3;
    local $SIG{ALRM} = sub { $end->("was still running after $limit_s seconds") };
    my $other = alarm $limit_s;
    waitpid $pid, 0;
    my $ended = $?;
    alarm $other;
    return $ended;
}

# Runs a command: see Command.pm; options: its own, and limit_s (seconds; default 1200). Returns { status, signal, out,
# err }; status is undef when a signal ended it.
sub run {
    my ($command, %options) = @_;
    my $job = Command::start($command, %options);
    return Command::result($job, wait_for_group($job->{pid}, patience($options{limit_s} // $LIMIT_S), "@$command"));
}

# The names of our programs that read a profile, the operand FILE, and write a file, -o, as they say themselves.
sub converters {
    my @all = map { basename($_) } glob build_dir() . '/bin/*';
    return grep {
        run([build_dir() . "/bin/$_", '--help'])->{out} =~ /\Ausage: \S+ \[OPTION \.\.\.\] \[?FILE\b/
            && run([build_dir() . "/bin/$_", '--help-values'])->{out} =~ /^-o=/m
    } @all;
}

# Tests that a program fails to write a file as it should: it exits with that status and says so, the old file is
# unchanged, and no temporary file is left.
sub fails_cleanly {
    my ($tool, $name, $status, $message, @arguments) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $dir  = scratch_dir();
    my $kept = spew("$dir/kept", 'as it was');
    my $got  = run([$tool, '-o', $kept, @arguments]);
    Test::More::is($got->{status}, $status, "$name: exit $status");
    Test::More::like($got->{err}, $message, "$name: says so");
    Test::More::is(slurp($kept), 'as it was', "$name: the old output is untouched");
    Test::More::is(join(' ', glob "$dir/.[!.]* $dir/*"), $kept, "$name: nothing lies beside it");
    return;
}

# A library of test/programs that replaces a clock. It needs the sanitizer of the build, unless another compiler is given.
sub clock_library {
    my ($name, @compiler) = @_;
    my $library = scratch_dir() . "/$name.so";
    @compiler = compiler() if !@compiler;
    my $got =
        run([@compiler, '-O2', '-D_GNU_SOURCE', '-shared', '-fPIC', '-o', $library,
            top_dir() . "/test/programs/$name.c", '-ldl']);
    die "$name.c: $got->{err}" if $got->{status} != 0;
    return $library;
}

# The variable LD_PRELOAD, with libraries of ours. The sanitizer must come first.
sub preload { return join ' ', $ENV{PRELOAD} // (), @_ }

# Profiles `perl ARGS` (a script and its arguments, or -e ..., run in the
# directory of the sources) with the stock collector and the given options of
# the NYTPROF variable. Times are those of test/programs/even-clock.c, the same
# in each run. Each name is recorded once and kept under the build directory until
# its arguments change. Returns the path of the profile; in list context all of
# them, for addpid=1 makes several.
sub record {
    my ($name, $arguments, %nytprof) = @_;
    my $recipe = join "\n", @$arguments, (map { "$_=$nytprof{$_}" } sort keys %nytprof), '';
    my $kept   = build_dir() . "/test/profiles/$name-" . substr md5_hex($recipe), 0, 8;
    # Of the tests that run at the same time one records, and the others wait: what a test reads is never replaced.
    make_path(dirname($kept));
    open my $lock, '>>', "$kept.lock" or die "$kept.lock: $!\n";
    flock $lock, LOCK_EX or die "$kept.lock: $!\n";
    if (!-e "$kept/recipe") {
        remove_tree($kept);
        make_path($kept);
        _record_into($kept, $arguments, %nytprof);
        spew("$kept/recipe", $recipe);
    }
    close $lock or die "$kept.lock: $!\n";
    my @paths = sort { $a cmp $b } bsd_glob("$kept/nytprof.out*"); # "sort bsd_glob LIST" would sort by it
    return wantarray ? @paths : $paths[0];
}

sub _record_into {
    my ($dir, $arguments, %nytprof) = @_;
    my %option = (%nytprof, file => "$dir/nytprof.out");
    s/([\\:])/\\$1/g for values %option;
    my %env = (
        NYTPROF        => join(':', map { "$_=$option{$_}" } sort keys %option),
        PERL5LIB       => undef,    # the stock collector, not the one of this build
        PERL5OPT       => undef,
        PERL_HASH_SEED => 0,
        LD_PRELOAD     => $ENV{LD_PRELOAD} // clock_library('even-clock', grep { !/sanitize/ } compiler()),
    );
    require StockModules;
    my ($perl) = StockModules::command();
    my $got = run([$perl, '-d:NYTProf', @$arguments], env => \%env, dir => top_dir());
    my @made = bsd_glob "$dir/nytprof.out*";
    die "no profile of '@$arguments': $got->{err}\n" if !@made;
    return;
}

# The tags of a profile's chunks, in their order, by name; from C.
sub chunk_tags {
    my ($path) = @_;
    return map { (split /\t/)[0] } split /\n/, run([build_dir() . '/test/dump-chunks', $path])->{out};
}

1;
