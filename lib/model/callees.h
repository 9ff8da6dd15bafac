/* What each sub took, whoever called it. */
#pragma once

#include "nytprof-model.h"

/* Returns how many of an arc's blocks are in its inclusive bytes, which are those of outermost calls. An arc
 * of a profile of memory counts each block for every call on the stack, also those of a sub that calls
 * itself. If an arc has both, the blocks are divided as the bytes are. */
uint64_t nytp_arc_outermost_blocks(const nytp_arc *arc);

/* Returns an nytp_arc for each number of a sub, with the sums of all arcs to it; of memory, blocks are
 * those of outermost calls. The caller frees it with
 * g_free(). */
nytp_arc *nytp_sums_by_callee(const nytp_profile *profile);
