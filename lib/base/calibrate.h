/* Sums that were estimated from samples, where the true sum of all of them is known: what is missing is given
 * to each by its variance. What was estimated from few samples takes most of it, and what is known, such as a
 * block larger than the distance between samples, takes nothing. (Plain scaling would change both.) */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* What samples of memory stand for. */
typedef struct nytp_sampled {
    double bytes, blocks;
    double variance; /* of bytes */
    int64_t samples;
} nytp_sampled;

/* Returns what a sample of a block stands for: size bytes were asked for, so that it is a sample with the
 * probability q, and it takes that many. rate_bytes: the mean distance of samples. */
static inline nytp_sampled nytp_sampled_of(double size, double block_bytes, double rate_bytes)
{
    const double q = -expm1(-size / rate_bytes), bytes = block_bytes / q;
    return (nytp_sampled){bytes, 1 / q, bytes * bytes * (1 - q), 1};
}

/* sign: 1 or -1. */
static inline void nytp_sampled_add(nytp_sampled *sum, const nytp_sampled *more, int sign)
{
    sum->bytes += sign * more->bytes;
    sum->blocks += sign * more->blocks;
    sum->variance += sign * more->variance;
    sum->samples += sign * more->samples;
}

typedef struct nytp_calibration {
    double truth;         /* the sum of all, as it was counted */
    double sum, variance; /* of all estimates */
    bool is_counted;      /* otherwise the truth is not known */
} nytp_calibration;

/* Returns whether estimates are to have the sum that was counted. A difference that chance does not explain
 * is not one of samples: some of the memory was freed before the samples began, or by code that is not seen.
 * It stays. */
static inline bool nytp_is_calibrated(const nytp_calibration *all)
{
    const double most_deviations = 5;
    return all->is_counted && fabs(all->truth - all->sum) <= most_deviations * sqrt(all->variance);
}

static inline double nytp_calibrated(const nytp_calibration *all, double estimate, double variance)
{
    return nytp_is_calibrated(all) && all->variance > 0
               ? estimate + (all->truth - all->sum) * variance / all->variance
               : estimate;
}
