/* Links of the nodes. */
#pragma once

#include "graph.h"

/* The words of a template, which NULL ends. */
extern const char *const dot_url_words[];

/* Returns the link of a node: the template with percent-encoded values for {sub}, {package}, {file} and
 * {line}, escaped for dot. Returns NULL if the node lacks one of them. The caller must g_free() it. */
char *dot_url_of(const dot_graph *g, const dot_node *n, const char *template);
