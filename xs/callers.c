#include "callers.h"

#include "context.h"

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

/* The caller is main::RUNTIME while the main program runs, and otherwise main::NULL. Perl runs no block any
 * more when it destroys what a program leaves; base is then empty. */
static uint32_t outermost_caller(pTHX_ prof *p, const PERL_SI *base)
{
    const bool has_ended = base != NULL && base->si_cxix < 0;
    const bool runs = (PL_main_root != NULL && !has_ended) || is_folding(aTHX);
    prof_subs *subs = &p->subs;
    if (subs->runtime == PROF_SUB_NONE) {
        subs->runtime = prof_sub_named(p, "main::RUNTIME", 4);
        subs->null = prof_sub_named(p, "main::NULL", 4);
    }
    const uint32_t sub = runs ? subs->runtime : subs->null;
    subs->at[sub].called = subs->at[sub].seen = true;
    return sub;
}

uint32_t prof_caller_by_perl_stack(pTHX_ prof *p, I32 cxix)
{
    const PERL_SI *base = PL_curstackinfo;
    for (const PERL_SI *si = base; si != NULL; si = si->si_prev) {
        base = si;
        for (I32 i = si == PL_curstackinfo ? cxix : si->si_cxix; i >= 0; i--) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (LIKELY(CxTYPE(cx) != CXt_SUB && CxTYPE(cx) != CXt_FORMAT))
                continue;
            const uint32_t sub = sub_of_context(aTHX_ p, cx);
            if (sub != PROF_SUB_NONE)
                return sub;
        }
    }
    return outermost_caller(aTHX_ p, base);
}
