/* Makes the graph of a profile. */
#pragma once

#include "nodes.h"

/* Returns the graph of a profile, which must live as long. The caller must dot_graph_free() it. stacks: for
 * packages, a call tree with the names of dot_package_rename(); otherwise NULL. */
dot_graph *dot_build(const nytp_profile *profile, nytp_calltree *stacks, const dot_graph_options *options);
