/* Times by sub, for the table. */
#pragma once

#include "calls/stacktree.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct tree_subtime {
    uint32_t sub;
    uint32_t open;  /* calls of it that are running */
    uint32_t found; /* its number in the order of first calls, counted from 1; 0: not called yet */
    uint64_t calls;
    double excl_ticks;
    double cumul_ticks; /* inclusive time of its outermost calls */
} tree_subtime;

typedef struct tree_subtimes {
    GArray *rows;        /* tree_subtime, by sub */
    uint32_t root;       /* count only its calls and those below them; UINT32_MAX: count all */
    uint32_t depth;      /* how many calls are running */
    uint32_t root_depth; /* depth in the root's outermost call that is running; 0: none is */
    uint32_t found;      /* how many subs were called */
    uint64_t calls;      /* sum over rows */
    double incl_ticks;   /* of the root's outermost calls; without a root, of calls from outside */
} tree_subtimes;

void tree_subtimes_init(tree_subtimes *t);
void tree_subtimes_clear(tree_subtimes *t);

/* Add the begin and the end of a call. */
void tree_subtimes_enter(tree_subtimes *t, uint32_t sub);
void tree_subtimes_leave(tree_subtimes *t, uint32_t sub, double incl_ticks, double excl_ticks);

/* Drops the calls that are running: they will not return. */
void tree_subtimes_end_stack(tree_subtimes *t);

/* Adds all calls of a tree, which must have inclusive times. counts_samples: its calls are inclusive, too. */
void tree_subtimes_add_stacks(tree_subtimes *t, const nytp_stacktree *tree, bool counts_samples);
