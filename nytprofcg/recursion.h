/* Indirect recursion: functions that are on a stack twice, with others in between.
 *
 * KCachegrind leaves the calls within a cycle out of inclusive times, and a dispatcher that is called by what
 * it calls ties whatever it dispatches into one cycle. So the calls of such a function are told apart by
 * where they lead: to the next function below that does not recur itself. Those of `emit` that lead to
 * `_read` are the function `emit (to _read)`. The self costs stay with `emit`, and so do calls that lead
 * nowhere else.
 */
#pragma once

#include "graph.h"
#include "calls/stacktree.h"
#include "model/records.h"

/* The stacks of all calls of a profile. */
typedef struct cg_stacks {
    const nytp_stacktree *tree; /* settled */
    uint32_t *subs;             /* by the member sub of nodes: a sub, or CG_NO_SUB, for string evals, */
    uint32_t count;             /* so many */
    double scale;               /* how many ticks of the graph one of the tree is */
    bool is_beside;             /* of memory beside time */
} cg_stacks;

/* What calls of a function that recurs lead to. Calls within calls of the same function that lead to the same
 * are left out: they would only close a cycle. The first three members are the key. */
typedef struct cg_way {
    uint32_t caller, callee; /* functions; the callee recurs */
    uint32_t to;             /* the next function below that does not recur, or CG_NO_FUNCTION */
    uint64_t count;          /* at most so many calls of the callee led there */
    double ticks, bytes;     /* inclusive */
} cg_way;

/* Sets recurs[] of the functions that recur indirectly, by number. Returns the ways of their calls, cg_way,
 * which the caller must clear. stacks: cg_stacks. */
nytp_records cg_recursion_find(const cg_graph *g, const GArray *stacks, bool *recurs);
