/* Writes a graph in the language of Graphviz: its text, colours and links. */
#pragma once

#include "graph.h"

#include "export/amount.h"

/* The text on nodes, which has those of the nodes that are joined with them, on edges and on the whole graph,
 * and their tooltips; escaped for dot. The caller must g_free() all results. */

char *dot_caption_node(const dot_graph *g, const dot_node *n, bool with_package);
char *dot_caption_node_tooltip(const dot_graph *g, const dot_node *first);

char *dot_caption_edge(const dot_graph *g, const dot_edge *e);

/* passed: the number of hidden nodes that the edge leads through. */
char *dot_caption_edge_tooltip(const dot_graph *g, const dot_edge *e, uint32_t passed);

char *dot_caption_graph(const dot_graph *g);

/* Returns the text about what is hidden, and why; NULL if nothing is. */
char *dot_caption_hidden(const dot_graph *g, const dot_choose_options *chosen);

/* Names and numbers as they are shown. The caller must g_free() all texts. */

/* Escapes text for an attribute in which dot interprets escapes (label, URL): backslashes, newlines and
 * ampersands. */
char *dot_label_escaped(const char *text);

/* Like dot_label_escaped(), for tooltips, in which dot (2.42) resolves escapes twice. */
char *dot_label_tip_escaped(const char *text);

/* Returns the clean name of a sub or file, shortened in the middle if it is too long for dot to read. */
char *dot_label_name(nytp_str name);

/* "12.3 %" */
nytp_amount dot_label_percent(double share);

/* "1.23 s", "45.6 ms", "7.89 us" */
nytp_amount dot_label_time(const dot_graph *g, double ticks);

/* Like dot_label_time(), of a difference, with its sign: "+1.23 s". */
nytp_amount dot_label_change(const dot_graph *g, double ticks);

/* Returns as much of a name as fits on a node. Directories of a file in it are left out. */
char *dot_label_short(const char *name);

/* Colours from cold to hot; those of DOT_THEME_CHANGE from less time, blue, to more, red. */

enum dot_theme { DOT_THEME_HEAT, DOT_THEME_GRAY, DOT_THEME_PRINT, DOT_THEME_COLORBLIND, DOT_THEME_CHANGE };

typedef struct dot_theme_colors {
    char fill[8], text[8], border[8], line[8]; /* "#rrggbb"; line: of an edge */
} dot_theme_colors;

/* Returns the colours for a weight from 0, cold, to 1, hot. */
dot_theme_colors dot_theme_at(enum dot_theme theme, double weight);

/* The words of a template, which NULL ends. */
extern const char *const dot_url_words[];

/* Returns the link of a node: the template with percent-encoded values for {sub}, {package}, {file} and
 * {line}, escaped for dot. Returns NULL if the node lacks one of them. The caller must g_free() it. */
char *dot_url_of(const dot_graph *g, const dot_node *n, const char *template);

typedef struct dot_draw_options {
    enum dot_theme theme;
    bool color_by_self; /* colours and sizes follow exclusive time, not inclusive time */
    enum dot_cluster { DOT_CLUSTER_NONE, DOT_CLUSTER_PACKAGE, DOT_CLUSTER_FILE } cluster;
    const char *url; /* template for dot_url_of(); NULL: no links */
} dot_draw_options;

/* chosen: the options of dot_choose(), for the note about what is hidden. Write errors stay with `out`. */
void dot_draw(const dot_graph *g, const dot_draw_options *options, const dot_choose_options *chosen,
              FILE *out);
