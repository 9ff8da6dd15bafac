/* A profile without the time of subs that wait (model/waits.h). */
#pragma once

#include "nytprof-model.h"

/* Takes the exclusive time of subs that wait out of their arcs, and out of the lines that called them; in a
 * profile made of samples, their samples, too. To be called before evals are merged.
 *
 * tree: what nytp_calltree_leave_out_waits() made of the same chunks, with raw names and without a root. The
 * profile then has the arcs of that tree, which know how long the callees of a sub waited. So the inclusive
 * time of all callers is without waiting; where calls were made is not known: fid and line are 0. With NULL,
 * or a tree to which no calls were added, inclusive times of subs that do not wait stay as they are. */
void nytp_profile_leave_out_waits(nytp_profile *profile, nytp_calltree *tree);
