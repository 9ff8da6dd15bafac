/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#pragma once

#include "nytprof-model.h"

typedef struct cg_options {
    bool keep_evals; /* do not merge the string evals of a line */
} cg_options;

/* Writes the file. Merges the evals of the profile first, unless keep_evals. Write errors stay with `out`. */
void cg_write(nytp_profile *profile, const cg_options *options, FILE *out);
