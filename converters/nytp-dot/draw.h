/* The graph in the language of Graphviz. */
#ifndef DRAW_H
#define DRAW_H

#include "callgraph.h"
#include "choose.h"
#include "theme.h"

typedef struct draw_options {
    enum theme theme;
    bool color_by_self; /* colours and sizes by exclusive time, not by inclusive */
    enum draw_cluster { CLUSTER_NONE, CLUSTER_PACKAGE, CLUSTER_FILE } cluster;
    const char *url; /* template of label_url(), or NULL */
} draw_options;

/* Write errors stay with out. chosen is what choose_shown() was called with: the note tells of it. */
void draw_graph(const callgraph *g, const draw_options *options, const choose_options *chosen, FILE *out);

#endif
