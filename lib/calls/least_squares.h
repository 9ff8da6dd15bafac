/* Least squares: a quantity as the sum of a constant and multiples of others, of which many observations are
 * added one by one. Nothing is kept of each.
 *
 * How sure a multiple is follows from what the others leave open: of quantities that grow together none is
 * sure. Observations follow one another in time, and what is not explained of one is like that of the one
 * before it, so they say less than as many that do not. How much less follows from the differences between
 * those that follow one another (Durbin and Watson).
 */
#pragma once

#include <stdbool.h>

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
