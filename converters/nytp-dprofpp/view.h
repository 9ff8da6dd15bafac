/* How nytp-dprofpp writes calls: every call in order; or what the tree, the table and JSON show, stacks with
 * their times, and how to name and sort them. */
#pragma once

#include "calls.h"

#include "calls/calltree.h"
#include "calls/durations.h"
#include "calls/stacktree.h"
#include "cli/options.h"
#include "model/measure.h"
#include "model/names.h"

#include <glib.h>
#include <stdbool.h>

/* Parses the words of --columns, which commas part. Returns NULL, or what is wrong with them, to be passed to
 * free(). */
char *dprofpp_columns_parse(dprofpp_columns *columns, const char *words);

/* The names of columns. NULL ends them. */
extern const char *const dprofpp_column_names[DPROFPP_COLUMNS + 1];

/* Returns how long calls took, in an array of nytp_distribution by the number of the shown name, which the
 * caller must free by g_array_unref(). durations has the tree's calls, by their raw names. */
GArray *dprofpp_columns_of_shown(nytp_calltree *tree, const nytp_durations *durations);

/* What calls kept: of those that say it, how many they are, and the sum. */
typedef struct dprofpp_kept {
    uint64_t calls;
    int64_t values;
} dprofpp_kept;

/* Returns what calls kept by their sums, in an array of dprofpp_kept by the number of the shown name, which
 * the caller must free by g_array_unref(). raw has the names of the tree's calls. */
GArray *dprofpp_columns_kept_of_shown(nytp_calltree *tree, nytp_names *raw, const nytp_profile *sums);

/* Returns how long subs waited, in an array of nytp_sub_wait by the number of the shown name, which the
 * caller must free by g_array_unref(). */
GArray *dprofpp_columns_waits_of_shown(nytp_calltree *tree, const nytp_sub_waits *waits);

/* Returns whether there are labels of the kind that was asked for. */
bool dprofpp_labels_any(const dprofpp_calls *c);

/* Fills the times of the table from the tree, and returns the names of its rows, which belong to c. */
const nytp_names *dprofpp_labels_take(dprofpp_calls *c);

/* Writes the output. May be called once. On failure returns false, and sets *why to a message that the caller
 * must g_free(). Write errors stay with out. */
bool dprofpp_write(dprofpp_calls *c, FILE *out, char **why);

typedef struct dprofpp_view {
    const dprofpp_options *options;
    nytp_stacktree *tree; /* with inclusive times; node 0 is the caller of all calls from outside. If it is
                             made of samples, calls are the samples in the node and those below it. */
    const nytp_names *names;
    const bool *hidden; /* by sub */
    nytp_measure measure;
    const nytp_memory_about *memory;
    uint64_t processes; /* how many there were */
    /* nytp_distribution, by sub; NULL if no columns show them */
    const GArray *distributions;
    const nytp_process_times *times; /* of processes, for the head of a table */
    const nytp_sub_waits *waits;     /* what is known of parts of the time; NULL if no columns show them */
    const GArray *sub_waits;         /* nytp_sub_wait, by sub; only of a table that shows them */
    const GArray *kept;              /* dprofpp_kept, by sub; only of a table that shows it */

    double whole_ticks; /* 100 % (model/whole.h), of which --min is a share */
    double total_ticks; /* the time of calls, which is 100 % in the table, as in dprofpp */
    double elapsed_s;   /* NaN: not known */
    const char *clock;  /* the name of the clock of total_ticks */
    bool as_dprofpp;    /* its heads, and percentages that are computed from rounded seconds */
} dprofpp_view;

/* Returns a part of an exclusive time, of which so much was waited: that of DPROFPP_WORK, DPROFPP_ASLEEP or
 * DPROFPP_QUEUED; -1: not known, as queued where it was not measured. */
double dprofpp_part_ticks(const dprofpp_view *view, double excl_ticks, nytp_waited waited, unsigned column);

/* Indenting deeper calls would make the text grow with the square of the depth. */
enum { DPROFPP_DEEPEST = 5000 };

/* The tree of stacks as text, one line per stack. Write errors stay with out. */
void dprofpp_merged_write(const dprofpp_view *view, FILE *out);

/* One line per sub, in dprofpp's format. Write errors stay with out. */
void dprofpp_table_write(const dprofpp_view *view, const dprofpp_subtimes *times, FILE *out);

/* A node, and its place among the nodes that are shown. */
typedef struct dprofpp_branch {
    uint32_t node, depth;
    bool last; /* it is the last of its siblings */
} dprofpp_branch;

/* Calls visit for every node that is shown: depth first, siblings sorted. */
typedef void dprofpp_branch_fn(void *context, const dprofpp_view *view, const dprofpp_branch *b);
void dprofpp_branches_visit(const dprofpp_view *view, dprofpp_branch_fn *visit, void *context);

/* Times as text. */
typedef struct dprofpp_time_format {
    double unit_ticks; /* ticks in one unit */
    int decimals;
    const char *unit;
} dprofpp_time_format;

/* Returns the format of the view's unit, with enough decimals to show one tick, or the time of one sample. */
dprofpp_time_format dprofpp_time_format_of(const dprofpp_view *view);
