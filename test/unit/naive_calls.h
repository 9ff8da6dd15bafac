/* Calls counted the slow way: every one is kept, and its stack spelled out at
 * the end. What the call tree does must come to the same.
 */
#ifndef NAIVE_CALLS_H
#define NAIVE_CALLS_H

#include "nytprof.h"

#include <glib.h>

/* ---- stacks with their counts ---- */

/* A stack is the names of its subs, outermost first, with NAIVE_SEPARATOR between them: it sorts before
 * every byte of a name. */
#define NAIVE_SEPARATOR "\1"

typedef struct naive_stacks naive_stacks;

naive_stacks *naive_stacks_new(void);
void naive_stacks_free(naive_stacks *stacks);
void naive_stacks_add(naive_stacks *stacks, const char *stack, uint64_t calls, double excl_ticks);

/* What the functions of the call tree should do to them. */
void naive_stacks_prune(naive_stacks *stacks, double min_ticks, uint32_t max_depth, const char *other);
naive_stacks *naive_stacks_reverse(const naive_stacks *stacks, uint32_t max_depth);

/* "stack, calls, exclusive, inclusive" a line; sorted; stacks where no call ends are there as well, with 0
 * calls. g_free() it. */
char *naive_stacks_text(const naive_stacks *stacks);

/* The same of a tree, in the order in which it is walked. */
char *calltree_text(nytp_calltree *tree);

/* ---- where the stacks come from ---- */

/* Runs a made-up program that makes max_events returns and new processes, and is then cut off where it
 * stands: subs that call one another at random, recursion among them. The tree gets the events; the stacks,
 * what was really called, less the callers that never returned. Same seed, same program. */
void naive_program(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks);

/* Returns at any depth, as no program makes them. The stacks follow the rule: a return at depth d adopts
 * what waits at d+1. */
void naive_noise(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks);

/* One return into a tree. */
void return_from(nytp_calltree *tree, uint32_t depth, const char *name, double excl_ticks);
void new_process(nytp_calltree *tree);

#endif
