#include "record/callsites.h"

#include "hot.h"
#include "basics/alloc.h"

enum { SLOTS_BYTES = (PROF_CALLSITES + 1) * sizeof(prof_callsite) };

void prof_callsites_init(prof_callsites *sites)
{
    sites->slots = prof_alloc_pages(SLOTS_BYTES);
}

void prof_callsites_free(prof_callsites *sites)
{
    prof_free_pages(sites->slots, SLOTS_BYTES);
}

void prof_callsites_forget(prof_callsites *sites)
{
    prof_clear_pages(sites->slots, SLOTS_BYTES);
}

static uint32_t sub_of(pTHX_ prof *p, const prof_callee *callee)
{
    if (callee->labelled > 0)
        return callee->labelled - 1;
    if (callee->cv != NULL)
        return prof_sub_of_cv(aTHX_ p, callee->cv);
    if (callee->op_type == 0)
        return prof_sub_of_gv(aTHX_ p, callee->gv);
    return callee->file != NULL ? prof_sub_of_load(aTHX_ p, callee->op_type, callee->file)
                                : prof_sub_of_op(aTHX_ p, callee->op_type);
}

/* Subs may have one name: a wrapper and what it wraps (Moose's `around`), or anonymous subs on a line. Closures
 * have the same code. */
static void note_code(prof *p, uint32_t sub, const OP *code)
{
    prof_subs *subs = &p->subs;
    if (subs->code[sub] != NULL && subs->code[sub] != code && !subs->at[sub].is_shared) {
        subs->at[sub].is_shared = true;
        prof_frames_count_shared(p, sub);
    }
    subs->code[sub] = code;
}

const prof_callsite *prof_callsite_find(pTHX_ prof *p, uint32_t caller, const prof_callee *callee,
                                        const COP *cop)
{
    const prof_place *from = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB);
    const bool lasts = from->cop != NULL && callee->name != NULL &&
                       (callee->cv == NULL || prof_name_is_one_sub(callee->name));
    prof_callsite *slot =
        lasts ? prof_callsite_slots(p, caller, callee->name, from->cop) : &p->callsites.slots[PROF_CALLSITES];
    if (lasts)
        slot[1] = slot[0];
    slot->cop = from->cop;
    slot->package = callee->package;
    slot->name = callee->name;
    slot->code = callee->code;
    slot->seq = from->seq;
    slot->caller = caller;
    slot->callee = sub_of(aTHX_ p, callee);
    if (callee->code != NULL)
        note_code(p, slot->callee, callee->code);
    slot->arc = prof_arc_find(&p->arcs, caller, slot->callee, prof_place_fid(from), from->line);
    return slot;
}

static inline bool is_sub(const PERL_CONTEXT *cx)
{
    return CxTYPE(cx) == CXt_SUB || CxTYPE(cx) == CXt_FORMAT;
}

/* Returns the sub of a context, or PROF_SUB_NONE. A BEGIN block that was entered without a frame has no line.
 * Code in a pattern has no name. A sub that perl has left has no CV: perl frees that before it removes the
 * context, and may destroy a closure and objects with it. */
static uint32_t sub_of_context(pTHX_ prof *p, const PERL_CONTEXT *cx)
{
    CV *cv = cx->blk_sub.cv;
    return cv != NULL ? prof_sub_of_any_begin(aTHX_ p, cv) : PROF_SUB_NONE;
}

/* Returns whether the parser folds constants: it does that with a copy of PL_compiling, and calls BEGIN
 * blocks with a COP of an ordinary kind. */
static bool is_folding(pTHX)
{
    return PL_phase == PERL_PHASE_START && PL_curcop != NULL && PL_curcop != &PL_compiling &&
           PL_curcop->op_type != OP_NEXTSTATE && PL_curcop->op_type != OP_DBSTATE;
}

/* The caller is main::RUNTIME while the main program runs, and otherwise main::NULL. END blocks belong to it,
 * even if it was not compiled to its end. Perl runs no block any more when it destroys what a program leaves;
 * base is then empty. */
static uint32_t outermost_caller(pTHX_ prof *p, const PERL_SI *base)
{
    const bool has_ended = base != NULL && base->si_cxix < 0;
    const bool has_begun = PL_main_root != NULL || PL_phase == PERL_PHASE_END;
    const bool runs = (has_begun && !has_ended) || is_folding(aTHX);
    prof_subs *subs = &p->subs;
    if (subs->runtime == PROF_SUB_NONE) {
        subs->runtime = prof_sub_named(p, "main::RUNTIME", 4);
        subs->null = prof_sub_named(p, "main::NULL", 4);
    }
    const uint32_t sub = runs ? subs->runtime : subs->null;
    subs->at[sub].called = subs->at[sub].seen = true;
    return sub;
}

uint32_t prof_caller_search(pTHX_ prof *p, I32 cxix)
{
    const PERL_SI *base = PL_curstackinfo;
    for (const PERL_SI *si = base; si != NULL; si = si->si_prev) {
        base = si;
        for (I32 i = si == PL_curstackinfo ? cxix : si->si_cxix; i >= 0; i--) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            const uint32_t sub = is_sub(cx) ? sub_of_context(aTHX_ p, cx) : PROF_SUB_NONE;
            if (sub != PROF_SUB_NONE)
                return sub;
        }
    }
    return outermost_caller(aTHX_ p, base);
}
