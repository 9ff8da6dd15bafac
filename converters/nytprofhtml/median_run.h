/* Which of several runs of a program stands for all of them. */
#pragma once

#include "cli/options.h"

/* Returns the index of the run whose time is nearest to the median of all; the first of those. It is 0 if
 * there are fewer than three, or if one cannot be read twice, such as a pipe. Prints nothing: a run that
 * cannot be read is not chosen, unless none can. */
int html_median_run(const nytp_operands *runs, const nytp_common_options *common);
