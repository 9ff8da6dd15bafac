/* The calls of a sample: for each one the statement that called, and the sub. */
#ifndef RECORD_CALLS_H
#define RECORD_CALLS_H

#include "scope.h"
#include "seencalls.h"

typedef struct record_calls {
    record_statement *callers; /* for each call: the statement that called */
    record_sub *subs;          /* for each call: the sub; its root is 0 where there is none */
    size_t room;
    record_seen_calls seen;
} record_calls;

/* Makes room for the calls of the snapshot, and for those that record_calls_fit() adds. */
void record_calls_make_room(record_calls *calls, const record_snapshot *snapshot);
void record_calls_clear(record_calls *calls);

/* Leaves out those of the first calls, up to end, that were made within the code that has this root: they are
 * later ones. Stacks stay, and eval blocks of that code. *around: the scope of that code. false: no call has
 * it. */
bool record_calls_leave_out_later(const record_calls *calls, const record_lookup *at,
                                  record_snapshot *snapshot, size_t end, uint64_t root, record_scope *around);

/* The calls were read after the statement that ran. Makes them those of that moment: leaves out later ones,
 * and adds those that have ended, up to RECORD_ENDED, if their callers were seen. *around: the scope of the
 * innermost call. */
void record_calls_fit(record_calls *calls, const record_lookup *at, record_snapshot *snapshot,
                      const record_candidate *candidates, record_scope *around);

#endif
