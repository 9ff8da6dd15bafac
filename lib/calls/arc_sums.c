#include "calls/arc_sums.h"

#include "base/str.h"
#include "events/levels.h"
#include "model/grow.h"
#include "model/subs.h"

#include <stddef.h>

typedef struct arc_sum {
    uint32_t caller, callee, line; /* line 0: not known */
    nytp_own_sum own;
} arc_sum;

/* Calls that have returned, and whose caller is not known yet. */
typedef struct level {
    uint32_t depth;
    GArray *calls; /* arc_sum; NULL if there are none */
} level;

struct nytp_arc_sums {
    nytp_names *names;
    nytp_events *events;
    nytp_levels levels;
    nytp_records arcs; /* arc_sum */
};

static void clear_level(void *of)
{
    level *l = of;
    g_clear_pointer(&l->calls, g_array_unref);
}

nytp_arc_sums *nytp_arc_sums_new(nytp_names *names)
{
    nytp_arc_sums *w = g_new0(nytp_arc_sums, 1);
    w->names = names;
    w->levels = nytp_levels_new(sizeof(level), clear_level);
    nytp_records_init(&w->arcs, sizeof(arc_sum), offsetof(arc_sum, line) + sizeof(uint32_t));
    return w;
}

void nytp_arc_sums_free(nytp_arc_sums *sums)
{
    if (sums == NULL)
        return;
    nytp_levels_free(&sums->levels);
    nytp_records_clear(&sums->arcs);
    g_free(sums);
}

static void join(void *into, const void *record)
{
    nytp_own_sum *sum = &((arc_sum *)into)->own;
    const nytp_own_sum *more = &((const arc_sum *)record)->own;
    nytp_sub_wait_add(&sum->waited, more->waited);
    sum->samples += more->samples;
    sum->variance += more->variance;
}

static void add_calls(nytp_arc_sums *w, const GArray *calls, uint32_t caller)
{
    for (guint i = 0; calls != NULL && i < calls->len; i++) {
        arc_sum arc = g_array_index(calls, arc_sum, i);
        arc.caller = caller;
        nytp_records_add(&w->arcs, &arc, join);
    }
}

void nytp_arc_sums_add(nytp_arc_sums *w, const nytp_call_event *call, const nytp_own_sum *own)
{
    level callees = {0};
    nytp_levels_leave(&w->levels, call->depth, &callees, sizeof callees);
    add_calls(w, callees.calls, call->sub);
    clear_level(&callees);
    if (!(own->waited.asleep_s + own->waited.queued_s + own->samples > 0))
        return;
    level *here = nytp_levels_at(&w->levels, call->depth);
    const arc_sum arc = {.callee = call->sub, .line = call->line, .own = *own};
    if (here->calls == NULL)
        here->calls = NYTP_ARRAY(arc_sum);
    g_array_append_val(here->calls, arc);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_arc_sums *w = sink;
    const nytp_own_sum own = {.waited =
                                  nytp_sub_wait_of(call->waited.own, nytp_events_ticks_per_sec(w->events))};
    if (!nytp_measure_is_bytes(nytp_events_measure(w->events)))
        nytp_arc_sums_add(w, call, &own);
}

/* Calls that wait for a caller get none. */
static void end_calls(void *sink)
{
    const nytp_str outside = nytp_str_of(NYTP_RUNTIME);
    nytp_arc_sums *w = sink;
    for (const level *l; (l = nytp_levels_last(&w->levels)) != NULL; nytp_levels_forget_last(&w->levels))
        add_calls(w, l->calls, nytp_names_intern(w->names, &outside, NULL));
}

void nytp_arc_sums_take(nytp_arc_sums *sums, nytp_events *events)
{
    static const nytp_sink type = {.on_process = end_calls,
                                   .on_call = on_call,
                                   .on_end_profile = end_calls,
                                   .needs_line = true,
                                   .needs_waited = true};
    sums->events = events;
    nytp_events_add_sink(events, &type, sums);
}

static void move(void *context, void *record)
{
    const uint32_t *moved = context;
    arc_sum *arc = record;
    arc->caller = arc->caller != UINT32_MAX ? moved[arc->caller] : UINT32_MAX;
    arc->callee = arc->callee != UINT32_MAX ? moved[arc->callee] : UINT32_MAX;
}

void nytp_arc_sums_move(nytp_arc_sums *sums, const uint32_t *moved)
{
    nytp_records_change(&sums->arcs, move, (void *)(uintptr_t)moved, join);
}

/* Those of subs that the profile does not have are the same one. */
void nytp_arc_sums_by_sub(nytp_arc_sums *sums, const nytp_profile *profile)
{
    g_autofree uint32_t *subs = nytp_subs_of_names(profile, sums->names);
    nytp_arc_sums_move(sums, subs);
}

/* Takes at most *left_s of what is left of it. */
static double take(double *of_s, double *left_s)
{
    const double taken_s = CLAMP(*left_s, 0, *of_s);
    *of_s -= taken_s;
    *left_s -= taken_s;
    return taken_s;
}

nytp_own_sum nytp_arc_sums_of(nytp_arc_sums *sums, const nytp_arc *arc, double excl_s)
{
    nytp_own_sum sum = {0};
    const uint32_t lines[] = {arc->line, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        const arc_sum key = {.caller = arc->caller, .callee = arc->callee, .line = lines[i]};
        arc_sum *found = nytp_records_find(&sums->arcs, &key);
        if (found == NULL)
            continue;
        sum.waited.asleep_s += take(&found->own.waited.asleep_s, &excl_s);
        sum.waited.queued_s += take(&found->own.waited.queued_s, &excl_s);
        sum.samples += found->own.samples;
        sum.variance += found->own.variance;
        found->own.samples = 0;
        found->own.variance = 0;
    }
    return sum;
}
