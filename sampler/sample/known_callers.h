/* Which statements were seen to call which subs. */
#pragma once

#include "sampler/perl/statements.h"

#include <stdbool.h>

enum { SAMPLER_KNOWN_SUBS = 1024, SAMPLER_KNOWN_CALLERS = 4 };

typedef struct sampler_known_caller {
    sampler_codeid callee;
    uint64_t statement; /* its address */
    uint32_t sequence;  /* of the statement: perl gives each another one */
} sampler_known_caller;

/* All zero: none. Each sub has one place, which its code gives, for its last callers, the very last first. */
typedef struct sampler_known_callers {
    sampler_known_caller callers[SAMPLER_KNOWN_SUBS][SAMPLER_KNOWN_CALLERS];
} sampler_known_callers;

void sampler_known_callers_add(sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee);

/* Calls that were seen long ago may have been forgotten. */
bool sampler_known_callers_has(const sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee);

/* Returns a caller of a sub: with n = 0 the one that was seen last, with 1 the one before it. NULL: fewer
 * were seen. Valid until a caller is added. */
const sampler_known_caller *sampler_known_callers_of(const sampler_known_callers *seen, sampler_codeid callee,
                                                     int n);
