package NYTProf::Span::Future;

use strict;
use warnings;

use NYTProf::Span;

# Future asks this method about each callback that it is given, also of `await`. Without the profiler, or without Future,
# nothing is done.
if (defined &DB::begin_span && eval { require Future } && (my $original = Future->can('wrap_cb'))) {
    no warnings qw(once redefine); # `perl -c` sees one use
    *Future::wrap_cb = sub {
        my ($self, @arguments) = @_;
        return NYTProf::Span->wrap($self->$original(@arguments));
    };
}

1;

__END__

=head1 NAME

NYTProf::Span::Future - callbacks of futures, and what follows an await, belong to the request

=head1 SYNOPSIS

    use NYTProf::Span::Future;                                    # in the program, once
    use Future::AsyncAwait;

    async sub answer {
        my $request = NYTProf::Span->start("GET /users/:id");     # NYTProf::Span
        my $user = await find_user();
        await send_page($user);                                   # goes on in the request
        $request->end;
    }

=head1 DESCRIPTION

A callback that is passed to a L<Future> while a part of a request runs (L<NYTProf::Span>) runs as a part of that request: with C<then>,
C<on_ready> and the like, and in an C<async> sub of L<Future::AsyncAwait> what follows an C<await>. The module replaces
C<Future::wrap_cb>; classes that have a C<wrap_cb> of their own are left as they are.

Without the profiler, the module does nothing.

=head1 SEE ALSO

L<NYTProf::Span>, L<Devel::NYTProf>

=cut
