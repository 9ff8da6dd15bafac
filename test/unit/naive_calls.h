/* A slow model of the call tree: it keeps every call with the text of its stack. The tree must give the same
 * results. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

/* ---- stacks with their counts ---- */

/* A stack is a text: the names of its subs, outermost first, with NAIVE_SEPARATOR between them, which sorts
 * before every byte of a name. */
#define NAIVE_SEPARATOR "\1"

typedef struct naive_stacks naive_stacks;

naive_stacks *naive_stacks_new(void);
void naive_stacks_free(naive_stacks *stacks);
void naive_stacks_add(naive_stacks *stacks, const char *stack, uint64_t calls, double excl_ticks);

/* The same operations as those of the call tree. */
void naive_stacks_prune(naive_stacks *stacks, double min_ticks, uint32_t max_depth, const char *other);
naive_stacks *naive_stacks_reverse(const naive_stacks *stacks, uint32_t max_depth);

/* Returns a line "stack, calls, exclusive, inclusive" for each stack, sorted. Stacks at which no call ends
 * have 0 calls. The caller must g_free() it. */
char *naive_stacks_text(const naive_stacks *stacks);

/* The same for a tree, in the order in which it is walked. */
char *calltree_text(nytp_calltree *tree);

/* ---- where the stacks come from ---- */

/* Simulates a program that makes max_events returns and new processes and is then cut off: its subs call one
 * another at random, with recursion. The tree gets the events. The stacks get the calls that were really
 * made, without the callers that never returned. The same seed gives the same program. */
void naive_program(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks);

/* Adds returns at random depths, which no program makes. The stacks follow the rule that a return at depth d
 * adopts the calls that wait at depth d + 1. */
void naive_noise(uint64_t seed, size_t max_events, nytp_calltree *tree, naive_stacks *stacks);

/* Adds a return to a tree. */
void return_from(nytp_calltree *tree, uint32_t depth, const char *name, double excl_ticks);
void new_process(nytp_calltree *tree);
