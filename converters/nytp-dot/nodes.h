/* The nodes and edges of a graph, from the subs and arcs of its profile. */
#ifndef DOT_NODES_H
#define DOT_NODES_H

#include "graph.h"

/* Sets nodes, edges and total_calls. Times are those of the profile. */
void dot_nodes_find(dot_graph *g, bool packages, bool without_builtins);

#endif
