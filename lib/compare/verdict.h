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

/* Sets p and the verdict of a change whose medians and difference are set; and its spread, if there are so
 * few runs that the error of samples decides. is_share: the values are shares of runs that were sampled. */
void nytp_judge(const nytp_values *values, enum nytp_figure figure, bool is_share, nytp_change *change);
