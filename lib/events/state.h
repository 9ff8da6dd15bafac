/* The state of a stream of events, and how it gives events to its sinks: for events.c and read_events.c. */
#pragma once

#include "nytprof.h"

#include "base/ticks.h"
#include "events/events.h"
#include "events/known_subs.h"
#include "events/levels.h"
#include "format/memory.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The samples of the calls that go on, going by SUB_ENTRY and SUB_RETURN, in profiles made of samples
 * (measure.h). */

/* Adds to the reader's tags those that are needed to count samples. Call it when the attribute has been read.
 */
void nytp_want_samples(nytp_reader *reader);

typedef struct nytp_open_samples {
    uint32_t depth;   /* how many calls go on */
    GArray *by_depth; /* uint64_t: those of the call itself, without its callees'; 0: outside of all calls */
} nytp_open_samples;

void nytp_open_samples_init(nytp_open_samples *samples);
void nytp_open_samples_clear(nytp_open_samples *samples);
void nytp_open_samples_reset(nytp_open_samples *samples); /* a process begins */
void nytp_open_samples_enter(nytp_open_samples *samples);
/* Drops samples of more than a million calls: only damaged profiles have these. */
void nytp_open_samples_add(nytp_open_samples *samples, uint64_t count);

/* The call at depth, counted from 1, returns: returns its samples. Deeper calls have not returned: theirs are
 * dropped. */
uint64_t nytp_open_samples_leave(nytp_open_samples *samples, uint32_t depth);

/* Calls that go on while other coroutines of Coro run: `coroutine` and `parts` (doc/format.md). Before
 * another coroutine runs, the calls of the one that leaves return as parts, and the last return of each has
 * only the time since then.
 */

typedef struct nytp_coroutines {
    uint32_t running;  /* number of the coroutine that runs; 0 if none has a number */
    GArray *parts;     /* those that have returned since the last whole call */
    GHashTable *going; /* calls that go on in any coroutine, with the time of their parts */
} nytp_coroutines;

nytp_coroutines nytp_coroutines_new(void);
void nytp_coroutines_clear(nytp_coroutines *coroutines);

/* A process begins. */
void nytp_coroutines_reset(nytp_coroutines *coroutines);

/* That coroutine runs from here on. */
void nytp_coroutines_switch(nytp_coroutines *coroutines, uint32_t number);

/* A call returns, or, if is_part, a part of it. Returns how long its earlier parts took. */
double nytp_coroutines_leave(nytp_coroutines *coroutines, uint32_t depth, double ticks, bool is_part);

typedef struct nytp_added_sink {
    const nytp_sink *type;
    void *sink;
} nytp_added_sink;

typedef struct nytp_call_taker {
    void (*on_call)(void *sink, const nytp_call_event *call);
    void *sink;
} nytp_call_taker;

struct nytp_events {
    nytp_names *names;
    nytp_profile *profile; /* NULL if none */
    nytp_added_sink *sinks;
    guint count;
    nytp_call_taker *call_takers; /* of the sinks that take calls */
    guint call_taker_count;
    uint32_t sinks_tags; /* of chunks for on_chunk() */
    bool needs_line, needs_clock, needs_waited;
    void (*on_statement)(void *sink,
                         const nytp_statement *statement); /* of the sink that needs statements; */
    void *statement_sink;                                  /* NULL if none does */
    nytp_known_subs subs; /* only with a clock, or if waits or statements are needed */
    /* of the current profile */
    double ticks_per_sec;
    nytp_measure measure;
    bool is_sampled;
    nytp_memory next; /* of the next statement, in a profile of memory */
    bool discount;    /* the next statement goes on */
    double parts;     /* how many of the next returns are of parts of calls, which go on */
    nytp_open_samples samples;
    nytp_open_places places; /* if a sink needs them */
    nytp_process_clock clock;
    nytp_waits waits; /* if a sink needs them */
    bool is_watched;
    double watched_from, watched_to; /* ticks of the clock */
    nytp_recent *recent;             /* NULL if nobody wants it */
    nytp_traces traces;
    nytp_requests requests;
    nytp_coroutines coroutines;
};

/* The clock does not have statements after the end of a process. */
static inline bool nytp_events_keep_some(const nytp_events *e)
{
    return e->recent != NULL && !e->recent->is_left && !e->clock.has_ended;
}

static inline bool nytp_events_want_calls(const nytp_events *e)
{
    return e->call_taker_count > 0;
}

/* Whether on_time() is to be called. */
static inline bool nytp_events_want_time(const nytp_events *e)
{
    bool wants = false;
    for (guint i = 0; i < e->count; i++)
        wants |= e->sinks[i].type->on_time != NULL && (e->sinks[i].type->needs_time || e->profile != NULL);
    return wants;
}

/* Calls a function of each sink s that has it. */
#define NYTP_EACH_SINK(events, function, ...)                                                                \
    for (const nytp_added_sink *s = (events)->sinks, *end_ = s + (events)->count; s < end_; s++)             \
        if (s->type->function != NULL)                                                                       \
    s->type->function(__VA_ARGS__)

static inline void nytp_events_give_time(nytp_events *e, double ticks)
{
    NYTP_EACH_SINK(e, on_time, s->sink, ticks);
}

/* In a profile made of samples all time is in statements. */
static inline nytp_call_time nytp_events_time_of(nytp_events *e, uint32_t depth, double incl_ticks,
                                                 const nytp_known_sub *known)
{
    return nytp_clock_leave(&e->clock, depth, nytp_at_least_0(incl_ticks),
                            e->is_sampled ? NYTP_HAS_STATEMENTS : known->kind);
}

static inline void nytp_events_give_waited(nytp_events *e, nytp_waited waited)
{
    if (nytp_waited_ticks(waited) > 0)
        NYTP_EACH_SINK(e, on_waited, s->sink, waited);
}

/* The call at that depth waited so long, which has passed. */
static inline void nytp_events_add_waited(nytp_events *e, uint32_t depth, nytp_waited waited)
{
    if (nytp_waited_ticks(waited) > 0)
        nytp_waits_add(&e->waits, depth, waited);
    nytp_events_give_waited(e, waited);
}

/* Where nothing is measured, the call that returns was asleep if it waits by its name. */
static inline nytp_call_waited nytp_events_waited_of(nytp_events *e, uint32_t depth, double incl_ticks,
                                                     double excl_ticks, const nytp_known_sub *known)
{
    if (!e->waits.are_measured && known->waits && nytp_measure_is_time(&e->measure))
        nytp_events_add_waited(e, depth, (nytp_waited){.asleep_ticks = nytp_at_least_0(excl_ticks)});
    return e->waits.levels.count > 0 ? nytp_waits_leave(&e->waits, depth, incl_ticks, excl_ticks)
                                     : (nytp_call_waited){{0, 0}, {0, 0}};
}

/* Returns how long the earlier parts of a call of a coroutine took. Those of a request are no call's. */
static inline double nytp_events_take_parts(nytp_events *e, const nytp_return *returned, double incl_ticks)
{
    return e->coroutines.running != 0 && returned->request == 0
               ? nytp_coroutines_leave(&e->coroutines, returned->depth, incl_ticks, returned->is_part)
               : 0;
}

static inline void nytp_events_give_call(nytp_events *e, const nytp_return *returned)
{
    const bool is_traced = returned->depth <= e->traces.deepest;
    const nytp_trace *trace = is_traced ? nytp_traces_leave(&e->traces, returned) : NULL;
    const uint32_t sub = nytp_return_name(returned, e->names);
    const double incl_ticks = nytp_known_ticks(returned->incl_ticks);
    const nytp_known_sub *known = e->needs_clock || e->needs_waited || e->on_statement != NULL
                                      ? nytp_known_sub_nth(&e->subs, e->names, sub)
                                      : NULL;
    const nytp_call_event call = {
        .known = known,
        .sub = trace != NULL ? nytp_traces_sub(&e->traces, e->names, sub) : sub,
        .depth = returned->depth,
        .line = e->needs_line ? nytp_open_places_leave(&e->places, returned->depth).line : 0,
        .incl_ticks = incl_ticks,
        .excl_ticks = nytp_known_ticks(returned->excl_ticks),
        .earlier_ticks = nytp_events_take_parts(e, returned, incl_ticks),
        .when =
            e->needs_clock ? nytp_events_time_of(e, returned->depth, incl_ticks, known) : (nytp_call_time){0},
        .waited = e->needs_waited ? nytp_events_waited_of(e, returned->depth, incl_ticks,
                                                          nytp_known_ticks(returned->excl_ticks), known)
                                  : (nytp_call_waited){{0, 0}, {0, 0}},
        .count = e->is_sampled ? nytp_open_samples_leave(&e->samples, returned->depth) : !returned->is_part,
        .trace = trace,
        .request = returned->request,
    };
    if (returned->request != 0)
        nytp_requests_add(&e->requests, call.request, call.sub, call.when.begin_ticks, call.incl_ticks,
                          call.count > 0);
    for (guint i = 0; i < e->call_taker_count; i++)
        e->call_takers[i].on_call(e->call_takers[i].sink, &call);
}

/* Called before a statement is added. begin_ticks: by the clock. */
static inline void nytp_events_watch_statement(nytp_events *e, const nytp_statement *statement,
                                               double begin_ticks)
{
    if (begin_ticks <= e->watched_from || begin_ticks + statement->ticks > e->watched_to)
        NYTP_EACH_SINK(e, on_statement, s->sink, statement);
}
