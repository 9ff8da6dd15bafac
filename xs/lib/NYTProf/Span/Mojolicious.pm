package NYTProf::Span::Mojolicious;

use Mojo::Base 'Mojolicious::Plugin';

use NYTProf::Span;

sub register {
    my ($self, $app) = @_;
    return if !defined &DB::begin_span;
    $app->hook(around_dispatch => sub {
        my ($next, $c) = @_;
        my $span = span($c->req->method . ' ?');
        return $next->();
    });
    $app->hook(around_action => sub {
        my ($next, $c, $action, $last) = @_;
        my $route = $last ? $c->match->endpoint : undef;
        name_span($c->req->method . ' ' . ($route->to_string || '/')) if $route;
        return $next->();
    });
    return;
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
C<GET ?>. Code that runs after a promise is settled, or in a callback, is not in the span.

Without the profiler, the plugin does nothing.

=head1 SEE ALSO

L<NYTProf::Span>, L<Devel::NYTProf>

=cut
