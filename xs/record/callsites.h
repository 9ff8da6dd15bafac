/* Call sites: a cache that finds the arc of a call by its COP, its caller and the addresses of perl's strings
 * for the sub that is called, without comparing names. */
#pragma once

#include "prof.h"

/* The sub that is called: a CV, a GV, a file or a built-in. */
typedef struct prof_callee {
    HEK *package, *name; /* name NULL if there is none, and the sub must be looked up for each call */
    const OP *code;      /* a perl sub's root: a wrapper with the name of what it wraps is looked up apart */
    CV *cv;
    union {
        GV *gv;   /* of a sub that is not defined; op_type is 0 */
        SV *file; /* the name of a file that require or do FILE loads; NULL: another built-in */
    };
    int op_type;       /* of a built-in, if cv and gv are NULL */
    uint32_t labelled; /* the number + 1 of a sub with a label, and nothing else but name
                          (prof_callee_labelled()) */
} prof_callee;

/* Returns a labelled sub as callee. Its name is not a HEK but a cache key, 2 * sub + 1: addresses of HEKs and
 * of the names of ops are even, so keys never collide with them. */
static inline prof_callee prof_callee_labelled(uint32_t sub)
{
    return (prof_callee){.name = NUM2PTR(HEK *, (uintptr_t)sub << 1 | 1), .labelled = sub + 1};
}

/* A cache slot. Perl's strings are held as long as the context lives (cvkeys.h). */
typedef struct prof_callsite {
    const COP *cop; /* NULL if the slot is empty */
    const HEK *package, *name;
    const OP *code;
    U32 seq;
    uint32_t caller, callee;
    uint32_t arc; /* its index */
} prof_callsite;

enum { PROF_CALLSITE_BITS = 11, PROF_CALLSITES = 1 << PROF_CALLSITE_BITS };

typedef struct prof_callsites {
    prof_callsite *slots; /* the cache, and one more slot for calls that cannot be kept */
} prof_callsites;

void prof_callsites_init(prof_callsites *sites);
void prof_callsites_free(prof_callsites *sites);

/* Empties the cache. Call it when perl's strings are no longer held, and for a new output. */
void prof_callsites_forget(prof_callsites *sites);

/* Fills a slot for a call and returns it: the first of its two, or the one for calls that cannot be kept.
 * What was in the first moves to the second. Use prof_callsite_of() (hot.h). */
const prof_callsite *prof_callsite_find(pTHX_ prof *p, uint32_t caller, const prof_callee *callee,
                                        const COP *cop);

/* Returns the number of the caller of a call that no profiled sub makes: a sub that was entered before
 * profiling began, main::RUNTIME or main::NULL. cxix: the caller's innermost context on its stack. */
uint32_t prof_caller_search(pTHX_ prof *p, I32 cxix);
