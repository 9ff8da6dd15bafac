/* The op handlers that watch: each looks for what was not seen yet, and gives its place back to the handler
 * that was there before as soon as nothing is left. */
#include "cover/ops.h"

#include "basics/alloc.h"

#include <stdlib.h>

/* Ops that are watched, by address: open addressing, linear probing. An op that was freed keeps its row until
 * another one at the same address is watched. */
typedef struct row {
    OP *op; /* NULL: free */
    Perl_ppaddr_t original;
    uint32_t point;
    uint32_t wanted; /* bits of nytp_cover_outcome */
    bool is_done;    /* nothing is left to see, but another handler took the place of ours and may call it */
} row;

static struct {
    row *rows;
    size_t mask;
    size_t count;
} watched;

static size_t home_of(const OP *op)
{
    return (size_t)(((uint64_t)(uintptr_t)op * UINT64_C(0x9E3779B97F4A7C15)) >> 20) & watched.mask;
}

/* Returns the row of the op, or the free one where it belongs. */
static row *find(const OP *op)
{
    size_t i = home_of(op);
    while (watched.rows[i].op != NULL && watched.rows[i].op != op)
        i = (i + 1) & watched.mask;
    return &watched.rows[i];
}

static void grow(void)
{
    enum { FIRST_ROWS = 1024 };
    row *const before = watched.rows;
    const size_t rows = before != NULL ? watched.mask + 1 : 0, more = rows > 0 ? rows * 2 : FIRST_ROWS;
    watched.rows = prof_alloc(more * sizeof *watched.rows);
    watched.mask = more - 1;
    for (size_t i = 0; i < rows; i++)
        if (before[i].op != NULL)
            *find(before[i].op) = before[i];
    free(before);
}

/* Moves later rows back to the place of one that goes, if they could not have it before. */
static void remove_row(row *r)
{
    size_t hole = (size_t)(r - watched.rows);
    for (size_t i = (hole + 1) & watched.mask; watched.rows[i].op != NULL; i = (i + 1) & watched.mask) {
        const size_t home = home_of(watched.rows[i].op);
        if (((i - home) & watched.mask) >= ((i - hole) & watched.mask)) {
            watched.rows[hole] = watched.rows[i];
            hole = i;
        }
    }
    watched.rows[hole].op = NULL;
    watched.count--;
}

/* What an operator's handler calls that need not look for its row. Another handler that a module has put
 * there for one op alone is found by the row each time. */
static Perl_ppaddr_t usual[MAXO + 1];

/* The op to which an operator has just led without its right operand, if that op is asked for values of right
 * operands. */
static _Thread_local const OP *left_for PROF_TLS_MODEL;

/* Returns the handler for what is wanted; NULL if nothing is. */
static Perl_ppaddr_t handler_for(const OP *op, uint32_t wanted, bool tells, bool is_usual);
static bool is_ours(Perl_ppaddr_t handler);

/* Other threads may run the op meanwhile. */
static void set_handler(OP *op, Perl_ppaddr_t handler)
{
    __atomic_store_n(&op->op_ppaddr, handler, __ATOMIC_RELEASE);
}

/* Returns the op that follows an operator, if it may be one that is asked for values; NULL if not. */
static inline OP *asked_after(OP *next)
{
    next = next_to_run(next);
    return next != NULL && next->op_ppaddr != usual[next->op_type] ? next : NULL;
}

/* Has the op watched for what is still wanted, or lets it go. */
static void watch_on(OP *op, row *r, bool tells)
{
    const bool is_visible = is_ours(op->op_ppaddr),
               is_usual = is_visible && r->original == usual[op->op_type];
    const Perl_ppaddr_t handler = handler_for(op, r->wanted, tells, is_usual);
    r->is_done = handler == NULL && !is_visible;
    if (!is_visible)
        return;
    set_handler(op, handler != NULL ? handler : r->original);
    if (handler == NULL)
        remove_row(r);
}

/* Returns the handler that the op had before. An op without a row was let go by another thread just now. */
static Perl_ppaddr_t original_of(const OP *op, const row *r)
{
    if (r->op != NULL)
        return r->original;
    return is_ours(op->op_ppaddr) ? PL_ppaddr[op->op_type] : op->op_ppaddr;
}

static Perl_ppaddr_t find_original(const OP *op)
{
    const prof_cover_guard guard = prof_cover_lock();
    const Perl_ppaddr_t original = original_of(op, find(op));
    prof_cover_unlock(&guard);
    return original;
}

/* Notes an outcome, 0 for none. Returns the handler that the op had before. */
static Perl_ppaddr_t see(OP *op, uint32_t outcome, bool tells)
{
    const prof_cover_guard guard = prof_cover_lock();
    row *const r = find(op);
    const Perl_ppaddr_t original = original_of(op, r);
    if (r->op != NULL && !r->is_done) {
        if (outcome != 0)
            prof_point_see(r->point, (enum nytp_cover_outcome)outcome);
        r->wanted &= ~outcome;
        watch_on(op, r, tells);
    }
    prof_cover_unlock(&guard);
    return original;
}

static OP *see_statement(pTHX)
{
    return see(PL_op, NYTP_COVER_RAN, false)(aTHX);
}

/* ---- operators ---- */

/* Returns whether an operator has led to the op without its right operand. */
static bool is_left(const OP *op)
{
    if (left_for != op)
        return false;
    left_for = NULL;
    return true;
}

/* Runs an operator. The left operand is looked at by perl's handler alone, so an overloaded bool runs as
 * often as without us. wanted: 0 if nothing is that the row does not say. */
static inline __attribute__((always_inline)) OP *operate(pTHX_ Perl_ppaddr_t original, uint32_t wanted,
                                                         bool tells)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other;
    const bool is_of_left = is_left(op);
    OP *const next = original(aTHX);
    const uint32_t outcome = next == other ? NYTP_COVER_RAN : NYTP_COVER_SKIPPED;
    if ((outcome & wanted) != 0 && !is_of_left)
        see(op, outcome, tells);
    if (tells && next != other)
        left_for = asked_after(next);
    return next;
}

static OP *find_way(pTHX)
{
    return operate(aTHX_ find_original(PL_op), NYTP_COVER_BOTH_WAYS, false);
}

static OP *see_way(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_BOTH_WAYS, false);
}

static OP *see_ran(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_RAN, false);
}

static OP *see_skipped(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_SKIPPED, false);
}

static OP *find_and_tell(pTHX)
{
    return operate(aTHX_ find_original(PL_op), NYTP_COVER_BOTH_WAYS, true);
}

static OP *tell_way(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_BOTH_WAYS, true);
}

static OP *tell_ran(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_RAN, true);
}

static OP *tell_skipped(pTHX)
{
    return operate(aTHX_ usual[PL_op->op_type], NYTP_COVER_SKIPPED, true);
}

/* It has been seen, but not what follows it. */
static OP *tell(pTHX)
{
    OP *const op = PL_op;
    return asked_after(op->op_next) != NULL ? operate(aTHX_ usual[op->op_type], 0, true)
                                            : see(op, 0, true)(aTHX);
}

/* ---- values of right operands ---- */

/* Returns NYTP_COVER_TRUE or NYTP_COVER_FALSE; 0 if magic or an overloaded bool would say it, which must not
 * run for us, or if there is no value. A sub may have to return a list, whose last value counts; without one
 * it is false. */
static uint32_t value_before(pTHX_ const OP *op)
{
    const SSize_t values = PL_stack_sp - PL_stack_base;
    const bool is_sub = op->op_type == OP_LEAVESUB || op->op_type == OP_LEAVESUBLV;
    const SSize_t before = is_sub                     ? (SSize_t)cxstack[cxstack_ix].blk_oldsp
                           : op->op_type == OP_RETURN ? (SSize_t)*PL_markstack_ptr
                                                      : -1;
    if (values <= before)
        return block_gimme() != G_VOID ? NYTP_COVER_FALSE : 0;
    SV *const value = *PL_stack_sp;
    if (SvGMAGICAL(value) || (SvROK(value) && SvAMAGIC(value)))
        return 0;
    return SvROK(value) || SvTRUE_nomg(value) ? NYTP_COVER_TRUE : NYTP_COVER_FALSE;
}

static OP *find_value(pTHX)
{
    OP *const op = PL_op;
    return see(op, is_left(op) ? 0 : value_before(aTHX_ op), false)(aTHX);
}

static inline __attribute__((always_inline)) OP *use_value(pTHX_ uint32_t wanted)
{
    OP *const op = PL_op;
    const uint32_t value = is_left(op) ? 0 : value_before(aTHX_ op);
    if ((value & wanted) != 0)
        see(op, value, false);
    return usual[op->op_type](aTHX);
}

static OP *see_value(pTHX)
{
    return use_value(aTHX_ NYTP_COVER_BOTH_VALUES);
}

static OP *see_true(pTHX)
{
    return use_value(aTHX_ NYTP_COVER_TRUE);
}

static OP *see_false(pTHX)
{
    return use_value(aTHX_ NYTP_COVER_FALSE);
}

/* ---- which handler ---- */

/* A handler for each set of what is still wanted. Tellers are operators that write left_for. The ones that
 * find the row each time are for ops that had another handler than usual. */
static bool is_ours(Perl_ppaddr_t handler)
{
    static const Perl_ppaddr_t ours[] = {see_statement, find_way,  see_way,  see_ran,      see_skipped,
                                         find_and_tell, tell_way,  tell_ran, tell_skipped, tell,
                                         find_value,    see_value, see_true, see_false};
    for (size_t i = 0; i < C_ARRAY_LENGTH(ours); i++)
        if (handler == ours[i])
            return true;
    return false;
}

static Perl_ppaddr_t handler_for(const OP *op, uint32_t wanted, bool tells, bool is_usual)
{
    if (wanted == 0 && !(tells && asked_after(op->op_next) != NULL))
        return NULL;
    if (!is_usual)
        return (wanted & NYTP_COVER_BOTH_VALUES) != 0 ? find_value : tells ? find_and_tell : find_way;
    switch (wanted) {
    case 0: return tell;
    case NYTP_COVER_TRUE: return see_true;
    case NYTP_COVER_FALSE: return see_false;
    case NYTP_COVER_BOTH_VALUES: return see_value;
    case NYTP_COVER_RAN: return tells ? tell_ran : see_ran;
    case NYTP_COVER_SKIPPED: return tells ? tell_skipped : see_skipped;
    default: return tells ? tell_way : see_way;
    }
}

void prof_watch(OP *op, uint32_t point, enum prof_watched what)
{
    static const uint32_t of_what[] = {[PROF_STATEMENT] = NYTP_COVER_RAN,
                                       [PROF_OPERATOR] = NYTP_COVER_BOTH_WAYS,
                                       [PROF_TELLER] = NYTP_COVER_BOTH_WAYS,
                                       [PROF_VALUE] = NYTP_COVER_BOTH_VALUES};
    if (watched.rows == NULL || watched.count > watched.mask / 2)
        grow();
    if (usual[op->op_type] == NULL)
        usual[op->op_type] = op->op_ppaddr;
    const uint32_t wanted = of_what[what] & ~prof_point_seen(point);
    const Perl_ppaddr_t handler = what == PROF_STATEMENT ? (wanted != 0 ? see_statement : NULL)
                                                         : handler_for(op, wanted, what == PROF_TELLER,
                                                                       usual[op->op_type] == op->op_ppaddr);
    row *const r = find(op);
    if (handler == NULL)
        return;
    watched.count += r->op == NULL;
    *r = (row){.op = op, .original = op->op_ppaddr, .point = point, .wanted = wanted};
    set_handler(op, handler);
}
