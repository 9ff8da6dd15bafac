/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#pragma once

#include "inputs.h"
#include "parts.h"
#include "sources.h"

/* Which turns of loops are jumps: those in own code, all, or none. */
enum cg_jumps { CG_JUMPS_OWN, CG_JUMPS_ALL, CG_JUMPS_NONE };

typedef struct cg_options {
    bool keep_evals;     /* do not merge the string evals of a line */
    bool no_split;       /* leave cycles as they are (recursion.h) */
    cg_sources *sources; /* NULL: files have the names that the profile has */
    unsigned jumps;      /* cg_jumps */
    cg_part part;        /* of which the profile is; its number is 0 if it is a whole */
} cg_options;

/* Writes the file. Write errors stay with `out`. */
void cg_write(const cg_inputs *inputs, const cg_options *options, FILE *out);
