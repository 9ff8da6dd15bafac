/* The stream of events: makes them of chunks, one by one or in runs, and gives them to the sinks. */
#include "events/events.h"

#include "base/str.h"
#include "base/ticks.h"
#include "events/call_parts.h"
#include "events/filters.h"
#include "events/open_places.h"
#include "events/open_samples.h"
#include "events/timed_subs.h"
#include "events/traces.h"
#include "format/runs.h"
#include "model/measure.h"
#include "format/memory.h"
#include "model/read.h"

#include <math.h>

enum { MOST_SINKS = 10 };

typedef struct added_sink {
    const nytp_sink *type;
    void *sink;
} added_sink;

typedef struct call_taker {
    void (*on_call)(void *sink, const nytp_call_event *call);
    void *sink;
} call_taker;

struct nytp_events {
    nytp_names *names;
    nytp_profile *profile; /* NULL if none */
    added_sink sinks[MOST_SINKS];
    guint count;
    call_taker call_takers[MOST_SINKS]; /* of the sinks that take calls */
    guint call_taker_count;
    uint32_t sinks_tags; /* of chunks for on_chunk() */
    bool needs_line, needs_clock;
    nytp_timed_subs subs; /* only with a clock */
    /* of the current profile */
    double ticks_per_sec;
    nytp_measure measure;
    bool is_sampled;
    nytp_memory next; /* of the next statement, in a profile of memory */
    bool discount;    /* the next statement goes on */
    double parts;     /* call_parts.h */
    nytp_open_samples samples;
    nytp_open_places places; /* if a sink needs them */
    nytp_process_clock clock;
    bool is_watched;
    double watched_from, watched_to; /* ticks of the clock */
    nytp_recent *recent;             /* NULL if nobody wants it */
    nytp_traces traces;
};

nytp_events *nytp_events_new(nytp_names *names)
{
    nytp_events *e = g_new0(nytp_events, 1);
    e->names = names;
    e->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    e->measure = nytp_measure_new();
    e->next = nytp_memory_unknown;
    nytp_open_samples_init(&e->samples);
    e->places = nytp_open_places_new();
    e->subs = nytp_timed_subs_new();
    nytp_clock_init(&e->clock);
    e->watched_from = -INFINITY;
    e->watched_to = INFINITY;
    e->traces = nytp_traces_new();
    return e;
}

void nytp_events_free(nytp_events *events)
{
    if (events == NULL)
        return;
    nytp_open_samples_clear(&events->samples);
    nytp_open_places_free(&events->places);
    nytp_timed_subs_clear(&events->subs);
    nytp_clock_clear(&events->clock);
    nytp_traces_clear(&events->traces);
    g_free(events);
}

void nytp_events_add_sink(nytp_events *events, const nytp_sink *type, void *sink)
{
    g_assert(events->count < MOST_SINKS);
    events->sinks[events->count++] = (added_sink){type, sink};
    events->sinks_tags |= type->on_chunk != NULL ? type->tags : 0;
    if (type->on_call != NULL)
        events->call_takers[events->call_taker_count++] = (call_taker){type->on_call, sink};
    events->needs_line |= type->needs_line;
    events->needs_clock |= type->needs_clock;
    events->is_watched |= type->on_statement != NULL;
    events->traces.names_subs |= type->names_traces;
}

void nytp_events_set_profile(nytp_events *events, nytp_profile *profile)
{
    events->profile = profile;
}

bool nytp_events_is_sampled(const nytp_events *events)
{
    return events->is_sampled;
}

const nytp_measure *nytp_events_measure(const nytp_events *events)
{
    return &events->measure;
}

const nytp_process_clock *nytp_events_clock(const nytp_events *events)
{
    return &events->clock;
}

void nytp_events_watch(nytp_events *events, double from_ticks, double to_ticks)
{
    events->watched_from = from_ticks;
    events->watched_to = to_ticks;
}

void nytp_events_keep_recent(nytp_events *events, nytp_recent *recent)
{
    events->recent = recent;
}

/* The clock does not have statements after the end of a process. */
static bool keeps_recent(const nytp_events *e)
{
    return e->recent != NULL && !e->recent->is_left && !e->clock.has_ended;
}

double nytp_events_ticks_per_sec(const nytp_events *events)
{
    return events->ticks_per_sec;
}

static bool wants_calls(const nytp_events *e)
{
    return e->call_taker_count > 0;
}

/* Whether on_time() is to be called. */
static bool wants_time(const nytp_events *e)
{
    bool wants = false;
    for (guint i = 0; i < e->count; i++)
        wants |= e->sinks[i].type->on_time != NULL && (e->sinks[i].type->needs_time || e->profile != NULL);
    return wants;
}

uint32_t nytp_events_tags(const nytp_events *events)
{
    return NYTP_BIT(ATTRIBUTE) | NYTP_BIT(PID_START) | events->sinks_tags |
           (wants_calls(events) ? NYTP_BIT(SUB_RETURN) : 0) | (events->needs_line ? NYTP_BIT(SUB_ENTRY) : 0) |
           (wants_time(events) || events->needs_clock ? NYTP_TIMES | NYTP_BIT(DISCOUNT) : 0) |
           (events->needs_clock
                ? NYTP_BIT(OPTION) | NYTP_BIT(PID_END) | NYTP_BIT(SUB_INFO) | NYTP_BIT(SUB_CALLERS)
                : 0) |
           (events->profile != NULL ? nytp_profile_tags() : 0);
}

/* Calls a function of each sink s that has it. */
#define EACH(events, function, ...)                                                                          \
    for (const added_sink *s = (events)->sinks, *end_ = s + (events)->count; s < end_; s++)                  \
        if (s->type->function != NULL)                                                                       \
    s->type->function(__VA_ARGS__)

static void give_time(nytp_events *e, double ticks)
{
    EACH(e, on_time, s->sink, ticks);
}

static void enter_call(nytp_events *e, nytp_place place)
{
    nytp_open_samples_enter(&e->samples);
    if (e->needs_line)
        nytp_open_places_enter(&e->places, place);
}

/* In a profile made of samples all time is in statements. */
static nytp_call_time time_of(nytp_events *e, const nytp_return *returned, uint32_t sub)
{
    const double ticks = nytp_is_ticks(returned->incl_ticks) ? fmax(returned->incl_ticks, 0) : 0;
    return nytp_clock_return(&e->clock, returned->depth, ticks,
                             e->is_sampled ? NYTP_HAS_STATEMENTS
                                           : nytp_timed_subs_get(&e->subs, e->names, sub));
}

static inline void give_call(nytp_events *e, const nytp_return *returned)
{
    const bool is_traced = returned->depth <= e->traces.deepest;
    const nytp_trace *trace = is_traced ? nytp_traces_leave(&e->traces, returned) : NULL;
    const uint32_t sub = nytp_names_intern(e->names, &returned->name, NULL);
    const nytp_call_event call = {
        .sub = trace != NULL ? nytp_traces_sub(&e->traces, e->names, sub) : sub,
        .depth = returned->depth,
        .line = e->needs_line ? nytp_open_places_leave(&e->places, returned->depth).line : 0,
        .incl_ticks = returned->incl_ticks,
        .excl_ticks = returned->excl_ticks,
        .when = e->needs_clock ? time_of(e, returned, sub) : (nytp_call_time){0},
        .count = e->is_sampled ? nytp_open_samples_leave(&e->samples, returned->depth) : !returned->is_part,
        .trace = trace,
    };
    for (guint i = 0; i < e->call_taker_count; i++)
        e->call_takers[i].on_call(e->call_takers[i].sink, &call);
}

/* Called before a statement is added. begin_ticks: by the clock. */
static inline void watch_statement(nytp_events *e, const nytp_statement *statement, double begin_ticks)
{
    if (begin_ticks < e->watched_from || begin_ticks + statement->ticks > e->watched_to)
        EACH(e, on_statement, s->sink, statement);
}

/* ---- chunks, one by one ---- */

/* Called before a statement is added. */
static void look_at_statement(nytp_events *e, const nytp_statement *statement)
{
    if (keeps_recent(e))
        nytp_recent_add(e->recent, *statement);
    if (e->is_watched)
        watch_statement(e, statement, e->clock.statement_ticks);
}

static void take_mark(nytp_events *e, nytp_str value)
{
    if (!e->needs_clock)
        return;
    const double before_ticks = e->clock.statement_ticks;
    nytp_clock_mark(&e->clock, value);
    if (keeps_recent(e))
        nytp_recent_add_gap(e->recent, e->clock.statement_ticks - before_ticks);
    EACH(e, on_mark, s->sink);
}

static void take_memory(nytp_events *e, nytp_str value)
{
    nytp_memory_at memory;
    if (nytp_memory_at_read(value, &e->clock, &memory))
        EACH(e, on_memory, s->sink, &memory);
}

static void add_attribute(nytp_events *e, const nytp_chunk *chunk)
{
    if (nytp_str_is(chunk->attribute.key, "ticks_per_sec")) {
        const double rate = nytp_str_number(chunk->attribute.value);
        e->ticks_per_sec = nytp_is_rate(rate) ? rate : e->ticks_per_sec;
    } else if (nytp_str_is(chunk->attribute.key, "memory")) {
        e->next = nytp_memory_read(chunk->attribute.value);
        return;
    } else if (nytp_str_is(chunk->attribute.key, "clock")) {
        take_mark(e, chunk->attribute.value);
        return;
    } else if (nytp_str_is(chunk->attribute.key, "memory_at")) {
        take_memory(e, chunk->attribute.value);
        return;
    } else if (nytp_call_parts_read(chunk, &e->parts) || nytp_traces_read(&e->traces, chunk)) {
        return;
    }
    nytp_measure_note(&e->measure, chunk->attribute.key, chunk->attribute.value);
    e->is_sampled = nytp_measure_is_sampled(&e->measure);
}

static void add_statement(nytp_events *e, const nytp_chunk *chunk)
{
    const uint64_t count = e->discount ? 0 : e->next.blocks;
    e->discount = false;
    e->next = nytp_memory_unknown;
    if (e->needs_clock)
        nytp_clock_add_statements(&e->clock, chunk->time.ticks);
    if (e->is_sampled || wants_time(e))
        give_time(e, chunk->time.ticks);
    if (!e->is_sampled)
        return;
    nytp_open_samples_add(&e->samples, count);
    const nytp_sample_event sample = {count, e->samples.depth, chunk->time.fid};
    EACH(e, on_sample, s->sink, &sample);
}

static void add_return(nytp_events *e, const nytp_chunk *chunk)
{
    nytp_return returned = nytp_get_return(chunk);
    returned.is_part = nytp_call_parts_take(&e->parts);
    if (wants_calls(e))
        give_call(e, &returned);
}

/* No call is open. */
static void reset(nytp_events *e)
{
    e->places.depth = 0;
    e->parts = 0;
    nytp_clock_reset(&e->clock);
    nytp_traces_forget(&e->traces);
    if (e->recent != NULL)
        nytp_recent_reset(e->recent);
}

static void begin_process(nytp_events *e)
{
    nytp_open_samples_reset(&e->samples);
    reset(e);
    EACH(e, on_process, s->sink);
}

void nytp_events_add(nytp_events *events, const nytp_chunk *chunk)
{
    const uint32_t bit = nytp_tag_bits[chunk->tag & 0xFF];
    if (events->profile != NULL && (bit & NYTP_TIMES) != 0)
        look_at_statement(events, &(const nytp_statement){.fid = chunk->time.fid,
                                                          .line = chunk->time.line,
                                                          .ticks = chunk->time.ticks,
                                                          .executions = !events->profile->discount});
    if (events->profile != NULL)
        nytp_profile_add(events->profile, chunk);
    for (guint i = 0; (events->sinks_tags & bit) != 0 && i < events->count; i++)
        if ((events->sinks[i].type->tags & bit) != 0)
            events->sinks[i].type->on_chunk(events->sinks[i].sink, chunk);
    switch (chunk->tag) {
    case NYTP_TIME_LINE:
    case NYTP_TIME_BLOCK: add_statement(events, chunk); break;
    case NYTP_DISCOUNT: events->discount = events->is_sampled; break;
    case NYTP_SUB_ENTRY: enter_call(events, (nytp_place){chunk->sub_entry.fid, chunk->sub_entry.line}); break;
    case NYTP_SUB_RETURN: add_return(events, chunk); break;
    case NYTP_ATTRIBUTE: add_attribute(events, chunk); break;
    case NYTP_OPTION:
        nytp_clock_note_option(&events->clock, chunk->attribute.key, chunk->attribute.value);
        break;
    case NYTP_SUB_INFO:
    case NYTP_SUB_CALLERS:
        if (events->needs_clock)
            nytp_timed_subs_add(&events->subs, chunk);
        break;
    case NYTP_PID_START: begin_process(events); break;
    case NYTP_PID_END: nytp_clock_end(&events->clock); break;
    default: break;
    }
}

void nytp_events_end_profile(nytp_events *events)
{
    events->ticks_per_sec = NYTP_USUAL_TICKS_PER_SEC;
    events->measure = nytp_measure_new();
    events->next = nytp_memory_unknown;
    events->is_sampled = events->discount = false;
    reset(events);
    nytp_clock_end_profile(&events->clock);
    nytp_timed_subs_forget(&events->subs);
}

/* ---- runs of statements and calls ---- */

typedef struct run {
    nytp_events *events;
    nytp_statements statements; /* where those of the profile are added; of others only the ticks are used */
    int64_t clock_ticks;        /* of the ticks of statements, which the clock has */
    double watched_to;          /* when the next two were set */
    int64_t from, to;           /* what is watched, as ticks of statements */
} run;

static inline void set_clock(run *r)
{
    if (r->events->needs_clock)
        nytp_clock_add_statements(&r->events->clock, (double)(r->statements.ticks - r->clock_ticks));
    r->clock_ticks = r->statements.ticks;
}

/* In a run the clock and the ticks of statements pass together. watch_statement() knows fractions of a tick.
 */
static void set_watch(run *r)
{
    const nytp_events *e = r->events;
    const double apart = (double)r->clock_ticks - e->clock.statement_ticks;
    r->from = nytp_whole_ticks(e->watched_from + apart) + 1;
    r->to = nytp_whole_ticks(e->watched_to + apart) - 1;
    r->watched_to = e->watched_to;
}

static __attribute__((noinline)) void watch_in_run(run *r, const nytp_statement *statement)
{
    set_clock(r);
    watch_statement(r->events, statement, r->events->clock.statement_ticks);
    set_watch(r);
}

static inline void of_profile(void *context, nytp_statement s)
{
    nytp_statements_add(&((run *)context)->statements, s);
}

/* As of_profile(), if a sink watches. */
static inline void of_watched_profile(void *context, nytp_statement s)
{
    run *r = context;
    if (r->statements.ticks < r->from || r->statements.ticks + s.ticks > r->to)
        watch_in_run(r, &s);
    nytp_statements_add(&r->statements, s);
}

/* As of_watched_profile(), if recent statements are kept. */
static inline void of_kept_profile(void *context, nytp_statement s)
{
    nytp_recent_add(((run *)context)->events->recent, s);
    of_watched_profile(context, s);
}

static inline void of_none(void *context, nytp_statement s)
{
    ((run *)context)->statements.ticks += s.ticks;
}

static inline void on_return(void *context, const nytp_return *returned)
{
    run *r = context;
    set_clock(r);
    give_call(r->events, returned);
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
    give_call(context, returned);
}

/* The loops are not inlined, so that each has all registers. */
static __attribute__((noinline)) size_t read_profile(run *r, nytp_reader *reader)
{
    return nytp_read_statements(reader, of_profile, r);
}

static __attribute__((noinline)) size_t read_profile_and_calls(run *r, nytp_reader *reader)
{
    return nytp_read_events(reader, of_profile, on_return, r);
}

static __attribute__((noinline)) size_t read_watched(run *r, nytp_reader *reader)
{
    return nytp_read_events(reader, of_watched_profile, on_watched_return, r);
}

static __attribute__((noinline)) size_t read_kept(run *r, nytp_reader *reader)
{
    return nytp_read_events(reader, of_kept_profile, on_watched_return, r);
}

static __attribute__((noinline)) size_t read_time_and_calls(run *r, nytp_reader *reader)
{
    return nytp_read_events(reader, of_none, on_return, r);
}

static __attribute__((noinline)) size_t read_calls(nytp_events *e, nytp_reader *reader)
{
    nytp_read_returns(reader, on_return_alone, e);
    return 0;
}

/* Whether what comes next may be added without looking at each chunk. A sample counts for the calls that go
 * on at its place. */
static bool may_run(const nytp_events *e)
{
    if (e->is_sampled || e->parts > 0 || (e->sinks_tags & (NYTP_EVENTS & ~NYTP_BIT(SUB_ENTRY))) != 0)
        return false;
    return e->profile == NULL || nytp_profile_reads_runs(e->profile);
}

static size_t read_filtered(run *r, nytp_reader *reader)
{
    const nytp_events *e = r->events;
    if (e->profile != NULL && (e->is_watched || keeps_recent(e)))
        return nytp_filters_read_events(reader, keeps_recent(e) ? of_kept_profile : of_watched_profile,
                                        on_watched_return, r);
    return nytp_filters_read_events(reader, e->profile != NULL ? of_profile : of_none,
                                    wants_calls(e) ? on_return : NULL, r);
}

static size_t read_with_profile(run *r, nytp_reader *reader)
{
    nytp_events *e = r->events;
    r->statements = nytp_profile_statements(e->profile);
    if (e->is_watched || keeps_recent(e))
        set_watch(r);
    const size_t bytes = nytp_reader_is_filtered(reader) ? read_filtered(r, reader)
                         : keeps_recent(e)               ? read_kept(r, reader)
                         : e->is_watched                 ? read_watched(r, reader)
                         : wants_calls(e)                ? read_profile_and_calls(r, reader)
                                                         : read_profile(r, reader);
    e->profile->statement_ticks += r->statements.ticks;
    return bytes;
}

/* Returns about how many chunks were read. */
static size_t read_run(nytp_events *e, nytp_reader *reader)
{
    run r = {.events = e};
    const bool is_filtered = nytp_reader_is_filtered(reader);
    if (!may_run(e))
        return 0;
    /* A sink of its own does not know of traces. */
    if (e->count == 1 && e->profile == NULL && e->sinks[0].type->read_run != NULL && !is_filtered &&
        e->traces.deepest == 0)
        return e->sinks[0].type->read_run(e->sinks[0].sink, reader);
    if (e->profile == NULL && !wants_time(e) && !e->needs_clock && !is_filtered)
        return read_calls(e, reader);
    const size_t bytes = e->profile != NULL ? read_with_profile(&r, reader)
                         : is_filtered      ? read_filtered(&r, reader)
                                            : read_time_and_calls(&r, reader);
    if (r.statements.ticks != 0 && wants_time(e))
        give_time(e, (double)r.statements.ticks);
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
