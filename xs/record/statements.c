#include "record/statements.h"

#include "hot.h"
#include "basics/ops.h"

/* Outside of perl_run() the only contexts are those of call_sv()'s own evals, each of which has a jump
 * buffer. */
bool prof_has_only_host_evals(pTHX_ I32 cxix)
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

void prof_statements_init(prof *p)
{
    p->statements.time_tag = p->options.blocks ? NYTP_TIME_BLOCK : NYTP_TIME_LINE;
}

/* Returns where a statement begins that is begun at active_ticks while none runs: with the outermost call
 * that has begun since the last one ended, so that the call does not last longer than its statements. */
static int64_t begin_of_first(const prof *p, int64_t active_ticks)
{
    for (uint32_t n = 0; n < p->frames.count; n++) {
        const int64_t began_ticks = p->frames.at[n].start_ticks + p->frames.idle_ticks;
        if (began_ticks >= p->statements.start_ticks)
            return began_ticks;
    }
    return active_ticks;
}

/* Ends the statement that runs, at active_ticks, and begins that of a place. A time that does not fit into a
 * chunk is written in several, of which one counts. depth: of the call that it belongs to. */
static void write_statement(prof *p, const prof_place *next, int64_t active_ticks, bool discount,
                            uint32_t depth)
{
    const bool is_first = p->places.current.length == 0;
    const int64_t end_ticks = is_first ? begin_of_first(p, active_ticks) : active_ticks;
    if (is_first && end_ticks == active_ticks) /* what was before is in no statement, and in no call */
        prof_waits_leave_out(p, active_ticks);
    else
        prof_waits_look(p, active_ticks, depth);
    int64_t ticks = end_ticks - p->statements.start_ticks;
    const prof_place same = {.time = p->places.current};
    for (; ticks > INT32_MAX && same.time.length > 0; ticks -= INT32_MAX)
        prof_output_publish(p->out, prof_put_statement(p, prof_reserve(p), &same, INT32_MAX, true, true));
    if (ticks < 0) { /* then calls would have time that no statement has */
        prof_probe_give_back(&p->probe, -ticks);
        ticks = 0;
    }
    prof_output_publish(p->out, prof_put_statement(p, prof_reserve(p), next, ticks, discount, true));
}

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

/* Where a loop's body begins. A bare block's op_nextop is its op_lastop; a loop's is its UNSTACK. Stock does
 * not take a loop with a continue part, nor a for (;;), for a block; profiles must be comparable. */
static const OP *start_of_loop(const LOOP *loop)
{
    if (loop == NULL || loop->op_nextop == NULL)
        return NULL;
    const bool has_continue = loop->op_nextop != loop->op_lastop && loop->op_nextop->op_type != OP_UNSTACK;
    return has_continue ? NULL : loop->op_redoop;
}

/* Returns the first COP that runs after o, or NULL. */
static const COP *next_cop(const OP *o)
{
    for (int steps = 0; o != NULL && steps < 100; o = o->op_next, steps++) {
        /* A COP that was optimized away still has its line. */
        const U32 type = o->op_type != OP_NULL ? o->op_type : (U32)o->op_targ;
        if (type == OP_NEXTSTATE || type == OP_DBSTATE)
            return (const COP *)o;
        /* The end of a loop's body, as with a statement modifier; or a block in it, which has its own
         * context. */
        if (type == OP_UNSTACK || type == OP_ENTER || type == OP_ENTERTRY)
            return NULL;
    }
    return NULL;
}

/* Returns the first COP of the code that a context executes, or NULL. */
static const COP *first_cop(pTHX_ const PERL_CONTEXT *cx)
{
    const CV *cv;
    switch (CxTYPE(cx)) {
    case CXt_EVAL:
    case CXt_BLOCK: return cx->blk_oldcop;
    case CXt_SUB:
    case CXt_FORMAT:
        cv = cx->blk_sub.cv; /* NULL: perl is leaving the sub */
        return next_cop(cv == NULL || CvISXSUB(cv) ? NULL : CvSTART(cv));
    case CXt_SUBST:
    case CXt_NULL: return NULL;
    default: return next_cop(CxTYPE_is_LOOP(cx) ? start_of_loop(cx->blk_loop.my_op) : NULL);
    }
}

/* Returns the line of the COP if it is in the same file as the statement, otherwise the statement's line.
 * Does not number new files. */
static uint32_t line_in_same_file(pTHX_ prof *p, const prof_place *at, const COP *cop)
{
    const char *file = CopFILE(cop);
    const prof_place *there = prof_place_kept(p, cop);
    if (there == NULL) {
        if (file == NULL || prof_fid_if_known(&p->files, file, strlen(file)) != prof_place_fid(at))
            return at->line;
        there = prof_place_of(aTHX_ p, cop, NYTP_FID_VIA_STMT);
    }
    return prof_place_fid(there) == prof_place_fid(at) ? there->line : at->line;
}

/* Sets *block_line and *sub_line to the first lines of the innermost block and sub around the statement at
 * `at`. A block or sub in another file counts as beginning at the statement's own line. */
static void find_block(pTHX_ prof *p, const prof_place *at, uint32_t *block_line, uint32_t *sub_line)
{
    const PERL_SI *si = PL_curstackinfo;
    *block_line = *sub_line = 0;
    for (I32 i = si->si_cxix; *sub_line == 0; i--) {
        /* Some code, such as a sort block, has a context stack of its own. */
        while (i < 0 && (si = si->si_prev) != NULL)
            i = si->si_cxix;
        if (i < 0)
            break;
        const PERL_CONTEXT *cx = &si->si_cxstack[i];
        const COP *cop = first_cop(aTHX_ cx);
        if (cop == NULL || (CxTYPE(cx) == CXt_SUB && CvSTASH(cx->blk_sub.cv) == PL_debstash))
            continue;
        uint32_t line = line_in_same_file(aTHX_ p, at, cop);
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

/* Sets the lines of block and sub. alone: the statement counts as its own block. */
static void enter_block(pTHX_ prof *p, const prof_place *place, bool alone)
{
    prof_place at = *place; /* looking up other places may overwrite its slot */
    at.line = current_line(&p->places);
    uint32_t block_line = at.line, sub_line = block_line;
    if (!alone)
        find_block(aTHX_ p, &at, &block_line, &sub_line);
    set_block(&p->places, block_line, sub_line);
}

void prof_statement_leave_to_c(pTHX_ prof *p)
{
    const prof_place *place = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    if (p->options.blocks && place->time.length > 0)
        enter_block(aTHX_ p, place, true);
}

/* Ends the statement that runs, and begins that of PL_curcop. */
static void change_statement(pTHX_ prof *p, int64_t active_ticks, bool discount, uint32_t depth)
{
    const prof_place *next = prof_place_of(aTHX_ p, PL_curcop, NYTP_FID_VIA_STMT);
    write_statement(p, next, active_ticks, discount, depth);
    if (p->options.blocks && next->time.length > 0)
        enter_block(aTHX_ p, next, false);
}

void prof_statement_next(pTHX_ prof *p, uint64_t now, int64_t active_ticks, bool discount,
                         prof_probe_kind kind)
{
    /* With PROF_PROBE_ENTER, the statement is the caller's, and the call begins with the next one. */
    change_statement(aTHX_ p, active_ticks, discount, p->frames.count - (kind == PROF_PROBE_ENTER));
    if (kind == PROF_PROBE_ENTER) { /* which active time may have been before: see write_statement() */
        prof_frame *f = prof_top_frame(p);
        f->start_ticks = MAX(f->start_ticks, p->statements.start_ticks - p->frames.idle_ticks);
    }
    prof_probe_end(p, kind, now);
}

void prof_statement(pTHX_ prof *p, uint64_t now)
{
    prof_statement_next(aTHX_ p, now, prof_active_ticks(p, now), false, PROF_PROBE_STATEMENT);
}

void prof_statement_write_part(prof *p, int64_t active_ticks)
{
    const prof_place same = {.time = p->places.current};
    if (p->enabled.stmts && same.time.length > 0 && active_ticks > p->statements.start_ticks)
        write_statement(p, &same, active_ticks, true, p->frames.count);
}

void prof_statement_end(prof *p, uint64_t now)
{
    static const prof_place nowhere;
    write_statement(p, &nowhere, prof_active_ticks(p, now), false, p->frames.count);
    p->statements.paused = false;
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

void prof_statement_go_on(prof *p)
{
    prof_output_chunk(p->out, &(nytp_chunk){.tag = NYTP_DISCOUNT});
}

void prof_statement_pause(prof *p, uint64_t now)
{
    p->statements.paused_ticks = prof_active_ticks(p, now) - p->statements.start_ticks;
    p->statements.paused = true;
}

void prof_statement_resume(pTHX_ prof *p, uint64_t now)
{
    p->statements.start_ticks = prof_active_ticks(p, now) - p->statements.paused_ticks;
    change_statement(aTHX_ p, prof_active_ticks(p, now), false, p->frames.count);
    p->statements.paused = false;
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

OP *prof_begin_statement(pTHX_ OP *next)
{
    prof *p = prof_of(aTHX);
    uint64_t now;
    if (p != NULL && p->enabled.stmts && prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        prof_statement(aTHX_ p, now);
    return next;
}

__attribute__((always_inline)) static inline OP *run_statement_op(pTHX_ int op_type)
{
    OP *next = prof_original[op_type](aTHX);
    prof *p = prof_latest;
    if (LIKELY(p->enabled.fast_stmts == PROF_PERL)) {
        const uint64_t now = prof_now(p);
        if (LIKELY(prof_is_quiet(aTHX_ p, now) &&
                   prof_try_statement(aTHX_ p, now, prof_active_ticks(p, now), false, PROF_PROBE_STATEMENT)))
            return next;
    }
    return prof_begin_statement(aTHX_ next);
}

OP *prof_handle_nextstate(pTHX)
{
    return run_statement_op(aTHX_ OP_NEXTSTATE);
}

static OP *handle_DBSTATE(pTHX)
{
    return run_statement_op(aTHX_ OP_DBSTATE);
}

#define handle_NEXTSTATE prof_handle_nextstate /* which entersub.c compares with */

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

/* Perl is left for a program that embeds it. */
void prof_leave_perl(pTHX_ prof *p)
{
    uint64_t now;
    if (!p->enabled.stmts || p->places.current.length == 0 ||
        !prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        return;
    prof_statement_end(p, now);
    prof_probe_end(p, PROF_PROBE_STATEMENT, now);
}

void prof_leave_statement(pTHX_ prof *p)
{
    uint64_t now;
    if (prof_probe_begin(aTHX_ p, &p->enabled.stmts, &now))
        prof_statement_next(aTHX_ p, now, prof_active_ticks(p, now), true, PROF_PROBE_STATEMENT);
}
