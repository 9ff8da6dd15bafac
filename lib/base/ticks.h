/* Which numbers can be a time or a rate. Others are only in damaged profiles. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ticks_per_sec, unless the profile says otherwise. */
#define NYTP_USUAL_TICKS_PER_SEC 1e7

/* Beyond these a sum of times in seconds is infinite, or a tick is no time. */
#define NYTP_LEAST_RATE 1e-9
#define NYTP_MOST_RATE  1e18

static inline bool nytp_is_rate(double ticks_per_sec)
{
    return ticks_per_sec >= NYTP_LEAST_RATE && ticks_per_sec <= NYTP_MOST_RATE;
}

/* The largest time. Beyond it a double does not hold every whole number; it is 28 years of 100 ns. */
#define NYTP_MOST_TICKS 0x1p53

/* Returns whether ticks can be a time; NaN cannot. */
static inline bool nytp_is_ticks(double ticks)
{
    return fabs(ticks) <= NYTP_MOST_TICKS;
}

/* Returns ticks that were read; 0 if they cannot be a time. */
static inline double nytp_known_ticks(double ticks)
{
    return nytp_is_ticks(ticks) ? ticks : 0;
}

/* fmax(ticks, 0), which the compiler calls, since it may be NaN. */
static inline double nytp_at_least_0(double ticks)
{
    return ticks > 0 ? ticks : 0;
}

/* Returns a sum as whole ticks, or the limit that it exceeds: INT64_MAX or its negative. NaN is 0. */
static inline int64_t nytp_whole_ticks(double ticks)
{
    if (fabs(ticks) < 0x1p63)
        return (int64_t)ticks;
    return isnan(ticks) ? 0 : ticks > 0 ? INT64_MAX : -INT64_MAX;
}

/* Returns a + b, or the limit that it exceeds: sums of damaged profiles must not wrap around. The limits are
 * those of nytp_whole_ticks(), so that each result can be negated. */
static inline int64_t nytp_add_ticks(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a < 0 ? -INT64_MAX : INT64_MAX;
    return sum < -INT64_MAX ? -INT64_MAX : sum;
}
