/* Links of the nodes. */
#ifndef DOT_URL_H
#define DOT_URL_H

#include "graph.h"

/* Replaces {sub}, {package}, {file} and {line} in the template, percent-encoded, and escapes the result for
 * dot. NULL: one of them is not known for this node. The caller must g_free() it. */
char *dot_url_of(const dot_graph *g, const dot_node *n, const char *template);

/* What is wrong with a template; NULL: nothing. The caller must g_free() it. */
char *dot_url_complaint(const char *template);

#endif
