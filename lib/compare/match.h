/* Which name of OLD is which of NEW.
 *
 * Equal names are the same. Names with lines in them ("A::__ANON__[A.pm:12]", "A::BEGIN@3", "(eval
 * 0)[t.pl:26]") and with absolute paths change without a change of what they name. Those that differ in
 * nothing else are a group. If a group is as large in both sides, its members are matched: those whose names
 * are equal first, the rest in order of their lines; or all in order of their lines, if fewer than half have
 * equal names. Otherwise the rest is gone or new, and has a sum.
 */
#pragma once

#include "nytprof-model.h"

#include "calls/by_label.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "model/measure.h"
#include "model/names.h"
#include "model/records.h"
#include "model/waits.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#define NYTP_NO_LINE UINT32_MAX

/* Aligns two texts, given as the hashes of their lines. Returns by index of an old line the index of the new
 * one, in ascending order, or NYTP_NO_LINE if the line is gone. The caller must g_free() it.
 *
 * Lines that occur once in both texts are anchors; between two anchors the same is done again (patience
 * diff). Where as many lines were taken away as were put in their place, they are the same lines, edited. */
uint32_t *nytp_align(const uint64_t *old, uint32_t old_count, const uint64_t *new, uint32_t new_count);

/* Returns the hashes of the lines of a file, uint64_t, of which the first is that of line 1, or
 * NULL if the text of that file is not known. The array belongs to the text; g_array_ref() keeps it. */
GArray *nytp_source_text_hashes(const nytp_source_text *text, uint32_t fid);

#define NYTP_NO_KEY UINT32_MAX

/* The keys. A sub, file or package has the number of its portable name (model/origin.h). A line is a pair of
 * a file and a line. A stack is a pair of the stack of the caller and a sub; the first stack is empty, and is
 * a pair with itself. Calls are a pair of the caller, NYTP_NO_KEY outside of subs, and the callee. A place is
 * a pair of calls and a line; a line without time has a key, too, and its file may be NYTP_NO_KEY. A label
 * has the number of its kind and text, "sql: SELECT 1"; a kind of memory that of its name. */
typedef struct nytp_keys {
    nytp_names *subs, *files, *packages, *labels, *kinds;
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
    /* The parts of excl, of labels of incl; but for lines and files, only of stacks that read how long calls
     * waited */
    double work, asleep, queued;
    /* Values that their own code left behind, exactly; 0 of all but subs, packages, calls and places */
    double kept;
    double variance; /* of excl, of an estimate from samples: nytp_kinds_error() */
} nytp_measured;

/* Adds what was measured to a sum. */
void nytp_measured_add(nytp_measured *sum, const nytp_measured *m);

typedef struct nytp_run {
    GArray *of[NYTP_COMPARED_KINDS]; /* nytp_measured, by key; zeros and missing ones: not in this run */
    nytp_measured whole;             /* of the program; count: calls */
    double profiler;                 /* the profiler's own time, which that does not have */
    nytp_measure measure;
    double samples;
    double whole_variance; /* of bytes: nytp_kinds_whole_variance() */
    double busy_share;     /* of its time, in which it waited for a processor */
    bool measures_waits;   /* otherwise subs that wait by their names were asleep, if they were recorded: */
    bool knows_waits;      /* otherwise the parts of whole are not known */
    bool lacks_kept;       /* some calls do not say what they kept */
    GArray
        *durations[NYTP_COMPARED_KINDS]; /* nytp_distribution, by key; NULL: not known; of subs and labels */
    double duration_ticks_per_sec;
    uint32_t *sub_key, *file_key; /* by number of the profile; NYTP_NO_KEY: a sub without calls and time */
    GArray *label_key;            /* uint32_t, by number of nytp_run_add_labels()'s labels */
} nytp_run;

/* Adds what was measured to what the run has of a key. */
void nytp_run_add(nytp_run *run, enum nytp_compared kind, uint32_t key, const nytp_measured *m);

/* Adds the parts of some of the time of a sub, by its number in the profile. */
void nytp_run_add_waited(nytp_run *run, uint32_t sub, double ticks, nytp_waited waited);

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

/* The same of the runs of labels, by number of nytp_run_add_labels()'s labels. */
void nytp_run_add_label_durations(nytp_run *run, const nytp_keys *keys, const GArray *durations);

/* Adds those of a sub or label, by its key, to a sum. */
void nytp_run_sum_durations(const nytp_run *run, enum nytp_compared kind, uint32_t key,
                            nytp_distribution *sum);

/* Whether times are shares of samples: a recording may begin and end anywhere. Bytes are sums. */
static inline bool nytp_run_is_of_shares(const nytp_run *run)
{
    return nytp_measure_counts_samples(&run->measure);
}

/* Returns what was measured; zeros if the run does not have that key. */
nytp_measured nytp_run_get(const nytp_run *run, enum nytp_compared kind, uint32_t key);

typedef struct nytp_match {
    uint32_t key[NYTP_SIDES]; /* NYTP_NO_KEY: that side does not have it */
    uint32_t sum;             /* index of the sum that it is part of, plus 1; 0: none */
    char *sum_name;           /* of a sum: the name of its group, with # for lines; NULL: no sum */
} nytp_match;

/* Matches the names. sides says, by key, which sides have it: a bit for each. Returns an array of nytp_match,
 * which the caller must g_array_unref(). subs: only what follows a bracket or an @ may have lines and paths.
 */
GArray *nytp_match_names(const nytp_names *names, const uint8_t *sides, bool subs);

/* Matches two lists of different names of subs. Returns an array: by index of old, that of the same sub in
 * new, or NYTP_NO_KEY. The caller must g_free() it. */
uint32_t *nytp_match_lists(const nytp_str *old, uint32_t old_count, const nytp_str *new, uint32_t new_count);
