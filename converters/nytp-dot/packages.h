/* Inclusive times of packages. They are not the sums of those of their subs where packages call each other
 * back, so they are taken from the stacks. */
#ifndef PACKAGES_H
#define PACKAGES_H

#include "callgraph.h"

/* A nytp_rename_fn: the package of a sub, as callgraph_new() names it. */
char *packages_rename(void *context, nytp_str raw, size_t *length);

/* Sets incl_ticks of vertices, which are packages, and edges, from the stacks: time
 * counts once for each package on the stack, and once for the outermost call of it.
 * Changes nothing if calls of the profile are missing in the stacks. */
void packages_measure(callgraph *g, nytp_calltree *stacks);

#endif
