/* Two profiles side by side: "outer;inner;innermost OLD NEW", for flamegraph.pl. */
#pragma once

#include "collapse.h"

/* Writes a line for each stack of either profile, sorted by stack. The value of a stack that a profile does
 * not have is 0; a stack whose values are both 0 is left out. With scale, the values of `before` are
 * multiplied so that their sum is that of `after`. A stack is shown if it has at least options->min_percent
 * of the time in one of them. Write errors stay with out. */
void calls_diff_write(const calls_options *options, calls_collapse *before, calls_collapse *after, bool scale,
                      FILE *out);
