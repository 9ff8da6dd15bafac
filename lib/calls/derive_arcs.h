/* Arcs of calls that a profile has not summed up: all calls of a tmon.out, and the last ones of a process
 * that was killed or is still running. */
#pragma once

#include "calls/stacktree.h"
#include "model/names.h"
#include "model/records.h"
#include "nytprof-model.h"

/* Whether arcs may be missing. is_whole: the profile has been read to its end, and was not cut. */
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

/* Like nytp_missing_arcs(), with all calls of the profile as sums with lines (calls/sum_calls.h). Those that
 * are missing have the lines at which these have more calls than the profile. */
nytp_records nytp_missing_arcs_of(nytp_profile *profile, const nytp_profile *calls);

/* Add the arcs that are missing to the profile. */
void nytp_profile_complete_arcs_of(nytp_profile *profile, const nytp_profile *calls);
void nytp_profile_complete_arcs_by(nytp_profile *profile, const nytp_stacktree *stacks,
                                   const nytp_names *names, double scale);

/* Like nytp_profile_complete_arcs_by(), with the call tree of the profile, whose names must be those of the
 * stream. */
void nytp_profile_complete_arcs(nytp_profile *profile, nytp_calltree *tree);

/* Returns how long the calls of the profile's call tree were asleep, if the tree reads that: an nytp_arc for
 * each caller and callee, whose times are of that alone. Subs that are new are added to the profile. The
 * caller must clear the records. *outside_ticks receives how long the code outside of calls was asleep; 0 if
 * the profile has calls that the tree does not have. */
nytp_records nytp_waiting_arcs(nytp_profile *profile, nytp_calltree *tree, int64_t *outside_ticks);
