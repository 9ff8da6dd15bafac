/* The op handlers that watch: each looks for what was not seen yet, and gives its place back to the handler
 * that was there before as soon as nothing is left. */
#include "cover/collect.h"

#include "basics/alloc.h"

#include <stdlib.h>

/* Ops that are watched, by address: open addressing, linear probing. An op that was freed keeps its row until
 * another one at the same address is watched. */
typedef struct row {
    OP *op; /* NULL: free */
    Perl_ppaddr_t original;
    uint32_t point;
    bool is_done; /* nothing is left to see, but another handler took the place of ours and may call it */
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

static OP *see_statement(pTHX);
static OP *see_first(pTHX);
static OP *see_ran(pTHX);
static OP *see_skipped(pTHX);

static bool is_ours(Perl_ppaddr_t handler)
{
    return handler == see_statement || handler == see_first || handler == see_ran || handler == see_skipped;
}

/* Other threads may run the op meanwhile. */
static void set_handler(OP *op, Perl_ppaddr_t handler)
{
    __atomic_store_n(&op->op_ppaddr, handler, __ATOMIC_RELEASE);
}

static void stop(OP *op, row *r)
{
    r->is_done = !is_ours(op->op_ppaddr);
    if (r->is_done)
        return;
    set_handler(op, r->original);
    remove_row(r);
}

/* Returns the handler that the op had before. An op without a row was let go by another thread just now. */
static Perl_ppaddr_t original_of(const OP *op, const row *r)
{
    if (r->op != NULL)
        return r->original;
    return is_ours(op->op_ppaddr) ? PL_ppaddr[op->op_type] : op->op_ppaddr;
}

static OP *see_statement(pTHX)
{
    OP *const op = PL_op;
    const prof_cover_guard guard = prof_cover_lock();
    row *const r = find(op);
    const Perl_ppaddr_t original = original_of(op, r);
    if (r->op != NULL && !r->is_done) {
        prof_point_see(r->point, NYTP_COVER_RAN);
        stop(op, r);
    }
    prof_cover_unlock(&guard);
    return original(aTHX);
}

/* Notes an outcome, and watches the op for the other one alone. */
static void see(OP *op, enum nytp_cover_outcome outcome)
{
    const prof_cover_guard guard = prof_cover_lock();
    row *const r = find(op);
    if (r->op != NULL && !r->is_done) {
        prof_point_see(r->point, outcome);
        if (prof_point_seen(r->point) == (NYTP_COVER_RAN | NYTP_COVER_SKIPPED))
            stop(op, r);
        else if (r->original == usual[op->op_type] && is_ours(op->op_ppaddr))
            set_handler(op, outcome == NYTP_COVER_RAN ? see_skipped : see_ran);
    }
    prof_cover_unlock(&guard);
}

/* The left operand is looked at by perl's handler alone, so an overloaded bool runs as often as without us.
 */
static OP *see_first(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other;
    const prof_cover_guard guard = prof_cover_lock();
    const Perl_ppaddr_t original = original_of(op, find(op));
    prof_cover_unlock(&guard);
    OP *const next = original(aTHX);
    see(op, next == other ? NYTP_COVER_RAN : NYTP_COVER_SKIPPED);
    return next;
}

static OP *see_ran(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other, *const next = usual[op->op_type](aTHX);
    if (next == other)
        see(op, NYTP_COVER_RAN);
    return next;
}

static OP *see_skipped(pTHX)
{
    OP *const op = PL_op, *const other = cLOGOPx(op)->op_other, *const next = usual[op->op_type](aTHX);
    if (next != other)
        see(op, NYTP_COVER_SKIPPED);
    return next;
}

/* The handler for what is not seen of the point; NULL if nothing is left. */
static Perl_ppaddr_t handler_for(const OP *op, uint32_t seen, bool is_statement)
{
    const bool is_usual = usual[op->op_type] == op->op_ppaddr;
    if (is_statement)
        return seen == 0 ? see_statement : NULL;
    switch (seen) {
    case NYTP_COVER_RAN: return is_usual ? see_skipped : see_first;
    case NYTP_COVER_SKIPPED: return is_usual ? see_ran : see_first;
    case NYTP_COVER_RAN | NYTP_COVER_SKIPPED: return NULL;
    default: return see_first;
    }
}

void prof_watch(OP *op, uint32_t point, bool is_statement)
{
    if (watched.rows == NULL || watched.count > watched.mask / 2)
        grow();
    if (usual[op->op_type] == NULL)
        usual[op->op_type] = op->op_ppaddr;
    const Perl_ppaddr_t handler = handler_for(op, prof_point_seen(point), is_statement);
    row *const r = find(op);
    if (handler == NULL)
        return;
    watched.count += r->op == NULL;
    *r = (row){.op = op, .original = op->op_ppaddr, .point = point};
    set_handler(op, handler);
}
