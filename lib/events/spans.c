#include "events/spans.h"

#include <math.h>

void nytp_spans_free(nytp_spans *spans)
{
    if (spans == NULL)
        return;
    g_array_free(spans->all, TRUE);
    g_string_free(spans->others, TRUE);
    g_free(spans);
}

/* Spans that follow one another at once are one interval. */
static void add_interval(GArray *ends, double begin_ticks, double end_ticks)
{
    double *last = ends->len > 0 ? &g_array_index(ends, double, ends->len - 1) : NULL;
    if (last != NULL && begin_ticks <= *last) {
        *last = fmax(*last, end_ticks);
        return;
    }
    g_array_append_val(ends, begin_ticks);
    g_array_append_val(ends, end_ticks);
}

void nytp_spans_ends(const nytp_spans *spans, guint process, GArray *ends)
{
    guint least = 0, most = spans->all->len;
    while (least < most) {
        const guint middle = least + (most - least) / 2;
        if (g_array_index(spans->all, nytp_span, middle).process < process)
            least = middle + 1;
        else
            most = middle;
    }
    for (guint i = least; i < spans->all->len; i++) {
        const nytp_span *s = &g_array_index(spans->all, nytp_span, i);
        if (s->process != process)
            break;
        add_interval(ends, s->begin_ticks, s->begin_ticks + s->ticks);
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

char *nytp_spans_missing(const nytp_spans *spans)
{
    const char *name = spans->name;
    return g_strdup_printf("no span%s%s%s%s%s", name != NULL ? " '" : "", name != NULL ? name : "",
                           name != NULL ? "'" : "", spans->others->len > 0 ? ", but " : "",
                           spans->others->str);
}
