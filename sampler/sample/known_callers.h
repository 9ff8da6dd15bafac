/* Which statements were seen to call which subs. */
#ifndef SAMPLER_SAMPLE_KNOWN_CALLERS_H
#define SAMPLER_SAMPLE_KNOWN_CALLERS_H

#include "sampler/perl/statements.h"

#include <stdbool.h>

enum { SAMPLER_SEEN_SUBS = 1024, SAMPLER_SEEN_CALLERS = 4 };

typedef struct sampler_seen_caller {
    sampler_codeid callee;
    uint64_t statement; /* its address */
    uint32_t sequence;  /* of the statement: perl gives each another one */
} sampler_seen_caller;

/* All zero: none. Each sub has one place, which its code gives, for its last callers, the very last first. */
typedef struct sampler_seen_calls {
    sampler_seen_caller callers[SAMPLER_SEEN_SUBS][SAMPLER_SEEN_CALLERS];
} sampler_seen_calls;

void sampler_seen_calls_add(sampler_seen_calls *seen, const sampler_statement *caller, sampler_codeid callee);

/* Calls that were seen long ago may have been forgotten. */
bool sampler_seen_calls_has(const sampler_seen_calls *seen, const sampler_statement *caller,
                            sampler_codeid callee);

/* Returns a caller of a sub: with n = 0 the one that was seen last, with 1 the one before it. NULL: fewer
 * were seen. Valid until a caller is added. */
const sampler_seen_caller *sampler_seen_calls_of(const sampler_seen_calls *seen, sampler_codeid callee,
                                                 int n);

#endif
