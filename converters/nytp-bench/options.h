/* The options of nytp-bench. */
#pragma once

#include "nytprof-model.h"

#define BENCH_MOST_P 0.01 /* a difference with a larger p may be chance */

typedef struct bench_options {
    char **commands[NYTP_SIDES]; /* with their arguments; ended by NULL */
    const char *baseline;        /* the commit in which OLD runs; NULL: where NEW runs */
    uint32_t runs;               /* of each side that count */
    double limit;                /* by which NEW may take longer: 0.05 */
    bool wall;                   /* time is compared, not processor time */
    bool fail_calls;             /* more calls or statements are a failure, too */
    bool json, bisect;
} bench_options;
