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

/* Has room for the calls of the snapshot, and for those that are added to it. */
void record_calls_make_room(record_calls *calls, const record_snapshot *snapshot);
void record_calls_clear(record_calls *calls);

/* Finds the innermost one of the first calls, up to end, whose code has this root; *around: its scope.
 * Returns how many calls there are up to that one, 0 for the main program, or -1: none has. */
long record_calls_find_scope(const record_calls *calls, const record_lookup *at,
                             const record_snapshot *snapshot, size_t end, uint64_t root,
                             record_scope *around);

/* The calls were read after the statement that ran. Has them be those of that moment: later ones are left
 * out, those that have ended are added. *around: the scope of the innermost call. */
void record_calls_fit(record_calls *calls, const record_lookup *at, record_snapshot *snapshot,
                      const record_candidate *candidates, record_scope *around);

#endif
