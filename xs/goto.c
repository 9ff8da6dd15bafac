/* goto &sub: the sub that runs returns, and its caller calls the other. */
#include "calls.h"
#include "phases.h"

/* The context of the sub that is left; -1: perl refuses, for an eval, say, is around the goto. */
static I32 context_to_leave(pTHX)
{
    for (I32 i = cxstack_ix; i >= 0; i--) {
        const PERL_CONTEXT *cx = &cxstack[i];
#ifdef CxTRY
        if (CxTRY(cx))
            continue;
#endif
        if (CxTYPE(cx) == CXt_EVAL || CxTYPE(cx) == CXt_FORMAT)
            return -1;
        if (CxTYPE(cx) == CXt_SUB && !(cx->cx_type & CXp_SUB_RE_FAKE))
            return CxMULTICALL(cx) ? -1 : i;
    }
    return -1;
}

static const MGVTBL stands_in;

/* In the scope of the caller by now. */
static void call_stood_in_for(pTHX_ CV *cv)
{
    const MAGIC *mg = mg_findext((SV *)cv, PERL_MAGIC_ext, &stands_in);
    CV *target = (CV *)mg->mg_obj;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, mg->mg_ptr);
    CvXSUB(target)(aTHX_ target);
}

/* What perl is to call instead of an xsub, and what calls that with a destructor for its frame. */
static SV *stand_in(pTHX_ CV *target, uintptr_t serial)
{
    CV *cv = (CV *)newSV_type(SVt_PVCV);
    CvISXSUB_on(cv);
    CvXSUB(cv) = call_stood_in_for;
    sv_magicext((SV *)cv, (SV *)target, PERL_MAGIC_ext, &stands_in, INT2PTR(const char *, serial), 0);
    return sv_2mortal(newRV_noinc((SV *)cv));
}

/* The scope of the sub that is left is no place for the destructor: perl leaves it before it calls the xsub.
 */
static OP *goto_xsub(pTHX_ prof *p, CV *cv)
{
    const I32 context = context_to_leave(aTHX);
    uint64_t window;
    prof_callee callee = {.cv = cv};
    if (context < 0 || prof_is_phase(cv))
        return prof_original[OP_GOTO](aTHX);
    if (p->frame_count > 0 && p->frames[p->frame_count - 1].context == context)
        prof_frame_end(aTHX_ p, p->frames[p->frame_count - 1].serial);
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    if (!prof_frame_begin(aTHX_ p, &callee, context - 1, &window))
        return prof_original[OP_GOTO](aTHX);
    const uintptr_t serial = p->serial;
    *PL_stack_sp = stand_in(aTHX_ cv, serial);
    prof_close_window(p, PROF_WINDOW_ENTER, window);
    OP *next = prof_original[OP_GOTO](aTHX);
    prof_frame_end(aTHX_ p, serial);
    return next;
}

static OP *goto_sub(pTHX_ prof *p, CV *cv)
{
    if (CvISXSUB(cv))
        return goto_xsub(aTHX_ p, cv);
    const COP *caller_cop = PL_curcop;
    OP *next = prof_original[OP_GOTO](aTHX);
    if (cxstack_ix >= 0 && CxTYPE(CX_CUR()) == CXt_SUB && next == CvSTART(CX_CUR()->blk_sub.cv))
        prof_sub_enter(aTHX_ p, cv, caller_cop);
    return next;
}

OP *prof_pp_goto(pTHX)
{
    prof *p = prof_of(aTHX);
    SV *sv = PL_op->op_flags & OPf_STACKED ? *PL_stack_sp : NULL;
    if (p == NULL || !p->subs_on || sv == NULL || !SvROK(sv) || SvTYPE(SvRV(sv)) != SVt_PVCV)
        return prof_original[OP_GOTO](aTHX);
    return goto_sub(aTHX_ p, (CV *)SvRV(sv));
}
