/* Makes the graph of a profile. */
#ifndef DOT_BUILD_H
#define DOT_BUILD_H

#include "nodes.h"

/* stacks may be given for packages: a call tree with the names of dot_package_rename(). The profile must live
 * as long as the graph, which the caller must dot_graph_free(). */
dot_graph *dot_build(const nytp_profile *profile, nytp_calltree *stacks, const dot_graph_options *options);

#endif
