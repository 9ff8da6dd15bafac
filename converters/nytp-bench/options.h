/* The options of nytp-bench. */
#pragma once

#include "nytprof-model.h"

/* Pairs are looked at when as many count as were asked for, and if that does not decide, when two and four
 * times as many do. A difference with a larger p than that of the look may be chance: equal programs are
 * found to differ with a probability of at most 0.01, the sum of all. */
enum { BENCH_LOOKS = 3 };
static const double bench_most_p[BENCH_LOOKS] = {0.008, 0.001, 0.001};

typedef struct bench_options {
    char **commands[NYTP_SIDES]; /* with their arguments; ended by NULL */
    const char *baseline;        /* the commit in which OLD runs; NULL: where NEW runs */
    uint32_t runs;               /* of each side that count, at the first look */
    double limit;                /* by which NEW may take longer: 0.05 */
    bool wall;                   /* time is compared, not processor time */
    bool fail_calls;             /* more calls or statements are a failure, too */
    bool json, bisect;
} bench_options;
