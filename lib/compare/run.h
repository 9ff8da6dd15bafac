/* What of a profile is compared: times and numbers, by keys that all profiles of a comparison share. */
#pragma once

#include "nytprof-model.h"
#include "calls/by_label.h"
#include "calls/durations.h"
#include "model/pairs.h"
#include "model/measure.h"
#include "model/names.h"

#define NYTP_NO_KEY UINT32_MAX

/* The keys. A sub, file or package has the number of its portable name (portable.h). A line is a pair of a
 * file and a line. A stack is a pair of the stack of the caller and a sub; the first stack is empty, and is a
 * pair with itself. Calls are a pair of the caller, NYTP_NO_KEY outside of subs, and the callee. A place is a
 * pair of calls and a line; a line without time has a key, too, and its file may be NYTP_NO_KEY. A label has
 * the number of its kind and text, "sql: SELECT 1". */
typedef struct nytp_keys {
    nytp_names *subs, *files, *packages, *labels;
    GArray *label_of_sub; /* uint32_t, by key of a sub: the label's + 1; 0: the sub has none */
    nytp_pairs lines, stacks, calls, places;
} nytp_keys;

void nytp_keys_init(nytp_keys *keys);
void nytp_keys_clear(nytp_keys *keys);
uint32_t nytp_keys_count(const nytp_keys *keys, enum nytp_compared kind);

/* What was measured of one of them. */
typedef struct nytp_measured {
    double excl, incl; /* in the measure's base unit; incl: not of lines, files and packages */
    double count;      /* calls; of lines and files: statements; of labels: runs */
} nytp_measured;

typedef struct nytp_run {
    GArray *of[NYTP_COMPARED_KINDS]; /* nytp_measured, by key; zeros and missing ones: not in this run */
    nytp_measured whole;             /* of the program; count: calls */
    nytp_measure measure;
    double samples;
    double busy_share; /* of its time, in which it waited for a processor */
    GArray *durations; /* nytp_distribution, by key of a sub; NULL if not known */
    double duration_ticks_per_sec;
    uint32_t *sub_key, *file_key; /* by number of the profile; NYTP_NO_KEY: a sub without calls and time */
    GArray *label_key;            /* uint32_t, by number of nytp_run_add_labels()'s labels */
} nytp_run;

/* Takes what is compared from a profile whose evals are merged. stacks may be NULL. The caller must free the
 * run. */
nytp_run *nytp_run_new(nytp_keys *keys, const nytp_profile *profile, nytp_calltree *stacks);
void nytp_run_free(nytp_run *run);

/* Adds what calls with labels took. */
void nytp_run_add_labels(nytp_run *run, nytp_keys *keys, const nytp_by_label *labels);

/* Returns which share of their time runs (nytp_run) waited for a processor, on average; at least one. */
double nytp_runs_busy_share(const GPtrArray *runs);

/* Adds how long the calls of the subs of its profile took. */
void nytp_run_add_durations(nytp_run *run, const nytp_keys *keys, const nytp_sub_durations *durations);

/* Adds those of a sub, by its key, to a sum. */
void nytp_run_sum_durations(const nytp_run *run, uint32_t key, nytp_distribution *sum);

/* Returns what was measured; zeros if the run does not have that key. */
/* Whether times are shares of samples: a recording may begin and end anywhere. Bytes are sums. */
static inline bool nytp_run_is_of_shares(const nytp_run *run)
{
    return nytp_measure_counts_samples(&run->measure);
}

nytp_measured nytp_run_get(const nytp_run *run, enum nytp_compared kind, uint32_t key);
