/* The calls and lines of single spans, of the slowest of each name. Memory does not grow with the number of
 * spans, but with the number of names up to a limit: then there are fewer of each name.
 */
#pragma once

#include "calls/calltree.h"
#include "calls/span_lines.h"
#include "calls/span_times.h"

#include <glib.h>

/* A node of the tree of a span, before those below it. The first one, of depth 0, is the span's own. */
typedef struct nytp_span_node {
    uint32_t sub; /* of the names of the events */
    uint32_t depth;
    uint64_t calls;
    double excl_ticks; /* of the call tree */
} nytp_span_node;

typedef struct nytp_span_tree {
    uint64_t number; /* how many spans ended before it, of all profiles */
    double latency_s;
    GArray *nodes;             /* nytp_span_node */
    GPtrArray *lines_of_parts; /* nytp_lines_of_span */
    const nytp_lines_of_span
        *lines; /* of all parts, which lines_of_parts has; NULL until trees are asked for */
} nytp_span_tree;

typedef struct nytp_span_trees nytp_span_trees;

/* calls is the call tree of the same events, which takes each call after nytp_span_trees_add(), and does not
 * rename subs. lines takes the same events. Both stay the caller's. */
nytp_span_trees *nytp_span_trees_new(const nytp_calltree *calls, nytp_span_lines *lines);
void nytp_span_trees_free(nytp_span_trees *trees); /* NULL is fine */

/* A process begins. */
void nytp_span_trees_begin_process(nytp_span_trees *trees);

/* Adds a part of a request that returns. */
void nytp_span_trees_add_part(nytp_span_trees *trees, const nytp_call_event *part);

/* Adds a span that ends; of a request, its parts were added. */
void nytp_span_trees_add(nytp_span_trees *trees, const nytp_span_time *span, uint64_t number);

/* Returns the trees, nytp_span_tree, the slowest of all first. They belong to trees, to which none is added
 * from here on. */
const GArray *nytp_span_trees_get(nytp_span_trees *trees);
