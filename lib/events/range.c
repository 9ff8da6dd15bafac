/* --range=FROM..TO: leaves out what did not happen in a stretch of time. */
#include "events/within.h"

#include <math.h>

typedef struct range_filter {
    nytp_within within;
    nytp_stretch stretch;
    bool lacks_date;  /* the stretch is of a time of day, which the profile has not */
    guint processes;  /* of the profile that have begun, */
    guint undated;    /* and of them those that do not say when */
    bool lacks_clock; /* in a profile, only some processes or none of several say that */
    bool is_late;     /* a process began before the first one */
} range_filter;

static void find_ends(nytp_within *within)
{
    range_filter *f = (range_filter *)within;
    double s[2];
    f->processes = within->is_first ? 1 : f->processes + 1;
    f->undated = (within->is_first ? 0 : f->undated) + !nytp_is_date(within->begin_s + within->start_s);
    f->lacks_clock |= f->processes > 1 && f->undated > 0;
    f->is_late |= within->start_s < 0;
    f->lacks_date |= !nytp_stretch_since(&f->stretch, within->begin_s, &s[0], &s[1]);
    if (s[1] <= within->start_s || s[1] < s[0])
        return;
    for (int i = 0; i < 2; i++) {
        const double since_s = s[i] - within->start_s;
        const double ticks = since_s > 0 ? rint(since_s * within->ticks_per_sec) : -INFINITY;
        const nytp_instant instant = {ticks, 0};
        g_array_append_val(within->ends, ticks);
        g_array_append_val(within->instants, instant);
    }
}

static char *missing(const nytp_within *within)
{
    const range_filter *f = (const range_filter *)within;
    if (f->lacks_date)
        return g_strdup_printf("no time of day, as in %s", f->stretch.text);
    g_autoptr(GDateTime) begin =
        nytp_stretch_needs_day(&f->stretch) ? g_date_time_new_from_unix_local((gint64)within->begin_s) : NULL;
    g_autofree char *at = begin != NULL ? g_date_time_format(begin, " at %F %T") : NULL;
    return g_strdup_printf("nothing in %s: it ends %.3f s after its begin%s", f->stretch.text, within->end_s,
                           at != NULL ? at : "");
}

static char *wrong(const nytp_within *within)
{
    const range_filter *f = (const range_filter *)within;
    if (f->lacks_clock)
        return g_strdup("has several processes without a common clock: choose one with --process=PID "
                        "(nytp-tree --processes lists them)");
    return f->is_late ? g_strdup("has a process that began before its first one: to be read with --range, it "
                                 "must be a file")
                      : NULL;
}

nytp_filter *nytp_filter_range_new(const nytp_filter_options *options)
{
    static const nytp_within_type type = {
        .find_ends = find_ends, .is_by_time = true, .missing = missing, .wrong = wrong};
    if (!nytp_stretch_is_given(&options->range))
        return NULL;
    range_filter *f = g_new0(range_filter, 1);
    f->stretch = options->range;
    f->within.given_begin_s = options->begin_s;
    return nytp_within_init(&f->within, &type);
}
