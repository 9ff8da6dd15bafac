/* The text on nodes, on edges and on the whole graph, and their tooltips; escaped for dot. The caller must
 * g_free() all results. */
#pragma once

#include "choose.h"
#include "graph.h"

char *dot_caption_node(const dot_graph *g, const dot_node *n, bool with_package);
char *dot_caption_node_tooltip(const dot_graph *g, const dot_node *n);

char *dot_caption_edge(const dot_graph *g, const dot_edge *e);

/* passed: the number of hidden nodes that the edge leads through. */
char *dot_caption_edge_tooltip(const dot_graph *g, const dot_edge *e, uint32_t passed);

char *dot_caption_graph(const dot_graph *g);

/* Returns the text about what is hidden, and why; NULL if nothing is. */
char *dot_caption_hidden(const dot_graph *g, const dot_choose_options *chosen);
