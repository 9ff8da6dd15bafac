# Perl programs that wait at known places, and what nytp-record makes of them.

package Sampled;

use strict;
use warnings;

use Exporter qw(import);
use IO::Handle;
use IPC::Open2 qw(open2);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run slurp until_true);
use POSIX ();

our @EXPORT_OK = qw(dump_of folded_of frames_of may_sample recorder recording sampled_perl start wait_for_sleep without_losses);

# The perl whose programs are sampled: NYTP_OTHER_PERL names one that a table is there for, say one without threads.
sub sampled_perl { return $ENV{NYTP_OTHER_PERL} // $^X }

sub recorder { return build_dir() . '/bin/nytp-record' }

# Whether this system lets one process read another: nytp-record's message if not. qemu-user does not.
sub may_sample {
    return 'only on Linux' if $^O ne 'linux';
    my $child = start($^X, '-e', '$| = 1; print "ready\n"; sleep 100');
    my $got   = dump_of($child->{pid});
    $child->{end}->();
    return $got->{status} == 0 || $got->{err} !~ /not permitted|this system cannot read/ ? undef : $got->{err};
}

# A program that has said that it is ready may still be in the print() that said so. Waits until it reads.
sub wait_for_sleep {
    my ($pid) = @_;
    until_true(sub { slurp("/proc/$pid/stat") =~ /\) S / }) or die "$pid does not wait\n";
    return;
}

# What was started and not waited for. If the test dies, it is ended: it has the test's standard output, which would
# stay open.
my %running;
END { kill KILL => map { _family($_) } keys %running }

# A process and its descendants.
sub _family {
    my ($pid) = @_;
    open my $children, '<', "/proc/$pid/task/$pid/children" or return $pid;
    return ($pid, map { _family($_) } split ' ', readline($children) // '');
}

sub _wait_for { my ($pid) = @_; waitpid $pid, 0; delete $running{$pid}; return $? }

# Starts a program that says "ready" and waits, or "busy" and goes on, and reads what it says before. { pid, said, go,
# end }: go has it go on, end ends it and its children.
sub start {
    my @command = @_;
    my $pid     = open2(my $from, my $to, @command);
    $running{$pid} = 1;
    my (@said, $is_ready, $goes_on);
    binmode $from, ':utf8';
    while (defined(my $line = readline $from)) {
        chomp $line;
        last if ($is_ready = $line eq 'ready') || ($goes_on = $line eq 'busy');
        push @said, $line;
    }
    die "@command: ended\n" if !$is_ready && !$goes_on;
    $to->autoflush;
    wait_for_sleep($pid) if $is_ready;
    my $wait = sub { return _wait_for($pid) };
    return {
        pid  => $pid,
        said => \@said,
        from => $from,
        go   => sub { print {$to} 'x'; return },
        wait => $wait,
        end  => sub { kill KILL => _family($pid); return $wait->() },
    };
}

# Starts a recorder in the background, with these arguments and a file, and returns when the file has what is wanted:
# stacks that match a pattern, or what a sub says of the pid; default: some stack with time. Options: until (that), env.
# { pid, file, err, end }: end waits, and returns what waitpid says; err returns what was said.
sub recording {
    my ($file, $arguments, %options) = @_;
    my $until = $options{until} // qr/ [1-9]\d*$/m;
    unlink glob "$file*";
    my $pid = fork // die;
    if ($pid == 0) {
        @ENV{ keys %{ $options{env} // {} } } = values %{ $options{env} // {} };
        open STDERR, '>', "$file-err" or die;
        exec recorder(), '-o', $file, @$arguments or POSIX::_exit(127);
    }
    my $holds = ref $until eq 'CODE' ? $until : sub { folded_of($file) =~ $until };
    $running{$pid} = 1;
    my $ended = 0;
    my $has   = until_true(sub {
        kill USR1 => $pid if -e $file;    # it has the file hold what readers need
        return -e $file && $holds->($pid) || ($ended = waitpid($pid, POSIX::WNOHANG()) == $pid);
    });
    my $said = sub { return slurp("$file-err") };
    die "nytp-record @$arguments: not $until, but ", -e $file ? folded_of($file) : 'no file', ': ', $said->()
        if !$has || $ended;
    return { pid => $pid, file => $file, err => $said, end => sub { return _wait_for($pid) } };
}

# What it says, but for samples that a busy machine took too late.
sub without_losses { my ($said) = @_; return $said =~ s/^nytp-record: (?:lost, because|the program ran for|not sampled:) .*\n//gmr }

sub folded_of { my ($file) = @_; return run([build_dir() . '/bin/nytprofcalls', $file])->{out} }

sub dump_of { my ($pid, @options) = @_; return run([recorder(), '--dump', '-p', $pid, @options]) }

# The frames that --dump --json shows, innermost first, each as NAME<TAB>FILE<TAB>LINE where line is that of its
# call, as start()'s programs say them. Built-ins are left out, unless $keep.
sub frames_of {
    my ($pid, $keep, @options) = @_;
    my $got = dump_of($pid, '--json', @options);
    return "$got->{err}" if $got->{status} != 0;
    my @frames = @{ decode_json($got->{out})->{frames} };
    my %named  = ('eval string' => '(string)', 'eval block' => '(block)', require => '(require)');
    my @lines;
    for my $n (0 .. $#frames - 1) {
        my ($frame, $caller) = @frames[$n, $n + 1];
        next if $frame->{kind} eq 'builtin' && !$keep;
        my $name = $frame->{name} // $named{ $frame->{kind} };
        push @lines, join "\t", $name =~ s/\[.*\]\z//r, $caller->{file}, $caller->{line};
    }
    return @lines;
}

1;
