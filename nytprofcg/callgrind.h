/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#pragma once

#include "nytprof-model.h"

typedef struct cg_options {
    bool keep_evals; /* do not merge the string evals of a line */
} cg_options;

/* Writes the file. Merges the evals of the profile first, unless keep_evals. calls: those of the profile;
 * none if it is not known how long they waited. Write errors stay with `out`. */
void cg_write(nytp_profile *profile, nytp_calltree *calls, const cg_options *options, FILE *out);
