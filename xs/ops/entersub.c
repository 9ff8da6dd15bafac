#include "ops/entersub.h"

#include "record/callsites.h"
#include "session/control.h"
#include "hot.h"
#include "basics/ops.h"
#include "session/session.h"
#include "record/statements.h"
#include "names/subinfo.h"

/* calls=2 */
static void write_entry(prof *p, const prof_place *from)
{
    unsigned char *at = prof_reserve(p);
    *at = NYTP_SUB_ENTRY;
    prof_output_publish(p->out, nytp_put_u32(nytp_put_u32(at + 1, prof_place_fid(from)), from->line));
}

/* For the first call of a sub in an output: writes what it is, and the whole text of its label. */
static void note_first_call(pTHX_ prof *p, uint32_t sub)
{
    prof_probe_note_unusual(p);
    dSAVE_ERRNO;
    p->subs.at[sub].called = p->subs.at[sub].seen = true;
    prof_sub_info_write(aTHX_ p, sub);
    prof_sub_mark_write(p, sub);
    prof_label_write_whole(p, sub);
    prof_watch_end(aTHX);
    RESTORE_ERRNO;
}

/* Completes the file before the first call of an xsub that may end the process. */
static void complete_before(pTHX_ prof *p, uint32_t sub)
{
    dSAVE_ERRNO;
    prof_probe_note_unusual(p);
    p->subs.at[sub].exits = PROF_RETURNS;
    prof_session_end_for_now(aTHX_ p);
    RESTORE_ERRNO;
}

/* Makes a call possible that begins at *now, which it sets. cop: the statement of the call; cxix: the
 * caller's innermost context on perl's context stack. Returns NULL if the call is not recorded. Valid until
 * the next call of this function. */
static __attribute__((noinline)) const prof_callsite *prepare_call(pTHX_ prof *p, const prof_callee *callee,
                                                                   const COP *cop, I32 cxix, uint64_t *now)
{
    if (!prof_probe_begin(aTHX_ p, &p->enabled.subs, now))
        return NULL;
    prof_waits_look(p, prof_active_ticks(p, *now), p->frames.count);
    const uint32_t caller = p->frames.count > 0 && !p->options.findcaller ? prof_top_frame(p)->sub
                                                                          : prof_caller_search(aTHX_ p, cxix);
    const prof_callsite *site = prof_callsite_of(aTHX_ p, caller, callee, cop);
    if (UNLIKELY(p->subs.at[site->callee].exits == PROF_EXITS)) {
        prof_finish(aTHX);
        return NULL;
    }
    if (UNLIKELY(p->frames.count == p->frames.cap))
        prof_frames_grow(&p->frames);
    if (UNLIKELY(p->options.calls >= 2))
        write_entry(p, prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB));
    if (UNLIKELY(!p->subs.at[site->callee].called))
        note_first_call(aTHX_ p, site->callee);
    return site;
}

/* Returns what prepare_call() would, if it had nothing to do but to find the call in the cache; otherwise
 * NULL, and has changed nothing. pad: the caller's. Needs p->enabled.fast_subs. */
__attribute__((always_inline)) static inline const prof_callsite *
find_call(pTHX_ const prof *p, const PAD *pad, const HEK *package, const HEK *name, const OP *code,
          const COP *cop, uint64_t now)
{
    uint32_t caller = PROF_SUB_NONE;
    if (LIKELY(p->frames.count > 0))
        caller = prof_top_frame(p)->sub;
    else if (prof_is_main_pad(aTHX_ pad))
        caller = p->subs.runtime;
    const prof_callsite *site = prof_callsite_kept(p, caller, package, name, code, cop);
    return LIKELY(prof_is_quiet(aTHX_ p, now) && p->frames.count < p->frames.cap) ? site : NULL;
}

bool prof_call_begin(pTHX_ prof *p, const prof_callee *callee, I32 cxix, uint64_t *began)
{
    const prof_callsite *site = prepare_call(aTHX_ p, callee, PL_curcop, cxix, began);
    if (site == NULL)
        return false;
    prof_frame_push(aTHX_ p, site, 0, PROF_NO_CXIX, NULL, prof_active_ticks(p, *began));
    if (UNLIKELY(p->subs.at[site->callee].exits == PROF_MAY_EXIT) && callee->cv != NULL)
        complete_before(aTHX_ p, site->callee);
    return true;
}

/* The frame of an op that returns to its handler. Returns false if something must be done before. */
__attribute__((always_inline)) static inline bool try_begin(pTHX_ prof *p, const prof_callee *callee,
                                                            uint64_t began)
{
    const prof_callsite *site =
        find_call(aTHX_ p, PL_comppad, callee->package, callee->name, callee->code, PL_curcop, began);
    if (UNLIKELY(site == NULL))
        return false;
    prof_frame_push(aTHX_ p, site, 0, PROF_NO_CXIX, NULL, prof_active_ticks(p, began));
    return true;
}

/* If the op dies, the destructor ends the frame. It is in the caller's scope. kind: of the interval that
 * began at `began`. */
__attribute__((always_inline)) static inline OP *run_in_frame(pTHX_ prof *p, const prof_callee *callee,
                                                              Perl_ppaddr_t original, uint64_t began,
                                                              prof_probe_kind kind)
{
    if (UNLIKELY(!p->enabled.fast_begins || !try_begin(aTHX_ p, callee, began)) &&
        !prof_call_begin(aTHX_ p, callee, cxstack_ix, &began))
        return original(aTHX);
    uintptr_t serial = p->frames.serial;
    const I32 innermost = cxstack_ix;
    const I32 before = PL_savestack_ix;
    const I32 after = prof_destructor_push(aTHX_ serial);
    prof_probe_end(p, kind, began);
    OP *next = original(aTHX);
    /* inline, which saves 3 % of a call of an xsub */
    if (UNLIKELY(p->enabled.fast_subs != PROF_PERL || !prof_try_end(aTHX_ p, serial)))
        prof_frame_end(aTHX_ p, serial);
    /* Removes the destructor, unless something is above it on the savestack, such as a format's scope. */
    if (PL_savestack_ix == after && cxstack_ix == innermost)
        PL_savestack_ix = before;
    return next;
}

OP *prof_run_in_frame(pTHX_ prof *p, const prof_callee *callee, Perl_ppaddr_t original)
{
    return run_in_frame(aTHX_ p, callee, original, prof_now(p), PROF_PROBE_CALL);
}

OP *prof_run_labelled(pTHX_ prof *p, uint32_t sub, Perl_ppaddr_t original, uint64_t began)
{
    const prof_callee callee = prof_callee_labelled(sub);
    return run_in_frame(aTHX_ p, &callee, original, began, PROF_PROBE_LABEL);
}

void prof_call_rename(pTHX_ prof *p, prof_frame *f, uint32_t sub)
{
    const prof_arc arc = p->arcs.at[f->arc];
    prof_frame_uncount(p, f);
    f->arc = prof_arc_find(&p->arcs, arc.caller, sub, arc.fid, arc.line);
    f->sub = sub;
    prof_frame_count(p, f);
    if (UNLIKELY(!p->subs.at[sub].called))
        note_first_call(aTHX_ p, sub);
}

static __attribute__((noinline)) OP *call_xsub(pTHX_ prof *p, CV *cv)
{
    prof_callee callee = {.cv = cv};
    if (UNLIKELY(PL_phase <= PERL_PHASE_INIT) && prof_is_phase(cv))
        return prof_original[OP_ENTERSUB](aTHX);
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    return run_in_frame(aTHX_ p, &callee, prof_original[OP_ENTERSUB], prof_now(p), PROF_PROBE_CALL);
}

/* Whether a sub whose first op this is goes on: an `async sub` of Future::AsyncAwait begins anew at its
 * `await`, in a copy of the sub. */
static bool is_resumed(pTHX_ const OP *first)
{
    return first->op_type == OP_CUSTOM && strEQ(OP_NAME(first), "await");
}

/* The calls of a sub around one of depth CvDEPTH(), which begins: those parts of async subs, too, that perl
 * runs in copies of the sub, and those of a wrapper with the name of what it wraps. */
static inline uint32_t recursion_of(prof *p, const prof_callsite *site, I32 depth)
{
    const uint32_t recursion = (uint32_t)depth - 1;
    return LIKELY(!p->frames.counts_some) ? recursion : prof_frames_recursion(p, site->callee, recursion);
}

void prof_call_enter(pTHX_ prof *p, CV *cv, const COP *caller_cop)
{
    const I32 depth = CvDEPTH(CX_CUR()->blk_sub.cv);
    prof_callee callee = {.code = CvROOT(cv), .cv = cv};
    uint64_t began;
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    const prof_callsite *site = prepare_call(aTHX_ p, &callee, caller_cop, cxstack_ix - 1, &began);
    if (site == NULL)
        return;
    const uint32_t recursion = recursion_of(p, site, MAX(depth, 1));
    prof_destructor_push(
        aTHX_ prof_frame_push(aTHX_ p, site, recursion, cxstack_ix, NULL, prof_active_ticks(p, began)));
    if (UNLIKELY(is_resumed(aTHX_ CvSTART(CX_CUR()->blk_sub.cv))))
        prof_frame_resume(aTHX_ p);
    prof_probe_end(p, PROF_PROBE_CALL, began);
}

/* Most subs begin with a NEXTSTATE. This runs it, so that the call and the first statement begin at the same
 * moment, and share a reading of the clock. Another loop than perl's own may look at each op, so then perl
 * runs it. serial: of the call, which began at `now`. */
static inline OP *begin_first_statement(pTHX_ prof *p, OP *first, uintptr_t serial, uint64_t now,
                                        int64_t active_ticks)
{
    if (UNLIKELY(first->op_ppaddr != prof_handle_nextstate || PL_runops != Perl_runops_standard)) {
        if (is_resumed(aTHX_ first))
            prof_frame_resume(aTHX_ p);
        prof_probe_end(p, PROF_PROBE_CALL, now);
        return first;
    }
    PL_op = first;
    OP *next = prof_original[OP_NEXTSTATE](aTHX);
    if (UNLIKELY(p->frames.serial != serial)) /* the handler of a signal has run */
        return prof_begin_statement(aTHX_ next);
    if (UNLIKELY(!prof_try_statement(aTHX_ p, now, active_ticks, false, PROF_PROBE_ENTER)))
        prof_statement_next(aTHX_ p, now, active_ticks, false, PROF_PROBE_ENTER);
    return next;
}

/* Does what prof_call_enter() does, and perhaps begins the first statement: perl has entered cv, whose first
 * op is *next. Sets *next to the op that runs next. Returns false if something must be done before, and then
 * has changed nothing. If the op that leaves the sub ends the frame, the destructor is moved out of the sub's
 * scope, so it is in the caller's. */
static inline bool try_enter(pTHX_ prof *p, CV *cv, const COP *cop, OP **next)
{
    const uint64_t now = prof_now(p);
    PERL_SI *stack = PL_curstackinfo;
    PERL_CONTEXT *cx = &stack->si_cxstack[stack->si_cxix];
    HEK *package = NULL, *name = prof_name_of_cv(aTHX_ cv, &package);
    const prof_callsite *site =
        find_call(aTHX_ p, cx->blk_sub.prevcomppad, package, name, CvROOT(cv), cop, now);
    if (UNLIKELY(site == NULL))
        return false;
    const int64_t active_ticks = prof_active_ticks(p, now);
    const uint32_t recursion = recursion_of(p, site, CvDEPTH(cv));
    const uintptr_t serial = prof_frame_push(aTHX_ p, site, recursion, stack->si_cxix, stack, active_ticks);
    const I32 saved = prof_destructor_push(aTHX_ serial);
    if (LIKELY(p->enabled.fast_leaves == PROF_PERL)) {
        cx->blk_oldsaveix = saved;
        *next = begin_first_statement(aTHX_ p, *next, serial, now, active_ticks);
    } else {
        prof_waits_look(p, active_ticks, p->frames.count - 1);
        prof_top_frame(p)->stack = NULL;
        if (is_resumed(aTHX_ * next))
            prof_frame_resume(aTHX_ p);
        prof_probe_end(p, PROF_PROBE_CALL, now);
    }
    return true;
}

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

static CV *callee_cv(pTHX)
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
    if ((cv != NULL && CvANON(cv)) || prof_hek_of_stash(GvSTASH(gv)) == NULL) /* perl dies at once */
        return gv;
    /* Defined since the reference to the stub was taken? */
    if (cv != NULL && GvCV(gv) != NULL && GvCV(gv) != cv && !CvISXSUB(GvCV(gv)))
        return NULL;
    /* Not gv_autoload_pvn(), which sets $AUTOLOAD: that may be tied. */
    GV *autoload = gv_fetchmeth_pvn(GvSTASH(gv), "AUTOLOAD", 8, 0, 0);
    const CV *runs = autoload != NULL ? GvCV(autoload) : NULL;
    return runs == NULL || CvISXSUB(runs) || !CvROOT(runs) ? gv : NULL;
}

/* Begins the call of a perl sub whose first op is next; other ops are not those of a call. */
static __attribute__((noinline)) OP *enter_any(pTHX_ prof *p, OP *next, const COP *caller_cop)
{
    if (cxstack_ix >= 0 && CxTYPE(CX_CUR()) == CXt_SUB && next == CvSTART(CX_CUR()->blk_sub.cv))
        prof_call_enter(aTHX_ p, CX_CUR()->blk_sub.cv, caller_cop);
    return next;
}

/* Out of line, like call_xsub(), so that handle_ENTERSUB() saves no registers. cv: the sub that is called, if
 * p->enabled.fast_subs. If the op runs code that changes that, a checkpoint is due afterwards (probe.h). */
static __attribute__((noinline)) OP *call_perl_sub(pTHX_ prof *p, CV *cv)
{
    const COP *caller_cop = PL_curcop;
    OP *next = prof_original[OP_ENTERSUB](aTHX);
    if (LIKELY(next == CvSTART(cv) && try_enter(aTHX_ p, cv, caller_cop, &next)))
        return next;
    return enter_any(aTHX_ p, next, caller_cop);
}

/* Runs the op for a call of any kind. */
static __attribute__((noinline)) OP *call_any(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.subs)
        return prof_original[OP_ENTERSUB](aTHX);
    CV *cv = callee_cv(aTHX);
    if (cv != NULL && CvISXSUB(cv))
        return call_xsub(aTHX_ p, cv);
    if (UNLIKELY(cv == NULL || !CvROOT(cv))) {
        GV *gv = undefined_callee(aTHX_ cv);
        if (gv != NULL)
            return prof_run_in_frame(aTHX_ p, &(prof_callee){.gv = gv}, prof_original[OP_ENTERSUB]);
    }
    const COP *caller_cop = PL_curcop;
    OP *next = prof_original[OP_ENTERSUB](aTHX);
    return enter_any(aTHX_ p, next, caller_cop);
}

/* Returns the sub that is called by its name, as a method or by a plain reference. Returns NULL if it is not
 * defined, or if it takes more to find out. */
static inline CV *usual_callee(pTHX)
{
    SV *sv = *PL_stack_sp;
    CV *cv = NULL;
    if (SvROK(sv) && !SvGMAGICAL(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV && !SvOBJECT(SvRV(sv)))
        cv = (CV *)SvRV(sv);
    else if (SvTYPE(sv) == SVt_PVGV)
        cv = GvCVu((GV *)sv);
    else if (SvTYPE(sv) == SVt_PVCV)
        cv = (CV *)sv;
    return cv != NULL && (CvISXSUB(cv) || CvROOT(cv) != NULL) ? cv : NULL;
}

static OP *handle_ENTERSUB(pTHX)
{
    prof *p = prof_latest;
    CV *cv = LIKELY(p->enabled.fast_subs == PROF_PERL) ? usual_callee(aTHX) : NULL;
    if (UNLIKELY(cv == NULL))
        return call_any(aTHX);
    return CvISXSUB(cv) ? call_xsub(aTHX_ p, cv) : call_perl_sub(aTHX_ p, cv);
}

#define ENTERSUB_OP(OP) OP(ENTERSUB)
PROF_DEFINE_REPLACE(prof_replace_entersub, ENTERSUB_OP)
