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
