package Command;

# Starts commands for the tests, by a small process that each test keeps for it: see test/programs/spawn.c.
#
#   my $job = Command::start([$program, @arguments], stdin => $bytes);
#   waitpid $job->{pid}, 0;
#   my $got = Command::result($job, $?);    # { status, signal, out, err }

use strict;
use warnings;

use File::Spec ();
use Memcheck;
use TestFiles qw(build_dir scratch_dir slurp spew);

my ($dir, $none);    # of the files that commands read and write, and an empty one
my $n_started = 0;
my %spawner;         # its pipes: to, from; and whose child it is: of

# A process of its own, for each process that starts commands: what it starts are its parent's children.
sub _spawner {
    return \%spawner if ($spawner{of} // 0) == $$;
    my $program = build_dir() . '/test/spawn';
    die "$program is not there: make prove-programs\n" if !-x $program;
    pipe my $requests, my $to or die "pipe: $!\n";
    pipe my $from, my $answers or die "pipe: $!\n";
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0) {
        open STDIN, '<&', $requests and open STDOUT, '>&', $answers and exec $program;
        print STDERR "$program: $!\n";
        require POSIX;
        POSIX::_exit(127);
    }
    %spawner = (of => $$, to => $to, from => $from);
    return \%spawner;
}

# The bytes of a string as exec() takes them.
sub _bytes {
    my ($string) = @_;
    utf8::encode($string) if utf8::is_utf8($string);
    return "$string\0";
}

# Starts a command without a shell, in a process group of its own. Options: stdin (bytes; default none), env (a hash;
# undef removes), dir, ours (run it under memcheck even if neither the command nor env shows that it is of this build).
# Its pid is that of a child of this process, also if the command cannot be executed: then it says so and ends with 127.
sub start {
    my ($command, %options) = @_;
    my %env      = %{ $options{env} // {} };
    my $memcheck = Memcheck->new($command, \%env, $options{ours});
    ($command, %env) = ($memcheck->command, %{ $memcheck->env }) if $memcheck;
    %env = (%ENV, %env);
    if (!defined $dir) {
        $dir  = scratch_dir();
        $none = spew("$dir/none", '');
    }
    my ($in, $out, $err) = map { "$dir/$_.$$." . $n_started } qw(in out err);
    $n_started++;
    defined $options{stdin} ? spew($in, $options{stdin}) : ($in = $none);
    my $request = join '', map { _bytes($_) } File::Spec->rel2abs($options{dir} // '.'), $in, $out, $err,
        scalar @$command, @$command,
        map { "$_=$env{$_}" } grep { defined $env{$_} } sort keys %env;
    my $spawner = _spawner();
    my $answer;
    syswrite $spawner->{to}, pack('L/a*', $request);
    die "spawn: no answer\n" if (sysread($spawner->{from}, $answer, 4) // 0) != 4;
    my $pid = unpack 'l', $answer;
    die "@$command: cannot be started: ", do { local $! = -$pid; $! }, "\n" if $pid < 0;
    return { pid => $pid, out => $out, err => $err, memcheck => $memcheck };
}

# What became of a command that has ended with this status of waitpid(): { status, signal, out, err }. status is undef
# when a signal ended it.
sub result {
    my ($job, $ended) = @_;
    $job->{memcheck}->finish if $job->{memcheck};
    my %got = (signal => $ended & 127, out => slurp($job->{out}), err => slurp($job->{err}));
    $got{status} = $got{signal} ? undef : $ended >> 8;
    unlink @$job{qw(out err)};
    return \%got;
}

1;
