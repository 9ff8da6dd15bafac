#include "basics/ops.h"

#include "record/coroutines.h"
#include "ops/entersub.h"
#include "hot.h"
#include "ops/labelsubs.h"

/* Returns the context of the sub that is left; -1 if perl refuses the goto, for example within an eval. */
static I32 cxix_to_leave(pTHX)
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

static const MGVTBL wrapper_magic;

/* The code of a wrapper. Perl has left the sub that executed the goto, so this runs in the caller's scope. */
static void run_wrapped(pTHX_ CV *cv)
{
    const MAGIC *mg = mg_findext((SV *)cv, PERL_MAGIC_ext, &wrapper_magic);
    CV *target = (CV *)mg->mg_obj;
    prof_destructor_push(aTHX_ PTR2UV(mg->mg_ptr));
    CvXSUB(target)(aTHX_ target);
}

/* Returns a reference to an xsub that calls target with a destructor for its frame. */
static SV *wrap(pTHX_ CV *target, uintptr_t serial)
{
    CV *cv = (CV *)newSV_type(SVt_PVCV);
    CvISXSUB_on(cv);
    CvXSUB(cv) = run_wrapped;
    sv_magicext((SV *)cv, (SV *)target, PERL_MAGIC_ext, &wrapper_magic, INT2PTR(const char *, serial), 0);
    return sv_2mortal(newRV_noinc((SV *)cv));
}

/* The destructor cannot be in the scope of the sub that is left, which perl leaves before it calls the xsub.
 * So perl is given a wrapper to call. */
static OP *goto_xsub(pTHX_ prof *p, CV *cv)
{
    const I32 cxix = cxix_to_leave(aTHX);
    uint64_t began;
    prof_callee callee = {.cv = cv};
    if (cxix < 0 || prof_is_phase(cv))
        return prof_original[OP_GOTO](aTHX);
    prof_coroutines_switch(aTHX_ p, prof_now(p));
    if (p->frames.count > 0 && prof_top_frame(p)->cxix == cxix)
        prof_frame_end(aTHX_ p, prof_top_frame(p)->serial);
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    prof_label_goto_xsub(aTHX_ p, cv, &callee);
    if (!prof_call_begin(aTHX_ p, &callee, cxix - 1, &began))
        return prof_original[OP_GOTO](aTHX);
    const uintptr_t serial = p->frames.serial;
    *PL_stack_sp = wrap(aTHX_ cv, serial);
    prof_probe_end(p, PROF_PROBE_CALL, began);
    OP *next = prof_original[OP_GOTO](aTHX);
    prof_frame_end(aTHX_ p, serial);
    return next;
}

static OP *goto_sub(pTHX_ prof *p, CV *cv)
{
    if (CvISXSUB(cv))
        return goto_xsub(aTHX_ p, cv);
    const COP *caller_cop = PL_curcop;
    const uintptr_t serial = p->frames.serial, left = p->frames.count > 0 ? prof_top_frame(p)->serial : 0;
    OP *next = prof_original[OP_GOTO](aTHX);
    if (cxstack_ix < 0 || CxTYPE(CX_CUR()) != CXt_SUB || next != CvSTART(CX_CUR()->blk_sub.cv))
        return next;
    /* perl has freed what was mortal and made @_ so, which lives on: neither sub has made or freed it. */
    const SSize_t kept =
        p->frames.count > 0 && prof_top_frame(p)->serial == left ? PL_tmps_ix - PL_tmps_floor : 0;
    if (kept != 0)
        prof_top_frame(p)->start_values -= kept;
    prof_frame_end_from(aTHX_ p, cxstack_ix); /* the context is that of the sub that was left */
    const uintptr_t before = p->frames.serial;
    prof_call_enter(aTHX_ p, cv, caller_cop);
    if (p->frames.serial != before)
        prof_top_frame(p)->start_values += kept;
    prof_label_goto_sub(aTHX_ p, cv, serial);
    return next;
}

/* Returns the CV that the goto goes to; NULL if it goes to a label. Fetches a tied value, and puts the result
 * in its place, because perl would fetch it again. */
static CV *cv_to_enter(pTHX)
{
    if (SvGMAGICAL(*PL_stack_sp)) {
        SV *sv = sv_mortalcopy(*PL_stack_sp); /* may run code that moves the stack */
        *PL_stack_sp = sv;
    }
    SV *sv = *PL_stack_sp;
    return SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV ? (CV *)SvRV(sv) : NULL;
}

static OP *handle_GOTO(pTHX)
{
    prof *p = prof_of(aTHX);
    const bool has_value = (PL_op->op_flags & OPf_STACKED) != 0;
    CV *cv = p != NULL && p->enabled.subs && has_value ? cv_to_enter(aTHX) : NULL;
    if (cv != NULL)
        return goto_sub(aTHX_ p, cv);
    OP *next = prof_original[OP_GOTO](aTHX);
    while (p != NULL && prof_frame_end_from(aTHX_ p, cxstack_ix + 1)) /* a label may be outside of the sub */
        continue;
    return next;
}

#define GOTO_OP(OP) OP(GOTO)
PROF_DEFINE_REPLACE(prof_replace_goto, GOTO_OP)
