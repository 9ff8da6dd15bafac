#include "seencalls.h"

#include "base/hash.h"

#include <string.h>

static size_t place_of(record_codeid callee)
{
    return nytp_hash_mix(0, callee.root, callee.sequence) % RECORD_SEEN_SUBS;
}

/* Returns RECORD_SEEN_CALLERS if it is not there. */
static size_t find(const record_seen_caller *callers, const record_statement *caller, record_codeid callee)
{
    size_t n = 0;
    while (n < RECORD_SEEN_CALLERS &&
           !(callers[n].statement == caller->address && callers[n].sequence == caller->sequence &&
             record_codeid_is(callers[n].callee, callee)))
        n++;
    return n;
}

void record_seen_calls_add(record_seen_calls *seen, const record_statement *caller, record_codeid callee)
{
    record_seen_caller *callers = seen->callers[place_of(callee)];
    size_t n = find(callers, caller, callee);
    size_t replaced = n < RECORD_SEEN_CALLERS ? n : RECORD_SEEN_CALLERS - 1;
    memmove(callers + 1, callers, replaced * sizeof *callers);
    callers[0] = (record_seen_caller){callee, caller->address, caller->sequence};
}

bool record_seen_calls_has(const record_seen_calls *seen, const record_statement *caller,
                           record_codeid callee)
{
    return find(seen->callers[place_of(callee)], caller, callee) < RECORD_SEEN_CALLERS;
}

const record_seen_caller *record_seen_calls_of(const record_seen_calls *seen, record_codeid callee, int n)
{
    const record_seen_caller *callers = seen->callers[place_of(callee)];
    for (size_t i = 0; i < RECORD_SEEN_CALLERS; i++)
        if (record_codeid_is(callers[i].callee, callee) && n-- == 0)
            return &callers[i];
    return NULL;
}
