#include "sampler/sample/consistency.h"

#include "base/hash.h"

#include <string.h>

static size_t place_of(sampler_codeid callee)
{
    return nytp_hash_mix(0, callee.root, callee.sequence) % SAMPLER_KNOWN_SUBS;
}

/* Returns SAMPLER_KNOWN_CALLERS if it is not there. */
static size_t find(const sampler_known_caller *callers, const sampler_statement *caller,
                   sampler_codeid callee)
{
    size_t n = 0;
    while (n < SAMPLER_KNOWN_CALLERS &&
           !(callers[n].statement == caller->address && callers[n].sequence == caller->sequence &&
             sampler_codeid_is(callers[n].callee, callee)))
        n++;
    return n;
}

void sampler_known_callers_add(sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee)
{
    sampler_known_caller *callers = seen->callers[place_of(callee)];
    size_t n = find(callers, caller, callee);
    size_t replaced = n < SAMPLER_KNOWN_CALLERS ? n : SAMPLER_KNOWN_CALLERS - 1;
    memmove(callers + 1, callers, replaced * sizeof *callers);
    callers[0] = (sampler_known_caller){callee, caller->address, caller->sequence};
}

bool sampler_known_callers_has(const sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee)
{
    return find(seen->callers[place_of(callee)], caller, callee) < SAMPLER_KNOWN_CALLERS;
}

const sampler_known_caller *sampler_known_callers_of(const sampler_known_callers *seen, sampler_codeid callee,
                                                     int n)
{
    const sampler_known_caller *callers = seen->callers[place_of(callee)];
    for (size_t i = 0; i < SAMPLER_KNOWN_CALLERS; i++)
        if (sampler_codeid_is(callers[i].callee, callee) && n-- == 0)
            return &callers[i];
    return NULL;
}
