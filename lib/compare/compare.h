/* Two sets of profiles side by side: what changed from OLD to NEW, and whether by more than chance.
 *
 *     run.h         what of a profile is compared, by keys that all profiles share
 *     model/portable.h  names that do not depend on directories
 *     match.h       which key of OLD is which of NEW
 *     rank_test.h   medians, spread, and the test
 */
#ifndef NYTP_COMPARE_COMPARE_H
#define NYTP_COMPARE_COMPARE_H

#include "nytprof-model.h"

enum nytp_side { NYTP_OLD, NYTP_NEW, NYTP_SIDES };

/* What is compared. */
enum nytp_compared {
    NYTP_COMPARE_SUBS,
    NYTP_COMPARE_LINES,
    NYTP_COMPARE_FILES,
    NYTP_COMPARE_PACKAGES,
    NYTP_COMPARE_STACKS,
    NYTP_COMPARED_KINDS
};

/* By which of their numbers. */
enum nytp_measure {
    NYTP_MEASURE_EXCL,     /* exclusive time; of lines and files, the time of their statements */
    NYTP_MEASURE_INCL,     /* inclusive time; only of subs and stacks */
    NYTP_MEASURE_COUNT,    /* calls; of lines and files, statements; of samples, samples */
    NYTP_MEASURE_PER_COUNT /* exclusive time for each of them */
};

typedef struct nytp_comparison nytp_comparison;

nytp_comparison *nytp_comparison_new(void);
void nytp_comparison_free(nytp_comparison *comparison); /* NULL is fine */

/* Adds a run of the program to a side. Evals must be merged (nytp_profile_merge_evals()). stacks, a tree of
 * the same calls, may be NULL: then there are no stacks to compare. Both can be freed afterwards.
 *
 * Names are compared without the directories of @INC, as far as the profile has those, and without numbers
 * of evals. */
void nytp_comparison_add(nytp_comparison *comparison, enum nytp_side side, const nytp_profile *profile,
                         nytp_calltree *stacks);

size_t nytp_comparison_runs(const nytp_comparison *comparison, enum nytp_side side);

/* Whether some profiles are made of samples. Then times are shares of the run's time, from 0 to 1, since a
 * recording may have begun and ended anywhere. */
bool nytp_comparison_is_by_share(const nytp_comparison *comparison);

/* Whether some profiles are made of samples, and others are not. */
bool nytp_comparison_is_mixed(const nytp_comparison *comparison);

/* How sure a difference is. */
enum nytp_verdict {
    NYTP_VERDICT_NONE,     /* there is no difference */
    NYTP_VERDICT_EXACT,    /* all runs of a side have the same number */
    NYTP_VERDICT_MORE,     /* more than chance: p is below 0.05 */
    NYTP_VERDICT_CHANCE,   /* chance can explain it */
    NYTP_VERDICT_UNTESTED, /* there are fewer than four runs of a side, or too small a share of the time */
};

typedef struct nytp_change {
    nytp_str name; /* NEW's, or OLD's if it is gone; valid until the next call */
    bool is_in[NYTP_SIDES];
    bool is_sum; /* of rows that could not be matched, which are rows of their own, too */
    double median[NYTP_SIDES];
    double spread[NYTP_SIDES]; /* half of the range of the middle half of the runs; of samples, the standard
                                  error */
    double difference;         /* of the medians */
    double p;                  /* of the test; 1 if there was none */
    enum nytp_verdict verdict;
} nytp_change;

/* How many subs, lines, files, packages or stacks there are on either side. Both sides must have runs. */
size_t nytp_comparison_count(nytp_comparison *comparison, enum nytp_compared kind);

/* Sets *change to what changed of one of them. index is below nytp_comparison_count(). */
void nytp_comparison_get(nytp_comparison *comparison, enum nytp_compared kind, size_t index,
                         enum nytp_measure measure, nytp_change *change);

/* The same for the whole program. */
void nytp_comparison_whole(nytp_comparison *comparison, enum nytp_measure measure, nytp_change *change);

#endif
