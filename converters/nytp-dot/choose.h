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

/* What was left out for one reason, or all of them. */
typedef struct choose_sum {
    uint32_t vertices;
    uint64_t calls;
    double excl_ticks;
} choose_sum;

/* By reason; that of LEFT_NOT is of all that was left out. */
void choose_sums(const callgraph *g, choose_sum sums[LEFT_REASONS]);

/* Edges between shown vertices that are not shown. */
choose_sum choose_hidden_edges(const callgraph *g);

/* For a shown vertex that no shown edge leads to: the edge that leads to it from
 * the nearest shown vertex above it along the heaviest calls, by way of so many that are not shown; its
 * times and calls are those of all calls by such. False: there is none. */
bool choose_detour(const callgraph *g, uint32_t to, edge *detour, uint32_t *passed);

#endif
