#include "calls/arc_waits.h"

#include "base/str.h"
#include "events/levels.h"
#include "model/grow.h"

#include <stddef.h>
#include <string.h>

typedef struct arc_wait {
    uint32_t caller, callee, line; /* line 0: not known */
    nytp_sub_wait wait;
} arc_wait;

/* Calls that have returned, and whose caller is not known yet. */
typedef struct level {
    uint32_t depth;
    GArray *calls; /* arc_wait; NULL if none waited */
} level;

struct nytp_arc_waits {
    nytp_names *names;
    nytp_events *events;
    nytp_levels levels;
    nytp_records arcs; /* arc_wait */
};

static void clear_level(void *of)
{
    level *l = of;
    g_clear_pointer(&l->calls, g_array_unref);
}

nytp_arc_waits *nytp_arc_waits_new(nytp_names *names)
{
    nytp_arc_waits *w = g_new0(nytp_arc_waits, 1);
    w->names = names;
    w->levels = nytp_levels_new(sizeof(level), clear_level);
    nytp_records_init(&w->arcs, sizeof(arc_wait), offsetof(arc_wait, line) + sizeof(uint32_t));
    return w;
}

void nytp_arc_waits_free(nytp_arc_waits *waits)
{
    if (waits == NULL)
        return;
    nytp_levels_free(&waits->levels);
    nytp_records_clear(&waits->arcs);
    g_free(waits);
}

static void join(void *into, const void *record)
{
    nytp_sub_wait_add(&((arc_wait *)into)->wait, ((const arc_wait *)record)->wait);
}

static void add_calls(nytp_arc_waits *w, const GArray *calls, uint32_t caller)
{
    for (guint i = 0; calls != NULL && i < calls->len; i++) {
        arc_wait arc = g_array_index(calls, arc_wait, i);
        arc.caller = caller;
        nytp_records_add(&w->arcs, &arc, join);
    }
}

void nytp_arc_waits_add(nytp_arc_waits *w, const nytp_call_event *call, nytp_sub_wait own)
{
    level callees = {0};
    nytp_levels_leave(&w->levels, call->depth, &callees, sizeof callees);
    add_calls(w, callees.calls, call->sub);
    clear_level(&callees);
    if (!(own.asleep_s + own.queued_s > 0))
        return;
    level *here = nytp_levels_at(&w->levels, call->depth);
    const arc_wait arc = {.callee = call->sub, .line = call->line, .wait = own};
    if (here->calls == NULL)
        here->calls = NYTP_ARRAY(arc_wait);
    g_array_append_val(here->calls, arc);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_arc_waits *w = sink;
    if (!nytp_measure_is_bytes(nytp_events_measure(w->events)))
        nytp_arc_waits_add(w, call, nytp_sub_wait_of(call->waited.own, nytp_events_ticks_per_sec(w->events)));
}

/* Calls that wait for a caller get none. */
static void end_calls(void *sink)
{
    const nytp_str outside = nytp_str_of(NYTP_RUNTIME);
    nytp_arc_waits *w = sink;
    for (const level *l; (l = nytp_levels_last(&w->levels)) != NULL; nytp_levels_forget_last(&w->levels))
        add_calls(w, l->calls, nytp_names_intern(w->names, &outside, NULL));
}

void nytp_arc_waits_take(nytp_arc_waits *waits, nytp_events *events)
{
    static const nytp_sink type = {.on_process = end_calls,
                                   .on_call = on_call,
                                   .on_end_profile = end_calls,
                                   .needs_line = true,
                                   .needs_waited = true};
    waits->events = events;
    nytp_events_add_sink(events, &type, waits);
}

/* Those of subs that the profile does not have are the same one. */
static void set_subs(nytp_arc_waits *w, const uint32_t *subs)
{
    nytp_records moved;
    nytp_records_init(&moved, sizeof(arc_wait), w->arcs.key_size);
    NYTP_EACH_RECORD(const arc_wait, from, &w->arcs) {
        arc_wait arc = *from;
        arc.caller = subs[arc.caller];
        arc.callee = subs[arc.callee];
        nytp_records_add(&moved, &arc, join);
    }
    nytp_records_clear(&w->arcs);
    w->arcs = moved;
}

void nytp_arc_waits_by_sub(nytp_arc_waits *waits, const nytp_profile *profile)
{
    const uint32_t count = nytp_names_count(waits->names);
    g_autofree uint32_t *subs = g_new(uint32_t, (size_t)count + 1);
    nytp_sub sub;
    memset(subs, 0xff, ((size_t)count + 1) * sizeof *subs);
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        const int64_t name = nytp_names_find(waits->names, &sub.name);
        if (name >= 0)
            subs[name] = i;
    }
    set_subs(waits, subs);
}

static void move(void *context, void *record)
{
    const uint32_t *moved = context;
    arc_wait *arc = record;
    arc->caller = arc->caller != UINT32_MAX ? moved[arc->caller] : UINT32_MAX;
    arc->callee = arc->callee != UINT32_MAX ? moved[arc->callee] : UINT32_MAX;
}

void nytp_arc_waits_move(nytp_arc_waits *waits, const uint32_t *moved)
{
    nytp_records_change(&waits->arcs, move, (void *)(uintptr_t)moved, join);
}

/* Takes at most *left_s of what is left of it. */
static double take(double *of_s, double *left_s)
{
    const double taken_s = CLAMP(*left_s, 0, *of_s);
    *of_s -= taken_s;
    *left_s -= taken_s;
    return taken_s;
}

nytp_sub_wait nytp_arc_waits_of(nytp_arc_waits *waits, const nytp_arc *arc, double excl_s)
{
    nytp_sub_wait sum = {0};
    const uint32_t lines[] = {arc->line, 0};
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        const arc_wait key = {.caller = arc->caller, .callee = arc->callee, .line = lines[i]};
        arc_wait *found = nytp_records_find(&waits->arcs, &key);
        if (found == NULL)
            continue;
        sum.asleep_s += take(&found->wait.asleep_s, &excl_s);
        sum.queued_s += take(&found->wait.queued_s, &excl_s);
    }
    return sum;
}
