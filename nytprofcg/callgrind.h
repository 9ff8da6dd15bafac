/* A profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#ifndef CALLGRIND_H
#define CALLGRIND_H

#include "nytprof.h"

typedef struct callgrind_options {
    bool keep_evals; /* string evals of one line stay apart */
} callgrind_options;

/* Writes all of it; merges the profile's evals first, unless they are to stay
 * apart. Write errors stay with out. */
void callgrind_write(nytp_profile *profile, const callgrind_options *options, FILE *out);

#endif
