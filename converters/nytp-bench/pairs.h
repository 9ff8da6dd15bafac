/* Runs of both sides in turns. */
#pragma once

#include "run.h"

#include <glib.h>

typedef struct bench_pair {
    bench_run run[NYTP_SIDES];
} bench_pair;

typedef struct bench_pairs {
    GArray *all;       /* bench_pair: those that count */
    uint32_t begun;    /* pairs that were run */
    uint32_t repeated; /* those that were disturbed, and do not count */
} bench_pairs;

bench_pairs bench_pairs_new(void);

/* Runs pairs until count of them count. The first one of all never does: it fills caches. One that others
 * have disturbed is repeated, but at most half as many as count. Returns false if a run has failed, or a
 * signal has interrupted it. */
bool bench_pairs_measure(const bench_options *options, const bench_place *place, bench_pairs *pairs,
                         uint32_t count);
void bench_pairs_clear(bench_pairs *pairs);
