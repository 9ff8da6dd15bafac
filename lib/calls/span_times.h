/* Spans, each as it ends: when it began, how long it took, and how much of that it waited (model/waits.h).
 * Nothing is kept of them. */
#pragma once

#include "base/labels.h"
#include "events/events.h"

typedef struct nytp_span_time {
    nytp_str name;               /* "GET /albums" */
    uint32_t pid;                /* of its process */
    uint32_t process;            /* counted from 0, in order of their starts */
    double begin_s;              /* since 1970, by the clock of its process (clock.h) */
    double latency_s;            /* from its begin to its end */
    double waiting_s;            /* of that; the rest is work */
    const nytp_call_event *call; /* that it is */
} nytp_span_time;

typedef void nytp_span_time_fn(void *context, const nytp_span_time *span);

typedef struct nytp_span_times nytp_span_times;

/* Calls on_span for each span of the events that it takes. A span that goes on at the end of what is read has
 * not ended. */
nytp_span_times *nytp_span_times_new(nytp_span_time_fn *on_span, void *context);
void nytp_span_times_free(nytp_span_times *times); /* NULL is fine */

/* Takes the calls of these events from here on. names are those of the events. */
void nytp_span_times_take(nytp_span_times *times, const nytp_names *names, nytp_events *events);
