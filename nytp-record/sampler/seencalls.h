/* Which statements were seen to call which subs. */
#ifndef RECORD_SEENCALLS_H
#define RECORD_SEENCALLS_H

#include "statements.h"

#include <stdbool.h>

enum { RECORD_SEEN_SUBS = 1024, RECORD_SEEN_CALLERS = 4 };

typedef struct record_seen_caller {
    record_codeid callee;
    uint64_t statement; /* its address */
    uint32_t sequence;  /* of the statement: perl gives each another one */
} record_seen_caller;

/* All zero: none. Each sub has one place, which its code gives, for its last callers, the very last first. */
typedef struct record_seen_calls {
    record_seen_caller callers[RECORD_SEEN_SUBS][RECORD_SEEN_CALLERS];
} record_seen_calls;

void record_seen_calls_add(record_seen_calls *seen, const record_statement *caller, record_codeid callee);

/* Calls that were seen long ago may have been forgotten. */
bool record_seen_calls_has(const record_seen_calls *seen, const record_statement *caller,
                           record_codeid callee);

/* Returns a caller of a sub: with n = 0 the one that was seen last, with 1 the one before it. NULL: fewer
 * were seen. Valid until a caller is added. */
const record_seen_caller *record_seen_calls_of(const record_seen_calls *seen, record_codeid callee, int n);

#endif
