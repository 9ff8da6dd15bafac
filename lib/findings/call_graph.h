/* How often each sub calls each other one, in both sides of a comparison. Subs with a label are one node for
 * each label, which is called by one caller: that with most of its time. */
#pragma once

#include "compare/comparison.h"

typedef struct nytp_call_node {
    size_t sub, label;        /* one is SIZE_MAX; both: code outside of subs */
    double calls[NYTP_SIDES]; /* of labels, runs */
    double excl[NYTP_SIDES], incl[NYTP_SIDES];
    uint32_t cycle; /* subs that call each other have the same */
    bool is_span;
    bool has_spans; /* spans are below its calls */
    bool by_chance; /* the time that a call takes itself differs by chance */
} nytp_call_node;

typedef struct nytp_call_edge {
    uint32_t caller, callee; /* nodes */
    double calls[NYTP_SIDES], incl[NYTP_SIDES];
    bool by_chance; /* the number of calls differs by chance */
} nytp_call_edge;

typedef struct nytp_call_graph {
    GArray *nodes;   /* nytp_call_node; the first is code outside of subs */
    GArray *edges;   /* nytp_call_edge, sorted by caller */
    uint32_t cycles; /* how many */
} nytp_call_graph;

/* Spans are called from outside, and not by the subs that begin them: a server has a request at a time,
 * whoever hands it on. */
nytp_call_graph *nytp_call_graph_new(nytp_comparison *comparison);
void nytp_call_graph_free(nytp_call_graph *graph);
