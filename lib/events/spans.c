#include "events/spans.h"

#include "base/order.h"
#include "events/divide_calls.h"

#include <math.h>

void nytp_spans_free(nytp_spans *spans)
{
    if (spans == NULL)
        return;
    g_array_free(spans->all, TRUE);
    g_array_free(spans->latencies_s, TRUE);
    g_string_free(spans->others, TRUE);
    g_free(spans);
}

/* Spans that follow one another at once are one interval. */
static void add_interval(GArray *ends, GArray *instants, const nytp_span *s)
{
    const double end_ticks = s->begin_ticks + s->ticks;
    const nytp_instant begin = {s->true_begin_ticks, s->depth > 0 ? s->depth - 1 : 0},
                       end = {s->true_begin_ticks + s->true_ticks, begin.depth};
    double *last = ends->len > 0 ? &g_array_index(ends, double, ends->len - 1) : NULL;
    if (last != NULL && s->begin_ticks <= *last) {
        *last = fmax(*last, end_ticks);
        g_array_index(instants, nytp_instant, instants->len - 1) = end;
        return;
    }
    g_array_append_val(ends, s->begin_ticks);
    g_array_append_val(ends, end_ticks);
    g_array_append_val(instants, begin);
    g_array_append_val(instants, end);
}

void nytp_spans_ends(const nytp_spans *spans, guint process, GArray *ends, GArray *instants)
{
    guint i;
    NYTP_SEARCH(i, spans->all->len, g_array_index(spans->all, nytp_span, i).process < process);
    for (; i < spans->all->len; i++) {
        const nytp_span *s = &g_array_index(spans->all, nytp_span, i);
        if (s->process != process)
            break;
        add_interval(ends, instants, s);
    }
}

bool nytp_spans_have_call(nytp_spans *spans, uint64_t call)
{
    while (spans->asked < spans->all->len &&
           g_array_index(spans->all, nytp_span, spans->asked).last_call < call)
        spans->asked++;
    return spans->asked < spans->all->len &&
           g_array_index(spans->all, nytp_span, spans->asked).first_call <= call;
}

bool nytp_spans_may_have_eval(nytp_spans *spans, uint64_t next_call, uint32_t depth)
{
    return nytp_spans_have_call(spans, next_call) &&
           g_array_index(spans->all, nytp_span, spans->asked).depth <= depth;
}

char *nytp_spans_missing(const nytp_spans *spans)
{
    const char *name = spans->name;
    return g_strdup_printf("no span%s%s%s%s%s", name != NULL ? " '" : "", name != NULL ? name : "",
                           name != NULL ? "'" : "", spans->others->len > 0 ? ", but " : "",
                           spans->others->str);
}
