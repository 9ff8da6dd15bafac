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
    uint32_t view;              /* whose they are */
} cg_stacks;

/* Which calls are told apart by where they lead. */
typedef struct cg_recursion {
    bool *recurs;     /* by function: it recurs indirectly */
    bool *has_ways;   /* by function: its calls are told apart; it recurs, or it is the first of a pair */
    nytp_pairs pairs; /* a function, and one to which calls of it lead, which are told apart, too */
} cg_recursion;

/* What calls of a function that has ways lead to. Calls within calls of the same function that lead to the
 * same are left out: they would only close a cycle. The first three members are the key. */
typedef struct cg_way {
    uint32_t caller, callee; /* functions; the callee has ways */
    uint32_t to;             /* the next function below that is not told apart, or CG_NO_FUNCTION */
    uint64_t count;          /* at most so many calls of the callee led there */
    double ticks[CG_VIEWS];  /* inclusive */
    nytp_waited waited;      /* of the first view's */
} cg_way;

/* Finds the functions that recur indirectly. The caller must cg_recursion_clear() it. stacks: cg_stacks. */
void cg_recursion_init(cg_recursion *r, const cg_graph *g, const GArray *stacks);
void cg_recursion_clear(cg_recursion *r);

/* Returns `to` if calls of a function that lead there are told apart, otherwise CG_NO_FUNCTION. */
uint32_t cg_recursion_to(const cg_recursion *r, uint32_t function, uint32_t to);

/* Returns the ways of all calls, cg_way, which the caller must clear. */
nytp_records cg_recursion_ways(const cg_recursion *r, const cg_graph *g, const GArray *stacks);

/* Breaks the cycles that are left in a graph that was split. If some function would be shown with more than
 * 1 % of the total too little, adds pairs, and returns whether there are any. r: NULL to leave out calls of
 * functions that are told apart, where they close a cycle. Functions may then call nothing. */
bool cg_recursion_break(cg_recursion *r, cg_graph *g);
