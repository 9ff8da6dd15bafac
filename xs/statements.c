#include "statements.h"

#include "blocks.h"
#include "hot.h"
#include "ops.h"

void prof_statements_init(prof *p)
{
    p->statements.time_tag = p->options.blocks ? NYTP_TIME_BLOCK : NYTP_TIME_LINE;
}

void prof_statements_clear(prof_statements *statements)
{
    memset(statements, 0, sizeof *statements);
}

/* ---- writing ---- */

static inline unsigned char *put_place(const prof_places *places, unsigned char *at)
{
    enum { WITHOUT_BLOCK = 2 * NYTP_U32_MAX };
    memcpy(at, places->current, WITHOUT_BLOCK);
    if (UNLIKELY(places->current_length > WITHOUT_BLOCK))
        memcpy(at + WITHOUT_BLOCK, places->current + WITHOUT_BLOCK, sizeof places->kept - WITHOUT_BLOCK);
    return at + places->current_length;
}

static void write_time(prof *p, int32_t ticks)
{
    unsigned char *at = prof_reserve(p);
    *at = p->statements.time_tag;
    prof_output_publish(p->out, put_place(&p->places, nytp_put_i32(at + 1, ticks)));
}

static void write_discount(prof *p)
{
    unsigned char *at = prof_reserve(p);
    *at = NYTP_DISCOUNT;
    prof_output_publish(p->out, at + 1);
}

/* Ends a statement of any length. A time that does not fit into an i32 is written in several chunks, of which
 * one counts. */
static __attribute__((noinline)) void end_any_statement(prof *p, int64_t ticks, bool discount)
{
    if (ticks < 0) /* counters of two processors may differ a little */
        ticks = 0;
    p->statements.start_ticks += ticks;
    if (p->places.current_length > 0) {
        for (; ticks > INT32_MAX; ticks -= INT32_MAX) {
            write_time(p, INT32_MAX);
            write_discount(p);
        }
        write_time(p, (int32_t)ticks);
    }
    if (discount)
        write_discount(p);
}

/* ---- from statement to statement ---- */

/* Writes TIME, and DISCOUNT if the next statement was counted before. The time is nearly always short. */
static inline void end_statement(prof *p, int64_t active_ticks, bool discount)
{
    const int64_t ticks = active_ticks - p->statements.start_ticks;
    unsigned char *at = prof_reserve(p);
    if (UNLIKELY((uint64_t)ticks >= 0x80 || p->places.current_length == 0)) {
        end_any_statement(p, ticks, discount);
        return;
    }
    p->statements.start_ticks = active_ticks;
    at[0] = p->statements.time_tag;
    at[1] = (unsigned char)ticks;
    at = put_place(&p->places, at + 2);
    at[0] = NYTP_DISCOUNT;
    prof_output_publish(p->out, at + discount);
}

/* Adds the lines of block and sub to the current place. alone: the statement counts as its own block. */
static void enter_block(pTHX_ prof *p, const prof_place *place, bool alone)
{
    prof_places *places = &p->places;
    prof_place at = *place; /* looking up other places may overwrite its slot */
    places->current = memcpy(places->kept, at.encoded, at.length);
    nytp_cursor shown = {.at = at.encoded, .end = at.encoded + at.length};
    nytp_get_u32(&shown);
    at.line = nytp_get_u32(&shown);
    uint32_t block_line = at.line, sub_line = block_line;
    if (!alone)
        prof_find_block(aTHX_ p, &at, &block_line, &sub_line);
    unsigned char *end = nytp_put_u32(nytp_put_u32(places->kept + at.length, block_line), sub_line);
    places->current_length = (uint8_t)(end - places->kept);
}

static inline void begin_statement(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    p->places.current = place->encoded;
    p->places.current_length = place->length;
    if (UNLIKELY(p->options.blocks) && place->length > 0)
        enter_block(aTHX_ p, place, false);
}

/* For statements during which perl's C code continues, after a DESTROY or before END blocks: stock records no
 * block for them, and profiles must be comparable. */
static void leave_to_c(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    if (p->options.blocks && place->length > 0)
        enter_block(aTHX_ p, place, true);
}

static inline void next_statement(pTHX_ prof *p, uint64_t now, bool discount)
{
    end_statement(p, prof_active_ticks(p, now), discount);
    begin_statement(aTHX_ p);
}

void prof_statement(pTHX_ prof *p, uint64_t now)
{
    next_statement(aTHX_ p, now, false);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
}

void prof_statement_end(prof *p, uint64_t now)
{
    end_statement(p, prof_active_ticks(p, now), false);
    prof_statement_drop(p);
}

void prof_statement_drop(prof *p)
{
    p->places.current_length = 0;
    p->statements.paused = false;
}

void prof_statement_restart(prof *p, uint64_t now)
{
    p->statements.start_ticks = prof_active_ticks(p, now);
}

void prof_statement_pause(prof *p, uint64_t now)
{
    p->statements.paused_ticks = prof_active_ticks(p, now) - p->statements.start_ticks;
    p->statements.paused = true;
}

void prof_statement_resume(pTHX_ prof *p, uint64_t now)
{
    p->statements.start_ticks = prof_active_ticks(p, now) - p->statements.paused_ticks;
    prof_statement_end(p, now);
    begin_statement(aTHX_ p);
}

void prof_statement_retag(prof *p)
{
    prof_places *places = &p->places;
    nytp_cursor at = {.at = places->current, .end = places->current + places->current_length};
    prof_statements_init(p);
    if (places->current_length == 0)
        return;
    const uint32_t fid = nytp_get_u32(&at), line = nytp_get_u32(&at);
    unsigned char *end = nytp_put_u32(nytp_put_u32(places->kept, fid), line);
    if (p->options.blocks)
        end = nytp_put_u32(nytp_put_u32(end, line), line);
    places->current = places->kept;
    places->current_length = (uint8_t)(end - places->kept);
}

/* ---- ops that begin a statement ---- */

static inline OP *run_statement_op(pTHX_ int op_type)
{
    OP *next = prof_original[op_type](aTHX);
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p == NULL || !p->enabled.stmts || !prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return next;
    next_statement(aTHX_ p, now, false);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
    return next;
}

static OP *handle_NEXTSTATE(pTHX)
{
    return run_statement_op(aTHX_ OP_NEXTSTATE);
}

static OP *handle_DBSTATE(pTHX)
{
    return run_statement_op(aTHX_ OP_DBSTATE);
}

#define STATEMENT_OPS(OP) OP(NEXTSTATE) OP(DBSTATE)
PROF_DEFINE_REPLACE(prof_replace_statements, STATEMENT_OPS)

void prof_statement_of_debugger(pTHX)
{
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p == NULL || !p->enabled.any || !p->options.stmts ||
        !prof_probe_begin(aTHX_ p, &p->enabled.any, &now))
        return;
    prof_statement(aTHX_ p, now);
}

/* ---- leaving perl for a program that embeds it ---- */

/* Outside of perl_run() the only contexts are those of call_sv()'s own evals, each of which has a jump
 * buffer. */
bool prof_is_called_by_host(pTHX_ I32 cxix)
{
    int evals = 0;
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev) {
        for (I32 i = si == PL_curstackinfo ? cxix : si->si_cxix; i >= 0; i--, evals++) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (CxTYPE(cx) != CXt_EVAL || cx->blk_eval.retop != NULL)
                return false;
        }
    }
    for (const JMPENV *env = PL_top_env; env != &PL_start_env && env != NULL; env = env->je_prev)
        evals--;
    return evals == 0;
}

void prof_leave_perl(pTHX_ prof *p)
{
    uint64_t now;
    if (!p->enabled.stmts || p->places.current_length == 0 ||
        !prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return;
    prof_statement_end(p, now);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
}

/* ---- ops that leave a statement ---- */

void prof_leave_statement(pTHX_ prof *p)
{
    uint64_t now;
    if (!prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return;
    next_statement(aTHX_ p, now, true);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
}

/* For an op that ended a call: uses the time of that end, which read the clock some nanoseconds ago. */
static void leave_statement_after_return(pTHX_ prof *p)
{
    const uint64_t began =
        p->probe.untimed_left[PROF_PROBE_SHARED] == 0 ? prof_now(&p->probe.clock) : p->frames.last_end;
    end_statement(p, p->frames.last_end_ticks, true);
    begin_statement(aTHX_ p);
    prof_probe_end(p, PROF_PROBE_SHARED, began);
}

/* Runs the op. The statement that it leaves ends, and the one to which perl returns continues. */
static OP *run_leave_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.stmts)
        return original(aTHX);
    p->frames.last_end = 0;
    OP *next = original(aTHX);
    if (!p->enabled.stmts)
        return next;
    if (UNLIKELY(next == NULL) && prof_is_called_by_host(aTHX_ cxstack_ix)) {
        prof_leave_perl(aTHX_ p);
        return next;
    }
    if (p->frames.last_end != 0)
        leave_statement_after_return(aTHX_ p);
    else
        prof_leave_statement(aTHX_ p);
    if (UNLIKELY(next == NULL))
        leave_to_c(aTHX_ p);
    return next;
}

#define HANDLER(name)                                                                                        \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return run_leave_op(aTHX_ prof_original[OP_##name]);                                                 \
    }

/* Not LEAVETRYCATCH: stock has no DISCOUNT after a try block, and profiles must be comparable. */
#define LEAVE_OPS(OP)                                                                                        \
    OP(LEAVESUB) OP(LEAVESUBLV) OP(LEAVE) OP(LEAVELOOP) OP(LEAVEEVAL) OP(LEAVETRY) OP(RETURN) OP(UNSTACK)

LEAVE_OPS(HANDLER)

static OP *handle_EXIT(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL && p->enabled.stmts) {
        prof_leave_statement(aTHX_ p);
        leave_to_c(aTHX_ p);
    }
    return prof_original[OP_EXIT](aTHX);
}

#define LEAVE_AND_EXIT_OPS(OP) LEAVE_OPS(OP) OP(EXIT)
PROF_DEFINE_REPLACE(prof_replace_leaves, LEAVE_AND_EXIT_OPS)

#define LEAVEWRITE_OP(OP) OP(LEAVEWRITE)
LEAVEWRITE_OP(HANDLER)
PROF_DEFINE_REPLACE(prof_replace_leavewrite, LEAVEWRITE_OP)
