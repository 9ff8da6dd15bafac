/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#pragma once

#include "sources.h"

typedef struct cg_options {
    bool keep_evals;     /* do not merge the string evals of a line */
    bool no_split;       /* leave cycles as they are (recursion.h) */
    cg_sources *sources; /* NULL: files have the names that the profile has */
} cg_options;

/* Returns whether the calls of a profile say more than its sums: how long they waited, and what those of subs
 * that recur lead to. options: cg_options. */
bool cg_needs_calls(const void *options, const nytp_profile *profile);

/* Writes the file. Merges the evals of the profile first, unless keep_evals. calls: those of the profile;
 * none if the profile does not have them one by one, or does not need them. Write errors stay with `out`. */
void cg_write(nytp_profile *profile, nytp_calltree *calls, const cg_options *options, FILE *out);
