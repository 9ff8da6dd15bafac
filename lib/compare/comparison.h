/* What a comparison keeps, for the files of this folder: the runs, and the rows in which both sides are
 * matched.
 */
#pragma once

#include "nytprof-model.h"

#include "compare/match.h"
#include "compare/rank_test.h"

#include <stddef.h>

/* A loop over OLD and NEW. */
#define NYTP_EACH_SIDE(side) for (int side = NYTP_OLD; side < NYTP_SIDES; side++)

/* The values of a row in all runs. */
typedef struct nytp_values {
    double *of[NYTP_SIDES];
    size_t count[NYTP_SIDES];
    double samples[NYTP_SIDES];  /* of profiles made of samples of time; else 0 */
    double bytes_per_sample;     /* of profiles of memory; else 0 */
    double variance[NYTP_SIDES]; /* of the sum of all runs' bytes; NaN if not known */
    double largest_share;        /* of the whole run's time */
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

struct nytp_comparison {
    nytp_keys keys;
    GPtrArray *runs[NYTP_SIDES];       /* nytp_run */
    GPtrArray *others[NYTP_SIDES];     /* nytp_run: nytp_comparison_switch() */
    GPtrArray *text[NYTP_SIDES];       /* by key of a file: GArray of the hashes of its lines, or NULL */
    GArray *rows[NYTP_COMPARED_KINDS]; /* nytp_match; NULL: not matched since the last run was added */
    uint32_t *row_of[NYTP_COMPARED_KINDS][NYTP_SIDES]; /* index of the row, by key; NULL: not yet asked for */
    GString *name;                                     /* that was returned last */
    bool shows_paths;
    GPtrArray
        *paths[NYTP_SIDES]; /* by key of a file: char *, its name in the side's first run; NULL: unknown */
};

/* Names of files, lines and places that are returned from now on have the whole paths that the first run of
 * NEW has for them or, of what is gone, of OLD. To be called before a run is added. */
/* Returns what its values are in: the base unit of this measure. There must be runs. */
const nytp_measure *nytp_comparison_measure(const nytp_comparison *comparison);

/* Figures of subs that the public header does not have: how long their calls took, one of enum nytp_duration
 * added to this. nytp_comparison_add_durations() must have been called for all runs. The whole program has
 * its inclusive time instead. */
enum { NYTP_FIGURE_DURATION = NYTP_FIGURE_PER_COUNT + 1 };

static inline bool nytp_figure_is_duration(enum nytp_figure figure)
{
    return (int)figure >= NYTP_FIGURE_DURATION && (int)figure < NYTP_FIGURE_DURATION + NYTP_DURATIONS;
}

/* And what their exclusive time was, of labels their inclusive time. The stacks of all runs must read how
 * long calls waited (nytp_calltree_read_waited()). Places do not have it. */
enum { NYTP_FIGURE_WORK = NYTP_FIGURE_DURATION + NYTP_DURATIONS, NYTP_FIGURE_ASLEEP, NYTP_FIGURE_QUEUED };

/* And how many of perl's values their own code left behind; of subs, packages, calls and places. */
enum { NYTP_FIGURE_KEPT = NYTP_FIGURE_QUEUED + 1 };

/* Whether it is a number that is the same in each run of the same program. */
static inline bool nytp_figure_is_count(enum nytp_figure figure)
{
    return figure == NYTP_FIGURE_COUNT || (int)figure == NYTP_FIGURE_KEPT;
}

/* Whether all runs know that of all calls. */
bool nytp_comparison_knows_kept(const nytp_comparison *comparison);

static inline bool nytp_figure_is_part(enum nytp_figure figure)
{
    return (int)figure >= NYTP_FIGURE_WORK && (int)figure <= NYTP_FIGURE_QUEUED;
}

/* Now runs are added to other lists, and numbers are those of these: of the same profiles, read in another
 * way, such as without what was asleep and queued. Rows stay those of both readings. Again switches back. */
void nytp_comparison_switch(nytp_comparison *comparison);

/* Whether it is measured in all runs how long they waited; otherwise it goes by the names of subs. */
bool nytp_comparison_measures_waits(const nytp_comparison *comparison);

/* Adds what calls with labels took to the run that was added last to a side, without its stacks. labels are
 * those of its profile, and may have some without calls. */
void nytp_comparison_add_labels(nytp_comparison *comparison, enum nytp_side side,
                                const nytp_by_label *labels);

/* Adds how long a sub itself waited to the run that was added last to a side, without its stacks. sub: its
 * number in the profile; ticks: of the profile, its own time, of which waited is a part. */
void nytp_comparison_add_waited(nytp_comparison *comparison, enum nytp_side side, uint32_t sub, double ticks,
                                nytp_waited waited);

/* Returns the index of a label by its number in what nytp_comparison_add_labels() added, or SIZE_MAX if no
 * run has calls with it. */
size_t nytp_comparison_find_label(nytp_comparison *comparison, enum nytp_side side, size_t run,
                                  uint32_t number);

/* Returns the index of the label of a sub, by its index, or SIZE_MAX if it has none that is compared. */
size_t nytp_comparison_label_of(nytp_comparison *comparison, size_t sub);

/* Splits the name of a label in a comparison, "sql: SELECT 1". */
nytp_label nytp_comparison_label(nytp_str name);

/* Adds the kinds of memory to the run that was added last to a side, and how far bytes may be off. profile is
 * that of the run, and by_sub as nytp_kinds_by_sub() has them, but of merged evals. */
void nytp_comparison_add_kinds(nytp_comparison *comparison, enum nytp_side side, const nytp_profile *profile,
                               const nytp_kinds *kinds, const GArray *by_sub);

/* Adds how long calls took to the run that was added last to a side. profile is that of the run. */
void nytp_comparison_add_durations(nytp_comparison *comparison, enum nytp_side side,
                                   const nytp_sub_durations *durations);

/* Adds how long the runs of labels took, an array of nytp_distribution in the order of the labels of its
 * stacks. */
void nytp_comparison_add_label_durations(nytp_comparison *comparison, enum nytp_side side,
                                         const GArray *durations);

static inline void nytp_comparison_show_paths(nytp_comparison *comparison)
{
    comparison->shows_paths = true;
}

/* Returns the rows of a kind, which stay until a run is added. Both sides must have runs. */
GArray *nytp_comparison_rows(nytp_comparison *c, enum nytp_compared kind);

/* Returns the index of the row by key of a side, or NYTP_NO_KEY if that side does not have the key. */
const uint32_t *nytp_comparison_row_of(nytp_comparison *c, enum nytp_compared kind, int side);

void nytp_comparison_forget_rows(nytp_comparison *c);
