/* The last stack of each state, and the newest one. */
#pragma once

#include "sampler/sampler.h"

enum { RECORD_STACKS = SAMPLER_STATES + 1 };

/* All 0: there is none. */
typedef struct record_stacks {
    sampler_stack all[RECORD_STACKS];
    int newest;
    int last[SAMPLER_STATES]; /* 1 more than which; 0: none. A thread that has fallen asleep has the stack of
                                 before. */
} record_stacks;

void record_stacks_clear(record_stacks *stacks);

/* Returns room for a stack to be read, which becomes the newest. It is none of the last ones. */
sampler_stack *record_stacks_next(record_stacks *stacks);
const sampler_stack *record_stacks_newest(const record_stacks *stacks);

/* The newest one is the last of this state from here on. */
void record_stacks_keep(record_stacks *stacks, int state);

/* Returns NULL if there is none. */
const sampler_stack *record_stacks_last(const record_stacks *stacks, int state);

/* Their strings have other numbers now. */
void record_stacks_forget(record_stacks *stacks);
