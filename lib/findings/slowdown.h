/* Whether all of a program takes longer or shorter: it waited for a processor, while other programs ran, or
 * all subs differ by about one factor, as on another machine. */
#pragma once

#include "findings/call_graph.h"

/* How long the program waited for a processor, in seconds, and which share of its time that is. */
typedef struct nytp_queued {
    double s[NYTP_SIDES], share[NYTP_SIDES];
    bool is_much; /* so much that it may be what a sub differs by, since nothing says in which subs it waited
                   */
} nytp_queued;
nytp_queued nytp_queued_of(nytp_comparison *comparison);

/* Returns by how much most subs, and most of the time, take longer in each call of NEW; 1 if subs differ in
 * that, if it is less than a tenth, or if fewer than five subs take least or more. */
double nytp_slowdown(const nytp_call_graph *graph, double least);

/* Whether the time that a call takes itself has changed by about that factor. */
bool nytp_slowdown_explains(double factor, const nytp_call_node *node);
