/* What is written on nodes, edges and the whole, and in the tips that come up
 * over them; escaped for dot. The caller must g_free() all of them. */
#ifndef CAPTION_H
#define CAPTION_H

#include "callgraph.h"
#include "choose.h"

char *caption_node(const callgraph *g, const vertex *v, bool with_package);
char *caption_node_tooltip(const callgraph *g, const vertex *v);

/* passed: by way of how many that are not shown. */
char *caption_edge(const callgraph *g, const edge *e);
char *caption_edge_tooltip(const callgraph *g, const edge *e, uint32_t passed);

char *caption_graph(const callgraph *g);

/* What is not shown, and why; NULL: nothing. */
char *caption_left_out(const callgraph *g, const choose_options *chosen);

#endif
