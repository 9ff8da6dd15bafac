/* What the pairs say. */
#pragma once

#include "pairs.h"

#include "compare/rank_test.h"

/* A number that should be the same in all runs of a side. */
typedef struct bench_number {
    double median[NYTP_SIDES];
    bool varies; /* it was not */
    bool grew;   /* all runs of NEW have more than all of OLD */
} bench_number;

typedef struct bench_verdict {
    double taken_s[NYTP_SIDES]; /* medians */
    double change;              /* the median of NEW / OLD - 1 of the pairs */
    double p;                   /* that pairs of equal programs differ as much */
    bool is_chance;             /* p is too large */
    bool is_slower;             /* by more than the limit, and not by chance */
    bench_number calls, statements;
    double busy_share; /* of the time, on average */
} bench_verdict;

/* look: how many times the pairs were looked at before. */
bench_verdict bench_verdict_of(const bench_pairs *pairs, double limit, int look);

/* Returns whether more pairs may say that NEW is slower: it takes more than half of the limit longer. */
bool bench_verdict_is_in_doubt(const bench_verdict *verdict, double limit);

/* Returns the exit status. */
int bench_verdict_status(const bench_verdict *verdict, const bench_options *options);
