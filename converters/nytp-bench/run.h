/* One run of one side: what it took, and its profile. */
#pragma once

#include "options.h"
#include "place.h"

/* What its profile counts. */
typedef struct bench_counts {
    uint64_t calls, statements;
    double waited_s; /* for a processor */
} bench_counts;

typedef struct bench_run {
    double taken_s;    /* processor time or, with --wall, time */
    double busy_share; /* of its time, in which it waited for a processor */
    bench_counts counts;
    char *directory; /* its own; has the profile, nytprof.out */
} bench_run;

/* Runs the command of a side. number: of the run, from 0. Returns false after saying why it failed, or
 * without a message if a signal has interrupted it. The caller must call bench_run_clear(). */
bool bench_run_once(const bench_options *options, const bench_place *place, enum nytp_side side,
                    uint32_t number, bench_run *run);

/* Removes its directory, too. */
void bench_run_clear(bench_run *run);

extern const char *const bench_side_names[NYTP_SIDES];
