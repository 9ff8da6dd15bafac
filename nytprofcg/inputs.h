/* The profiles that a callgrind file is made of. Those of one view are added up: of time, of live memory and
 * so on. */
#pragma once

#include "build.h"
#include "calls/call_statements.h"
#include "calls/calltree.h"

typedef struct cg_inputs {
    GArray *views; /* cg_view, that of time first; lines and arcs of others have its numbers */
    cg_measured measured[CG_AMOUNTS];
    GArray *stacks;           /* cg_stacks */
    nytp_records turns;       /* nytp_turn, of loops */
    bool measures_statements; /* it is known which statements calls ran */
    GArray *added;            /* what was read */
} cg_inputs;

cg_inputs *cg_inputs_new(void);
void cg_inputs_free(cg_inputs *inputs); /* not NULL */

/* Adds a profile that was read with its calls, which need not have any, and statements of these. The tree
 * reads how long they waited. view: its name; NULL: as the profile says. Takes ownership of the other three.
 */
void cg_inputs_add(cg_inputs *inputs, const char *view, nytp_profile *profile, nytp_calltree *tree,
                   nytp_call_statements *statements);

/* To be called when all, one at least, were added. Sets the other members. Merges evals, unless keep_evals.
 * Returns false if there are more than CG_VIEWS views. */
bool cg_inputs_join(cg_inputs *inputs, bool keep_evals);
