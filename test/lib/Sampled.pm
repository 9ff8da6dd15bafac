# Perl programs that wait at known places, and what nytp-record makes of them.

package Sampled;

use strict;
use warnings;

use Exporter qw(import);
use IO::Handle;
use IPC::Open2 qw(open2);
use JSON::PP qw(decode_json);
use NYTPTest qw(build_dir run slurp);

our @EXPORT_OK = qw(dump_of frames_of may_sample recorder sampled_perl start wait_for_sleep);

# The perl whose programs are sampled: NYTP_OTHER_PERL names one that a table is there for, say one without threads.
sub sampled_perl { return $ENV{NYTP_OTHER_PERL} // $^X }

sub recorder { return build_dir() . '/bin/nytp-record' }

# Whether this system lets one process read another: a message if not.
sub may_sample {
    return 'only on Linux' if $^O ne 'linux';
    my $child = start($^X, '-e', '$| = 1; print "ready\n"; sleep 100');
    my $got   = dump_of($child->{pid});
    $child->{end}->();
    return $got->{status} == 0 || $got->{err} !~ /not permitted/ ? undef : $got->{err};
}

# A program that has said that it is ready may still be in the print() that said so. Waits until it reads.
sub wait_for_sleep {
    my ($pid) = @_;
    for (1 .. 1000) {
        return if slurp("/proc/$pid/stat") =~ /\) S /;
        select undef, undef, undef, 0.01;
    }
    return;
}

# Starts a program that says "ready" and waits, or "busy" and goes on, and reads what it says before. { pid, said, go, end }:
# go has it go on, end ends it.
sub start {
    my @command = @_;
    my $pid     = open2(my $from, my $to, @command);
    my (@said, $goes_on);
    binmode $from, ':utf8';
    while (defined(my $line = readline $from)) {
        chomp $line;
        last if $line eq 'ready' || ($goes_on = $line eq 'busy');
        push @said, $line;
    }
    $to->autoflush;
    wait_for_sleep($pid) if !$goes_on;
    my $wait = sub { waitpid $pid, 0; return $? };
    return {
        pid  => $pid,
        said => \@said,
        from => $from,
        go   => sub { print {$to} 'x'; return },
        wait => $wait,
        end  => sub { kill KILL => $pid; return $wait->() },
    };
}

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
