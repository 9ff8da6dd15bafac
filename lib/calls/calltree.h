/* What a call tree is made of, for modules and programs that change its shape. */
#pragma once

#include "calls/durations.h"
#include "calls/stacktree.h"
#include "events/events.h"
#include "model/names.h"
#include "nytprof-model.h"

#include <math.h>

/* Calls that have returned at `depth`, and wait for the return of their caller at depth - 1. */
typedef struct nytp_waiting {
    uint32_t depth;
    uint32_t hint; /* the child that was found last */
    nytp_children children;
} nytp_waiting;

struct nytp_calltree {
    nytp_stacktree stacks;
    nytp_names *raw;   /* as in the stream */
    nytp_names *shown; /* as renamed; without rename the same object as raw */
    bool owns_raw;
    GArray
        *shown_of; /* uint32_t: the number of the shown name + 1, by that of the raw one; only with rename */
    nytp_rename_fn *rename;
    void *rename_context;
    nytp_sink sink;          /* which needs time for the root, or for what 100 % is */
    nytp_events *events;     /* which the tree takes; NULL if not decided yet */
    nytp_events *own_events; /* the same, if the tree is read by itself; else NULL */
    nytp_waiting *levels;    /* the depths at which calls wait, in rising order; depth 0 comes first */
    size_t level_capacity;
    uint32_t top;         /* index of the deepest level */
    uint32_t max_depth;   /* greatest depth of all returns */
    double ticks_per_sec; /* of the tree; 0: that of the first profile, which has not come yet */
    double scale;         /* from the profile's ticks to the tree's */
    double most_ticks;    /* a longer time counts as 0 */
    bool is_sampled;    /* the current profile is made of samples, which nodes then count instead of calls */
    uint64_t calls;     /* how many returned */
    uint64_t counted;   /* the sum of all nodes' calls: samples for profiles made of them */
    double excl_ticks;  /* of all calls, without the root */
    nytp_waited waited; /* of all processes; only if the tree reads how long calls waited, */
    nytp_waited calls_waited; /* and of all calls */
    bool shows_root;
    bool limits_root;    /* its time is at least 0, for what cannot show less */
    uint32_t root_sub;   /* number of the shown name of main::RUNTIME */
    uint32_t root_node;  /* 0: it has not been made, or was folded */
    uint64_t root_calls; /* what the root counts: processes, and samples of no call that returned */
    uint64_t processes;
    double statement_ticks;   /* of the tree; only if it needs time, or was read with a profile */
    uint64_t given_calls;     /* how much its node has been given of root_calls, */
    double given_ticks;       /* of the time outside of subs, */
    nytp_waited given_waited; /* and of how long that waited */
};

/* A tree of calls whose subs are numbered by these names, which stay the caller's and may have more. */
nytp_calltree *nytp_calltree_new_of(nytp_names *raw, nytp_rename_fn *rename, void *context);

/* Makes the tree a sink of events whose names are those of its subs. It must live as long as they are read.
 */
void nytp_calltree_take(nytp_calltree *tree, nytp_events *events);

/* Returns the events that the tree takes, its own unless nytp_calltree_take() was called, for other sinks of
 * the same calls. Their names are the raw ones of the tree. */
nytp_events *nytp_calltree_events(nytp_calltree *tree);

/* Reads what the reader has buffered in a row into the tree: its nytp_sink.read_run. Returns about how many
 * chunks that were. */
size_t nytp_calltree_read_run(void *tree, nytp_reader *reader);

/* Returns the nodes, which belong to the call tree. Ends the stack, adds the root if the tree shows one, and
 * settles the nodes: they have inclusive times, and their children have no index. */
nytp_stacktree *nytp_calltree_stacks(nytp_calltree *tree);

/* The shown names of subs, by their numbers in nodes. They belong to the call tree. */
nytp_names *nytp_calltree_names(nytp_calltree *tree);

/* Return the number of the shown name of a sub, given its raw name, or the number of that. */
uint32_t nytp_calltree_sub(nytp_calltree *tree, const nytp_str *raw);
uint32_t nytp_calltree_shown(nytp_calltree *tree, uint32_t raw);

/* Adds a call that has returned, a process that begins, statements by the sum of their times, and samples:
 * what events make of chunks. */
void nytp_calltree_add_call(nytp_calltree *tree, const nytp_call_event *call);
void nytp_calltree_begin_process(nytp_calltree *tree);
void nytp_calltree_add_time(nytp_calltree *tree, double ticks);
void nytp_calltree_add_waited(nytp_calltree *tree, nytp_waited waited);
void nytp_calltree_add_samples(nytp_calltree *tree, uint64_t count);

/* Adds a call that has returned, or a part of it, of the sub with that number in the raw names. */
void nytp_calltree_add_return(nytp_calltree *tree, uint32_t sub, uint32_t depth, uint64_t count,
                              double excl_ticks);

/* Returns a time of the profile in ticks of the tree; 0 for one that makes no sense. */
static inline double nytp_calltree_scaled(const nytp_calltree *tree, double ticks)
{
    return fabs(ticks) <= tree->most_ticks ? ticks * tree->scale : 0; /* NaN becomes 0 */
}

static inline nytp_waited nytp_calltree_scaled_waited(const nytp_calltree *tree, nytp_waited waited)
{
    return (nytp_waited){nytp_calltree_scaled(tree, waited.asleep_ticks),
                         nytp_calltree_scaled(tree, waited.queued_ticks)};
}

/* Has the tree read statements, so that nytp_calltree_whole_ticks() knows their time. To be called before the
 * first call or process. */
static inline void nytp_calltree_read_whole(nytp_calltree *tree)
{
    tree->sink.needs_time = true;
}

/* Has the tree read how long calls waited. To be called before the tree takes events. */
void nytp_calltree_read_waited(nytp_calltree *tree);

/* Returns the time that is 100 % (model/whole.h), in ticks of the tree. Without nytp_calltree_read_whole(), a
 * root, or a profile that is read with the tree it is that of calls. */
double nytp_calltree_whole_ticks(const nytp_calltree *tree);

/* Returns the greatest depth of all calls that were added; 1: no call made another. */
uint32_t nytp_calltree_depth(const nytp_calltree *tree);

/* Says whether the current process is made of samples. For callers that begin processes themselves. */
static inline void nytp_calltree_set_sampled(nytp_calltree *tree, bool is_sampled)
{
    tree->is_sampled = is_sampled;
}

/* Sets the factor for times to come. For callers that begin processes themselves. */
void nytp_calltree_set_scale(nytp_calltree *tree, double scale);

/* What nytp_calltree_walk() visits. */
typedef struct nytp_visited {
    nytp_call call;
    nytp_waited waited; /* of its exclusive time; only if the tree reads how long calls waited */
} nytp_visited;

static inline nytp_waited nytp_call_waited_of(const nytp_call *call)
{
    return ((const nytp_visited *)call)->waited;
}

/* Like nytp_calltree_walk(), without string evals (events/evals.c): what they call is the sub's that runs
 * them.
 */
void nytp_calltree_walk_subs(nytp_calltree *tree, nytp_call_fn *visit, void *context);

/* The calls that wait will not get a caller: they count as called from outside. */
void nytp_calltree_end_stack(nytp_calltree *tree);
