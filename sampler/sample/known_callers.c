#include "sampler/sample/known_callers.h"

#include "base/hash.h"

#include <string.h>

static size_t place_of(sampler_codeid callee)
{
    return nytp_hash_mix(0, callee.root, callee.sequence) % SAMPLER_SEEN_SUBS;
}

/* Returns SAMPLER_SEEN_CALLERS if it is not there. */
static size_t find(const sampler_seen_caller *callers, const sampler_statement *caller, sampler_codeid callee)
{
    size_t n = 0;
    while (n < SAMPLER_SEEN_CALLERS &&
           !(callers[n].statement == caller->address && callers[n].sequence == caller->sequence &&
             sampler_codeid_is(callers[n].callee, callee)))
        n++;
    return n;
}

void sampler_seen_calls_add(sampler_seen_calls *seen, const sampler_statement *caller, sampler_codeid callee)
{
    sampler_seen_caller *callers = seen->callers[place_of(callee)];
    size_t n = find(callers, caller, callee);
    size_t replaced = n < SAMPLER_SEEN_CALLERS ? n : SAMPLER_SEEN_CALLERS - 1;
    memmove(callers + 1, callers, replaced * sizeof *callers);
    callers[0] = (sampler_seen_caller){callee, caller->address, caller->sequence};
}

bool sampler_seen_calls_has(const sampler_seen_calls *seen, const sampler_statement *caller,
                            sampler_codeid callee)
{
    return find(seen->callers[place_of(callee)], caller, callee) < SAMPLER_SEEN_CALLERS;
}

const sampler_seen_caller *sampler_seen_calls_of(const sampler_seen_calls *seen, sampler_codeid callee, int n)
{
    const sampler_seen_caller *callers = seen->callers[place_of(callee)];
    for (size_t i = 0; i < SAMPLER_SEEN_CALLERS; i++)
        if (sampler_codeid_is(callers[i].callee, callee) && n-- == 0)
            return &callers[i];
    return NULL;
}
