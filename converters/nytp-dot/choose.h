/* Chooses which part of the graph is shown. */
#pragma once

#include "graph.h"

typedef struct dot_choose_options {
    const char *root, *leaf; /* names of subs; NULL: not given */
    GRegex *focus, *ignore;
    uint32_t depth, max_nodes;             /* 0: no limit */
    double node_threshold, edge_threshold; /* percent of the total time */
} dot_choose_options;

/* Sets `hidden` of nodes and `shown` of edges. Returns NULL; or, if an option names a sub that does not
 * exist, a message, which the caller must g_free(). */
char *dot_choose(dot_graph *g, const dot_choose_options *options);

/* Sums over nodes or edges that are not shown. */
typedef struct dot_choose_sum {
    uint32_t count; /* of subs, packages, or edges */
    uint64_t calls;
    double excl_ticks;
} dot_choose_sum;

/* Sets sums over hidden nodes, indexed by the reason. sums[DOT_SHOWN] is the sum over all reasons. */
void dot_choose_sums(const dot_graph *g, dot_choose_sum sums[DOT_HIDDEN_REASONS]);

/* Returns the sum over hidden edges between nodes that are shown. */
dot_choose_sum dot_choose_hidden_edges(const dot_graph *g);

/* For a shown node that no shown edge leads to: sets *detour to an edge from the nearest shown node above it,
 * found by going up along the heaviest calls. Its calls and times are the sums over all hidden callers. Sets
 * *passed to the number of hidden nodes on the way. Returns false if no shown node is above. */
bool dot_choose_detour(const dot_graph *g, uint32_t to, dot_edge *detour, uint32_t *passed);
