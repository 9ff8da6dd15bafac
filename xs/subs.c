/* The subroutine profiler: calls of subs, and the built-ins that are shown as subs.
 *
 * Every call is a frame on a stack of our own. Its end is found by a destructor
 * on perl's savestack, which runs whichever way the call is left: by return, die,
 * last, goto or exit. It knows its frame by serial, so one that comes late, for a
 * frame that is gone, does no harm.
 */
#include "calls.h"
#include "phases.h"

/* ---- frames ---- */

static inline prof_frame *top_frame(const prof *p)
{
    return &p->frames[p->frame_count - 1];
}

static void grow_frames(prof *p)
{
    dSAVE_ERRNO;
    p->frame_room = p->frame_room * 2 + 256;
    p->frames = prof_realloc(p->frames, p->frame_room * sizeof *p->frames);
    RESTORE_ERRNO;
}

static void write_entry(prof *p, const prof_place *from)
{
    unsigned char *at = prof_room(p);
    *at = NYTP_SUB_ENTRY;
    prof_output_publish(p->out, nytp_put_u32(nytp_put_u32(at + 1, from->fid), from->line));
}

/* Everything that is done once for each sub and output. */
static void first_call(pTHX_ prof *p, uint32_t sub)
{
    prof_note_rare(p);
    dSAVE_ERRNO;
    p->subs[sub].called = p->subs[sub].seen = true;
    prof_sub_info_write(aTHX_ p, sub);
    prof_watch_end(aTHX);
    RESTORE_ERRNO;
}

/* context: the caller's innermost, on perl's context stack. */
static inline const prof_call *find_call(pTHX_ prof *p, const prof_callee *callee, const COP *cop,
                                         I32 context)
{
    const uint32_t caller = p->frame_count > 0 && !p->options.findcaller ? top_frame(p)->called
                                                                         : prof_sub_outside(aTHX_ p, context);
    return prof_call_of(aTHX_ p, caller, callee, cop);
}

static inline void push_frame(pTHX_ prof *p, const prof_call *call, const COP *cop, I32 context,
                              int64_t active_ticks)
{
    if (UNLIKELY(p->frame_count == p->frame_room))
        grow_frames(p);
    prof_frame *f = &p->frames[p->frame_count++];
    f->called = call->called;
    f->arc = call->arc;
    f->recursion = 0;
    f->context = context;
    f->start_ticks = active_ticks;
    f->child_ticks = 0;
    f->serial = ++p->serial;
    if (UNLIKELY(p->options.calls >= 2))
        write_entry(p, prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_SUB));
    if (UNLIKELY(!p->subs[f->called].called))
        first_call(aTHX_ p, f->called);
}

/* A name that is too long for an event's room goes the slow way. */
static void write_return(prof *p, uint32_t depth, uint32_t called, int64_t incl_ticks, int64_t excl_ticks)
{
    enum { MOSTLY_ENOUGH = 48 }; /* less than is readable behind a name */
    _Static_assert((int)MOSTLY_ENOUGH <= (int)NYTP_PAD, "names are padded by so much");
    const prof_sub *sub = &p->subs[called];
    if (UNLIKELY(sub->encoded_length > PROF_EVENT_MAX - NYTP_FIXED_MAX)) {
        nytp_chunk chunk = {.tag = NYTP_SUB_RETURN};
        chunk.sub_return.depth = depth;
        chunk.sub_return.incl_ticks = (double)incl_ticks;
        chunk.sub_return.excl_ticks = (double)excl_ticks;
        chunk.sub_return.name = prof_sub_name(p, called);
        prof_output_chunk(p->out, &chunk);
        return;
    }
    unsigned char *at = prof_room(p);
    *at = NYTP_SUB_RETURN;
    at = nytp_put_u32(at + 1, depth);
    at = nytp_put_nv(nytp_put_nv(at, (double)incl_ticks), (double)excl_ticks);
    memcpy(at, sub->encoded, MOSTLY_ENOUGH);
    if (UNLIKELY(sub->encoded_length > MOSTLY_ENOUGH))
        memcpy(at + MOSTLY_ENOUGH, sub->encoded + MOSTLY_ENOUGH, sub->encoded_length - MOSTLY_ENOUGH);
    prof_output_publish(p->out, at + sub->encoded_length);
}

/* A frame's call, up to now: as a return in the stream, and in its arc. */
static inline int64_t account(prof *p, const prof_frame *f, int64_t child_ticks, int64_t active_ticks)
{
    int64_t incl_ticks = active_ticks - f->start_ticks;
    int64_t excl_ticks = incl_ticks - child_ticks;
    if (UNLIKELY(excl_ticks < 0)) { /* counters of two processors may differ a little */
        excl_ticks = 0;
        incl_ticks = child_ticks;
    }
    if (p->out != NULL) {
        if (p->options.calls > 0)
            write_return(p, (uint32_t)(f - p->frames) + 1, f->called, incl_ticks, excl_ticks);
        prof_arc_add(p, f, incl_ticks, excl_ticks);
    }
    return incl_ticks;
}

static inline void pop_frame(prof *p, int64_t active_ticks)
{
    int64_t incl_ticks = account(p, top_frame(p), top_frame(p)->child_ticks, active_ticks);
    p->frame_count--;
    if (p->frame_count > 0)
        top_frame(p)->child_ticks += incl_ticks;
}

void prof_frames_write_open(prof *p, int64_t active_ticks)
{
    int64_t below_ticks = 0;
    for (uint32_t n = p->frame_count; n-- > 0;) {
        const prof_frame *f = &p->frames[n];
        below_ticks = account(p, f, f->child_ticks + below_ticks, active_ticks);
    }
}

void prof_frames_restart(prof *p, int64_t active_ticks)
{
    for (uint32_t n = 0; n < p->frame_count; n++) {
        p->frames[n].start_ticks = active_ticks;
        p->frames[n].child_ticks = 0;
    }
}

static bool is_open(const prof *p, uintptr_t serial)
{
    uint32_t n = p->frame_count;
    while (n > 0 && p->frames[n - 1].serial > serial)
        n--;
    return n > 0 && p->frames[n - 1].serial == serial;
}

void prof_frame_end(pTHX_ prof *p, uintptr_t serial)
{
    uint64_t now;
    if (!is_open(p, serial))
        return;
    const bool has_forked = p->forked_child; /* in open(P, "-|"), say: that call was the parent's */
    prof_open_window(aTHX_ p, &p->enabled, &now);
    int64_t active_ticks = prof_active_ticks(p, now);
    while (p->frame_count > 0 && top_frame(p)->serial >= serial) {
        if (has_forked && p->subs[top_frame(p)->called].xsub)
            p->frame_count--;
        else
            pop_frame(p, active_ticks);
    }
    prof_close_window(p, PROF_WINDOW_END, now);
    p->end_read = now;
    p->end_ticks = active_ticks;
}

void prof_frame_end_by_destructor(pTHX_ void *serial)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return;
    prof_frame_end(aTHX_ p, PTR2UV(serial));
    if (p->frame_count == 0 && prof_is_called_by_host(aTHX_ cxstack_ix - 1)) /* no op tells of a die */
        prof_leave_perl(aTHX_ p);
}

/* ---- calls that come back to the op: xsubs and built-ins ---- */

bool prof_frame_begin(pTHX_ prof *p, const prof_callee *callee, I32 context, uint64_t *window)
{
    if (!prof_open_window(aTHX_ p, &p->subs_on, window))
        return false;
    const prof_call *call = find_call(aTHX_ p, callee, PL_curcop, context);
    if (UNLIKELY(p->subs[call->called].leaves)) {
        prof_finish(aTHX);
        return false;
    }
    push_frame(aTHX_ p, call, PL_curcop, PROF_NO_CONTEXT, prof_active_ticks(p, *window));
    return true;
}

/* If it dies the destructor, which is in the caller's scope, ends the frame. */
static OP *run_inside(pTHX_ prof *p, const prof_callee *callee, Perl_ppaddr_t original)
{
    uint64_t window;
    if (!prof_frame_begin(aTHX_ p, callee, cxstack_ix, &window))
        return original(aTHX);
    uintptr_t serial = p->serial;
    const I32 innermost = cxstack_ix;
    const I32 before = PL_savestack_ix;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, serial));
    const I32 after = PL_savestack_ix;
    prof_close_window(p, PROF_WINDOW_ENTER, window);
    OP *next = original(aTHX);
    prof_frame_end(aTHX_ p, serial);
    if (PL_savestack_ix == after && cxstack_ix == innermost) /* nothing stands on it, a format's scope say */
        PL_savestack_ix = before;
    return next;
}

static OP *call_xsub(pTHX_ prof *p, CV *cv)
{
    prof_callee callee = {.cv = cv};
    if (prof_is_phase(cv))
        return prof_original[OP_ENTERSUB](aTHX);
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    return run_inside(aTHX_ p, &callee, prof_original[OP_ENTERSUB]);
}

OP *prof_call_op(pTHX_ prof *p, int op_type, Perl_ppaddr_t original)
{
    prof_callee callee = {.op_type = op_type};
    callee.name = prof_name_of_op(aTHX_ op_type, &callee.package);
    return run_inside(aTHX_ p, &callee, original);
}

OP *prof_slowop(pTHX_ int op_type)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->subs_on)
        return prof_original[op_type](aTHX);
    return prof_call_op(aTHX_ p, op_type, prof_original[op_type]);
}

static OP *accept_idly(pTHX)
{
    prof *p = prof_of(aTHX);
    const uint64_t began = prof_now(&p->clock);
    OP *next = prof_original[OP_ACCEPT](aTHX);
    const uint64_t waited = prof_now(&p->clock) - began;
    p->overhead += waited;
    p->idle += waited;
    return next;
}

/* Waiting for the next connection is nobody's time. */
OP *prof_pp_accept(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return prof_original[OP_ACCEPT](aTHX);
    if (!p->subs_on || p->options.slowops == 0)
        return accept_idly(aTHX);
    return prof_call_op(aTHX_ p, OP_ACCEPT, accept_idly);
}

/* ---- calls of perl subs ---- */

void prof_sub_enter(pTHX_ prof *p, CV *cv, const COP *caller_cop)
{
    const I32 depth = CvDEPTH(CX_CUR()->blk_sub.cv);
    prof_callee callee = {.cv = cv};
    uint64_t window;
    if (!prof_open_window(aTHX_ p, &p->subs_on, &window))
        return;
    callee.name = prof_name_of_cv(aTHX_ cv, &callee.package);
    const prof_call *call = find_call(aTHX_ p, &callee, caller_cop, cxstack_ix - 1);
    push_frame(aTHX_ p, call, caller_cop, cxstack_ix, prof_active_ticks(p, window));
    top_frame(p)->recursion = depth > 1 ? (uint32_t)depth - 1 : 0;
    SAVEDESTRUCTOR_X(prof_frame_end_by_destructor, INT2PTR(void *, p->serial));
    prof_close_window(p, PROF_WINDOW_ENTER, window);
}

/* What pp_entersub would find out itself with side effects (tied and overloaded
 * values) is found out here, and the result put in its place, so that it happens once. */
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

/* The CV that is to be called, if that can be told without side effects. */
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

/* A sub that is not defined is called too, and dies: NULL, unless the sub on the stack is one. */
static GV *undefined_callee(pTHX_ CV *cv)
{
    SV *sv = *PL_stack_sp;
    GV *gv = cv == NULL && SvTYPE(sv) == SVt_PVGV ? (GV *)sv : NULL;
    if (cv != NULL && !CvROOT(cv) && !CvISXSUB(cv) && !CvLEXICAL(cv))
        gv = CvGV(cv); /* as pp_entersub would */
    if (gv == NULL || !isGV_with_GP(gv) || GvSTASH(gv) == NULL)
        return NULL;
    if (cv != NULL && GvCV(gv) != NULL && GvCV(gv) != cv &&
        !CvISXSUB(GvCV(gv))) /* since the stub was taken */
        return NULL;
    GV *autoload = gv_autoload_pvn(GvSTASH(gv), GvNAME(gv), GvNAMELEN(gv), GvNAMEUTF8(gv) ? SVf_UTF8 : 0);
    return autoload == NULL || (GvCV(autoload) != NULL && CvISXSUB(GvCV(autoload))) ? gv : NULL;
}

OP *prof_pp_entersub(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->subs_on)
        return prof_original[OP_ENTERSUB](aTHX);
    CV *cv = called_cv(aTHX);
    if (cv != NULL && CvISXSUB(cv))
        return call_xsub(aTHX_ p, cv);
    if (UNLIKELY(cv == NULL || !CvROOT(cv))) {
        GV *gv = undefined_callee(aTHX_ cv);
        if (gv != NULL)
            return run_inside(aTHX_ p, &(prof_callee){.gv = gv}, prof_original[OP_ENTERSUB]);
    }
    const PERL_SI *stack = PL_curstackinfo;
    const I32 context = cxstack_ix;
    const COP *caller_cop = PL_curcop;
    OP *next = prof_original[OP_ENTERSUB](aTHX);
    if (PL_curstackinfo == stack && cxstack_ix > context && CxTYPE(CX_CUR()) == CXt_SUB)
        prof_sub_enter(aTHX_ p, CX_CUR()->blk_sub.cv, caller_cop);
    return next;
}
