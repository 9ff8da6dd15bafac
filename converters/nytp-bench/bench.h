/* The way of nytp-bench: its command line; where commands run; runs, pairs of them, what those say, and how
 * that is written. */
#pragma once

#include "nytprof-model.h"

#include "compare/rank_test.h"

#include <glib.h>
#include <stdio.h>

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

/* Returns -1 to go on, or the exit status. The caller must call bench_command_clear() in any case. */
int bench_command_parse(bench_options *options, int argc, char **argv);
void bench_command_clear(bench_options *options);

/* Whether --bisect is among the options, also if others of them are wrong. */
bool bench_command_bisects(int argc, char **argv);

typedef struct bench_place {
    char *temporary;
    char *directory[NYTP_SIDES]; /* where commands run; NULL: where this process does */
    char *worktree;              /* NULL if none */
} bench_place;

/* Creates both; baseline: the commit in which OLD runs, or NULL. Returns false after saying why it failed.
 * The caller must call bench_place_end() in any case. */
bool bench_place_begin(bench_place *place, const char *baseline);

/* Removes them. */
void bench_place_end(bench_place *place);

/* Removes a directory and all that is in it. */
void bench_remove(const char *directory);

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

/* where: what changed, as nytp-diff says it, or NULL. */
void bench_write_text(const bench_verdict *verdict, const bench_pairs *pairs, const bench_options *options,
                      const char *where, FILE *out);
void bench_write_json(const bench_verdict *verdict, const bench_pairs *pairs, const bench_options *options,
                      FILE *out);
