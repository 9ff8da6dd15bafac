/* What the tree, the table and JSON show: stacks with their times, and how to name and sort them. */
#ifndef TREE_VIEW_H
#define TREE_VIEW_H

#include "model/names.h"
#include "model/sampled.h"
#include "options.h"
#include "model/stacktree.h"

/* Node 0 is the caller of everything that was called from outside. */
typedef struct tree_view {
    const tree_options *options;
    nytp_stacktree *tree; /* with inclusive times */
    const nytp_names *names;
    const bool *hidden; /* by sub */
    double ticks_per_s;
    double sampled_hz;  /* 0: not a profile of samples */
    double total_ticks; /* 100 % */
    double elapsed_s;   /* NaN: not known */
    const char *clock;  /* which time total_ticks is */
    bool rounds_first;  /* percentages are computed as dprofpp does, from rounded seconds */
} tree_view;

/* The number of calls to show; of samples during a time where calls were not counted. */
static inline uint64_t tree_view_count(const tree_view *v, uint64_t calls, double ticks)
{
    return v->sampled_hz > 0 ? nytp_samples_of(ticks, v->sampled_hz, v->ticks_per_s) : calls;
}

#endif
