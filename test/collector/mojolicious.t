# NYTProf::Span::Mojolicious: a route that answers by a promise has the latency that its client sees.

use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/../lib";

use CollectorRun qw(need_collector optional_module profiled tool);
use NYTPTest qw(run scratch_dir slurp until_true);
use IO::Select;
use IO::Socket::INET;
use Test::More;
use Time::HiRes qw(time);

need_collector();
plan skip_all => 'needs Mojolicious (libmojolicious-perl)' if !optional_module('Mojolicious', 'libmojolicious-perl');

my $port_file = scratch_dir() . '/port';
my $SERVER    = <<'END';
use Mojolicious::Lite -signatures;
use Mojo::IOLoop;
use Mojo::Promise;
use Mojo::Server::Daemon;
app->log->level('fatal');
plugin 'NYTProf::Span::Mojolicious';
under sub ($c) { return 1 };
sub work { my $x = 0; $x += $_ for 1 .. $_[0]; return $x }
sub timer ($s) { return Mojo::Promise->timer($s) }
get '/plain' => sub ($c) { work(100_000); $c->render(text => 'plain') };
get '/timer' => sub ($c) { $c->render_later; timer(0.3)->then(sub { work(1000); $c->render(text => 'timer') }) };
get '/both'  => sub ($c) {
    $c->render_later;
    my @promises = map { my $s = $_; timer($s)->then(sub { work(1000); return $s }) } 0.1, 0.3;
    return Mojo::Promise->all(@promises)->then(sub (@all) { $c->render(text => join ' ', map { @$_ } @all) });
};
get '/fails' => sub ($c) { $c->render_later; return timer(0.3)->then(sub { die "it fails\n" })->catch(sub ($e) { $c->render(text => $e, status => 500) })->finally(sub { work(10) }) };
get '/never' => sub ($c) { $c->render_later; open my $begun, '>', "$ARGV[0].never"; Mojo::IOLoop->timer(0.05 => sub { work(1000) }); $c->inactivity_timeout(60) };
get '/item/:id' => sub ($c) { $c->render_later; Mojo::IOLoop->next_tick(sub { $c->ua->get('/plain' => sub ($ua, $tx) { $c->render(text => $tx->res->body) }) }) };
websocket '/socket' => sub ($c) { $c->on(message => sub ($c, $m) { $c->send("got $m") }) };
get '/stop'  => sub ($c) { $c->render(text => 'stops'); Mojo::IOLoop->timer(0.05 => sub { Mojo::IOLoop->stop }) };
my $daemon = Mojo::Server::Daemon->new(app => app, listen => ['http://127.0.0.1'], silent => 1)->start;
app->ua->server->url; # starts it, in the same loop
open my $file, '>', "$ARGV[0].new"; print $file $daemon->ports->[0]; close $file; rename "$ARGV[0].new", $ARGV[0];
Mojo::IOLoop->start;
END

my $port;

sub begin_request {
    my ($path) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "connect: $!";
    $socket->print("GET $path HTTP/1.0\r\n\r\n");
    return $socket;
}

# The answer, and how long it took.
sub get {
    my ($path) = @_;
    my $began  = time;
    my $socket = begin_request($path);
    my $text   = do { local $/; <$socket> };
    return [$text =~ /\r\n\r\n(.*)/s, time - $began];
}

my (%seen, @interleaved);
my $TIMER = 0.3;    # of each of these
my @LATE  = qw(/both /fails /timer);

# Asks until the machine has not kept the client waiting: then it sees hardly more than the timer.
sub get_promptly {
    my ($path) = @_;
    for (1 .. 30) {
        my $got = get($path);
        push @{ $seen{$path} }, $got;
        return if $got->[1] < 1.04 * $TIMER;
    }
    return;
}

# Serves as the client, while the server runs.
sub visit {
    my ($pid) = @_;
    until_true(sub { -e $port_file }, $pid);
    $port = slurp($port_file);
    push @{ $seen{$_} }, get($_) for '/plain', '/item/1', '/item/2';
    get_promptly($_) for @LATE;
    my $gone  = begin_request('/never');
    until_true(sub { -e "$port_file.never" }, $pid);    # the server may take those that come together in another order
    my $began = time;
    my %wait  = map { my $socket = begin_request('/timer'); ($socket => $socket) } 1 .. 20;
    my $select = IO::Select->new(values %wait);
    while ($select->count) {
        for my $socket ($select->can_read) {
            next if sysread $socket, my $bytes, 1 << 16;
            push @interleaved, time - $began;
            $select->remove($socket);
        }
    }
    close $gone;
    get('/none');
    get('/stop');
    return;
}

my $got = profiled('ours', ['-e', $SERVER, $port_file], meanwhile => \&visit);
is($got->{err}, '', 'the server says nothing');
is($seen{'/both'}[0][0], '0.1 0.3', 'it answers');
is($seen{'/fails'}[0][0], "it fails\n", '... also that something fails');
my $path = $got->{files}[0];

my ($head, @lines) = split /\r\n/, run([tool('nytprofcsv'), '--table=spans', '-o', '-', $path])->{out};
my %rows;
for my $line (@lines) {
    my %row;
    @row{ split /,/, $head } = split /,/, $line;
    push @{ $rows{ $row{span} } }, \%row;
}
is_deeply({ map { $_ => scalar @{ $rows{$_} } } keys %rows }, {
    'GET /plain' => 3, 'GET /timer' => 20 + @{ $seen{'/timer'} }, (map { ("GET $_" => scalar @{ $seen{$_} }) } '/both', '/fails'), 'GET /item/:id' => 2, 'GET /never' => 1,
    'GET ?' => 1, 'GET /stop' => 1,
}, 'a span for each request') or diag(explain(\%rows));

for my $path (@LATE) {
    my ($best) = sort { $seen{$path}[$a][1] <=> $seen{$path}[$b][1] } 0 .. $#{ $seen{$path} };
    my ($latency, $waited) = ($rows{"GET $path"}[$best]{latency_s}, $seen{$path}[$best][1]);
    cmp_ok(abs(1 - $latency / $waited), '<', 0.05, "$path: the latency is what its client has seen") or diag("$latency, not $waited");
}
is(scalar(grep { $_->{latency_s} < 0.3 } @{ $rows{'GET /timer'} }), 0, 'no timer of 0.3 s is shorter');
my @last  = map { $_->{latency_s} } @{ $rows{'GET /timer'} }[-20 .. -1];
my ($most) = sort { $b <=> $a } @interleaved;
is(scalar(grep { $_ > $most } @last), 0, '20 requests at once: none takes longer than for the client');
is(scalar(grep { $_->{parts} != 2 } @{ $rows{'GET /timer'} }), 0, '... and each has two parts');
cmp_ok($rows{'GET /both'}[0]{parts}, '>=', 4, 'promises in parallel: the two, and what waits for both, are parts');
cmp_ok($rows{'GET /never'}[0]{latency_s}, '>', 0.3, 'a client that goes away: until then');
is($rows{'GET /never'}[0]{parts}, 2, '... with its timer');
my $calls = run([tool('nytprofcalls'), '--calls', '--span=GET /both', '--slowest=1', $path])->{out};
my $works = 0;
/;main::work (\d+)$/ and $works += $1 for split /\n/, $calls;
is($works, 2, 'what the callbacks called is in the span');

done_testing();
