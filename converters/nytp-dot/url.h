/* Where the nodes lead to when they are clicked on. */
#ifndef URL_H
#define URL_H

#include "callgraph.h"

/* The template with {sub}, {package}, {file} and {line} replaced, percent-encoded, as dot takes
 * it; NULL: what it asks for is not known of this one. g_free() it. */
char *url_of(const callgraph *g, const vertex *v, const char *template);

/* What is wrong with a template, to g_free(); NULL: nothing. */
char *url_complaint(const char *template);

#endif
