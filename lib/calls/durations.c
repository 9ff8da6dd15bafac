/* Which call of a sub was the first is found without knowing when calls began. When a call returns, all that
 * has returned since at a greater depth, without a call at its own depth or less in between, was within it.
 * So first calls stand on a stack of depths: those of a level are within the call that returns next at a
 * lesser depth. If it is of the same sub, it began before.
 */
#include "calls/durations.h"

#include "base/labels.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

#define REQUEST UINT32_MAX /* in place of a depth: it is in no call, and none is in it */

/* The first call of a sub in this process. */
typedef struct first_call {
    uint64_t number; /* first calls are counted from 1; 0 if it has none yet */
    double ticks;
    double longest_before; /* first call of the sub in the processes before */
} first_call;

typedef struct first_depth {
    uint32_t depth;
    uint64_t
        from; /* number of the first of the first calls of this level; the last is before the next level */
} first_depth;

nytp_durations *nytp_durations_new(nytp_names *names)
{
    nytp_durations *d = g_new0(nytp_durations, 1);
    d->names = names;
    d->firsts = NYTP_ZEROED_ARRAY(first_call);
    d->first_depths = NYTP_ARRAY(first_depth);
    d->around = NYTP_ARRAY(uint32_t);
    d->least_depth = UINT32_MAX;
    d->scale = 1;
    return d;
}

static first_call *first_of(const nytp_durations *d, guint sub)
{
    return &g_array_index(d->firsts, first_call, sub);
}

void nytp_durations_free(nytp_durations *durations)
{
    if (durations == NULL)
        return;
    for (size_t i = 0; i < durations->count; i++)
        nytp_distribution_clear(&durations->of[i]);
    free(durations->of);
    g_array_free(durations->firsts, TRUE);
    g_array_free(durations->first_depths, TRUE);
    g_array_free(durations->around, TRUE);
    g_free(durations);
}

static const enum nytp_distribution_parts parts_of_spans = NYTP_64_PARTS, parts_of_others = NYTP_16_PARTS;

static void learn_subs(nytp_durations *d)
{
    const uint32_t count = nytp_names_count(d->names);
    d->of = nytp_grown(d->of, &d->capacity, count, sizeof *d->of);
    g_array_set_size(d->firsts, count);
    for (; d->count < count; d->count++) {
        const nytp_str name = nytp_names_get(d->names, (uint32_t)d->count);
        nytp_label label;
        const bool is_span = nytp_labels_split(NULL, name, &label);
        nytp_distribution_init(&d->of[d->count], is_span ? parts_of_spans : parts_of_others);
    }
}

static void on_process(void *sink)
{
    nytp_durations *d = sink;
    const double rate = nytp_events_ticks_per_sec(d->events);
    if (d->ticks_per_sec == 0)
        d->ticks_per_sec = rate;
    d->scale = d->ticks_per_sec / rate;
    for (guint i = 0; i < d->count; i++) {
        nytp_distribution_forget_recent(&d->of[i]);
        *first_of(d, i) = (first_call){.longest_before = d->of[i].first_ticks};
    }
    g_array_set_size(d->first_depths, 0);
    g_array_set_size(d->around, 0);
    d->least_depth = UINT32_MAX;
    d->first_count = d->deepest = 0;
}

/* Returns the number of the first of the first calls that were within a call that returns at this depth;
 * UINT64_MAX if none was. They are then all of one level. */
static uint64_t first_within(nytp_durations *d, uint32_t depth)
{
    uint64_t from = UINT64_MAX;
    guint count = d->first_depths->len;
    for (; count > 0 && g_array_index(d->first_depths, first_depth, count - 1).depth > depth; count--)
        from = g_array_index(d->first_depths, first_depth, count - 1).from;
    g_array_set_size(d->first_depths, count);
    return from;
}

/* Puts first calls from this number on into the level of that depth, unless they are there. */
static void push_depth(nytp_durations *d, uint32_t depth, uint64_t from)
{
    const guint count = d->first_depths->len;
    const first_depth new = {depth, from};
    if (count == 0 || g_array_index(d->first_depths, first_depth, count - 1).depth < depth)
        g_array_append_val(d->first_depths, new);
}

/* All calls that have returned so far are within one that returns at a lesser depth, until another returns
 * at that depth or more. */
static void note_around(nytp_durations *d, uint32_t sub, uint32_t depth)
{
    if (depth < d->least_depth) {
        d->least_depth = depth;
        if (!d->of[sub].is_around)
            g_array_append_val(d->around, sub);
        d->of[sub].is_around = true;
        return;
    }
    NYTP_EACH(const uint32_t, number, d->around)
        d->of[*number].is_around = false;
    g_array_set_size(d->around, 0);
}

static uint32_t deepest_first(const nytp_durations *d)
{
    const guint count = d->first_depths->len;
    return count > 0 ? g_array_index(d->first_depths, first_depth, count - 1).depth : 0;
}

static void note_first(nytp_durations *d, uint32_t sub, uint32_t depth, double ticks)
{
    const uint64_t within = first_within(d, depth);
    nytp_distribution *distribution = &d->of[sub];
    first_call *first = first_of(d, sub);
    const bool is_new = first->number == 0;
    if (within != UINT64_MAX)
        push_depth(d, depth, within);
    if (!is_new && first->number < within)
        return;
    if (is_new) {
        first->number = ++d->first_count;
        distribution->first_count++;
        push_depth(d, depth, first->number);
    }
    distribution->sum_first_ticks += ticks - first->ticks;
    distribution->first_ticks = fmax(first->longest_before, ticks);
    first->ticks = ticks;
}

void nytp_durations_add_elsewhere(nytp_durations *durations, uint32_t sub, uint32_t depth, double ticks)
{
    if (sub >= durations->count)
        learn_subs(durations);
    ticks = fmax(ticks * durations->scale, 0); /* NaN becomes 0 */
    if (depth < durations->deepest || first_of(durations, sub)->number == 0) {
        note_first(durations, sub, depth, ticks);
        if (depth != REQUEST)
            note_around(durations, sub, depth);
        durations->deepest = durations->around->len > 0 ? UINT32_MAX : deepest_first(durations);
    }
    nytp_distribution_add(&durations->of[sub], ticks);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_durations *d = sink;
    if (call->count == 0 || call->request != 0 || nytp_events_is_sampled(d->events))
        return;
    if (call->sub >= d->count)
        learn_subs(d);
    const bool is_span = d->of[call->sub].parts == parts_of_spans;
    nytp_durations_add(d, call->sub, call->depth,
                       is_span ? nytp_call_latency_ticks(call) : call->earlier_ticks + call->incl_ticks);
}

static void on_request(void *sink, const nytp_request *request)
{
    if (request->has_ended && request->is_run)
        nytp_durations_add(sink, request->sub, REQUEST, request->end_ticks - request->begin_ticks);
}

void nytp_durations_take(nytp_durations *durations, nytp_events *events)
{
    static const nytp_sink sink = {
        .on_process = on_process, .on_call = on_call, .on_request = on_request, .needs_clock = true};
    durations->events = events;
    nytp_events_add_sink(events, &sink, durations);
}

double nytp_durations_ticks_per_sec(const nytp_durations *durations)
{
    return durations->ticks_per_sec > 0 ? durations->ticks_per_sec : NYTP_USUAL_TICKS_PER_SEC;
}

const nytp_distribution *nytp_durations_of(const nytp_durations *durations, uint32_t sub)
{
    return sub < durations->count && !nytp_distribution_is_empty(&durations->of[sub]) ? &durations->of[sub]
                                                                                      : NULL;
}

nytp_sub_durations nytp_durations_by_sub(const nytp_durations *durations, const nytp_profile *profile)
{
    GArray *all = nytp_distributions_new((guint)nytp_profile_sub_count(profile));
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        const int64_t raw = nytp_names_find(durations->names, &sub.name); /* names stay those of calls */
        const nytp_distribution *from = raw >= 0 ? nytp_durations_of(durations, (uint32_t)raw) : NULL;
        if (from != NULL)
            nytp_distribution_add_all(&g_array_index(all, nytp_distribution, i), from);
    }
    return (nytp_sub_durations){all, nytp_durations_ticks_per_sec(durations)};
}

void nytp_sub_durations_move(nytp_sub_durations *durations, const nytp_profile *profile,
                             const uint32_t *moved)
{
    GArray *all = nytp_distributions_new((guint)nytp_profile_sub_count(profile));
    for (uint32_t i = 0; i < durations->of->len; i++)
        nytp_distribution_add_all(&g_array_index(all, nytp_distribution, moved[i]),
                                  nytp_sub_durations_of(durations, i));
    g_array_unref(durations->of);
    durations->of = all;
}

nytp_sub_durations nytp_durations_merge_evals(const nytp_durations *durations, nytp_profile *profile)
{
    nytp_sub_durations of = nytp_durations_by_sub(durations, profile);
    g_autofree uint32_t *moved = nytp_profile_move_evals(profile);
    if (moved != NULL)
        nytp_sub_durations_move(&of, profile, moved);
    return of;
}

void nytp_sub_durations_clear(nytp_sub_durations *durations)
{
    g_clear_pointer(&durations->of, g_array_unref);
}
