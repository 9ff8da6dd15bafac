/* Times by sub: what a table has. */
#ifndef SUBTIMES_H
#define SUBTIMES_H

#include "model/stacktree.h"

#include <glib.h>
#include <stdint.h>

typedef struct sub_time {
    uint32_t sub;
    uint32_t open;  /* calls of it that are running */
    uint32_t found; /* place in order of first calls, from 1 on; 0: none yet */
    uint64_t calls;
    double excl_ticks, cumul_ticks; /* cumul: of outermost calls, with what they called */
} sub_time;

typedef struct subtimes {
    GArray *rows;        /* sub_time, at the place of its number */
    uint32_t root;       /* only its calls and what they called; UINT32_MAX: all */
    uint32_t depth;      /* calls that are running */
    uint32_t root_depth; /* depth inside of the root's outermost call; 0: none is running */
    uint32_t found;      /* subs that were called */
    uint64_t calls;      /* sum over rows */
    double incl_ticks;   /* of calls from outside, or of the root's outermost ones */
} subtimes;

void subtimes_init(subtimes *t);
void subtimes_clear(subtimes *t);

/* Calls as they run. */
void subtimes_enter(subtimes *t, uint32_t sub);
void subtimes_leave(subtimes *t, uint32_t sub, double incl_ticks, double excl_ticks);

/* Whoever runs will not return. */
void subtimes_end_stack(subtimes *t);

/* All calls of a tree, which has inclusive times. */
void subtimes_add_stacks(subtimes *t, const nytp_stacktree *tree);

#endif
