/* --span=NAME, --slowest=N: leaves out what is not within the spans that they choose. */
#include "events/spans.h"
#include "events/within.h"

typedef struct span_filter {
    nytp_within within;
    nytp_spans *spans;
    guint process; /* number of the one that begins next */
    uint64_t call; /* number of the call that returns next */
} span_filter;

static void find_ends(nytp_within *within)
{
    span_filter *f = (span_filter *)within;
    nytp_spans_ends(f->spans, f->process++, within->ends, within->instants);
}

static bool has_call(nytp_within *within)
{
    span_filter *f = (span_filter *)within;
    return nytp_spans_have_call(f->spans, f->call++);
}

static bool may_have_eval(const nytp_within *within, uint32_t depth)
{
    const span_filter *f = (const span_filter *)within;
    return nytp_spans_may_have_eval(f->spans, f->call, depth);
}

static char *missing(const nytp_within *within)
{
    return nytp_spans_missing(((const span_filter *)within)->spans);
}

static void clear(nytp_within *within)
{
    nytp_spans_free(((span_filter *)within)->spans);
}

nytp_filter *nytp_filter_span_new(const nytp_filter_options *options)
{
    static const nytp_within_type type = {.find_ends = find_ends,
                                          .missing = missing,
                                          .clear = clear,
                                          .has_call = has_call,
                                          .may_have_eval = may_have_eval};
    if (!nytp_filters_choose_spans(options))
        return NULL;
    span_filter *f = g_new0(span_filter, 1);
    f->spans = options->spans;
    return nytp_within_init(&f->within, &type);
}
