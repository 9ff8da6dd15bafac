package Memcheck;

# With VALGRIND set, everything of this build runs under valgrind's memcheck, and so do its children: programs, also
# in shells, perls that load our modules, programs that a test has compiled. What memcheck finds ends the test. Other
# programs run as always: the stock tools, compilers, and perls without a profiler.
#
#   my $memcheck = Memcheck->new(\@command, \%env);    # undef: not this one
#   ... run $memcheck->command in $memcheck->env ...
#   $memcheck->finish;                                 # dies of what was found

use strict;
use warnings;

use Fcntl qw(O_NONBLOCK O_RDWR);
use File::Temp ();
use POSIX ();
use TestFiles qw(build_dir top_dir);

my ($VALGRIND) = grep { -x } map { "$_/valgrind" } split /:/, $ENV{PATH};    # a command may have another PATH
my $F_SETPIPE_SZ = 1031;
my $LOG_BYTES    = 1 << 20;

# A program of ours is among the arguments, or in a command for a shell, or the environment leads to our programs or
# modules.
sub _is_ours {
    my ($command, $env) = @_;
    my $build = quotemeta build_dir();
    return $command->[0] =~ m{^/(?!bin/|usr/)}
        || grep({ m{(?:^|[\s'"])$build/(?:bin|test)/[\w-]+(?:[\s'"]|\z)} || m{^-I$build/perl5} } @$command)
        || grep({ defined && m{(?:^|[\s:]|-I)$build/(?:bin|lib|perl5)\b} } values %$env);
}

sub new {
    my ($class, $command, $env, $is_ours) = @_;
    return if !$ENV{VALGRIND} || !($is_ours // _is_ours($command, $env));
    # A pipe, because valgrind truncates a file, also when a process execs another program.
    my $dir = File::Temp->newdir('nytp-memcheck-XXXXXX', TMPDIR => 1);
    my $log = "$dir/nytp-memcheck-log";
    POSIX::mkfifo($log, 0600) && sysopen my $pipe, $log, O_RDWR | O_NONBLOCK or die "$log: $!\n";
    fcntl $pipe, $F_SETPIPE_SZ, $LOG_BYTES or die "$log: $!\n";
    # Valgrind's own files are in TMPDIR, wherever the program has its files.
    my %env = (%$env, MEMCHECK_TMPDIR => $env->{TMPDIR}, TMPDIR => undef);
    delete @env{qw(MEMCHECK_TMPDIR TMPDIR)} if !defined $env->{TMPDIR};
    $env{LD_PRELOAD} = join ':', build_dir() . '/test/under-memcheck.so', $env->{LD_PRELOAD} // ();
    my @valgrind = ($VALGRIND // 'valgrind', '--quiet', '--vgdb=no', '--read-inline-info=no', "--log-file=$log",
        '--trace-children=yes', '--trace-children-skip=*/prove',    # a script, whose $^X becomes its own name
        '--sim-hints=lax-ioctls',                         # script(1) uses one that valgrind does not know
        '--soname-synonyms=somalloc=nouserintercepts',    # the fault tests have a malloc() of their own
        '--suppressions=' . top_dir() . '/test/lib/memcheck.supp');
    my @outside = $command->[0] eq 'timeout' ? @$command[0, 1] : ();
    my @inside  = @$command[@outside .. $#$command];
    return bless { command => [@outside, @valgrind, @inside], env => \%env, dir => $dir, pipe => $pipe,
        of => "@$command" }, $class;
}

sub command { return $_[0]{command} }
sub env     { return $_[0]{env} }

sub finish {
    my ($self) = @_;
    my $found = '';
    1 while sysread $self->{pipe}, $found, $LOG_BYTES, length $found;
    # A system call that valgrind does not know fails, as with an old kernel. Lines about reporting that to valgrind follow.
    # Programs with more rights than ours are not run either, which tmux can do without.
    $found =~ s/^--(\d+)-- WARNING: unhandled \S+ syscall: \d+\n(?:--\1-- .*\n)*//mg;
    $found =~ s/^==(\d+)== \n==\1== Warning: Can't execute set\S+ executable: .*\n(?:==\1== .*\n)*//mg;
    die "memcheck of $self->{of}:\n$found" if length $found;
    return;
}

1;
