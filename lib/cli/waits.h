/* --no-wait of programs that show profiles. */
#pragma once

#include "nytprof-model.h"

/* Takes the time of subs that wait out of a profile (calls/profile_waits.h). tree: what
 * nytp_calltree_leave_out_waits() made of the same chunks. in_arcs: whether arcs come from it, too. Returns
 * 0, or -1 after saying that the tree has no calls, so that it does not know within which ones subs waited.
 */
int nytp_leave_out_waits(nytp_profile *profile, nytp_calltree *tree, bool in_arcs);
