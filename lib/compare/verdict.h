/* Whether a difference between two sets of runs is more than chance. */
#pragma once

#include "compare/rank_test.h"
#include "nytprof-model.h"

#include <stddef.h>

/* The values of a row in all runs. */
typedef struct nytp_values {
    double *of[NYTP_SIDES];
    size_t count[NYTP_SIDES];
    double samples[NYTP_SIDES]; /* of profiles made of samples of time; else 0 */
    double bytes_per_sample;    /* of profiles of memory; else 0 */
    double largest_share;       /* of the whole run's time */
} nytp_values;

enum { NYTP_FEWEST_RUNS = 4 }; /* the test can give p < 0.05 from four a side on */

/* Whether that many runs are too few to test times. */
static inline bool nytp_runs_are_few(size_t old, size_t new)
{
    return old < NYTP_FEWEST_RUNS || new < NYTP_FEWEST_RUNS;
}

/* Sets p and the verdict of a change whose medians and difference are set; and its spread, if there are so
 * few runs that the error of samples decides. is_share: the values are shares of runs that were sampled. */
void nytp_judge(const nytp_values *values, enum nytp_figure figure, bool is_share, nytp_change *change);
