/* Sums that were estimated from samples, where the true sum of all of them is known: what is missing is given
 * to each by its variance. What was estimated from few samples takes most of it, and what is known, such as a
 * block larger than the distance between samples, takes nothing. (Plain scaling would change both.) */
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct nytp_calibration {
    double truth;         /* the sum of all, as it was counted */
    double sum, variance; /* of all estimates */
} nytp_calibration;

/* A difference that chance does not explain is not one of samples: some of the memory was freed before the
 * samples began, or by code that is not seen. It stays. */
static inline double nytp_calibrated(const nytp_calibration *all, double estimate, double variance)
{
    const double most_deviations = 5, difference = all->truth - all->sum;
    const bool is_chance = fabs(difference) < most_deviations * sqrt(all->variance);
    return is_chance ? estimate + difference * variance / all->variance : estimate;
}

/* Returns the standard error of an estimate, or of several together, that were calibrated. */
static inline double nytp_calibrated_error(double all_variance, double variance)
{
    return variance < all_variance ? sqrt(variance * (1 - variance / all_variance)) : 0;
}
