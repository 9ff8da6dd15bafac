/* Runs of both sides in turns. */
#pragma once

#include "run.h"

#include <glib.h>

typedef struct bench_pair {
    bench_run run[NYTP_SIDES];
} bench_pair;

typedef struct bench_pairs {
    GArray *all;       /* bench_pair: those that count */
    uint32_t repeated; /* pairs that were disturbed, and do not count */
} bench_pairs;

/* Runs pairs until options->runs of them count. The first one never does: it fills caches. One that others
 * have disturbed is repeated, but at most half as many as count. Returns false if a run has failed, or a
 * signal has interrupted it. The caller must call bench_pairs_clear() in any case. */
bool bench_pairs_measure(const bench_options *options, const bench_place *place, bench_pairs *pairs);
void bench_pairs_clear(bench_pairs *pairs);
