/* What happened in a program, as a stream: calls that returned, the time of statements, samples, and
 * processes that began. Several sinks take it in one pass over the chunks of a profile, or of several.
 *
 *     nytp_events *events = nytp_events_new(names);
 *     nytp_events_add_sink(events, &my_type, me);
 *     nytp_reader_set_tags(reader, nytp_events_tags(events));
 *     while ((rc = nytp_events_read(events, reader)) == NYTP_OK) {
 *     }
 *     nytp_events_end_profile(events);
 */
#pragma once

#include "nytprof-model.h"

#include "events/clock.h"
#include "events/requests.h"
#include "events/traces.h"
#include "events/waited.h"
#include "format/statement.h"
#include "model/measure.h"
#include "model/names.h"

#include <glib.h>
#include <math.h>

/* The statements of the current process that ended last, in a ring whose size is limited. Those of one line
 * that follow one another are one entry.
 *
 * Until its statements are wanted, the ring is small, and filled once: a profile of which nobody wants them
 * costs no more than that.
 */

typedef struct nytp_recent_entry {
    uint64_t place; /* nytp_statement_place(); 0: time that no statement has */
    int32_t ticks;
    uint32_t runs; /* statements that were counted */
} nytp_recent_entry;

/* Called when the statement has ended that was awaited, which is an entry of its own, the last one. is_there
 * is false if no more of the process comes. */
typedef void nytp_recent_fn(void *context, bool is_there);

typedef struct nytp_recent {
    nytp_recent_entry *ring;
    nytp_recent_entry *last; /* the first one of a process is empty */
    nytp_recent_entry *stop; /* nytp_recent_begin() adds what comes after this one */
    uint32_t size, most;     /* of the ring */
    bool is_round;           /* the entries from the one after the last on are older ones */
    bool has_lost;           /* there were still older ones */
    bool is_wanted;
    bool is_left; /* it is full and not wanted */
    nytp_recent_fn *on_awaited;
    void *context; /* NULL if no statement is awaited */
} nytp_recent;

/* most: how many entries it may have, a power of 2 and at least 4. */
nytp_recent *nytp_recent_new(uint32_t most);
void nytp_recent_free(nytp_recent *recent); /* NULL is fine */

/* Another process begins. */
void nytp_recent_reset(nytp_recent *recent);

/* From here on its statements are wanted. */
void nytp_recent_want(nytp_recent *recent);

/* Has the function called once when the next statement has ended. */
void nytp_recent_await(nytp_recent *recent, nytp_recent_fn *on_awaited, void *context);

/* Use nytp_recent_add(). Adds an entry where the ring may have to grow, or a statement is awaited. */
void nytp_recent_begin(nytp_recent *recent, nytp_recent_entry entry);

/* Adds a statement that has ended. */
static inline void nytp_recent_add(nytp_recent *r, nytp_statement s)
{
    nytp_recent_entry *last = r->last;
    const uint64_t place = nytp_statement_place(s);
    int32_t ticks;
    if (__builtin_expect(last == r->stop, 0)) {
        nytp_recent_begin(r, (nytp_recent_entry){place, s.ticks, s.executions});
    } else if (last->place == place && !__builtin_add_overflow(last->ticks, s.ticks, &ticks)) {
        last->ticks = ticks;
        last->runs += s.executions;
    } else {
        *++last = (nytp_recent_entry){place, s.ticks, s.executions};
        r->last = last;
    }
}

/* Adds time that no statement has. */
void nytp_recent_add_gap(nytp_recent *recent, double ticks);

/* Returns the entry that is n before the last one; NULL if it is not there. */
const nytp_recent_entry *nytp_recent_back(const nytp_recent *recent, uint32_t n);

/* A call that has returned. Times are ticks of the profile, as the stream has them. */
typedef struct nytp_call_event {
    uint32_t sub; /* number of its name in the stream */
    uint32_t depth;
    const struct nytp_known_sub *known; /* NULL if no sink needs the clock, waits or statements */
    uint32_t line; /* where it was called, in the file of its caller; 0: not known, or no sink wants it */
    double incl_ticks, excl_ticks;
    double earlier_ticks; /* inclusive time of parts that have returned before, in a coroutine of Coro */
    nytp_call_time when;  /* since its process began; only if a sink needs the clock */
    uint64_t count; /* 1; 0 if it is a part of a call, which goes on; in a profile made of samples, how many
                       samples, or blocks of memory, the call has itself */
    nytp_call_waited waited; /* only if a sink needs it */
    const nytp_trace *trace; /* ids of a span; NULL if it has none */
    uint64_t request;        /* id of the request of which it is a part; 0: of none */
} nytp_call_event;

/* Returns how long a call took from its begin to its end: its inclusive time, and what was not counted of it.
 * Only if a sink needs the clock. */
static inline double nytp_call_latency_ticks(const nytp_call_event *call)
{
    return fmax(call->earlier_ticks + call->incl_ticks, 0) + call->when.uncounted_ticks;
}

typedef struct nytp_sample_event {
    uint64_t count; /* 1, or how many blocks a sample of memory stands for; 0: it continues the one before */
    uint32_t depth; /* how many calls go on */
    uint32_t fid, line;
} nytp_sample_event;

typedef struct nytp_events nytp_events;

/* What takes events. Each function may be NULL. */
typedef struct nytp_sink {
    void (*on_process)(void *sink); /* a process begins: no call from here on made one before */
    void (*on_call)(void *sink, const nytp_call_event *call);
    /* After on_call() with its last part: a request has ended, or its process has. Without a clock only the
     * first. */
    void (*on_request)(void *sink, const nytp_request *request);
    /* For statements that follow one another: the sum of their times. */
    void (*on_time)(void *sink, double ticks);
    /* After on_time() with its time, which may be 0; only in a profile made of samples. */
    void (*on_sample)(void *sink, const nytp_sample_event *sample);
    void (*on_chunk)(void *sink, const nytp_chunk *chunk); /* before the event that it makes */
    /* Before a statement is added to the profile, if the sink needs statements, or if it is not wholly
     * between the times of nytp_events_watch(). */
    void (*on_statement)(void *sink, const nytp_statement *statement);
    void (*on_mark)(void *sink); /* the clock has taken a mark */
    /* The process waited so long, as part of the statement that is added next, or, if waits go by the names
     * of subs, of the call that returns next, too. Only if the sink needs it. */
    void (*on_waited)(void *sink, nytp_waited waited);
    void (*on_memory)(void *sink, const nytp_memory_at *memory);
    void (*on_end_profile)(void *sink); /* before the events forget the profile */
    uint32_t tags;                      /* of the chunks for on_chunk() */
    bool needs_time;   /* else on_time() is called only if statements are read for a profile, or as samples */
    bool needs_line;   /* of calls */
    bool needs_clock;  /* when calls happened */
    bool needs_waited; /* how long they waited */
    bool needs_statements; /* each one, at its place among the calls: of one sink, and with a profile */
    bool names_traces;     /* spans with the ids of a trace are subs of their own: nytp_traces_sub() */
    /* Takes what the reader has buffered for this sink in a row, in a loop of its own. Called only if there
     * is neither another sink nor a profile. Returns about how many chunks that were. */
    size_t (*read_run)(void *sink, nytp_reader *reader);
} nytp_sink;

/* names number the subs; they stay the caller's. */
nytp_events *nytp_events_new(nytp_names *names);
void nytp_events_free(nytp_events *events); /* NULL is fine */

/* Adds a sink, which stays the caller's. Sinks take each event in the order in which they were added. */
void nytp_events_add_sink(nytp_events *events, const nytp_sink *type, void *sink);

/* Reads a profile in the same pass, in place of the one before; NULL ends that. */
void nytp_events_set_profile(nytp_events *events, nytp_profile *profile);

/* The tags that reading needs. */
uint32_t nytp_events_tags(const nytp_events *events);

/* Reads some thousands of chunks, as nytp_profile_read() does; context is the nytp_events. */
int nytp_events_read(void *context, nytp_reader *reader);

/* Adds one chunk. */
void nytp_events_add(nytp_events *events, const nytp_chunk *chunk);

/* Call it at the end of each profile. */
void nytp_events_end_profile(nytp_events *events);

/* For a reading that is only for sinks, before that of a program: reads all profiles of the reader. Calls
 * end, which may be NULL, at the end of each. What is wrong with one ends the reading; reading it again
 * reports it. */
void nytp_events_read_all(nytp_events *events, nytp_reader *reader, void (*end)(void *context),
                          void *context);

/* Returns whether the current profile is made of samples, as far as it was read. */
bool nytp_events_is_sampled(const nytp_events *events);

/* Returns the clock of the current process, which has the calls that have returned, and the statements before
 * them. Only with a clock. */
const nytp_process_clock *nytp_events_clock(const nytp_events *events);

/* Has on_statement() called for statements that do not begin after from_ticks and end before to_ticks, by the
 * clock. One sink of the events may watch. */
void nytp_events_watch(nytp_events *events, double from_ticks, double to_ticks);

/* Has the statements of each process kept that ended last, which stay the caller's. Only with a clock and a
 * profile. */
void nytp_events_keep_recent(nytp_events *events, nytp_recent *recent);

/* Returns whether it is measured how long the current process waited; otherwise it goes by names. Only if a
 * sink needs it. */
bool nytp_events_measure_waits(const nytp_events *events);

/* Returns what the ticks of the current profile measure, as far as it was read. */
const nytp_measure *nytp_events_measure(const nytp_events *events);

/* Returns the ticks per second of the current profile, as far as it was read. */
double nytp_events_ticks_per_sec(const nytp_events *events);
