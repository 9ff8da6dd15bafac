package NYTProf::Span::Mojolicious;

use Mojo::Base 'Mojolicious::Plugin';

use NYTProf::Span;

sub register {
    my ($self, $app) = @_;
    return if !defined &DB::begin_span;
    _wrap_callbacks();
    $app->hook(around_dispatch => \&_dispatch);
    $app->hook(around_action   => \&_name);
    return;
}

# An app that is mounted has the stash of the outer one.
sub _dispatch {
    my ($next, $c) = @_;
    return $next->() if $c->stash->{'nytprof.span'}++;
    my ($name, $tx) = ($c->req->method . ' ?', $c->tx);
    if ($tx->is_websocket) {
        my $span = span($name);
        return $next->();
    }
    my $request = NYTProf::Span->start($name);
    $tx->on(finish => sub { $request->end });
    return $next->();
}

sub _name {
    my ($next, $c) = @_;
    my $route = $c->match->endpoint;
    name_span($c->req->method . ' ' . ($route->to_string || '/')) if $route;
    return $next->();
}

# Callbacks run as parts of the request in which they are passed on. These subs of Mojo take them; the numbers are those
# of the arguments that may be one.
my %TAKES_CALLBACKS = (
    'Mojo::Promise'            => { then  => [1, 2] },
    'Mojo::IOLoop'             => { timer => [2], recurring => [2], next_tick => [1] },
    'Mojo::IOLoop::Subprocess' => { run   => [2] },
    'Mojo::UserAgent'          => { start => [2] },
);

sub _wrap_callbacks {
    state $done = 0;
    return if $done++;
    require Mojo::IOLoop;
    require Mojo::UserAgent;
    for my $package (keys %TAKES_CALLBACKS) {
        my $subs = $TAKES_CALLBACKS{$package};
        Mojo::Util::monkey_patch($package, $_ => _wrapping($package, $package->can($_), $subs->{$_})) for keys %$subs;
    }
    return;
}

# What promises themselves pass on to the loop calls callbacks that are wrapped, perhaps of several requests.
sub _wrapping {
    my ($package, $original, $numbers) = @_;
    return sub {
        if ($package eq 'Mojo::Promise' || caller ne 'Mojo::Promise') {
            my @arguments = @_;
            $_ = NYTProf::Span->wrap($_) for grep { ref } @arguments[grep { $_ < @arguments } @$numbers];
            @_ = @arguments;
        }
        goto &$original;
    };
}

1;

__END__

=head1 NAME

NYTProf::Span::Mojolicious - a span for each request of a Mojolicious application

=head1 SYNOPSIS

    $app->plugin('NYTProf::Span::Mojolicious');    # Mojolicious

    plugin 'NYTProf::Span::Mojolicious';           # Mojolicious::Lite

=head1 DESCRIPTION

Each request is a span (L<NYTProf::Span>) with its method and route, such as C<GET /users/:id>. Requests that no route matches are
C<GET ?>.

The span begins when the request is dispatched, and ends when its response was written, or the client has gone. So a route that answers
by a promise has the latency that its client sees. Callbacks that a request passes on run as parts of it: those of promises (also after
an C<await>), of timers, of C<next_tick>, of L<Mojo::UserAgent> and of L<Mojo::IOLoop::Subprocess>. Others, such as those of events, can
be passed through C<< NYTProf::Span->wrap >>.

The span of a WebSocket is its handshake.

Without the profiler, the plugin does nothing.

=head1 SEE ALSO

L<NYTProf::Span>, L<Devel::NYTProf>

=cut
