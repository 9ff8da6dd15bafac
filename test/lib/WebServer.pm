package WebServer;

# Servers for tests of the collector: start one, send many requests, stop it.
#
#   my $server = WebServer->start([command], port => WebServer::free_port(), dir => $dir, env => \%env);
#   my %answers = $server->ask('/site?n=3', 1000, 4);    # four clients; { text => how often }
#   $server->signal('HUP');
#   my $got = $server->stop('TERM');                     # as CollectorRun::finish()

use strict;
use warnings;

use CollectorRun ();
use IO::Socket::INET;
use NYTPTest qw(patience run until_true);
use Storable ();

my $PATIENCE_S = patience(60);

# A port that is free at the moment; another process can take it.
sub free_port {
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die "no port: $@\n";
    return $socket->sockport;
}

# Returns when the server answers, or undef, with the reason in $@, if it ends before.
sub start {
    my ($class, $command, %options) = @_;
    my $self = bless { port => delete $options{port}, job => CollectorRun::start($command, %options) }, $class;
    until_true(sub { !$self->runs || defined $self->get('/') });
    return $self if $self->runs;
    my $got = CollectorRun::finish(delete $self->{job});
    $@ = "$got->{out}$got->{err}";
    return;
}

sub runs { my ($self) = @_; return kill(0, $self->{job}{pid}) && !$self->ended }

# Does not wait for it, so that finish() still can.
sub ended {
    my ($self) = @_;
    open my $stat, '<', "/proc/$self->{job}{pid}/stat" or return 1;
    return scalar(readline $stat) =~ /\) Z/;
}

# Waits until no process of the server runs: the worker of the last answer may still do what it does after a request.
sub rest {
    my ($self) = @_;
    my $runs = sub {
        my ($pid) = @_;
        open my $stat, '<', "/proc/$pid/stat" or return 0;
        return (readline($stat) // '') =~ /\) R/;
    };
    until_true(sub { !grep { $runs->($_) } $self->{job}{pid}, $self->_descendants($self->{job}{pid}) })
        or die "the server does not rest\n";
    return;
}

sub _descendants {
    my ($self, $pid) = @_;
    my @children = map { split ' ', run(['cat', $_])->{out} } glob "/proc/$pid/task/*/children";
    return map { ($_, $self->_descendants($_)) } @children;
}

# The server's answer to one request; undef if it is incomplete.
sub get {
    my ($self, $path) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port}, Timeout => $PATIENCE_S)
        or return;
    print {$socket} "GET $path HTTP/1.0\r\nHost: localhost\r\n\r\n";
    local $/;
    my ($head, $body) = split /\r\n\r\n/, readline($socket) // '', 2;
    return defined $head && $head =~ m{^HTTP/1\.\d (\d+)} ? ($1 == 200 ? $body : "status $1\n") : undef;
}

# Sends so many requests from so many clients, each on a connection of its own.
sub ask {
    my ($self, $path, $count, $clients) = @_;
    my @pipes = map { $self->_client($path, int(($count + $_) / $clients)) } 0 .. $clients - 1;
    my %answers;
    for my $pipe (@pipes) {
        my $got = Storable::fd_retrieve($pipe);
        $answers{$_} += $got->{$_} for keys %$got;
        close $pipe;
    }
    return %answers;
}

sub _client {
    my ($self, $path, $count) = @_;
    my $pid = open(my $pipe, '-|') // die "fork: $!\n";
    return $pipe if $pid;
    my %answers;
    $answers{ $self->get($path) // 'none' }++ for 1 .. $count;
    Storable::store_fd(\%answers, \*STDOUT);
    close STDOUT;
    POSIX::_exit(0);
}

sub signal {
    my ($self, $name) = @_;
    return kill $name => $self->{job}{pid};
}

sub stop {
    my ($self, $name) = @_;
    $self->signal($name);
    return CollectorRun::finish(delete $self->{job});
}

# If the test died.
sub DESTROY {
    my ($self) = @_;
    $self->stop('TERM') if $self->{job};
    return;
}

1;
