/* What a call tree is made of, for modules and programs that change its shape. */
#pragma once

#include "model/names.h"
#include "model/waits.h"
#include "calls/open_samples.h"
#include "calls/stacktree.h"
#include "nytprof-model.h"

/* Calls that have returned at `depth`, and wait for the return of their caller at depth - 1. */
typedef struct nytp_waiting {
    uint32_t depth;
    uint32_t hint; /* the child that was found last */
    nytp_children children;
} nytp_waiting;

/* Functions that a tree calls while returns are added to it. */
typedef struct nytp_calltree_observer {
    /* For each return. sub is the number of the shown name. */
    void (*on_return)(void *context, uint32_t sub, uint32_t depth, double excl_ticks);
    /* When a process starts: calls that returned before made none of those that return later. */
    void (*on_process)(void *context);
    /* For statements that follow one another, or the first of them. After a return, the first comes alone.
     * Not called in profiles of samples. */
    void (*on_statements)(void *context, double ticks);
} nytp_calltree_observer;

struct nytp_calltree {
    nytp_stacktree stacks;
    nytp_names *raw;   /* as in the stream */
    nytp_names *shown; /* as renamed; without rename the same object as raw */
    GArray *shown_of;  /* uint32_t: the number of the shown name, by that of the raw one; only with rename */
    nytp_rename_fn *rename;
    void *rename_context;
    nytp_waiting *levels; /* the depths at which calls wait, in rising order; depth 0 comes first */
    size_t level_capacity;
    uint32_t top;         /* index of the deepest level */
    uint32_t max_depth;   /* greatest depth of all returns */
    double ticks_per_sec; /* of the tree; 0: that of the first profile, which has not come yet */
    double rate;          /* ticks_per_sec of the profile that is being read */
    double scale;         /* from the profile's ticks to the tree's */
    double most_ticks;    /* a longer time counts as 0 */
    const nytp_calltree_observer *observer; /* may be NULL */
    void *observer_context;
    bool is_sampled; /* the current profile is made of samples, which nodes then count instead of calls */
    nytp_open_samples samples;
    uint64_t calls;        /* how many returned */
    uint64_t counted;      /* the sum of all nodes' calls: samples for profiles made of them */
    double excl_ticks;     /* of all calls, without the root */
    bool reads_statements; /* which needs their time, for the root or for what 100 % is */
    bool shows_root;
    uint32_t root_sub;   /* number of the shown name of main::RUNTIME */
    uint32_t root_node;  /* 0: it has not been made, or was folded */
    uint64_t root_calls; /* what the root counts: processes, and samples of no call that returned */
    uint64_t processes;
    bool leaves_out_waits;  /* nytp_calltree_leave_out_waits() was called */
    double waited_ticks;    /* what was left out */
    bool has_returned;      /* no statement came after the last return; only with an observer */
    double statement_ticks; /* of the tree; only if it reads statements, or was read with a profile */
    uint64_t given_calls;   /* how much its node has been given of root_calls, */
    double given_ticks;     /* and of the time outside of subs */
};

/* observer must live as long as the tree. */
void nytp_calltree_observe(nytp_calltree *tree, const nytp_calltree_observer *observer, void *context);

/* Returns the nodes, which belong to the call tree. Ends the stack, adds the root if the tree shows one, and
 * settles the nodes: they have inclusive times, and their children have no index. */
nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree);

/* The shown names of subs, by their numbers in nodes. They belong to the call tree. */
nytp_names *nytp_calltree_names(nytp_calltree *tree);

/* Returns the number of the shown name of a sub, given its raw name. */
uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw);

/* Leaves out the time of subs that wait (model/waits.h), and what it adds to the time of their callers and of
 * all. A call that only waited is left out with it, and in a profile made of samples also one that has no
 * other sample. One that called others, as an event loop calls what handles events, stays with their time and
 * none of its own. To be called before the first return. An observer does not see calls that wait. */
static inline void nytp_calltree_leave_out_waits(nytp_calltree *tree)
{
    tree->leaves_out_waits = true;
}

/* Returns whether calls of the sub are to be left out, given its raw name. */
static inline bool nytp_calltree_leaves_out(const nytp_calltree *tree, nytp_str raw)
{
    return tree->leaves_out_waits && nytp_sub_waits(raw);
}

/* Does the same as nytp_calltree_add() with a SUB_RETURN of that sub. waits: nytp_calltree_leaves_out() it.
 */
void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, double excl_ticks,
                              bool waits);

/* Does the same as nytp_calltree_add() with a PID_START, except that the scale stays. */
void nytp_calltree_begin_process(nytp_calltree *tree);

/* Adds statements that follow one another, by the sum of their times. */
void nytp_calltree_add_statements(nytp_calltree *tree, double ticks);

/* Adds the consecutive statements that the reader has buffered, if the tree reads any. Returns their size in
 * bytes. */
size_t nytp_calltree_read_statements(nytp_calltree *tree, nytp_reader *reader);

/* Adds the consecutive returns that the reader has buffered. Returns their number. The caller must then call
 * nytp_reader_next(): for another kind of chunk, for more bytes, or for the end. */
size_t nytp_calltree_read_returns(nytp_calltree *tree, nytp_reader *reader);

/* Has the tree read statements, so that nytp_calltree_whole_ticks() knows their time. To be called before the
 * first call or process. */
static inline void nytp_calltree_read_whole(nytp_calltree *tree)
{
    tree->reads_statements = true;
}

/* Returns the time that is 100 % (model/whole.h), in ticks of the tree. Without nytp_calltree_read_whole(), a
 * root, or a profile that is read with the tree it is that of calls. */
double nytp_calltree_whole_ticks(const nytp_calltree *tree);

/* Returns the greatest depth of all calls that were added; 1: no call made another. */
uint32_t nytp_calltree_depth(const nytp_calltree *tree);

/* Says whether the current profile is made of samples. For callers that read attributes themselves. The tree
 * must then be given SUB_ENTRY and statements, too. */
void nytp_calltree_set_sampled(nytp_calltree *tree, bool is_sampled);

/* Sets the factor for the times of chunks to come. For callers that read attributes themselves. */
void nytp_calltree_set_scale(nytp_calltree *tree, double scale);

/* The calls that wait will not get a caller: they count as called from outside. */
void nytp_calltree_end_stack(nytp_calltree *tree);
