/* How much memory the spans of each label leave, such as the requests of a route: RSS by the numbers of spans
 * that have ended, by least squares, for each process. A sink of events.
 *
 * A span within another one counts as a part of that. Labels that come late, when many have their own number,
 * count together, and nothing is said of them.
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
    double bytes_each;
    double most_bytes; /* that the process had */
    uint64_t count;    /* of its spans in the process */
} nytp_span_growth;

/* Call it when all has been read. Returns what is sure, of each label that of the process where it left most:
 * an array of nytp_span_growth, which belongs to growth. */
const GArray *nytp_growth_get(nytp_growth *growth);

/* Returns the name of a sub by its number. */
nytp_str nytp_growth_name(const nytp_growth *growth, uint32_t name);
