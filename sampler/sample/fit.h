/* The calls of a sample: for each one the statement that called, and the sub. */
#pragma once

#include "sampler/sample/scope.h"
#include "sampler/sample/known_callers.h"

typedef struct sampler_calls {
    sampler_statement *callers; /* for each call: the statement that called */
    sampler_sub *subs;          /* for each call: the sub; its root is 0 where there is none */
    size_t room;
    sampler_known_callers seen;
} sampler_calls;

/* Makes room for the calls of the snapshot, and for those that sampler_calls_fit() adds. */
void sampler_calls_make_room(sampler_calls *calls, const sampler_snapshot *snapshot);
void sampler_calls_clear(sampler_calls *calls);

/* Leaves out those of the first calls, up to end, that were made within the code that has this root: they are
 * later ones. Stacks stay, and eval blocks of that code. Sets *around to the scope of that code. Returns
 * false if no call has it. */
bool sampler_calls_leave_out_later(const sampler_calls *calls, const sampler_lookup *at,
                                   sampler_snapshot *snapshot, size_t end, uint64_t root,
                                   sampler_scope *around);

/* The calls were read after the statement that ran. Makes them those of that moment: leaves out later ones,
 * and adds those that have ended, up to SAMPLER_MOST_ENDED, if their callers were seen. *around: the scope of
 * the innermost call. */
void sampler_calls_fit(sampler_calls *calls, const sampler_lookup *at, sampler_snapshot *snapshot,
                       const sampler_candidate *candidates, sampler_scope *around);
