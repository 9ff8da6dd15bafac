/* What the tree, the table and JSON show: stacks with their times, and how to name and sort them. */
#pragma once

#include "model/measure.h"
#include "model/names.h"
#include "calls/stacktree.h"
#include "calls.h"
#include "options.h"
#include "subtimes.h"

typedef struct tree_view {
    const tree_options *options;
    nytp_stacktree *tree; /* with inclusive times; node 0 is the caller of all calls from outside. If it is
                             made of samples, calls are the samples in the node and those below it. */
    const nytp_names *names;
    const bool *hidden; /* by sub */
    nytp_measure measure;
    const nytp_memory_about *memory;
    uint64_t processes; /* how many there were */
    /* nytp_distribution, by sub; NULL if no columns show them */
    const GArray *distributions;

    double whole_ticks; /* 100 % (model/whole.h), of which --min is a share */
    double total_ticks; /* the time of calls, which is 100 % in the table, as in dprofpp */
    double elapsed_s;   /* NaN: not known */
    const char *clock;  /* the name of the clock of total_ticks */
    bool rounds_first;  /* percentages are computed as dprofpp does, from rounded seconds */
} tree_view;

/* The tree of stacks as text, one line per stack. Write errors stay with out. */
void tree_merged_write(const tree_view *view, FILE *out);

/* One line per sub, in dprofpp's format. Write errors stay with out. */
void tree_table_write(const tree_view *view, const tree_subtimes *times, FILE *out);

/* A node, and its place among the nodes that are shown. */
typedef struct tree_branch {
    uint32_t node, depth;
    bool last; /* it is the last of its siblings */
} tree_branch;

/* Calls visit for every node that is shown: depth first, siblings sorted. */
typedef void tree_branch_fn(void *context, const tree_view *view, const tree_branch *b);
void tree_branches_visit(const tree_view *view, tree_branch_fn *visit, void *context);

/* Times as text. */
typedef struct tree_time_format {
    double unit_ticks; /* ticks in one unit */
    int decimals;
    const char *unit;
} tree_time_format;

/* Returns the format of the view's unit, with enough decimals to show one tick, or the time of one sample. */
tree_time_format tree_time_format_of(const tree_view *view);
