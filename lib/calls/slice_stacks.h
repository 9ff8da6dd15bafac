/* The stacks of calls that return in slices of time, which are numbered before their callers are known.
 *
 * A call that returns adopts the calls that it made (calltree.c). At the end of a slice, those that wait for
 * their caller are moved below a node for it. Which sub that is, and who called it, is said when it returns.
 */
#pragma once

#include "calls/calltree.h"

/* What the stack `parent` called. Several nodes may be of one stack, and a parent may have a higher number
 * than its children. Node 0 is what is outside of subs. */
typedef struct nytp_slice_node {
    uint32_t parent;
    uint32_t sub; /* of the names of the calls; NYTP_NO_SUB: the caller never returned, so that what it called
                     counts as called from outside */
} nytp_slice_node;

#define NYTP_NO_SUB UINT32_MAX

typedef struct nytp_slice_stacks {
    nytp_calltree *tree;  /* of the calls that have returned in the current slice */
    nytp_stacktree store; /* numbers the nodes */
    GArray *nodes;        /* nytp_slice_node */
    GArray *path;         /* uint32_t: nodes */
    GArray *kinds;        /* uint8_t, by name: whether it is a string eval */
    uint32_t callers;     /* how many nodes were made for callers that go on */
} nytp_slice_stacks;

nytp_slice_stacks nytp_slice_stacks_new(void);
void nytp_slice_stacks_free(nytp_slice_stacks *stacks);

/* To be called before the first call. names are those of its sub, and stay the caller's. */
void nytp_slice_stacks_name(nytp_slice_stacks *stacks, nytp_names *names);

/* Adds a call that returns, with its time in the current slice. Returns how many stacks that has. */
static inline uint32_t nytp_slice_stacks_add(nytp_slice_stacks *stacks, const nytp_call_event *call)
{
    nytp_calltree_add_call(stacks->tree, call);
    return nytp_stacktree_count(&stacks->tree->stacks);
}

/* Returns whether a sub is a string eval (events/evals.c). */
bool nytp_slice_stacks_is_eval(const nytp_slice_stacks *stacks, uint32_t sub);

/* Returns a new node for a call that goes on; nytp_slice_stacks_name_caller() says later what it is. */
uint32_t nytp_slice_stacks_caller(nytp_slice_stacks *stacks);
void nytp_slice_stacks_name_caller(const nytp_slice_stacks *stacks, uint32_t caller, uint32_t parent,
                                   uint32_t sub);

/* At the end of a slice, or earlier: passes what its calls have had to on_node, with the number of the node.
 * caller_of returns the node of the call that made those of a depth; 0: they were made outside of subs. */
typedef struct nytp_slice_end {
    void (*on_node)(void *context, uint32_t node, uint64_t calls, double excl_ticks);
    uint32_t (*caller_of)(void *context, uint32_t depth);
    void *context;
} nytp_slice_end;

void nytp_slice_stacks_end(nytp_slice_stacks *stacks, const nytp_slice_end *end);

/* When all slices have ended: frees all but the nodes. */
void nytp_slice_stacks_end_all(nytp_slice_stacks *stacks);
