/* How much memory the spans of each label leave, such as the requests of a route: RSS by the numbers of spans
 * that have ended, by least squares, for each process. A sink of events.
 *
 * A span within another one counts as a part of that. Labels that come late, when many have their own number,
 * count together, and nothing is said of them.
 */
#pragma once

#include "events/events.h"

#include <stdbool.h>

/* Least squares: a quantity as the sum of a constant and multiples of others, of which many observations are
 * added one by one. Nothing is kept of each.
 *
 * How sure a multiple is follows from what the others leave open: of quantities that grow together none is
 * sure. Observations follow one another in time, and what is not explained of one is like that of the one
 * before it, so they say less than as many that do not. How much less follows from the differences between
 * those that follow one another (Durbin and Watson).
 */

enum { NYTP_QUANTITIES = 24 };

typedef struct nytp_least_squares {
    double count; /* of observations */
    /* Means, and sums of products of the differences from them: of the quantities and, last, of their sum. */
    double mean[NYTP_QUANTITIES + 1];
    double product[NYTP_QUANTITIES + 1][NYTP_QUANTITIES + 1];
    /* The last observation, and sums of products of the differences from the one before. */
    double last[NYTP_QUANTITIES + 1];
    double step[NYTP_QUANTITIES + 1][NYTP_QUANTITIES + 1];
} nytp_least_squares;

typedef struct nytp_fit {
    double multiple[NYTP_QUANTITIES];
    double error[NYTP_QUANTITIES]; /* standard error of each */
    double r2;                     /* which share of the variance they explain */
} nytp_fit;

/* Adds an observation, of which quantities have the first values, and the last one is what they make up. */
void nytp_least_squares_add(nytp_least_squares *squares, const double value[NYTP_QUANTITIES + 1]);

/* Sets *fit. Quantities that have always had one value have the multiple 0. Returns false if there are too
 * few observations. */
bool nytp_least_squares_fit(const nytp_least_squares *squares, nytp_fit *fit);

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
