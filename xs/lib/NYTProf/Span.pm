package NYTProf::Span;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT = qw(span name_span);

# Without the profiler, the functions do nothing.
{
    no warnings 'once'; # `perl -c` sees no user
    *span      = defined &DB::begin_span ? \&DB::begin_span : sub { return };
    *name_span = defined &DB::name_span  ? \&DB::name_span  : sub { return };
    *start = defined &DB::start_request    ? \&DB::start_request    : sub { my ($class) = @_; return bless \my $none, $class };
    *end   = defined &DB::end_request      ? \&DB::end_request      : sub { return };
    *wrap  = defined &DB::wrap_for_request ? \&DB::wrap_for_request : sub { return $_[1] };
}

# The path of a URL, with * in the place of what may be a number, a key or a text.
sub route_of_path {
    my ($path) = @_;
    return join '/', map { /\A\d+\z|\A(?=.*\d)[0-9A-Fa-f-]{8,}\z|[@%=&;]|.{41}/s ? '*' : $_ } split m{/}, $path, -1;
}

1;

__END__

=head1 NAME

NYTProf::Span - name a part of a program for the profiler: a request, a job, a step

=head1 SYNOPSIS

    use NYTProf::Span;

    sub handle {
        my ($request) = @_;
        my $span = span("GET /users/:id");    # ends when $span is freed, or when handle() returns
        ...
    }

    my $span = span("job");                   # the name is not known yet
    name_span("job $task");                   # a better name for the innermost open span

    sub answer_later {
        my $request = NYTProf::Span->start("GET /users/:id");    # goes on after the sub has returned
        fetch()->then(NYTProf::Span->wrap(sub { respond(@_); $request->end }));
    }

=head1 DESCRIPTION

Under C<perl -d:NYTProf> a span is a call of C<NYTProf::span NAME>, which all programs that read profiles show: calls that begin within it are
its callees. So a profile of a server says how much time each route took, and in which subs. C<nytp-tree --labels=span> shows a table of
spans. No option must be set.

Without the profiler both functions do nothing, and C<span()> returns an empty list. The module is written in Perl, and can be required
wherever the program runs.

C<span(NAME)> returns a guard. The span ends when the guard is freed, or when the sub that called C<span()> returns, whichever comes first.
If calls that began within the span are still running then, it ends with the outermost of them. A call in void context ends at once.

C<name_span(NAME)> renames the innermost open span. Calls that have returned before are then called from that name in call trees; in sums by
line they keep the name that the span had.

A name is one line of at most C<labellen> bytes. One that is empty, undefined, a reference, tied or overloaded is C<?>: no code of the
program runs to find it. Do not put what differs in each request into names: after C<labelmax> (200) different ones, spans are called
C<(others)>.

=head2 Requests that outlive a call

The time of a span that C<span()> begins is that of a call. Code that runs later, in a callback or after a promise is settled, is not in it.
A request is a span that goes on, and is made of parts:

=over

=item NYTProf::Span->start(NAME)

Begins a request, and returns an object. What follows is its first part, until the sub that called C<start> returns, as with C<span()>.

=item $request->end

Ends the request. It also ends when the object is freed.

=item $request->wrap(CODE), NYTProf::Span->wrap(CODE)

Returns a sub that does what CODE does, and runs as a part of the request whenever it is called before the request ends. As a method of the
class, C<wrap> is of the innermost request of which a part runs; if none does, it returns CODE. Such a sub keeps the object from being freed.
For CODE, caller(), C<wantarray>, C<@_> and exceptions are as without C<wrap>.

=back

All programs that read profiles show one request. Its latency is the time from its begin to its end. Its work and its waiting are those of
its parts; between them, the process did something else. The latency contains what the profiler itself took, as for the client. It counts as a call of the name that its first part had. C<name_span()> within a
part gives that part, later ones and the request another name.

A part within another part of the same request is no part of its own. If a part of one request runs within that of another one, both have its
time. A request belongs to the process and the thread that began it. It ends with its file; if another file begins, the rest of it is in
that one.

L<NYTProf::Span::Mojolicious> does all of this by itself. An C<async> sub of L<Future::AsyncAwait> is in its span up to the first C<await> that
waits. The rest of it is a part of the request under Mojolicious, and elsewhere with L<NYTProf::Span::Future>.

Without the profiler, C<start> returns an object whose C<end> does nothing, and C<wrap> returns CODE.

=head1 EXAMPLES

    # Minion
    $minion->add_task(resize => sub { my ($job, @args) = @_; my $span = span('job resize'); ... });

    # Gearman::Worker
    $worker->register_function(resize => sub { my $span = span('job resize'); ... });

    # CGI, or a script that is started for each request
    my $span = span("$ENV{REQUEST_METHOD} $ENV{SCRIPT_NAME}");

    # mod_perl
    sub handler { my ($r) = @_; my $span = span($r->method . ' ' . $r->location); ... }

L<NYTProf::Span::Plack> and L<NYTProf::Span::Mojolicious> do it for these frameworks. L<NYTProf::Span::OpenTelemetry> gives spans the ids of
traces.

=head1 SEE ALSO

L<Devel::NYTProf>

=cut
