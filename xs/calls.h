/* From a call to what is kept of it: who is called, and the arc, without looking at names.
 */
#ifndef PROF_CALLS_H
#define PROF_CALLS_H

#include "context.h"

/* Who is called. */
typedef struct prof_callee {
    HEK *package, *name; /* name NULL: its sub is another each time */
    CV *cv;              /* NULL: of gv */
    GV *gv;              /* not defined; NULL: a built-in */
    int op_type;         /* of that */
} prof_callee;

/* What a call is, looked up by its COP, its caller and perl's strings of who is called: they are shared, and
 * held as long as the context lives. */
typedef struct prof_call {
    const COP *cop;
    const HEK *package, *name;
    U32 seq;
    uint32_t caller, called;
    uint32_t arc; /* its index */
} prof_call;

/* Where the CV got its name: the package is the one of its glob, so that an imported sub stays the original.
 * NULL: it has none. */
static inline HEK *prof_name_of_cv(pTHX_ CV *cv, HEK **package)
{
    HV *stash;
    HEK *name;
    if (CvNAMED(cv)) {
        name = CvNAME_HEK(cv);
        stash = CvSTASH(cv);
    } else {
        GV *gv = CvGV(cv);
        if (gv == NULL || SvTYPE(gv) != SVt_PVGV)
            return NULL;
        name = GvNAME_HEK(gv);
        stash = GvSTASH(gv);
    }
    *package = stash != NULL && SvTYPE(stash) == SVt_PVHV ? HvNAME_HEK(stash) : NULL;
    return name;
}

/* A built-in's: the package that calls it, and perl's name of the op, which is no HEK, but has an address of
 * its own. */
static inline HEK *prof_name_of_op(pTHX_ int op_type, HEK **package)
{
    HV *stash = CopSTASH(PL_curcop);
    *package = stash != NULL ? HvNAME_HEK(stash) : NULL;
    if (*package == NULL)
        *package = HvNAME_HEK(PL_defstash);
    return (HEK *)(uintptr_t)PL_op_name[op_type];
}

/* Fills a slot for a call: the one it is looked for in, or one that is not kept. */
const prof_call *prof_call_find(pTHX_ prof *p, prof_call *slot, uint32_t caller, const prof_callee *callee,
                                const COP *cop);

/* Valid until the next call. */
static inline const prof_call *prof_call_of(pTHX_ prof *p, uint32_t caller, const prof_callee *callee,
                                            const COP *cop)
{
    const uint64_t hash =
        (((uint64_t)(uintptr_t)cop ^ (uint64_t)(uintptr_t)callee->name << 1) + caller) * PROF_MIX;
    prof_call *slot = &p->calls[hash >> (64 - PROF_CALL_BITS)];
    if (LIKELY(slot->cop == cop && slot->name == callee->name && slot->package == callee->package &&
               slot->caller == caller && slot->seq == cop->cop_seq))
        return slot;
    return prof_call_find(aTHX_ p, slot, caller, callee, cop);
}

/* ---- frames, in subs.c ---- */

/* A call of an xsub, a built-in or what is not defined begins, in a window that is open then. False: it is
 * not seen, nor is a window open. context: the caller's innermost, on perl's context stack. */
bool prof_frame_begin(pTHX_ prof *p, const prof_callee *callee, I32 context, uint64_t *window);
/* A built-in that is shown as a sub: original is run inside of a frame. */
OP *prof_call_op(pTHX_ prof *p, int op_type, Perl_ppaddr_t original);
/* Ends the frame and those above it, which were left without a word. */
void prof_frame_end(pTHX_ prof *p, uintptr_t serial);
/* For SAVEDESTRUCTOR_X(). */
void prof_frame_end_by_destructor(pTHX_ void *serial);
/* A perl sub's context is pushed and nothing of it has run: from here on it is the callee's time. cv: who is
 * called, which is another than who runs where goto was asked for a stub. */
void prof_sub_enter(pTHX_ prof *p, CV *cv, const COP *caller_cop);

#endif
