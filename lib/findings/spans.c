#include "findings/finder.h"

#include "base/labels.h"
#include "calls/stacktree.h"
#include "export/amount.h"

/* What the walk needs of each span, by number of the profile's sub. */
typedef struct walk {
    const nytp_finder *f;
    double *incl_ticks; /* of outermost calls; ticks of the tree */
    uint64_t *calls;
    nytp_path path; /* of those that are spans */
} walk;

static uint32_t span_of(const walk *w, nytp_str name)
{
    nytp_label label;
    return nytp_sub_label(w->f->profile, name, &label) && label.kind == NYTP_LABEL_SPAN
               ? nytp_found_number(w->f, name)
               : UINT32_MAX;
}

static bool add_call(void *context, const nytp_call *call)
{
    walk *w = context;
    const uint32_t span = span_of(w, call->name);
    if (nytp_path_enter(&w->path, call->depth, span))
        w->incl_ticks[span] += call->incl_ticks;
    if (span != UINT32_MAX)
        w->calls[span] += call->calls;
    return true;
}

static void report(nytp_finder *f, const walk *w, uint32_t number, double scale)
{
    const double least_share = 0.5;
    const double incl_ticks = w->incl_ticks[number] * scale;
    const double ticks = nytp_found_work(f, number, incl_ticks);
    nytp_sub sub;
    nytp_label label;
    if (w->calls[number] == 0 || ticks < least_share * f->work_ticks)
        return;
    nytp_profile_sub(f->profile, number, &sub);
    nytp_sub_label(f->profile, sub.name, &label);
    g_autofree char *text = nytp_found_name(f, label.text);
    const nytp_found_place place = {text, number, 0, 0};
    const double count = (double)w->calls[number];
    nytp_amount runs = nytp_amount_of(count, "time");
    if (nytp_measure_is_sampled(&f->measure))
        nytp_find(f, NYTP_FOUND_SPAN, ticks, place, "takes most of the work");
    else
        nytp_find(f, NYTP_FOUND_SPAN, ticks, place, "ran %s, %s each", count == 1 ? "once" : runs.text,
                  nytp_amount_measured(&f->measure, incl_ticks / f->measure.ticks_per_base / count).text);
}

/* If there is only one span, everybody knows that it takes the work. */
bool nytp_find_heavy_spans(nytp_finder *f, nytp_calltree *stacks)
{
    const double much = 0.2;
    const size_t count = nytp_profile_sub_count(f->profile);
    walk w = {f, g_new0(double, count + 1), g_new0(uint64_t, count + 1), nytp_path_new(count)};
    nytp_calltree_walk(stacks, add_call, &w);
    size_t spans = 0;
    for (size_t i = 0; i < count; i++)
        spans += w.incl_ticks[i] > 0;
    const double scale = f->measure.ticks_per_base / nytp_calltree_ticks_per_sec(stacks);
    double work = 0;
    for (uint32_t i = 0; i < count; i++)
        work += nytp_found_work(f, i, w.incl_ticks[i] * scale);
    for (uint32_t i = 0; i < count && spans > 1; i++)
        report(f, &w, i, scale);
    nytp_path_clear(&w.path);
    g_free(w.calls);
    g_free(w.incl_ticks);
    return work > much * f->work_ticks;
}
