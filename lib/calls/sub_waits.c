#include "calls/sub_waits.h"

#include "model/grow.h"

struct nytp_sub_waits {
    nytp_names *names;
    nytp_events *events;
    GArray *of; /* nytp_sub_wait, by number of the name */
    bool are_known, are_by_names;
};

nytp_sub_waits *nytp_sub_waits_new(nytp_names *names)
{
    nytp_sub_waits *w = g_new0(nytp_sub_waits, 1);
    w->names = names;
    w->of = NYTP_ZEROED_ARRAY(nytp_sub_wait);
    return w;
}

void nytp_sub_waits_free(nytp_sub_waits *waits)
{
    if (waits == NULL)
        return;
    g_array_unref(waits->of);
    g_free(waits);
}

static void add(GArray *to, uint32_t sub, nytp_sub_wait more)
{
    nytp_sub_wait_add(&g_array_index(to, nytp_sub_wait, sub), more);
}

static void on_call(void *sink, const nytp_call_event *call)
{
    nytp_sub_waits *w = sink;
    const nytp_waited own = call->waited.own;
    w->are_known = true;
    w->are_by_names |= !nytp_events_measure_waits(w->events);
    if (!(nytp_waited_ticks(own) > 0))
        return;
    if (call->sub >= w->of->len)
        g_array_set_size(w->of, nytp_names_count(w->names));
    add(w->of, call->sub, nytp_sub_wait_of(own, nytp_events_ticks_per_sec(w->events)));
}

void nytp_sub_waits_take(nytp_sub_waits *waits, nytp_events *events)
{
    static const nytp_sink type = {.on_call = on_call, .needs_waited = true};
    waits->events = events;
    nytp_events_add_sink(events, &type, waits);
}

bool nytp_sub_waits_are_known(const nytp_sub_waits *waits)
{
    return waits->are_known;
}

bool nytp_sub_waits_are_measured(const nytp_sub_waits *waits)
{
    return waits->are_known && !waits->are_by_names;
}

uint32_t nytp_sub_waits_count(const nytp_sub_waits *waits)
{
    return waits->of->len;
}

nytp_sub_wait nytp_sub_waits_of(const nytp_sub_waits *waits, uint32_t name)
{
    return name < waits->of->len ? g_array_index(waits->of, nytp_sub_wait, name) : (nytp_sub_wait){0};
}

static GArray *none_waited(const nytp_profile *profile)
{
    GArray *all = NYTP_ZEROED_ARRAY(nytp_sub_wait);
    return g_array_set_size(all, (guint)nytp_profile_sub_count(profile));
}

GArray *nytp_sub_waits_by_sub(const nytp_sub_waits *waits, const nytp_profile *profile)
{
    GArray *all = none_waited(profile);
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(profile, i, &sub); i++) {
        const int64_t raw = nytp_names_find(waits->names, &sub.name);
        if (raw >= 0)
            add(all, i, nytp_sub_waits_of(waits, (uint32_t)raw));
    }
    return all;
}

GArray *nytp_sub_waits_moved(GArray *by_sub, const nytp_profile *profile, const uint32_t *moved)
{
    GArray *all = none_waited(profile);
    for (guint i = 0; i < by_sub->len; i++)
        add(all, moved[i], g_array_index(by_sub, nytp_sub_wait, i));
    g_array_unref(by_sub);
    return all;
}
