/* Which part of the graph is shown. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "callgraph.h"

typedef struct choose_options {
    const char *root, *leaf; /* names; NULL: not asked for */
    GRegex *focus, *ignore;
    uint32_t depth, max_nodes;             /* 0: no limit */
    double node_threshold, edge_threshold; /* percent of the total time */
} choose_options;

/* Sets left of vertices and shown of edges. NULL, or what cannot be done, for
 * the caller to g_free(): there is no sub of that name. */
char *choose_shown(callgraph *g, const choose_options *options);

/* What is not shown: how many vertices, or edges, with their calls and time. */
typedef struct choose_sum {
    uint32_t count;
    uint64_t calls;
    double excl_ticks;
} choose_sum;

/* Of vertices, by the reason why each was left out; that of LEFT_NOT is of all of them. */
void choose_sums(const callgraph *g, choose_sum sums[LEFT_REASONS]);

/* Of edges that are not shown between vertices that are. */
choose_sum choose_hidden_edges(const callgraph *g);

/* For a shown vertex that no shown edge leads to: an edge that stands for the way to it
 * from a shown one, the first when going up along the heaviest calls. *passed: how many
 * that are not shown are on that way. Calls and times are those of all calls by such.
 * False: there is no way. */
bool choose_detour(const callgraph *g, uint32_t to, edge *detour, uint32_t *passed);

#endif
