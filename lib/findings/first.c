#include "findings/finder.h"

#include "base/labels.h"
#include "base/str.h"
#include "calls/calltree.h"
#include "export/amount.h"
#include "model/grow.h"
#include "model/waits.h"

/* Where the sub begins. */
static nytp_found_place place_of(uint32_t number, const nytp_sub *sub, const char *subject)
{
    const nytp_range *range = nytp_sub_main_range(sub);
    if (range == NULL || range->first_line == 0)
        return (nytp_found_place){.subject = subject, .sub = number};
    return (nytp_found_place){subject, number, range->fid, range->first_line};
}

/* Few calls prove nothing, nor does one in which a process lives: a forked child goes on in the calls of its
 * parent; nor do first ones if others are like them. */
static bool is_first_long(const nytp_distribution *d)
{
    const uint64_t least_others = 9;
    const double times_longer = 10;
    uint64_t shorter = 0;
    nytp_duration_range range;
    for (uint64_t at = 0; nytp_distribution_next(d, &at, &range);)
        if (times_longer * range.from_ticks < d->first_ticks)
            shorter += range.calls;
    return !d->is_around && shorter >= least_others && shorter + d->first_count >= nytp_distribution_count(d);
}

/* The first call of such a sub has the time of those within it. */
static bool calls_itself(const nytp_finder *f, uint32_t number)
{
    const nytp_arc *arc;
    for (size_t i = 0; (arc = nytp_profile_arc(f->profile, i)) != NULL; i++)
        if (arc->callee == number && arc->max_depth > 0)
            return true;
    return false;
}

/* What the walk finds: subs whose calls wait until there is something to do, or call what does. */
typedef struct idling {
    const nytp_finder *f;
    bool *idles;  /* by number of the profile's sub */
    GArray *path; /* uint32_t: numbers; UINT32_MAX: the profile does not have it */
} idling;

/* Whether an event loop may be made of it; others wait for one thing. */
static bool may_be_loop(nytp_str name)
{
    return nytp_idles_by_name(name) || nytp_str_is(nytp_sub_op(name), "sselect") ||
           nytp_str_is(name, "IO::Poll::_poll");
}

static bool add_call(void *context, const nytp_call *call)
{
    const idling *i = context;
    const nytp_arc arc = {.caller = call->depth > 0 ? g_array_index(i->path, uint32_t, call->depth - 1)
                                                    : UINT32_MAX,
                          .callee = nytp_found_number(i->f, call->name)};
    g_array_set_size(i->path, call->depth);
    g_array_append_val(i->path, arc.callee);
    if (!may_be_loop(call->name) || !nytp_found_idles(i->f, &arc, call->name))
        return true;
    NYTP_EACH(const uint32_t, number, i->path) {
        const uint32_t sub = *number;
        if (sub != UINT32_MAX)
            i->idles[sub] = true;
    }
    return true;
}

/* Returns by sub whether event loops run within its calls; the caller must g_free() it. */
static bool *idling_subs(const nytp_finder *f, nytp_calltree *stacks)
{
    idling i = {f, g_new0(bool, nytp_profile_sub_count(f->profile) + 1), NYTP_ARRAY(uint32_t)};
    if (stacks != NULL)
        nytp_calltree_walk_subs(stacks, add_call, &i);
    g_array_free(i.path, TRUE);
    return i.idles;
}

static void find_first_calls(nytp_finder *f, uint32_t number, const nytp_distribution *d, double rate)
{
    const double scale = f->measure.ticks_per_base / rate;
    nytp_sub sub;
    if (!nytp_profile_sub(f->profile, number, &sub) || nytp_waits_by_name(sub.name) ||
        calls_itself(f, number))
        return;
    const double work = nytp_found_work(f, number, d->sum_first_ticks * scale);
    g_autofree char *name = nytp_found_name(f, sub.name);
    const nytp_amount first = nytp_amount_measured(&f->measure, d->first_ticks / rate),
                      others = nytp_amount_measured(&f->measure, nytp_distribution_get(d, NYTP_P50) / rate);
    const nytp_found_place place = place_of(number, &sub, name);
    if (d->first_count == 1)
        nytp_find(f, NYTP_FOUND_FIRST_CALL, work, place, "takes %s in its first call, and usually %s",
                  first.text, others.text);
    else
        nytp_find(f, NYTP_FOUND_FIRST_CALL, work, place,
                  "takes up to %s in its first call in a process, and usually %s", first.text, others.text);
}

void nytp_find_first_calls(nytp_finder *f, nytp_calltree *stacks, const nytp_sub_durations *durations)
{
    g_autofree bool *idles = idling_subs(f, stacks);
    const double least_share = 0.02; /* what nytp_find() leaves out need not be looked at */
    for (uint32_t i = 0; i < durations->of->len; i++) {
        const nytp_distribution *d = nytp_sub_durations_of(durations, i);
        const double first_s = d->sum_first_ticks / durations->ticks_per_sec;
        if (first_s * f->measure.ticks_per_base >= least_share * f->work_ticks && !idles[i] &&
            is_first_long(d))
            find_first_calls(f, i, d, durations->ticks_per_sec);
    }
}
