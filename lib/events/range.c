/* --range=FROM..TO: leaves out what did not happen in a stretch of time. */
#include "events/within.h"

#include <math.h>

typedef struct range_filter {
    nytp_within within;
    nytp_stretch stretch;
    bool lacks_date; /* the stretch is of a time of day, which the profile has not */
} range_filter;

static void find_ends(nytp_within *within, GArray *ends)
{
    range_filter *f = (range_filter *)within;
    double s[2];
    f->lacks_date |= !nytp_stretch_since(&f->stretch, within->begin_s, &s[0], &s[1]);
    if (s[1] <= within->start_s || s[1] < s[0])
        return;
    for (int i = 0; i < 2; i++) {
        const double since_s = s[i] - within->start_s;
        const double ticks = since_s > 0 ? rint(since_s * within->ticks_per_sec) : -INFINITY;
        g_array_append_val(ends, ticks);
    }
}

static char *missing(const nytp_within *within)
{
    const range_filter *f = (const range_filter *)within;
    return f->lacks_date ? g_strdup_printf("no time of day, as in %s", f->stretch.text)
                         : g_strdup_printf("nothing in %s: it ends %.3f s after its begin", f->stretch.text,
                                           within->end_s);
}

nytp_filter *nytp_filter_range_new(const nytp_filter_options *options)
{
    static const nytp_within_type type = {.find_ends = find_ends, .missing = missing};
    if (options->range.from.kind == NYTP_NO_MOMENT && options->range.to.kind == NYTP_NO_MOMENT)
        return NULL;
    range_filter *f = g_new0(range_filter, 1);
    f->stretch = options->range;
    return nytp_within_init(&f->within, &type);
}
