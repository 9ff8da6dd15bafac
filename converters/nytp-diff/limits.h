/* Limits for a build server: --fail-over and --fail-calls. */
#pragma once

#include "options.h"

/* Says which limit is exceeded, for the whole program or one sub. What chance can explain does not exceed
 * one. Returns 0, NYTP_EXIT_OVER if one is, or NYTP_EXIT_FAILED after saying that there is no such sub. */
int diff_limits_check(nytp_comparison *comparison, const diff_options *options);
