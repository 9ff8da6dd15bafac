package NYTProf::Span::OpenTelemetry;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(trace_span);

# Without the profiler, or without OpenTelemetry, nothing is done.
my $is_on = defined &DB::on_span && eval { require OpenTelemetry::Trace };

# The ids of OpenTelemetry's current span. Those of none are all 0.
sub _ids {
    my $context = OpenTelemetry::Trace->span_from_context->context;
    return ($context->hex_trace_id, $context->hex_span_id);
}

{
    no warnings 'once'; # `perl -c` sees no user
    *trace_span = $is_on ? sub { DB::trace_span(_ids()); return } : sub { return };
}
DB::on_span(\&_ids) if $is_on;

# A thread has a profile of its own.
sub CLONE { DB::on_span(\&_ids) if $is_on; return }

1;

__END__

=head1 NAME

NYTProf::Span::OpenTelemetry - gives spans the ids of OpenTelemetry's current span

=head1 SYNOPSIS

    use NYTProf::Span::OpenTelemetry;                 # in the program, once: all spans get ids
    use NYTProf::Span;

    my $span = span("GET /users/:id");                # the ids that are current now

    use NYTProf::Span::OpenTelemetry qw(trace_span);
    trace_span();                                     # the innermost open span gets those that are current now

=head1 DESCRIPTION

A span of the profiler (L<NYTProf::Span>) that begins while a span of L<OpenTelemetry> is current belongs to its trace: the profile has the id
of the trace, 32 hexadecimal digits, and that of the span, 16. This holds for each span, also those of L<NYTProf::Span::Plack> and
L<NYTProf::Span::Mojolicious>. If OpenTelemetry's span begins within that of the profiler, call C<trace_span()> after it has begun.

=over

=item nytp-trace

Spans have the arguments C<trace_id> and C<span_id>.

=item nytp-pprof

Samples have the labels C<trace_id> and C<span_id>, those of the innermost span that has any.

=item nytprofhtml

C<--trace-url=https://jaeger.example/trace/{trace_id}> links each request of the view I<Requests> to the trace of its longest call, if that has
ids. C<{span_id}> is replaced, too.

=back

Without the profiler, or if there is no OpenTelemetry, nothing is done, and C<trace_span()> returns an empty list.

The module calls C<< OpenTelemetry::Trace->span_from_context->context >>, and C<hex_trace_id()> and C<hex_span_id()> of that, as each span
begins. These calls are in the profile, within the span. If one of them dies, perl warns where warnings are on, and the span has no ids.

=head1 LIMITS

nytp-trace and nytp-pprof show the ids of the first 20,000 spans that have any. Each span with ids is a call tree of its own in nytp-pprof's file,
which is larger for it.

A span that is open when a profile of another file begins has no ids from there on. With C<calls=0> no span has ids.

The tests call a stub with these methods, since Debian has no package of OpenTelemetry. It was tried by hand with version 0.036 of the
modules OpenTelemetry::Trace and OpenTelemetry::Context, without an SDK.

=head1 SEE ALSO

L<NYTProf::Span>, L<Devel::NYTProf>, L<OpenTelemetry::Trace>

=cut
