/* The nodes and edges of a graph, from the subs and arcs of its profile. */
#pragma once

#include "graph.h"

typedef struct dot_graph_options {
    bool packages;         /* a node for each package, not for each sub */
    bool begin_blocks;     /* a node for each BEGIN block, not one for all of a package */
    bool without_builtins; /* add the time of built-ins to the subs that call them */
} dot_graph_options;

/* Sets nodes, edges, total_calls and total_members. Times are those of the profile. */
void dot_nodes_find(dot_graph *g, const dot_graph_options *options);
