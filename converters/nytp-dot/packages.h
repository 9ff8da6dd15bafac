/* Packages: their names and inclusive times. If packages call each other in turn, the inclusive time of a
 * package is not the sum over its subs, so it is computed from the stacks. */
#pragma once

#include "graph.h"

/* Returns the name of the package, or "(no package)" if the sub has none. The caller must g_free() it. */
char *dot_package_name(const char *name);

/* A nytp_rename_fn: returns the package of a sub, which is the name of its node. */
char *dot_package_rename(void *context, nytp_str raw, size_t *length);

/* Computes incl_ticks of the nodes, which are packages, and of the edges. The time of a stack counts once for
 * each package on it, and once for the edge of that package's outermost call. Changes nothing if the stacks
 * lack calls that the profile has. */
void dot_packages_measure(dot_graph *g, nytp_calltree *stacks);
