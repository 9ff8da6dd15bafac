/* Two profiles side by side: "outer;inner;innermost OLD NEW", for flamegraph.pl. */
#ifndef CALLS_DIFF_H
#define CALLS_DIFF_H

#include "collapse.h"

/* Writes a line for each stack in either of them, 0 where it is missing, none where both values are 0; sorted
 * by stack. With scale, OLD's values are multiplied so that their sum is NEW's. A stack is shown if its share
 * of the time reaches options->min_percent in one of them. Write errors stay with out. */
void calls_diff_write(const calls_options *options, calls_collapse *before, calls_collapse *after, bool scale,
                      FILE *out);

#endif
