/* How many of perl's values each label's spans, such as the requests of a route, leave behind. The collector
 * has counted them (`left`, doc/format.md). A sink of events.
 *
 * What a span within another one leaves behind counts for the inner span alone.
 */
#pragma once

#include "events/events.h"

typedef struct nytp_growth nytp_growth;

/* names are those of the events that it takes. */
nytp_growth *nytp_growth_new(const nytp_names *names);
void nytp_growth_free(nytp_growth *growth); /* NULL is fine */

/* Makes it a sink of events. It must live as long as they are read. */
void nytp_growth_take(nytp_growth *growth, nytp_events *events);

typedef struct nytp_span_growth {
    uint32_t name; /* of the sub that is the span */
    uint32_t pid;
    uint64_t count;     /* of its spans in the process */
    double values;      /* that all of them left */
    double most_values; /* that the process had */
} nytp_span_growth;

/* Call it when all has been read. Returns what grows, of each label that of the process where it left most:
 * an array of nytp_span_growth, which belongs to growth. */
const GArray *nytp_growth_get(nytp_growth *growth);

/* Returns the name of a sub by its number. */
nytp_str nytp_growth_name(const nytp_growth *growth, uint32_t name);
