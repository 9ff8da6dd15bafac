/* Some of many spans: the slowest of each name, and a fair sample of the others.
 *
 * Whether a span is in the sample depends on nothing but its number, so each has the same chance, and the
 * same profile gives the same sample. Memory grows with the number of spans that are kept, and of names. */
#pragma once

#include "base/labels.h"
#include "events/events.h"

#include <glib.h>
#include <math.h>

/* Spans, each as it ends: when it began, how long it took, and how much of that it waited (events/waited.h).
 * Nothing is kept of them. A span that is a request (events/requests.h) is one, with all of its parts. */

/* Between the parts of a request: how long the event loop was asleep, and queued, and what else passed, in
 * turns of other requests or of the loop. */
typedef struct nytp_between {
    double asleep_s, queued_s, others_s;
} nytp_between;

typedef struct nytp_span_time {
    nytp_str name;                     /* "GET /albums" */
    uint32_t sub;                      /* whose calls it is, or its last part */
    uint32_t pid;                      /* of its process */
    uint32_t process;                  /* counted from 0, in order of their starts */
    double begin_s;                    /* since 1970, by the clock of its process (clock.h) */
    double latency_s;                  /* from its begin to its end */
    double work_s, asleep_s, queued_s; /* of that, within its parts */
    nytp_between between;              /* them; 0 unless it is a request */
    uint32_t parts;                    /* how many it has */
    const nytp_call_event *call;       /* that it is; NULL if it is a request */
    uint64_t request;                  /* its id in its process; 0 if it is a call */
} nytp_span_time;

/* Returns what is left of its latency: the profiler's own time, and what a filter left out. */
static inline double nytp_span_rest_s(double latency_s, double parts_s, nytp_between between)
{
    return fmax(latency_s - parts_s - between.asleep_s - between.queued_s - between.others_s, 0);
}

typedef void nytp_span_time_fn(void *context, const nytp_span_time *span);

/* A part of a request, whose id it has, returns. */
typedef void nytp_span_part_fn(void *context, const nytp_call_event *part);

typedef struct nytp_span_times nytp_span_times;

/* Calls on_span for each span of the events that it takes which is a run (base/labels.h), and on_part, which
 * may be NULL, for each part of a request. A call that goes on at the end of what is read has not ended; a
 * request ends with its process. */
nytp_span_times *nytp_span_times_new(nytp_span_time_fn *on_span, nytp_span_part_fn *on_part, void *context);
void nytp_span_times_free(nytp_span_times *times); /* NULL is fine */

/* Takes the calls of these events from here on. names are those of the events. */
void nytp_span_times_take(nytp_span_times *times, const nytp_names *names, nytp_events *events);

/* How many of each name are kept in any case. They are fewer, or none, if so many would take more than half
 * of the room. */
enum { NYTP_SLOWEST_SPANS = 50 };

typedef struct nytp_kept_span {
    uint32_t name;    /* its number: nytp_span_sample_name() */
    uint32_t process; /* counted from 0, in order of their starts */
    double begin_s;   /* since 1970 */
    double latency_s, work_s, asleep_s, queued_s;
    nytp_between between;
    uint32_t parts;  /* how many it has */
    uint64_t number; /* how many spans ended before it */
} nytp_kept_span;

typedef struct nytp_span_sample nytp_span_sample;

/* Keeps at most that many spans. */
nytp_span_sample *nytp_span_sample_new(size_t most);
void nytp_span_sample_free(nytp_span_sample *sample); /* NULL is fine */

/* An nytp_span_time_fn that adds a span; context is the nytp_span_sample. */
void nytp_span_sample_add(void *context, const nytp_span_time *span);

/* Returns the spans that are kept, nytp_kept_span, sorted by begin. They belong to sample, to which none is
 * added from here on. */
const GArray *nytp_span_sample_get(nytp_span_sample *sample);

/* How many spans were added. */
uint64_t nytp_span_sample_total(const nytp_span_sample *sample);

/* How many of each name are there in any case, unless the name has fewer. */
size_t nytp_span_sample_slowest(const nytp_span_sample *sample);

/* Returns the name with that number, which belongs to sample. */
nytp_str nytp_span_sample_name(const nytp_span_sample *sample, uint32_t number);
