/* What can be a time or a rate, and what only damage makes. */
#ifndef NYTP_TICKS_H
#define NYTP_TICKS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Until a profile tells its ticks_per_sec. */
#define NYTP_USUAL_TICKS_PER_SEC 1e7

/* Whether it can be a ticks_per_sec. */
static inline bool nytp_is_rate(double ticks_per_sec)
{
    return ticks_per_sec > 0 && isfinite(ticks_per_sec);
}

/* Beyond it a double holds no whole ticks: some 28 years of 100 ns. */
#define NYTP_MOST_TICKS 0x1p53

/* NaN is none, either. */
static inline bool nytp_is_ticks(double ticks)
{
    return fabs(ticks) <= NYTP_MOST_TICKS;
}

/* a + b, or the limit that it would pass: sums of damaged profiles must not wrap round. */
static inline int64_t nytp_add_ticks(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
