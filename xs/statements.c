/* The statement profiler: nextstate, and the ops after which a statement goes on that was left before. */
#include "context.h"

/* ---- where a statement is ---- */

/* A COP whose line the optimizer took away stands for the next one that has a line. */
static line_t line_near(pTHX_ const COP *cop)
{
    for (const OP *o = (const OP *)cop; o != NULL; o = OpSIBLING(o))
        if ((o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE) && CopLINE((const COP *)o) != 0)
            return CopLINE((const COP *)o);
    return PL_curcop != NULL && CopLINE(PL_curcop) != 0 ? CopLINE(PL_curcop) : 1;
}

/* The statement that runs may be the one whose slot this was. */
static void fill_place(pTHX_ prof *p, prof_place *place, const COP *cop, uint32_t via)
{
    dSAVE_ERRNO;
    if (p->place == place->encoded)
        p->place = memcpy(p->kept_place, place->encoded, sizeof place->encoded);
    const char *file = CopFILE(cop);
    place->fid = file != NULL ? prof_fid(aTHX_ p, file, strlen(file), false, via) : 0;
    place->line = (uint32_t)CopLINE(cop);
    const uint32_t shown = place->line != 0 ? place->line : (uint32_t)line_near(aTHX_ cop);
    unsigned char *end = nytp_put_u32(nytp_put_u32(place->encoded, place->fid), shown);
    place->length = place->fid != 0 ? (uint8_t)(end - place->encoded) : 0;
    RESTORE_ERRNO;
}

/* The statement that called the code that ran. */
static const COP *calling_cop(pTHX)
{
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev) {
        for (I32 i = si->si_cxix; i >= 0; i--) {
            const PERL_CONTEXT *cx = &si->si_cxstack[i];
            if (CxTYPE(cx) != CXt_SUBST && cx->blk_oldcop != NULL)
                return cx->blk_oldcop;
        }
    }
    return &PL_compiling;
}

const prof_place *prof_place_find(pTHX_ prof *p, prof_place *slot, const COP *cop, uint32_t via)
{
    prof_note_rare(p);
    if (cop == NULL)
        cop = calling_cop(aTHX);
    /* PL_compiling's line moves on with the parser; the copy of it that folds constants is on the C stack. */
    const bool lasts = cop->op_type == OP_NEXTSTATE || cop->op_type == OP_DBSTATE;
    if (!lasts)
        slot = &p->places[PROF_PLACES];
    fill_place(aTHX_ p, slot, cop, via);
    slot->cop = lasts ? cop : NULL;
    slot->seq = cop->cop_seq;
    return slot;
}

/* ---- blocks=1 ---- */

/* A bare block's op_nextop is its op_lastop, a loop's the UNSTACK. Stock takes a loop with a
 * continue part, for (;;) too, for no block; profiles are to be comparable. */
static const OP *start_of_loop(const LOOP *loop)
{
    if (loop == NULL || loop->op_nextop == NULL)
        return NULL;
    const bool has_continue = loop->op_nextop != loop->op_lastop && loop->op_nextop->op_type != OP_UNSTACK;
    return has_continue ? NULL : loop->op_redoop;
}

/* The first COP that runs in what the context executes. */
static const COP *first_cop(pTHX_ const PERL_CONTEXT *cx)
{
    const OP *o = NULL;
    const CV *cv;
    switch (CxTYPE(cx)) {
    case CXt_EVAL:
    case CXt_BLOCK: return cx->blk_oldcop;
    case CXt_SUB:
    case CXt_FORMAT:
        cv = cx->blk_sub.cv;
        o = cv == NULL || CvISXSUB(cv) ? NULL : CvSTART(cv); /* NULL: perl is leaving it */
        break;
    case CXt_SUBST:
    case CXt_NULL: return NULL;
    default:
        if (CxTYPE_is_LOOP(cx))
            o = start_of_loop(cx->blk_loop.my_op);
        break;
    }
    for (int steps = 0; o != NULL && steps < 100; o = o->op_next, steps++) {
        const U32 type =
            o->op_type != OP_NULL ? o->op_type : (U32)o->op_targ; /* one optimized away will do */
        if (type == OP_NEXTSTATE || type == OP_DBSTATE)
            return (const COP *)o;
        /* The end of a loop's body, as of a statement modifier; or a block in it, which has a context of its
         * own. */
        if (type == OP_UNSTACK || type == OP_ENTER || type == OP_ENTERTRY)
            return NULL;
    }
    return NULL;
}

/* The COP's line, if it is in the file of the statement: else the statement's. No file gets a number here. */
static uint32_t line_beside(pTHX_ prof *p, const prof_place *at, const COP *cop)
{
    const char *file = CopFILE(cop);
    const prof_place *there = prof_place_slot(p, cop);
    if (there->cop != cop || there->seq != cop->cop_seq) {
        if (file == NULL || prof_fid_if_known(p, file, strlen(file)) != at->fid)
            return at->line;
        there = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_STMT);
    }
    return there->fid == at->fid ? there->line : at->line;
}

/* First lines of the innermost block and sub around the statement, where they are in its file. */
static void find_block(pTHX_ prof *p, const prof_place *at, uint32_t *block_line, uint32_t *sub_line)
{
    const PERL_SI *si = PL_curstackinfo;
    *block_line = *sub_line = 0;
    for (I32 i = si->si_cxix; *sub_line == 0; i--) {
        while (i < 0 && (si = si->si_prev) != NULL) /* a sort block, say, stands on a stack of its own */
            i = si->si_cxix;
        if (i < 0)
            break;
        const PERL_CONTEXT *cx = &si->si_cxstack[i];
        const COP *cop = first_cop(aTHX_ cx);
        if (cop == NULL || (CxTYPE(cx) == CXt_SUB && CvSTASH(cx->blk_sub.cv) == PL_debstash))
            continue;
        uint32_t line = line_beside(aTHX_ p, at, cop);
        if (CxTYPE(cx) == CXt_SUB)
            *sub_line = line;
        if (*block_line == 0)
            *block_line = line;
    }
    if (*block_line == 0)
        *block_line = at->line;
    if (*sub_line == 0)
        *sub_line = at->line;
}

/* ---- from statement to statement ---- */

static inline unsigned char *put_place(const prof *p, unsigned char *at)
{
    enum { WITHOUT_BLOCK = 2 * NYTP_U32_MAX };
    memcpy(at, p->place, WITHOUT_BLOCK);
    if (UNLIKELY(p->place_length > WITHOUT_BLOCK))
        memcpy(at + WITHOUT_BLOCK, p->place + WITHOUT_BLOCK, sizeof p->kept_place - WITHOUT_BLOCK);
    return at + p->place_length;
}

static void write_time(prof *p, int32_t ticks)
{
    unsigned char *at = prof_room(p);
    *at = p->time_tag;
    prof_output_publish(p->out, put_place(p, nytp_put_i32(at + 1, ticks)));
}

static void write_discount(prof *p)
{
    unsigned char *at = prof_room(p);
    *at = NYTP_DISCOUNT;
    prof_output_publish(p->out, at + 1);
}

/* Any time at all. More than fits into an i32 is written in pieces, of which one counts. */
static __attribute__((noinline)) void end_any_statement(prof *p, int64_t ticks, bool discount)
{
    if (ticks < 0) /* counters of two processors may differ a little */
        ticks = 0;
    p->stmt_ticks += ticks;
    if (p->place_length > 0) {
        for (; ticks > INT32_MAX; ticks -= INT32_MAX) {
            write_time(p, INT32_MAX);
            write_discount(p);
        }
        write_time(p, (int32_t)ticks);
    }
    if (discount)
        write_discount(p);
}

/* TIME, and DISCOUNT if what goes on was begun before. Nearly always it is a short time. */
static inline void end_statement(prof *p, int64_t active_ticks, bool discount)
{
    const int64_t ticks = active_ticks - p->stmt_ticks;
    unsigned char *at = prof_room(p);
    if (UNLIKELY((uint64_t)ticks >= 0x80 || p->place_length == 0)) {
        end_any_statement(p, ticks, discount);
        return;
    }
    p->stmt_ticks = active_ticks;
    at[0] = p->time_tag;
    at[1] = (unsigned char)ticks;
    at = put_place(p, at + 2);
    at[0] = NYTP_DISCOUNT;
    prof_output_publish(p->out, at + discount);
}

/* alone: no block around it is looked for. */
static void enter_block(pTHX_ prof *p, const prof_place *place, bool alone)
{
    prof_place at = *place; /* looking up others may take its slot */
    p->place = memcpy(p->kept_place, at.encoded, at.length);
    nytp_cursor shown = {.at = at.encoded, .end = at.encoded + at.length};
    nytp_get_u32(&shown);
    at.line = nytp_get_u32(&shown);
    uint32_t block_line = at.line, sub_line = block_line;
    if (!alone)
        find_block(aTHX_ p, &at, &block_line, &sub_line);
    unsigned char *end = nytp_put_u32(nytp_put_u32(p->kept_place + at.length, block_line), sub_line);
    p->place_length = (uint8_t)(end - p->kept_place);
}

void prof_statement_end(prof *p, uint64_t now)
{
    end_statement(p, prof_active_ticks(p, now), false);
    p->place_length = 0;
}

static inline void begin_statement(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    p->place = place->encoded;
    p->place_length = place->length;
    if (UNLIKELY(p->options.blocks) && place->length > 0)
        enter_block(aTHX_ p, place, false);
}

/* Where perl's own C code goes on, as after a DESTROY or to END blocks, stock has no block; profiles are to
 * be comparable. */
static void leave_to_c(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    if (p->options.blocks && place->length > 0)
        enter_block(aTHX_ p, place, true);
}

void prof_statement_pause(prof *p, uint64_t now)
{
    p->paused_ticks = prof_active_ticks(p, now) - p->stmt_ticks;
}

void prof_statement_resume(pTHX_ prof *p, uint64_t now)
{
    p->stmt_ticks = prof_active_ticks(p, now) - p->paused_ticks;
    prof_statement_end(p, now);
    begin_statement(aTHX_ p);
}

void prof_statement_retag(prof *p)
{
    nytp_cursor at = {.at = p->place, .end = p->place + p->place_length};
    if (p->place_length == 0)
        return;
    const uint32_t fid = nytp_get_u32(&at), line = nytp_get_u32(&at);
    unsigned char *end = nytp_put_u32(nytp_put_u32(p->kept_place, fid), line);
    if (p->options.blocks)
        end = nytp_put_u32(nytp_put_u32(end, line), line);
    p->place = p->kept_place;
    p->place_length = (uint8_t)(end - p->kept_place);
}

static inline void next_statement(pTHX_ prof *p, uint64_t now, bool discount)
{
    end_statement(p, prof_active_ticks(p, now), discount);
    begin_statement(aTHX_ p);
}

void prof_statement(pTHX_ prof *p, uint64_t now)
{
    next_statement(aTHX_ p, now, false);
    prof_close_window(p, PROF_WINDOW_STATEMENT, now);
}

static inline OP *pp_statement(pTHX_ int op_type)
{
    OP *next = prof_original[op_type](aTHX);
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p == NULL || !p->stmts_on || !prof_open_window(aTHX_ p, &p->stmts_on, &now))
        return next;
    next_statement(aTHX_ p, now, false);
    prof_close_window(p, PROF_WINDOW_STATEMENT, now);
    return next;
}

OP *prof_pp_nextstate(pTHX)
{
    return pp_statement(aTHX_ OP_NEXTSTATE);
}

OP *prof_pp_dbstate(pTHX)
{
    return pp_statement(aTHX_ OP_DBSTATE);
}

void prof_leave_statement(pTHX_ prof *p)
{
    uint64_t now;
    if (!prof_open_window(aTHX_ p, &p->stmts_on, &now))
        return;
    next_statement(aTHX_ p, now, true);
    prof_close_window(p, PROF_WINDOW_STATEMENT, now);
}

/* The op ended a call, which read the clock some nanoseconds ago. */
static void leave_statement_at_end(pTHX_ prof *p)
{
    uint64_t opened = p->windows_left[PROF_WINDOW_SHARED] == 0 ? prof_now(&p->clock) : p->end_read;
    end_statement(p, p->end_ticks, true);
    begin_statement(aTHX_ p);
    prof_close_window(p, PROF_WINDOW_SHARED, opened);
}

/* A program that has perl in it, a web server say, called from outside of any perl_run(): there is no
 * context but those of call_sv()'s own evals, of which each has one of the jump buffers. */
bool prof_is_called_by_host(pTHX_ I32 context)
{
    int evals = 0;
    for (const PERL_SI *si = PL_curstackinfo; si != NULL; si = si->si_prev) {
        for (I32 i = si == PL_curstackinfo ? context : si->si_cxix; i >= 0; i--, evals++) {
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
    if (!p->stmts_on || p->place_length == 0 || !prof_open_window(aTHX_ p, &p->stmts_on, &now))
        return;
    prof_statement_end(p, now);
    prof_close_window(p, PROF_WINDOW_STATEMENT, now);
}

/* The statement that was left ends, and the one returned into goes on. */
static OP *pp_leave(pTHX_ Perl_ppaddr_t original)
{
    prof *p = prof_of(aTHX);
    if (p == NULL || !p->stmts_on)
        return original(aTHX);
    p->end_read = 0;
    OP *next = original(aTHX);
    if (!p->stmts_on)
        return next;
    if (UNLIKELY(next == NULL) && prof_is_called_by_host(aTHX_ cxstack_ix)) {
        prof_leave_perl(aTHX_ p);
        return next;
    }
    if (p->end_read != 0)
        leave_statement_at_end(aTHX_ p);
    else
        prof_leave_statement(aTHX_ p);
    if (UNLIKELY(next == NULL))
        leave_to_c(aTHX_ p);
    return next;
}

#define HANDLER(name)                                                                                        \
    static OP *handle_##name(pTHX)                                                                           \
    {                                                                                                        \
        return pp_leave(aTHX_ prof_original[OP_##name]);                                                     \
    }

/* Not LEAVETRYCATCH: stock has no DISCOUNT after a try block; profiles are to be comparable. */
#define LEAVE_OPS(OP)                                                                                        \
    OP(LEAVESUB) OP(LEAVESUBLV) OP(LEAVE) OP(LEAVELOOP) OP(LEAVEEVAL) OP(LEAVETRY) OP(RETURN) OP(UNSTACK)

LEAVE_OPS(HANDLER)
PROF_DEFINE_EACH(prof_each_leave, LEAVE_OPS)

OP *prof_pp_leavewrite(pTHX)
{
    return pp_leave(aTHX_ prof_original[OP_LEAVEWRITE]);
}

OP *prof_pp_exit(pTHX)
{
    prof *p = prof_of(aTHX);
    if (p != NULL && p->stmts_on) {
        prof_leave_statement(aTHX_ p);
        leave_to_c(aTHX_ p);
    }
    return prof_original[OP_EXIT](aTHX);
}
