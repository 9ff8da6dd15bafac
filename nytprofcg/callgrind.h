/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#ifndef CG_CALLGRIND_H
#define CG_CALLGRIND_H

#include "nytprof.h"

typedef struct cg_options {
    bool keep_evals; /* do not merge the string evals of a line */
} cg_options;

/* Merges the profile's evals first, unless they are to be kept. Write errors stay with `out`. */
void cg_write(nytp_profile *profile, const cg_options *options, FILE *out);

#endif
