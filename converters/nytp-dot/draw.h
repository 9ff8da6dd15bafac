/* Writes the graph in the language of Graphviz. */
#pragma once

#include "choose.h"
#include "graph.h"
#include "theme.h"

typedef struct dot_draw_options {
    enum dot_theme theme;
    bool color_by_self; /* colours and sizes follow exclusive time, not inclusive time */
    enum dot_cluster { DOT_CLUSTER_NONE, DOT_CLUSTER_PACKAGE, DOT_CLUSTER_FILE } cluster;
    const char *url; /* template for dot_url_of(); NULL: no links */
} dot_draw_options;

/* chosen: the options of dot_choose(), for the note about what is hidden. Write errors stay with `out`. */
void dot_draw(const dot_graph *g, const dot_draw_options *options, const dot_choose_options *chosen,
              FILE *out);
