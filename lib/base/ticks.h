/* Which numbers can be a time or a rate; others come from damaged profiles only. */
#ifndef NYTP_TICKS_H
#define NYTP_TICKS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ticks_per_sec, unless the profile says otherwise. */
#define NYTP_USUAL_TICKS_PER_SEC 1e7

static inline bool nytp_is_rate(double ticks_per_sec)
{
    return ticks_per_sec > 0 && isfinite(ticks_per_sec);
}

/* Beyond it a double does not hold every whole number: 28 years of 100 ns. */
#define NYTP_MOST_TICKS 0x1p53

/* Whether it can be a time; NaN cannot. */
static inline bool nytp_is_ticks(double ticks)
{
    return fabs(ticks) <= NYTP_MOST_TICKS;
}

/* a + b, or the limit that it would exceed: sums of damaged profiles must not wrap around. */
static inline int64_t nytp_add_ticks(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

#endif
