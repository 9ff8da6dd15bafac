package ProfileServer;

# Stands for Grafana Pyroscope and Parca: checks what is sent to them as their code does, and says what is wrong in its
# answer.
#
#   my $server = ProfileServer->start(dir => $dir);
#   run(['curl', '--fail', '--data-binary', '@p.pb.gz', $server->url . '/ingest?name=shop&format=pprof']);
#   my @profiles = $server->accepted;    # { service => 'shop', types => [...], stacks => { 'main::f;main::g' => ns } }
#   $server->refuse(429, 2);             # from now on: Retry-After is 2 s; refuse() accepts again
#   my @refused = $server->refused;      # [status, time, path and query] of requests since the last time
#
# Facts: grafana/pyroscope of August 2026, pkg/ingester/pyroscope/ingest_handler.go, pkg/og/convert/pprof/profile.go,
# api/model/labelset/validate.go, pkg/validation/validate.go with the limits of limits.go, pkg/model/pprofsplit;
# parca-dev/parca of July 2026, pkg/normalizer/normalizer.go and validate.go, and pkg/server/server.go.

use strict;
use warnings;

use Encode ();
use Exports qw(pprof_profile);
use Fcntl qw(LOCK_EX);
use IO::Socket::INET;
use JSON::PP ();
use MIME::Base64 qw(decode_base64);
use NYTPTest qw(slurp spew);
use POSIX ();
use Time::HiRes ();

my $json = JSON::PP->new->utf8->canonical;

# Options: dir, where it keeps what it accepts, and the last body as it came; port, else any; refuses, as refuse().
sub start {
    my ($class, %options) = @_;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5, ReuseAddr => 1,
        LocalPort => $options{port} // 0) or die "no port: $@\n";
    my $self = bless { port => $socket->sockport, log => "$options{dir}/accepted", owner => $$,
        refusal => "$options{dir}/refusal", refused => "$options{dir}/refused",
        body => "$options{dir}/body" }, $class;
    $self->refuse(@{ $options{refuses} // [] });
    $self->{pid} = fork // die "fork: $!\n";
    return $self if $self->{pid};
    while (my $client = $socket->accept) {
        $self->_answer($client);
    }
    POSIX::_exit(0);
}

sub url { my ($self) = @_; return "http://127.0.0.1:$self->{port}" }

# What was accepted since the last time.
sub accepted {
    my ($self) = @_;
    return map { $json->decode($_) } _take_lines($self->{log});
}

sub refuse {
    my ($self, @status) = @_;
    unlink $self->{refusal} if !@status;
    spew("$self->{refusal}.new", "@status") && rename "$self->{refusal}.new", $self->{refusal} if @status;
    return;
}

sub refused {
    my ($self) = @_;
    return map { [split / /] } _take_lines($self->{refused});
}

sub stop { my ($self) = @_; $self->DESTROY; delete $self->{pid}; return }

sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{pid};
    local ($?, $!);
    kill KILL => $self->{pid};
    waitpid $self->{pid}, 0;
    return;
}

# Both hold a lock, so that no line is written between reading the file and emptying it.
sub _take_lines {
    my ($path) = @_;
    open my $in, '+<', $path or return;
    flock $in, LOCK_EX or die "$path: $!\n";
    my @lines = readline $in;
    truncate $in, 0 or die "$path: $!\n";
    close $in or die "$path: $!\n";
    chomp @lines;
    return @lines;
}

sub _log {
    my ($path, $line) = @_;
    open my $out, '>>', $path or die "$path: $!\n";
    flock $out, LOCK_EX or die "$path: $!\n";
    print $out "$line\n";
    close $out or die "$path: $!\n";
    return;
}

# The status and further headers of an answer, and its text.
sub _judge {
    my ($self, $request, $head, $body) = @_;
    if (-e $self->{refusal}) {
        my ($status, $retry_s) = split / /, slurp($self->{refusal});
        _log($self->{refused}, join ' ', $status, Time::HiRes::time(), (split / /, $request)[1]);
        return ($status, defined $retry_s ? "Retry-After: $retry_s\r\n" : '', "not now\n");
    }
    my $taken = eval { _take($request, $head, $body) } or return (400, '', $@);
    spew($self->{body}, $body);
    _log($self->{log}, $json->encode($taken));
    return (200, '', '');
}

sub _answer {
    my ($self, $client) = @_;
    my ($request, %head) = (readline($client) // return);
    while (defined(my $line = readline $client)) {
        last if $line !~ /^([^:]+):\s*(.*?)\r?\n/;
        $head{ lc $1 } = $2;
    }
    print $client "HTTP/1.1 100 Continue\r\n\r\n" if ($head{expect} // '') =~ /100-continue/i;
    read $client, my $body, $head{'content-length'} // 0;
    my ($status, $more, $text) = $self->_judge($request, \%head, $body);
    print $client "HTTP/1.1 $status OK\r\nConnection: close\r\n${more}Content-Length: ", length $text,
        "\r\n\r\n$text";
    close $client or return;
    return;
}

sub _take {
    my ($request, $head, $body) = @_;
    my ($method, $path, $text) = $request =~ m{^(\w+) ([^ ?]*)\??(\S*) HTTP/1} or die "not HTTP\n";
    die "$method $path\n" if $method ne 'POST';
    my %query = map { map { s/\+/ /gr =~ s/%(..)/chr hex $1/ger } /^([^=]*)=?(.*)/s } split /&/, $text;
    return _pyroscope(\%query, $head->{'content-type'} // '', $body) if $path eq '/ingest';
    return _parca($body) if $path eq '/api/profiles/writeraw';
    die "there is nothing at $path\n";
}

# ---- Pyroscope ----

# "shop{env=prod,zone=a}": the name of the service, and labels: there are neither quotes nor escapes.
sub _service {
    my ($name) = @_;
    my ($service, $labels) = $name =~ /^\s*([^{]*?)\s*(?:\{(.*)\})?$/s or die "name: it is not a set of labels\n";
    die "name: a service is needed\n" if $service eq '';
    die "name: '$service' has characters that are not allowed\n" if $service !~ m{^[\w./-]+$}a;
    my %labels;
    for my $pair (split /,/, $labels // '') {
        my ($key, $value) = $pair =~ /^\s*([^=]*?)\s*=\s*(.*?)\s*$/s or die "name: '$pair' is not a label\n";
        die "name: '$key' is not the name of a label\n" if $key !~ /^[\w.]+$/a;
        $labels{$key} = $value;
    }
    return ($service, \%labels);
}

# Forms are read only if the query names no format.
sub _pprof_of {
    my ($format, $type, $body) = @_;
    return $body if $format eq 'pprof';
    die "format '$format' is not pprof, and the body is not a form\n"
        if $format ne '' || $type !~ m{multipart/form-data};
    my ($boundary) = $type =~ /boundary=("?)([^";]+)\1/ ? $2 : die "a form without a boundary\n";
    my ($profile) = $body =~
        /--\Q$boundary\E\r\n(?:[^\r]+\r\n)*?Content-Disposition: form-data; name="profile"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--\Q$boundary\E/s or die "the form has no field 'profile'\n";
    return $profile;
}

my %LIMIT = (bytes => 4 << 20, samples => 16_000, symbol => 65_535, label_name => 1024, label_value => 2048,
    labels => 30, older_s => 3600, newer_s => 600);

sub _pyroscope {
    my ($query, $type, $body) = @_;
    my ($service, $labels) = _service($query->{name} // '');
    my $p = pprof_profile(_pprof_of($query->{format} // '', $type, $body));
    die "the profile has $p->{bytes} bytes\n" if $p->{bytes} > $LIMIT{bytes};
    die "it has no types\n" if !@{ $p->{types} };
    die "it has too many samples\n" if @{ $p->{samples} } > $LIMIT{samples};
    my $at = $p->{time_ns} / 1e9;
    die 'it is ' . int(time - $at) . " s old\n"
        if $at > 0 && ($at < time - $LIMIT{older_s} || $at > time + $LIMIT{newer_s});
    for my $string (@{ $p->{strings} }) {
        die "a string is not UTF-8\n" if !eval { Encode::decode('UTF-8', my $copy = $string, Encode::FB_CROAK); 1 };
    }
    die "a type has a -\n" if grep { /-/ } map { $_->[0] } @{ $p->{types} };
    for my $sample (@{ $p->{samples} }) {
        die "a sample has other values than there are types\n" if @{ $sample->{values} } != @{ $p->{types} };
        # Labels with text become labels of the series.
        my %labels = map { defined $_->[1] ? ($_->[0] => $_->[1]) : () } @{ $sample->{labels} };
        die "too many labels\n" if keys %labels > $LIMIT{labels} - 4;
        for my $name (keys %labels) {
            die "'$name' is not the name of a label\n"
                if $name !~ /^[a-zA-Z_.][\w.]*$/a || length $name > $LIMIT{label_name};
            die "the value of $name is too long\n" if length $labels{$name} > $LIMIT{label_value};
        }
    }
    return { service => $service, labels => $labels, query => $query, count => _sum($p, 1),
        time_s => $at, _shown($p) };
}

sub _sum {
    my ($p, $value) = @_;
    my $sum = 0;
    $sum += $_->{values}[$value] // 0 for @{ $p->{samples} };
    return $sum;
}

# The first type, and its stacks: what a program shows that knows no default.
sub _shown {
    my ($p) = @_;
    my %stacks;
    $stacks{ join ';', @{ $_->{stack} } } += $_->{values}[0] for @{ $p->{samples} };
    delete @stacks{ grep { !$stacks{$_} } keys %stacks };
    return (types => [map { join ' ', @$_ } @{ $p->{types} }], stacks => \%stacks);
}

# ---- Parca ----

sub _parca {
    my ($body) = @_;
    my @series = @{ $json->decode($body)->{series} // [] } or die "no series\n";
    my @taken;
    for my $series (@series) {
        my %labels;
        for my $label (@{ $series->{labels}{labels} // [] }) {
            my ($name, $value) = @$label{qw(name value)};
            die "'$name' is not the name of a label\n" if $name !~ /^[a-zA-Z_]\w*$/a;
            die "two labels $name\n" if exists $labels{$name};
            $labels{$name} = $value;
        }
        die "__name__ is missing\n" if ($labels{__name__} // '') eq '';
        push @taken, map { { service => $labels{__name__},
            _shown(pprof_profile(decode_base64($_->{rawProfile}))) } } @{ $series->{samples} };
    }
    die "no sample\n" if !@taken;
    return $taken[0];
}

1;
