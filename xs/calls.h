/* A cache that finds the arc of a call by its COP, its caller and the addresses of perl's strings for the sub
 * that is called, without comparing names. */
#ifndef PROF_CALLS_H
#define PROF_CALLS_H

#include "prof.h"

/* The sub that is called: a CV, a GV, a file or a built-in. */
typedef struct prof_callee {
    HEK *package, *name; /* name NULL: there is none, and the sub must be looked up for each call */
    CV *cv;
    union {
        GV *gv;   /* of a sub that is not defined; op_type is 0 */
        SV *file; /* the name of a file that require or do FILE loads; NULL: another built-in */
    };
    int op_type; /* of a built-in, if cv and gv are NULL */
} prof_callee;

/* A cache slot. Perl's strings are held as long as the context lives (cvkeys.h). */
typedef struct prof_call {
    const COP *cop; /* NULL: the slot is empty */
    const HEK *package, *name;
    U32 seq;
    uint32_t caller, called;
    uint32_t arc; /* its index */
} prof_call;

enum { PROF_CALL_BITS = 11, PROF_CALLS = 1 << PROF_CALL_BITS };

typedef struct prof_calls {
    prof_call *slots; /* the cache, and one more slot for calls that cannot be kept */
} prof_calls;

void prof_calls_init(prof_calls *calls);
void prof_calls_clear(prof_calls *calls);

/* Empties the cache. Call it when perl's strings are no longer held. */
void prof_calls_forget(prof_calls *calls);

/* Fills a slot for a call and returns it: slot, or the one for calls that cannot be kept. Use prof_call_of()
 * (hot.h). */
const prof_call *prof_call_find(pTHX_ prof *p, prof_call *slot, uint32_t caller, const prof_callee *callee,
                                const COP *cop);

#endif
