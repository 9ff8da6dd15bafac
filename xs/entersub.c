#include "entersub.h"

#include "callers.h"
#include "control.h"
#include "hot.h"
#include "ops.h"
#include "subinfo.h"

/* ---- frames ---- */

/* calls=2 */
static void write_entry(prof *p, const prof_place *from)
{
    unsigned char *at = prof_reserve(p);
    *at = NYTP_SUB_ENTRY;
    prof_output_publish(p->out, nytp_put_u32(nytp_put_u32(at + 1, from->fid), from->line));
}

/* Does what must be done once for each sub in each output. */
static void note_first_call(pTHX_ prof *p, uint32_t sub)
{
    prof_probe_note_unusual(p);
    dSAVE_ERRNO;
    p->subs.at[sub].called = p->subs.at[sub].seen = true;
    prof_sub_info_write(aTHX_ p, sub);
    prof_watch_end(aTHX);
    RESTORE_ERRNO;
}

static inline const prof_call *find_call(pTHX_ prof *p, const prof_callee *callee, const COP *cop, I32 cxix)
{
    const uint32_t caller = p->frames.count > 0 && !p->options.findcaller
                                ? prof_top_frame(p)->called
                                : prof_caller_by_perl_stack(aTHX_ p, cxix);
    return prof_call_of(aTHX_ p, caller, callee, cop);
}

static inline void push_frame(pTHX_ prof *p, const prof_call *call, const COP *cop, I32 cxix,
                              int64_t active_ticks)
{
    if (UNLIKELY(p->frames.count == p->frames.cap))
        prof_frames_grow(&p->frames);
    prof_frame *f = &p->frames.at[p->frames.count++];
    f->called = call->called;
    f->arc = call->arc;
    f->recursion = 0;
    f->cxix = cxix;
    f->start_ticks = active_ticks - p->frames.idle_ticks;
    f->child_ticks = 0;
    f->serial = ++p->frames.serial;
    if (UNLIKELY(p->options.calls >= 2))
        write_entry(p, prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB));
    if (UNLIKELY(!p->subs.at[f->called].called))
        note_first_call(aTHX_ p, f->called);
}

/* ---- calls that return to the op: xsubs and built-ins ---- */

bool prof_call_begin(pTHX_ prof *p, const prof_callee *callee, I32 cxix, uint64_t *began)
{
    if (!prof_probe_begin(aTHX_ p, &p->enabled.subs, began))
        return false;
    const prof_call *call = find_call(aTHX_ p, callee, PL_curcop, cxix);
    if (UNLIKELY(p->subs.at[call->called].exits)) {
        prof_finish(aTHX);
        return false;
    }
    push_frame(aTHX_ p, call, PL_curcop, PROF_NO_CXIX, prof_active_ticks(p, *began));
    return true;
}

/* If the op dies, the destructor ends the frame. It is in the caller's scope. */
OP *prof_run_in_frame(pTHX_ prof *p, const prof_callee *callee, Perl_ppaddr_t original)
{
    uint64_t began;
    if (!prof_call_begin(aTHX_ p, callee, cxstack_ix, &began))
        return original(aTHX);
    uintptr_t serial = p->frames.serial;
    const I32 innermost = cxstack_ix;
    const I32 before = PL_savestack_ix;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, serial));
    const I32 after = PL_savestack_ix;
    prof_probe_end(p, PROF_PROBE_CALL, began);
    OP *next = original(aTHX);
    prof_frame_end(aTHX_ p, serial);
    /* Removes the destructor, unless something is above it on the savestack, such as a format's scope. */
    if (PL_savestack_ix == after && cxstack_ix == innermost)
        PL_savestack_ix = before;
    return next;
}

static OP *call_xsub(pTHX_ prof *p, CV *cv)
{
    prof_callee callee = {.cv = cv};
    if (prof_is_phase(cv))
        return prof_original[OP_ENTERSUB](aTHX);
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    return prof_run_in_frame(aTHX_ p, &callee, prof_original[OP_ENTERSUB]);
}

/* ---- calls of perl subs ---- */

void prof_call_enter(pTHX_ prof *p, CV *cv, const COP *caller_cop)
{
    const I32 depth = CvDEPTH(CX_CUR()->blk_sub.cv);
    prof_callee callee = {.cv = cv};
    uint64_t began;
    if (!prof_probe_begin(aTHX_ p, &p->enabled.subs, &began))
        return;
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    const prof_call *call = find_call(aTHX_ p, &callee, caller_cop, cxstack_ix - 1);
    push_frame(aTHX_ p, call, caller_cop, cxstack_ix, prof_active_ticks(p, began));
    prof_top_frame(p)->recursion = depth > 1 ? (uint32_t)depth - 1 : 0;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, p->frames.serial));
    prof_probe_end(p, PROF_PROBE_CALL, began);
}

/* ---- the sub that is called ---- */

/* Resolves a tied or overloaded value and puts the result in its place. pp_entersub would resolve it with
 * side effects, which must happen only once. */
static void resolve_once(pTHX)
{
    SV *sv = *PL_stack_sp;
    if (SvGMAGICAL(sv) && SvTYPE(sv) != SVt_PVGV) {
        sv = sv_mortalcopy(sv); /* may run code that moves the stack */
        *PL_stack_sp = sv;
    }
    if (SvAMAGIC(sv)) {
        sv = amagic_deref_call(sv, to_cv_amg);
        *PL_stack_sp = SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV ? SvRV(sv) : sv;
    }
}

/* Returns the CV that is called; NULL if it cannot be determined without side effects. */
static CV *plain_callee(pTHX_ SV *sv)
{
    if (SvTYPE(sv) == SVt_PVGV)
        return GvCVu((GV *)sv);
    if (SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV)
        return (CV *)SvRV(sv);
    if (SvTYPE(sv) == SVt_PVCV)
        return (CV *)sv;
    if (SvPOK(sv) && sv != &PL_sv_yes && !(PL_op->op_private & HINT_STRICT_REFS)) { /* by name */
        STRLEN length;
        const char *name = SvPV_nomg_const(sv, length);
        return get_cvn_flags(name, length, SvUTF8(sv));
    }
    return NULL;
}

static CV *called_cv(pTHX)
{
    SV *sv = *PL_stack_sp;
    if (LIKELY(SvTYPE(sv) == SVt_PVGV))
        return GvCVu((GV *)sv);
    if (UNLIKELY(SvGMAGICAL(sv) || SvAMAGIC(sv))) {
        resolve_once(aTHX);
        sv = *PL_stack_sp;
    }
    return plain_callee(aTHX_ sv);
}

/* Returns the glob of a sub that is not defined: its call dies, and is recorded, too. Returns NULL if the sub
 * is defined, or if an AUTOLOAD in perl will run in its place. */
static GV *undefined_callee(pTHX_ CV *cv)
{
    SV *sv = *PL_stack_sp;
    GV *gv = cv == NULL && SvTYPE(sv) == SVt_PVGV ? (GV *)sv : NULL;
    if (cv != NULL && !CvROOT(cv) && !CvISXSUB(cv) && !CvLEXICAL(cv))
        gv = CvGV(cv); /* as pp_entersub would */
    if (gv == NULL || !isGV_with_GP(gv) || GvSTASH(gv) == NULL)
        return NULL;
    /* Defined since the reference to the stub was taken? */
    if (cv != NULL && GvCV(gv) != NULL && GvCV(gv) != cv && !CvISXSUB(GvCV(gv)))
        return NULL;
    /* Not gv_autoload_pvn(), which sets $AUTOLOAD: that may be tied. */
    GV *autoload = gv_fetchmeth_pvn(GvSTASH(gv), "AUTOLOAD", 8, 0, 0);
    const CV *runs = autoload != NULL ? GvCV(autoload) : NULL;
    return runs == NULL || CvISXSUB(runs) || !CvROOT(runs) ? gv : NULL;
}

static OP *handle_ENTERSUB(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.subs)
        return prof_original[OP_ENTERSUB](aTHX);
    CV *cv = called_cv(aTHX);
    if (cv != NULL && CvISXSUB(cv))
        return call_xsub(aTHX_ p, cv);
    if (UNLIKELY(cv == NULL || !CvROOT(cv))) {
        GV *gv = undefined_callee(aTHX_ cv);
        if (gv != NULL)
            return prof_run_in_frame(aTHX_ p, &(prof_callee){.gv = gv}, prof_original[OP_ENTERSUB]);
    }
    const PERL_SI *stack = PL_curstackinfo;
    const I32 cxix = cxstack_ix;
    const COP *caller_cop = PL_curcop;
    OP *next = prof_original[OP_ENTERSUB](aTHX);
    if (PL_curstackinfo == stack && cxstack_ix > cxix && CxTYPE(CX_CUR()) == CXt_SUB)
        prof_call_enter(aTHX_ p, CX_CUR()->blk_sub.cv, caller_cop);
    return next;
}

#define ENTERSUB_OP(OP) OP(ENTERSUB)
PROF_DEFINE_REPLACE(prof_replace_entersub, ENTERSUB_OP)
