#include "calls/process_times.h"

#include "model/grow.h"
#include "model/whole.h"

#include <glib.h>
#include <math.h>

/* Sums of one process, in seconds or, of memory, in bytes. */
typedef struct sums {
    double statements_s, calls_s;
    double asleep_s, queued_s;
    bool is_measured; /* how long it waited; otherwise it goes by the names of subs, */
    bool is_known;    /* if these say it */
} sums;

/* What says whether names tell how long the processes of a profile waited. */
typedef struct recording {
    guint first; /* process */
    bool has_returns;
    bool lacks_waits; /* subs, or built-ins, were not recorded */
    bool lacks_calls; /* returns were not, or the profile has sums of calls */
} recording;

struct nytp_process_times {
    nytp_events *events;
    GArray *processes; /* sums */
    recording now;
    double profiler_s;
};

nytp_process_times *nytp_process_times_new(void)
{
    nytp_process_times *t = g_new0(nytp_process_times, 1);
    t->processes = NYTP_ZEROED_ARRAY(sums);
    return t;
}

void nytp_process_times_free(nytp_process_times *t)
{
    if (t == NULL)
        return;
    g_array_unref(t->processes);
    g_free(t);
}

static bool is_time(const nytp_process_times *t)
{
    return nytp_measure_is_time(nytp_events_measure(t->events));
}

static void begin_process(void *sink)
{
    const nytp_process_times *t = sink;
    g_array_set_size(t->processes, t->processes->len + 1);
}

static void end_profile(void *sink)
{
    nytp_process_times *t = sink;
    const recording *r = &t->now;
    for (guint i = r->first; i < t->processes->len; i++)
        g_array_index(t->processes, sums, i).is_known =
            !is_time(t) || (!r->lacks_waits && (r->has_returns || !r->lacks_calls));
    t->now = (recording){.first = t->processes->len};
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
    if (s == NULL)
        return;
    s->statements_s += amount_of(sink, ticks);
    s->is_measured = nytp_events_measure_waits(((nytp_process_times *)sink)->events);
}

static void add_call(void *sink, const nytp_call_event *call)
{
    nytp_process_times *t = sink;
    sums *s = current(t);
    if (s == NULL)
        return;
    t->now.has_returns = true;
    s->calls_s += amount_of(t, call->excl_ticks);
    s->is_measured = nytp_events_measure_waits(t->events);
}

static void add_waited(void *sink, nytp_waited waited)
{
    nytp_process_times *t = sink;
    sums *s = current(t);
    if (s == NULL)
        return;
    s->asleep_s += amount_of(t, waited.asleep_ticks);
    s->queued_s += amount_of(t, waited.queued_ticks);
}

static void note_option(recording *r, nytp_str key, nytp_str value)
{
    const bool is_none = nytp_str_is(value, "0");
    r->lacks_waits |= is_none && (nytp_str_is(key, "subs") || nytp_str_is(key, "slowops"));
    r->lacks_calls |= is_none && nytp_str_is(key, "calls");
}

static void on_chunk(void *sink, const nytp_chunk *chunk)
{
    nytp_process_times *t = sink;
    recording *r = &t->now;
    if (chunk->tag == NYTP_OPTION)
        note_option(r, chunk->attribute.key, chunk->attribute.value);
    else if (chunk->tag == NYTP_SUB_CALLERS)
        r->lacks_calls |= chunk->sub_callers.count > 0;
    else if (nytp_str_is(chunk->attribute.key, "cumulative_overhead_ticks") && is_time(t))
        t->profiler_s += fmax(amount_of(t, nytp_str_number(chunk->attribute.value)), 0);
}

void nytp_process_times_take(nytp_process_times *t, nytp_events *events)
{
    static const nytp_sink type = {.on_process = begin_process,
                                   .on_call = add_call,
                                   .on_time = add_time,
                                   .on_chunk = on_chunk,
                                   .on_waited = add_waited,
                                   .on_end_profile = end_profile,
                                   .tags = NYTP_BIT(ATTRIBUTE) | NYTP_BIT(OPTION) | NYTP_BIT(SUB_CALLERS),
                                   .needs_time = true,
                                   .needs_waited = true};
    t->events = events;
    nytp_events_add_sink(events, &type, t);
}

nytp_process_time nytp_process_times_get(const nytp_process_times *t, size_t process)
{
    if (process >= t->processes->len)
        return (nytp_process_time){0};
    const sums *s = &g_array_index(t->processes, sums, process);
    const double whole_s = nytp_whole(s->statements_s, s->calls_s);
    const nytp_waited within = nytp_waited_within((nytp_waited){s->asleep_s, s->queued_s}, whole_s);
    return (nytp_process_time){.whole_s = whole_s,
                               .asleep_s = s->is_measured || s->is_known ? within.asleep_ticks : -1,
                               .queued_s = within.queued_ticks,
                               .is_measured = s->is_measured};
}

nytp_process_time nytp_process_times_sum(const nytp_process_times *t)
{
    nytp_process_time sum = {.is_measured = true};
    for (guint i = 0; i < t->processes->len; i++) {
        const nytp_process_time one = nytp_process_times_get(t, i);
        sum.whole_s += one.whole_s;
        sum.queued_s += one.queued_s;
        sum.is_measured &= one.is_measured || !(one.whole_s > 0);
        sum.asleep_s = sum.asleep_s >= 0 && one.asleep_s >= 0 ? sum.asleep_s + one.asleep_s : -1;
    }
    return sum;
}

double nytp_process_times_profiler_s(const nytp_process_times *t)
{
    return t->profiler_s;
}

double nytp_processes_begin_s(const nytp_profile *profile)
{
    const nytp_process *p;
    double first_s = 0;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        first_s = i == 0 ? p->start_s : MIN(first_s, p->start_s);
    return first_s;
}

bool nytp_processes_lost_any(const nytp_profile *profile)
{
    const double least_s = 0.005;
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(profile, i)) != NULL; i++)
        if (p->lost_s >= least_s)
            return true;
    return false;
}

const char *nytp_process_end(const nytp_process *process)
{
    return !process->ended ? "no end" : process->is_cut ? "cut" : "ended";
}
