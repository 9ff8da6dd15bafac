/* Packages: their names, and their inclusive times. These are not the sums of the times of their subs where
 * packages call each other in turn, so they are measured from the stacks. */
#ifndef DOT_PACKAGES_H
#define DOT_PACKAGES_H

#include "graph.h"

/* Length of the package in the name of a sub, without the "::"; 0: it has none. */
size_t dot_package_length(const char *name);

/* The name of its package; "(no package)" if it has none. The caller must g_free() it. */
char *dot_package_name(const char *name);

/* A nytp_rename_fn: gives the package of a sub, as the nodes are named. */
char *dot_package_rename(void *context, nytp_str raw, size_t *length);

/* Sets incl_ticks of the nodes, which are packages, and of the edges from the stacks: time counts once for
 * each package on the stack, and once for the outermost call of that package. Changes nothing if the
 * stacks lack calls that the profile has. */
void dot_packages_measure(dot_graph *g, nytp_calltree *stacks);

#endif
