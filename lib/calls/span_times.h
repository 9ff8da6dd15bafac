/* Spans, each as it ends: when it began, how long it took, and how much of that it waited (events/waited.h).
 * Nothing is kept of them. A span that is a request (events/requests.h) is one, with all of its parts. */
#pragma once

#include "base/labels.h"
#include "events/events.h"

typedef struct nytp_span_time {
    nytp_str name;    /* "GET /albums" */
    uint32_t sub;     /* whose calls it is, or its last part */
    uint32_t pid;     /* of its process */
    uint32_t process; /* counted from 0, in order of their starts */
    double begin_s;   /* since 1970, by the clock of its process (clock.h) */
    double latency_s; /* from its begin to its end */
    /* Of that, within its parts; together they are all of it, unless it is a request. */
    double work_s, asleep_s, queued_s;
    uint32_t parts;              /* how many it has */
    const nytp_call_event *call; /* that it is; NULL if it is a request */
    uint64_t request;            /* its id in its process; 0 if it is a call */
} nytp_span_time;

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
