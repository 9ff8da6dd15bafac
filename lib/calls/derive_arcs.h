/* Arcs of a profile that has none: a tmon.out never has, and a nytprof.out has them at its very end. */
#pragma once

#include "nytprof-model.h"

/* Makes arcs of stacks. Each stack is passed after that of its caller. */
typedef struct nytp_arc_walk nytp_arc_walk;

/* outside: number of the sub that calls the outermost ones. */
nytp_arc_walk *nytp_arc_walk_new(uint32_t outside);
void nytp_arc_walk_free(nytp_arc_walk *walk);

/* Returns the arc of a stack's calls. callee is the stack's sub, depth the number of subs around it. Arcs of
 * the same two subs are to be summed up. */
nytp_arc nytp_arc_walk_next(nytp_arc_walk *walk, uint32_t depth, uint32_t callee, uint64_t calls,
                            int64_t incl_ticks, int64_t excl_ticks);

/* If the profile has no arcs, adds those of the calls in the tree, which must have been read from the same
 * chunks. Where the calls were made is not known: fid and line are 0. */
void nytp_profile_derive_arcs(nytp_profile *profile, nytp_calltree *tree);
