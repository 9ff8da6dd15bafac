/* Writes a profile as a callgrind file, for KCachegrind and callgrind_annotate. */
#pragma once

#include "parts.h"
#include "sources.h"
#include "model/records.h"

/* Which turns of loops are jumps: those in own code, all, or none. */
enum cg_jumps { CG_JUMPS_OWN, CG_JUMPS_ALL, CG_JUMPS_NONE };

typedef struct cg_options {
    bool keep_evals;     /* do not merge the string evals of a line */
    bool no_split;       /* leave cycles as they are (recursion.h) */
    cg_sources *sources; /* NULL: files have the names that the profile has */
    unsigned jumps;      /* cg_jumps */
    cg_part part;        /* of which the profile is; its number is 0 if it is a whole */
} cg_options;

/* The calls of a profile; none if it does not have them one by one. */
typedef struct cg_calls {
    nytp_calltree *tree;       /* which reads how long they waited */
    nytp_calltree *statements; /* those that they ran (calls/call_statements.h); NULL: not known */
    const nytp_records *turns; /* nytp_turn, of loops; NULL: not known */
} cg_calls;

/* Writes the file. Merges the evals of the profile first, unless keep_evals. Write errors stay with `out`. */
void cg_write(nytp_profile *profile, const cg_calls *calls, const cg_options *options, FILE *out);
