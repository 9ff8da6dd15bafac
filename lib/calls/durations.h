/* How long the calls of spans took: their median and other quantiles.
 *
 * Each span has a log-linear histogram: powers of two, in 64 parts each. So memory grows with the number of
 * spans and with the range of their durations, and not with calls. A quantile is at most 0.8 % too long or
 * too short, and a tick; the longest duration is exact.
 */
#pragma once

#include "model/names.h"

typedef struct nytp_durations nytp_durations;

nytp_durations *nytp_durations_new(void);
void nytp_durations_free(nytp_durations *durations); /* NULL is fine */

/* Adds a call that returned, if its sub is a span. sub is its number in names, to which names may be added
 * later. A time below 0 counts as 0. */
void nytp_durations_add(nytp_durations *durations, const nytp_names *names, uint32_t sub, double ticks);

/* Returns the duration that the fraction (0 to 1) of the calls of a sub do not exceed: 0.5 is the median; 1
 * is the longest. Returns -1 if it is not a span. */
double nytp_durations_quantile(const nytp_durations *durations, uint32_t sub, double fraction);
