/* Chooses which part of the graph is shown. */
#ifndef DOT_CHOOSE_H
#define DOT_CHOOSE_H

#include "graph.h"

typedef struct dot_choose_options {
    const char *root, *leaf; /* names; NULL: not asked for */
    GRegex *focus, *ignore;
    uint32_t depth, max_nodes;             /* 0: no limit */
    double node_threshold, edge_threshold; /* percent of the total time */
} dot_choose_options;

/* Sets `hidden` of nodes and `shown` of edges. Returns NULL; or a message, which the caller must g_free(), if
 * there is no sub with the name of an option. */
char *dot_choose(dot_graph *g, const dot_choose_options *options);

/* Sums over nodes or edges that are not shown. */
typedef struct dot_choose_sum {
    uint32_t count; /* of subs, packages, or edges */
    uint64_t calls;
    double excl_ticks;
} dot_choose_sum;

/* Sums over hidden nodes by the reason. sums[DOT_SHOWN] is the sum over all reasons. */
void dot_choose_sums(const dot_graph *g, dot_choose_sum sums[DOT_HIDDEN_REASONS]);

/* The sum over hidden edges between nodes that are shown. */
dot_choose_sum dot_choose_hidden_edges(const dot_graph *g);

/* For a shown node that no shown edge leads to: makes an edge to it from the nearest shown node above, going
 * up along the heaviest calls. Calls and times of the edge are the sums over all hidden callers; *passed
 * becomes the number of hidden nodes on the way. Returns false if there is no such node. */
bool dot_choose_detour(const dot_graph *g, uint32_t to, dot_edge *detour, uint32_t *passed);

#endif
