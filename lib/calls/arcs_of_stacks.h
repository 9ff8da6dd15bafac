/* Arcs, made of a tree of stacks. */
#pragma once

#include "calls/stacktree.h"
#include "format/runs.h"
#include "model/records.h"
#include "nytprof-model.h"

/* What a node stands for: calls of a sub from a place in its caller's file. */
typedef struct nytp_called {
    uint32_t sub; /* its number in the arcs */
    nytp_place place;
    bool is_eval; /* no sub, but a string eval, which is a part of the call around it */
} nytp_called;

/* Returns what a node of the tree stands for, given its member sub. */
typedef nytp_called nytp_called_fn(void *context, uint32_t node_sub);

/* Returns an nytp_arc for each caller, callee and place. Node times are scaled and rounded. outside: the
 * number of the sub that calls the outermost ones. The caller must clear the records. */
nytp_records nytp_arcs_of_stacks(const nytp_stacktree *stacks, nytp_called_fn *called, void *context,
                                 uint32_t outside, double scale);
