#include "calls/process_times.h"

#include "events/byte_at.h"
#include "model/waits.h"
#include "model/whole.h"

#include <glib.h>

/* Sums of one process, in seconds or, of memory, in bytes. */
typedef struct sums {
    double statements_s, calls_s, waiting_s;
} sums;

enum { UNKNOWN, WAITS, WORKS };

struct nytp_process_times {
    const nytp_names *names;
    nytp_events *events;
    GArray *processes; /* sums */
    GArray *kinds;     /* by sub, a byte: whether it waits */
};

nytp_process_times *nytp_process_times_new(void)
{
    nytp_process_times *t = g_new0(nytp_process_times, 1);
    t->processes = g_array_new(FALSE, TRUE, sizeof(sums));
    t->kinds = g_array_new(FALSE, TRUE, 1);
    return t;
}

void nytp_process_times_free(nytp_process_times *t)
{
    if (t == NULL)
        return;
    g_array_unref(t->processes);
    g_array_unref(t->kinds);
    g_free(t);
}

static void begin_process(void *sink)
{
    nytp_process_times *t = sink;
    g_array_set_size(t->processes, t->processes->len + 1);
}

/* A damaged profile may have calls before the first process. */
static sums *current(nytp_process_times *t)
{
    return t->processes->len > 0 ? &g_array_index(t->processes, sums, t->processes->len - 1) : NULL;
}

static double amount_of(const nytp_process_times *t, double ticks)
{
    return ticks / nytp_events_measure(t->events)->ticks_per_base;
}

static void add_time(void *sink, double ticks)
{
    sums *s = current(sink);
    if (s != NULL)
        s->statements_s += amount_of(sink, ticks);
}

static bool waits(nytp_process_times *t, uint32_t sub)
{
    uint8_t *kind = nytp_byte_at(t->kinds, sub);
    if (*kind == UNKNOWN)
        *kind = nytp_sub_waits(nytp_names_get(t->names, sub)) ? WAITS : WORKS;
    return *kind == WAITS;
}

static void add_call(void *sink, const nytp_call_event *call)
{
    nytp_process_times *t = sink;
    sums *s = current(t);
    if (s == NULL)
        return;
    const double own_s = amount_of(t, call->excl_ticks);
    s->calls_s += own_s;
    if (waits(t, call->sub) && nytp_measure_is_time(nytp_events_measure(t->events)))
        s->waiting_s += own_s;
}

void nytp_process_times_take(nytp_process_times *t, const nytp_names *names, nytp_events *events)
{
    static const nytp_sink type = {
        .on_process = begin_process, .on_call = add_call, .on_time = add_time, .needs_time = true};
    g_array_set_size(t->kinds, 0);
    t->names = names;
    t->events = events;
    nytp_events_add_sink(events, &type, t);
}

nytp_process_time nytp_process_times_get(const nytp_process_times *t, size_t process)
{
    if (process >= t->processes->len)
        return (nytp_process_time){0, 0};
    const sums *s = &g_array_index(t->processes, sums, process);
    const double whole_s = nytp_whole(s->statements_s, s->calls_s);
    return (nytp_process_time){whole_s, MIN(s->waiting_s, whole_s)};
}

const char *nytp_process_end(const nytp_process *process)
{
    return !process->ended ? "no end" : process->is_cut ? "cut" : "ended";
}
