/* What each sub took, whoever called it. */
#pragma once

#include "nytprof-model.h"

/* Returns an nytp_arc for each number of a sub, with the sums of all arcs to it. The caller frees it with
 * g_free(). */
nytp_arc *nytp_sums_by_callee(const nytp_profile *profile);
