package NYTProf::Span::Plack;

use strict;
use warnings;

use NYTProf::Span;

# What Plack::Builder and Plack::Middleware need; without depending on Plack.
sub new {
    my ($class, %option) = @_;
    return bless {%option}, $class;
}

# A response that is sent later is a part of the request, which goes on until nothing can send it any more.
sub wrap {
    my (undef, $app) = @_;
    return $app if !defined &DB::begin_span;
    return sub {
        my ($env)    = @_;
        my $request  = NYTProf::Span->start(_name($env));
        my $response = $app->($env);
        name_span($env->{'nytprof.route'}) if defined $env->{'nytprof.route'};
        return $response if ref $response ne 'CODE';
        return $request->wrap(sub { my ($send) = @_; return $response->($request->wrap($send)) });
    };
}

sub _name {
    my ($env) = @_;
    return $env->{'nytprof.route'} // "$env->{REQUEST_METHOD} " . NYTProf::Span::route_of_path($env->{PATH_INFO} // '');
}

1;

__END__

=head1 NAME

NYTProf::Span::Plack - a span for each request of a Plack application

=head1 SYNOPSIS

    use Plack::Builder;
    builder {
        enable '+NYTProf::Span::Plack';
        $app;
    };

    $env->{'nytprof.route'} = 'GET /users/:id';    # in the application: a better name

=head1 DESCRIPTION

Each request is a span (L<NYTProf::Span>) with its method and path, such as C<GET /users/*>. C<*> stands for parts of the path that are
numbers, that look like keys, or that have more than 40 characters, so that all users of a page are one span. Queries are not recorded.

An application that knows its route sets C<nytprof.route> in the environment.

A request lasts up to its response or, if that is a callback, as for streaming and under servers with an event loop such as Twiggy, to the
first bytes of it, however late they are sent. That is its latency. What sends the response is a part of the request. Callbacks that run
before are if they are passed through C<< NYTProf::Span->wrap >>.

Without the profiler, the application is returned as it is.

=head1 SEE ALSO

L<NYTProf::Span>, L<Devel::NYTProf>

=cut
