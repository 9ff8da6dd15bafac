#include "statements.h"

#include "blocks.h"
#include "host.h"
#include "hot.h"
#include "ops.h"

void prof_statements_init(prof *p)
{
    p->statements.time_tag = p->options.blocks ? NYTP_TIME_BLOCK : NYTP_TIME_LINE;
}

/* ---- writing ---- */

static void write_time(prof *p, int32_t ticks)
{
    const prof_encoded *current = &p->places.current, *block = &p->places.block;
    const size_t place_length = current->length - PROF_PLACE_AT;
    unsigned char *at = prof_reserve(p);
    *at = p->statements.time_tag;
    at = nytp_put_i32(at + 1, ticks);
    memcpy(at, current->bytes + PROF_PLACE_AT, place_length);
    memcpy(at + place_length, block->bytes, block->length);
    prof_output_publish(p->out, at + place_length + block->length);
}

static void write_discount(prof *p)
{
    unsigned char *at = prof_reserve(p);
    *at = NYTP_DISCOUNT;
    prof_output_publish(p->out, at + 1);
}

/* Writes TIME, and DISCOUNT if the next statement was counted before. A time that does not fit into an i32 is
 * written in several chunks, of which one counts. */
static void end_statement(prof *p, int64_t active_ticks, bool discount)
{
    int64_t ticks = active_ticks - p->statements.start_ticks;
    if (ticks < 0) /* counters of two processors may differ a little */
        ticks = 0;
    p->statements.start_ticks += ticks;
    if (p->places.current.length > 0) {
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

static void set_block(prof_places *places, uint32_t block_line, uint32_t sub_line)
{
    prof_encoded *block = &places->block;
    block->length = (uint8_t)(nytp_put_u32(nytp_put_u32(block->bytes, block_line), sub_line) - block->bytes);
}

/* Returns the line of the current place. */
static uint32_t current_line(const prof_places *places)
{
    const prof_encoded *current = &places->current;
    nytp_cursor at = {.at = current->bytes + PROF_PLACE_AT, .end = current->bytes + current->length};
    nytp_get_u32(&at);
    return nytp_get_u32(&at);
}

/* Sets the lines of block and sub. alone: the statement counts as its own block. */
static void enter_block(pTHX_ prof *p, const prof_place *place, bool alone)
{
    prof_place at = *place; /* looking up other places may overwrite its slot */
    at.line = current_line(&p->places);
    uint32_t block_line = at.line, sub_line = block_line;
    if (!alone)
        prof_find_block(aTHX_ p, &at, &block_line, &sub_line);
    set_block(&p->places, block_line, sub_line);
}

static void begin_statement(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    p->places.current = place->time;
    if (p->options.blocks && place->time.length > 0)
        enter_block(aTHX_ p, place, false);
}

/* For statements during which perl's C code continues, after a DESTROY or before END blocks: stock records no
 * block for them, and profiles must be comparable. */
static void leave_to_c(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    if (p->options.blocks && place->time.length > 0)
        enter_block(aTHX_ p, place, true);
}

/* Ends the statement that runs, begins that of PL_curcop, and ends the probe interval. */
static void next_statement(pTHX_ prof *p, uint64_t now, int64_t active_ticks, bool discount,
                           prof_probe_kind kind)
{
    end_statement(p, active_ticks, discount);
    begin_statement(aTHX_ p);
    prof_probe_end(p, kind, now);
}

/* The same where nothing is rare: the next place is in the cache, the time takes one byte, and the block has
 * space. Otherwise returns false, and has changed nothing. Needs p->enabled.fast_stmts. A statement without a
 * place has length 0, so what is written of it is not published. */
static inline bool next_statement_fast(pTHX_ prof *p, uint64_t began, int64_t active_ticks, bool discount,
                                       prof_probe_kind kind)
{
    const COP *cop = PL_curcop;
    const prof_place *next = prof_place_slot(p, cop);
    const int64_t ticks = active_ticks - p->statements.start_ticks;
    prof_output *out = p->out;
    unsigned char *at = atomic_load_explicit(&out->at, memory_order_relaxed);
    if (UNLIKELY(next->cop != cop || next->seq != cop->cop_seq || (uint64_t)ticks >= 0x80 || at > out->limit))
        return false;
    p->statements.start_ticks = active_ticks;
    memcpy(at, &p->places.current, sizeof p->places.current);
    at[1] = (unsigned char)ticks;
    at += p->places.current.length;
    if (discount)
        *at++ = NYTP_DISCOUNT;
    prof_output_publish(out, at);
    p->places.current = next->time;
    prof_probe_end(p, kind, began);
    return true;
}

void prof_statement(pTHX_ prof *p, uint64_t now)
{
    next_statement(aTHX_ p, now, prof_active_ticks(p, now), false, PROF_PROBE_STATEMENT);
}

void prof_statement_end(prof *p, uint64_t now)
{
    end_statement(p, prof_active_ticks(p, now), false);
    prof_statement_drop(p);
}

void prof_statement_drop(prof *p)
{
    p->places.current.length = 0;
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
    prof_statements_init(p);
    p->places.block.length = 0;
    if (p->places.current.length > 0 && p->options.blocks) {
        const uint32_t line = current_line(&p->places);
        set_block(&p->places, line, line);
    }
}

/* ---- ops that begin a statement ---- */

/* Does what is rare for an op that begins a statement. Returns next. */
static __attribute__((noinline)) OP *begin_any_statement(pTHX_ OP *next)
{
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p != NULL && p->enabled.stmts && prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        prof_statement(aTHX_ p, now);
    return next;
}

static inline OP *run_statement_op(pTHX_ int op_type)
{
    OP *next = prof_original[op_type](aTHX);
    prof *p = prof_latest;
    if (LIKELY(p->enabled.fast_stmts == PROF_PERL)) {
        const uint64_t now = prof_counter();
        if (LIKELY(prof_is_quiet(aTHX_ p, now) &&
                   next_statement_fast(aTHX_ p, now, prof_active_ticks(p, now), false, PROF_PROBE_STATEMENT)))
            return next;
    }
    return begin_any_statement(aTHX_ next);
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

void prof_leave_perl(pTHX_ prof *p)
{
    uint64_t now;
    if (!p->enabled.stmts || p->places.current.length == 0 ||
        !prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return;
    prof_statement_end(p, now);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
}

/* ---- ops that leave a statement ---- */

void prof_leave_statement(pTHX_ prof *p)
{
    uint64_t now;
    if (prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        next_statement(aTHX_ p, now, prof_active_ticks(p, now), true, PROF_PROBE_STATEMENT);
}

/* Does what is rare for an op that has left a statement. Returns next. */
static __attribute__((noinline)) OP *leave_any_statement(pTHX_ prof *p, OP *next)
{
    if (!p->enabled.stmts)
        return next;
    if (UNLIKELY(next == NULL) && prof_is_called_by_host(aTHX_ cxstack_ix)) {
        prof_leave_perl(aTHX_ p);
        return next;
    }
    if (p->frames.last_end != 0)
        next_statement(aTHX_ p, prof_shared_probe_begin(p), p->frames.last_end_ticks, true,
                       PROF_PROBE_SHARED);
    else
        prof_leave_statement(aTHX_ p);
    if (UNLIKELY(next == NULL))
        leave_to_c(aTHX_ p);
    return next;
}

static __attribute__((noinline)) OP *run_any_leave_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->enabled.stmts)
        return original(aTHX);
    p->frames.last_end = 0;
    return leave_any_statement(aTHX_ p, original(aTHX));
}

/* The statement that the op has left ends, if nothing is rare. */
static inline bool leave_statement_fast(pTHX_ prof *p)
{
    if (LIKELY(p->frames.last_end != 0))
        return next_statement_fast(aTHX_ p, prof_shared_probe_begin(p), p->frames.last_end_ticks, true,
                                   PROF_PROBE_SHARED);
    const uint64_t now = prof_counter();
    return prof_is_quiet(aTHX_ p, now) &&
           next_statement_fast(aTHX_ p, now, prof_active_ticks(p, now), true, PROF_PROBE_STATEMENT);
}

/* Runs the op. The statement that it leaves ends, and the one to which perl returns continues. */
static inline OP *run_leave_op(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_latest;
    if (UNLIKELY(p->enabled.fast_stmts != PROF_PERL))
        return run_any_leave_op(aTHX_ original);
    p->frames.last_end = 0;
    OP *next = original(aTHX);
    if (LIKELY(p->enabled.fast_stmts == PROF_PERL && next != NULL && leave_statement_fast(aTHX_ p)))
        return next;
    return leave_any_statement(aTHX_ p, next);
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
