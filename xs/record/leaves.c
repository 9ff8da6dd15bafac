#include "basics/ops.h"

#include "record/statements.h"
#include "hot.h"

/* An op ends a statement at the moment at which it ended a call, if that is the call that it has left: then
 * there are fewer frames than the op began with. A DESTROY that it calls ends before it frees what follows.
 */
static inline bool has_left_call(const prof *p, uint32_t frames_before)
{
    return p->frames.last_end != 0 && p->frames.count < frames_before;
}

/* Slow path of leave_statement(). Returns next. */
static __attribute__((noinline)) OP *leave_any_statement(pTHX_ prof *p, OP *next, bool left_call)
{
    if (!p->enabled.stmts || !p->options.leave) /* another interpreter may have replaced the ops */
        return next;
    if (UNLIKELY(next == NULL) && prof_is_called_by_host(aTHX_ cxstack_ix)) {
        prof_leave_perl(aTHX_ p);
        return next;
    }
    if (left_call)
        prof_statement_next(aTHX_ p, prof_shared_probe_begin(p), p->frames.last_end_ticks, true,
                            PROF_PROBE_SHARED);
    else
        prof_leave_statement(aTHX_ p);
    if (UNLIKELY(next == NULL))
        prof_statement_leave_to_c(aTHX_ p);
    return next;
}

static __attribute__((noinline)) OP *run_any_leave_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_of(aTHX);
    if (p == NULL)
        return original(aTHX);
    const uint32_t frames = p->frames.count;
    p->frames.last_end = 0;
    OP *next = original(aTHX);
    prof_frame_end_from(aTHX_ p, cxstack_ix + 1);
    return leave_any_statement(aTHX_ p, next, has_left_call(p, frames));
}

/* The statement that the op has left ends. Returns false if something must be done before. */
__attribute__((always_inline)) static inline bool try_leave_statement(pTHX_ prof *p, bool left_call)
{
    if (left_call)
        return prof_try_statement(aTHX_ p, prof_shared_probe_begin(p), p->frames.last_end_ticks, true,
                                  PROF_PROBE_SHARED);
    const uint64_t now = prof_now(p);
    return prof_is_quiet(aTHX_ p, now) &&
           prof_try_statement(aTHX_ p, now, prof_active_ticks(p, now), true, PROF_PROBE_STATEMENT);
}

/* The call that the op has left and its last statement end at the same moment. Returns false if something
 * must be done before, and then has changed nothing. */
__attribute__((always_inline)) static inline bool try_leave_call(pTHX_ prof *p)
{
    prof_frame *f = prof_left_frame(aTHX_ p);
    if (UNLIKELY(f == NULL || !prof_destructor_is_top(aTHX_ f->serial)))
        return false;
    const uint64_t now = prof_now(p);
    unsigned char *at;
    if (UNLIKELY(!prof_is_ready(aTHX_ p, now, &at)))
        return false;
    const COP *cop = PL_curcop;
    const prof_place *next = prof_place_kept(p, cop);
    const int64_t active_ticks = prof_active_ticks(p, now);
    const int64_t ticks = active_ticks - p->statements.start_ticks;
    if (UNLIKELY(next == NULL || !prof_is_short(ticks)))
        return false;
    at = prof_try_return(aTHX_ p, f, at, active_ticks);
    if (UNLIKELY(at == NULL))
        return false;
    prof_output_publish(p->out, prof_put_statement(p, at, next, ticks, true, false));
    PL_savestack_ix -= PROF_DESTRUCTOR;
    prof_probe_end(p, PROF_PROBE_LEAVE, now);
    return true;
}

/* Ends the statement that an op has left. Returns next. */
__attribute__((always_inline)) static inline OP *leave_statement(pTHX_ prof *p, OP *next, bool left_call)
{
    if (LIKELY(p->enabled.fast_leaves == PROF_PERL && next != NULL &&
               try_leave_statement(aTHX_ p, left_call)))
        return next;
    return leave_any_statement(aTHX_ p, next, left_call);
}

/* Runs the op. The statement that it leaves ends, and the one to which perl returns continues. */
static __attribute__((noinline)) OP *run_leave_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_latest;
    if (UNLIKELY(p->enabled.fast_leaves != PROF_PERL))
        return run_any_leave_op(aTHX_ original);
    const uint32_t frames = p->frames.count;
    p->frames.last_end = 0;
    OP *next = original(aTHX);
    return leave_statement(aTHX_ p, next, has_left_call(p, frames));
}

/* Slow path of run_leave_sub_op(). */
static __attribute__((noinline)) OP *leave_any_call(pTHX_ prof *p, OP *next, uint32_t frames)
{
    prof_frame_end_from(aTHX_ p, cxstack_ix + 1);
    return leave_statement(aTHX_ p, next, has_left_call(p, frames));
}

/* run_leave_op() for an op that may leave a sub, whose call ends. */
static __attribute__((noinline)) OP *run_leave_sub_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_latest;
    if (UNLIKELY(p->enabled.fast_leaves != PROF_PERL))
        return run_any_leave_op(aTHX_ original);
    const uint32_t frames = p->frames.count;
    p->frames.last_end = 0;
    OP *next = original(aTHX);
    if (LIKELY(next != NULL && try_leave_call(aTHX_ p)))
        return next;
    return leave_any_call(aTHX_ p, next, frames);
}

#define HANDLER(name)                                                                                        \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_leave_op(aTHX_ prof_original[OP_##name]);                                                 \
    }
#define SUB_HANDLER(name)                                                                                    \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_leave_sub_op(aTHX_ prof_original[OP_##name]);                                             \
    }

#define LEAVE_SUB_OPS(OP) OP(LEAVESUB) OP(LEAVESUBLV) OP(RETURN)
/* Not LEAVETRYCATCH: stock has no DISCOUNT after a try block, and profiles must be comparable. */
#define LEAVE_OPS(OP) OP(LEAVE) OP(LEAVELOOP) OP(LEAVEEVAL) OP(LEAVETRY) OP(UNSTACK)

LEAVE_SUB_OPS(SUB_HANDLER)
LEAVE_OPS(HANDLER)

static OP *handle_EXIT(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL && p->enabled.stmts && p->options.leave) {
        prof_leave_statement(aTHX_ p);
        prof_statement_leave_to_c(aTHX_ p);
    }
    return prof_original[OP_EXIT](aTHX);
}

#define LEAVE_AND_EXIT_OPS(OP) LEAVE_SUB_OPS(OP) LEAVE_OPS(OP) OP(EXIT)
PROF_DEFINE_REPLACE(prof_replace_leaves, LEAVE_AND_EXIT_OPS)

#define LEAVEWRITE_OP(OP) OP(LEAVEWRITE)
LEAVEWRITE_OP(HANDLER)
PROF_DEFINE_REPLACE(prof_replace_leavewrite, LEAVEWRITE_OP)
