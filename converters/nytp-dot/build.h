/* Makes the graph of a profile. */
#pragma once

#include "graph.h"

typedef struct dot_graph_options {
    bool packages;         /* a node for each package, not for each sub */
    bool begin_blocks;     /* a node for each BEGIN block, not one for all of a package */
    bool without_builtins; /* add the time of built-ins to the subs that call them */
} dot_graph_options;

/* Returns the graph of a profile, which must live as long. The caller must dot_graph_free() it. stacks: for
 * packages, a call tree with the names of dot_package_rename(); otherwise NULL. */
dot_graph *dot_build(const nytp_profile *profile, nytp_calltree *stacks, const dot_graph_options *options);

/* Sets nodes, edges, total_calls and total_members. Times are those of the profile. */
void dot_nodes_find(dot_graph *g, const dot_graph_options *options);

/* --diff: gives the nodes and edges of g the times that they have in old, in the ticks of g. Subs are the
 * same as for nytp-diff (compare/match.h). If both profiles are made of samples, times of old are scaled to
 * the total of g, since recordings begin and end anywhere. old can be freed afterwards. */
void dot_compare(dot_graph *g, const dot_graph *old);
