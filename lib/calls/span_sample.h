/* Some of many spans: the slowest of each name, and a fair sample of the others.
 *
 * Whether a span is in the sample depends on nothing but its number, so each has the same chance, and the
 * same profile gives the same sample. Memory grows with the number of spans that are kept, and of names. */
#pragma once

#include "calls/span_times.h"

#include <glib.h>

/* How many of each name are kept in any case. They are fewer, or none, if so many would take more than half
 * of the room. */
enum { NYTP_SLOWEST_SPANS = 50 };

typedef struct nytp_kept_span {
    uint32_t name;                                /* its number: nytp_span_sample_name() */
    uint32_t process;                             /* counted from 0, in order of their starts */
    double begin_s;                               /* since 1970 */
    double latency_s, work_s, asleep_s, queued_s; /* span_times.h */
    uint32_t parts;                               /* how many it has */
    uint64_t number;                              /* how many spans ended before it */
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
