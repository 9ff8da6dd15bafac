/* Inclusive times of packages. Those of their subs do not add up where packages call each
 * other back; the stacks tell. */
#ifndef PACKAGES_H
#define PACKAGES_H

#include "callgraph.h"

/* A nytp_rename_fn: the package of a sub, as callgraph_new() names it. */
char *packages_rename(void *context, nytp_str raw, size_t *length);

/* Sets incl_ticks of vertices and edges, both packages, from the stacks of
 * packages: each time counts once for every package on the stack, and for the
 * outermost calls of each. They stay what they were
 * where some calls of the profile are not in the stacks. */
void packages_measure(callgraph *g, nytp_calltree *stacks);

#endif
