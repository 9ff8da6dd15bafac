/* Reads events: as many statements and calls as come in a row without a look at each chunk, the others one by
 * one.
 */
#include "events/filters.h"
#include "events/state.h"
#include "format/runs.h"
#include "model/read.h"

typedef struct run {
    nytp_events *events;
    nytp_statements statements; /* where those of the profile are added; of others only the ticks are used */
    int64_t clock_ticks;        /* of the ticks of statements, which the clock has */
    double watched_to;          /* when the next two were set */
    int64_t from, to;           /* what is watched, as ticks of statements */
    nytp_recent *recent;        /* NULL if recent statements are not kept */
} run;

static inline void set_clock(run *r)
{
    if (r->events->needs_clock)
        nytp_clock_add_statements(&r->events->clock, (double)(r->statements.ticks - r->clock_ticks));
    r->clock_ticks = r->statements.ticks;
}

/* In a run the clock and the ticks of statements pass together. nytp_events_watch_statement() knows fractions
 * of a tick.
 */
static void set_watch(run *r)
{
    const nytp_events *e = r->events;
    const double apart = (double)r->clock_ticks - e->clock.statement_ticks;
    r->from = nytp_add_ticks(nytp_whole_ticks(e->watched_from + apart), 1);
    r->to = nytp_add_ticks(nytp_whole_ticks(e->watched_to + apart), -1);
    r->watched_to = e->watched_to;
}

static __attribute__((noinline)) void watch_in_run(run *r, nytp_statement s)
{
    set_clock(r);
    nytp_events_watch_statement(r->events, &s, r->events->clock.statement_ticks);
    set_watch(r);
}

__attribute__((always_inline)) static inline void of_profile(void *context, nytp_statement s)
{
    nytp_statements_add(&((run *)context)->statements, s);
}

/* As of_profile(), if a sink watches, or recent statements are kept. */
__attribute__((always_inline)) static inline void of_watched_profile(void *context, nytp_statement s)
{
    run *r = context;
    if (r->recent != NULL)
        nytp_recent_add(r->recent, s);
    if (r->statements.ticks < r->from || r->statements.ticks + s.ticks > r->to)
        watch_in_run(r, s);
    nytp_statements_add(&r->statements, s);
}

/* As of_profile(), if a sink needs statements. */
static inline void of_taken_profile(void *context, nytp_statement s)
{
    run *r = context;
    r->events->on_statement(r->events->statement_sink, &s);
    nytp_statements_add(&r->statements, s);
}

static inline void of_none(void *context, nytp_statement s)
{
    ((run *)context)->statements.ticks += s.ticks;
}

static inline void on_return(void *context, const nytp_return *returned)
{
    run *r = context;
    set_clock(r);
    nytp_events_give_call(r->events, returned);
}

/* A sink that watches may watch other times after a call. */
static inline void on_watched_return(void *context, const nytp_return *returned)
{
    run *r = context;
    on_return(context, returned);
    if (r->watched_to != r->events->watched_to)
        set_watch(r);
}

static inline void on_return_alone(void *context, const nytp_return *returned)
{
    nytp_events_give_call(context, returned);
}

/* The loops are not inlined, so that each has all registers. */
static __attribute__((noinline)) size_t read_profile(run *r, nytp_reader *reader)
{
    return nytp_read_run(reader, of_profile, on_return, r);
}

static __attribute__((noinline)) size_t read_watched_profile(run *r, nytp_reader *reader)
{
    return nytp_read_run(reader, of_watched_profile, on_watched_return, r);
}

static __attribute__((noinline)) size_t read_taken_profile(run *r, nytp_reader *reader)
{
    return nytp_read_run(reader, of_taken_profile, on_return, r);
}

static __attribute__((noinline)) size_t read_time_and_calls(run *r, nytp_reader *reader)
{
    return nytp_read_run(reader, of_none, on_return, r);
}

static __attribute__((noinline)) void read_calls(nytp_events *e, nytp_reader *reader)
{
    nytp_read_events(reader, NULL, on_return_alone, e);
}

/* Whether what comes next may be added without looking at each chunk. A sample counts for the calls that go
 * on at its place. */
static bool may_run(const nytp_events *e)
{
    if (e->is_sampled || e->parts > 0 || e->requests.returned != 0 ||
        (e->sinks_tags & (NYTP_EVENTS & ~NYTP_BIT(SUB_ENTRY))) != 0)
        return false;
    return e->profile == NULL || nytp_profile_reads_runs(e->profile);
}

static size_t read_with_profile(run *r, nytp_reader *reader)
{
    const nytp_events *e = r->events;
    const bool is_watched = e->is_watched || nytp_events_keep_some(e);
    r->statements = nytp_profile_statements(e->profile);
    r->recent = nytp_events_keep_some(e) ? e->recent : NULL;
    if (is_watched)
        set_watch(r);
    const size_t bytes = e->on_statement != NULL ? read_taken_profile(r, reader)
                         : is_watched            ? read_watched_profile(r, reader)
                                                 : read_profile(r, reader);
    e->profile->statement_ticks += r->statements.ticks;
    return bytes;
}

/* Returns about how many chunks were read. */
static size_t read_run(nytp_events *e, nytp_reader *reader)
{
    run r = {.events = e};
    if (!may_run(e))
        return 0;
    /* A sink of its own does not know of traces and coroutines. */
    if (e->count == 1 && e->profile == NULL && e->sinks[0].type->read_run != NULL && e->traces.deepest == 0 &&
        e->coroutines.running == 0)
        return e->sinks[0].type->read_run(e->sinks[0].sink, reader);
    if (e->profile == NULL && !nytp_events_want_time(e) && !e->needs_clock &&
        !nytp_reader_is_filtered(reader)) {
        read_calls(e, reader);
        return 0;
    }
    const size_t bytes = e->profile != NULL ? read_with_profile(&r, reader) : read_time_and_calls(&r, reader);
    if (r.statements.ticks != 0 && nytp_events_want_time(e))
        nytp_events_give_time(e, (double)r.statements.ticks);
    set_clock(&r);
    return bytes / NYTP_SHORT_STATEMENT_MAX;
}

int nytp_events_read(void *context, nytp_reader *reader)
{
    enum { SOME = 1 << 13 };
    nytp_events *e = context;
    nytp_chunk chunk;
    int rc = NYTP_OK;
    for (size_t n = 0; rc == NYTP_OK && n < SOME; n++) {
        n += read_run(e, reader);
        if ((rc = nytp_reader_next(reader, &chunk)) == NYTP_OK)
            nytp_events_add(e, &chunk);
        if (e->is_sampled)
            nytp_want_samples(reader);
    }
    return rc;
}

void nytp_events_read_all(nytp_events *events, nytp_reader *reader, void (*end)(void *context), void *context)
{
    do {
        nytp_reader_set_tags(reader, nytp_events_tags(events));
        while (nytp_events_read(events, reader) == NYTP_OK) {
        }
        if (end != NULL)
            end(context);
        nytp_events_end_profile(events);
    } while (nytp_reader_error(reader)->code >= 0 && nytp_reader_next_profile(reader, NULL) == NYTP_OK);
}
