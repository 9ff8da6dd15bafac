/* Calls as V8 writes a profile of its processor: a .cpuprofile, for VS Code and Chromium's DevTools. */
#pragma once

#include "calls/process_calls.h"

/* trees are those of one profile, and lines is that profile with its statements. Writes the nodes of all
 * stacks and, as if they had been sampled once, their own times one after another. Write errors stick to out.
 * Returns how many levels of stacks were deeper than max_depth; those have been added to their callers, and
 * so have stacks with less than min_percent of the time. */
uint64_t speedscope_write_cpuprofile(nytp_process_calls *trees, const nytp_profile *lines, double min_percent,
                                     uint32_t max_depth, FILE *out);
