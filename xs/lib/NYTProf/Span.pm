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

=head2 What a span is not

A span is time in Perl calls, not the latency of a request. Code that runs later, in a callback or after a promise is settled, is
not in the span that was open when it was passed on; neither is what runs after the first C<await> that waits. Such code may begin a
span with the same name: times add up, and the calls count parts.

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
