/* Arcs of calls that a profile has not summed up: all calls of a tmon.out, and the last ones of a process
 * that was killed or is still running. */
#pragma once

#include "nytprof-model.h"

#include "calls/calltree.h"
#include "calls/stacktree.h"
#include "events/filter.h"
#include "format/runs.h"
#include "model/names.h"
#include "model/records.h"

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

/* The last filter of a profile of which only a part is left: sums up the calls of that part, and passes on
 * what it takes. At the end come the sums, as SUB_CALLERS, in place of those that the profile has. */

/* nytp_filter_options.sums, which nytp_filters_attach() takes. */
nytp_filter *nytp_sum_calls_new(void);

/* Calls add for each SUB_CALLERS that an arc needs: each counts at most UINT32_MAX calls. */
void nytp_arc_chunks(const nytp_arc *arc, const nytp_names *names, double ticks_per_sec,
                     void (*add)(void *context, const nytp_chunk *chunk), void *context);

/* Returns what the calls of a node have themselves of something. */
typedef double nytp_amount_fn(const nytp_node *node);

double nytp_amount_of_calls(const nytp_node *node);
nytp_amount_fn *nytp_amount_of_wait(enum nytp_wait wait);

/* Returns a tree with those stacks of another one that have some of an amount, and their callers. Its times
 * are that amount, and it uses the names of the other one. It must be freed first. */
nytp_calltree *nytp_amount_tree_new(nytp_calltree *tree, nytp_amount_fn *amount);

/* Whether arcs may be missing, or may not know of recursion. is_whole: the profile has been read to its end,
 * and was not cut. */
bool nytp_profile_lacks_arcs(const nytp_profile *profile, bool is_whole);

/* Returns the calls of the stacks that the arcs of the profile lack: an nytp_arc for each caller and callee.
 * Where they were called is not known: fid and line are 0. The stacks must be those of all calls of the
 * profile, with their inclusive times; scale is how many ticks of the profile one of theirs is. Subs that are
 * new are added to the profile. The caller must clear the records.
 *
 * A call whose caller has not returned is called from outside in the tree, while an arc may name the caller.
 * So for each callee, calls that only arcs have are taken from those from outside. */
nytp_records nytp_missing_arcs(nytp_profile *profile, const nytp_stacktree *stacks, const nytp_names *names,
                               double scale);

/* Like nytp_missing_arcs(), with all calls of the profile as sums with lines. Those that
 * are missing have the lines at which these have more calls than the profile. */
nytp_records nytp_missing_arcs_of(nytp_profile *profile, const nytp_profile *calls);

/* Add the arcs that are missing to the profile, and move the time of calls that are recursive. */
void nytp_profile_complete_arcs_of(nytp_profile *profile, const nytp_profile *calls);
void nytp_profile_complete_arcs_by(nytp_profile *profile, const nytp_stacktree *stacks,
                                   const nytp_names *names, double scale);

/* Like nytp_profile_complete_arcs_by(), with the call tree of the profile, whose names must be those of the
 * stream. */
void nytp_profile_complete_arcs(nytp_profile *profile, nytp_calltree *tree);

/* Returns how much the calls of a tree have of an amount (NULL: their time): an nytp_arc for each caller and
 * callee, whose times are scale times that. Subs that are new are added to the profile. The caller must clear
 * the records. */
nytp_records nytp_arcs_of_amount(nytp_profile *profile, nytp_calltree *tree, nytp_amount_fn *amount,
                                 double scale);

/* Returns how long the calls of the profile's call tree waited in one way, if the tree reads that: an
 * nytp_arc for each caller and callee, whose times are of that alone. Subs that are new are added to the
 * profile. The caller must clear the records. *outside_ticks receives how long the code outside of calls
 * waited; 0 if the profile has calls that the tree does not have. */
nytp_records nytp_waiting_arcs(nytp_profile *profile, nytp_calltree *tree, enum nytp_wait wait,
                               int64_t *outside_ticks);
