#include "snapshot.h"

#include "structure.h"

#include <stdlib.h>

enum {
    TRIES = 8,             /* to find the innermost stack where it is expected */
    MOST_STACKS = 1000,    /* one within the other */
    MOST_CONTEXTS = 16384, /* of one stack; outer ones are left out */
    MARGIN = 16,           /* contexts that may have come since the last time */
    COMPARED = 8,          /* innermost contexts that are read twice */
    SI_ROOM = 4096,
};

/* A stack: struct stackinfo. */
typedef struct stack {
    uint64_t av, contexts, previous;
    int32_t at, most, type;
} stack;

static void parse_stack(const record_layout *l, const unsigned char *si, stack *s)
{
    *s = (stack){record_u64(si + l->si_stack), record_u64(si + l->si_cxstack), record_u64(si + l->si_prev),
                 record_i32(si + l->si_cxix),  record_i32(si + l->si_cxmax),   record_i32(si + l->si_type)};
}

static bool is_possible(const stack *s)
{
    enum { MOST_INDEX = 100 * 1000 * 1000 };
    return s->at >= -1 && s->at <= s->most && s->most < MOST_INDEX && (s->at < 0 || s->contexts != 0);
}

static bool make_room(record_snapshot *s, size_t contexts, size_t size)
{
    if (contexts * size <= s->contexts_room)
        return true;
    unsigned char *grown = realloc(s->contexts, contexts * size * 2);
    if (grown == NULL)
        return false;
    s->contexts = grown;
    s->contexts_room = contexts * size * 2;
    return true;
}

static record_call *add_call(record_snapshot *s)
{
    if (s->count == s->room) {
        size_t room = s->room * 2 + 64;
        record_call *grown = realloc(s->calls, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        s->calls = grown;
        s->room = room;
    }
    record_call *call = &s->calls[s->count++];
    memset(call, 0, sizeof *call);
    return call;
}

/* ---- contexts ---- */

/* A context as a call; false: it is a block, a loop or the like. What caller() leaves out is left out here,
 * too. */
static bool parse_context(const record_layout *l, const unsigned char *cx, record_call *call)
{
    uint32_t kind = cx[l->cx_kind] & l->cx_kind_mask, flags = cx[l->cx_kind] & ~l->cx_kind_mask;
    memset(call, 0, sizeof *call);
    if ((kind == l->cx_kind_sub && (flags & l->cx_flag_in_regex) != 0) ||
        (kind == l->cx_kind_eval && (flags & l->cx_flag_try) != 0))
        return false;
    if (kind == l->cx_kind_sub) {
        call->kind = RECORD_CALL_SUB;
        call->cv = record_u64(cx + l->cx_sub_cv);
        call->depth = record_i32(cx + l->cx_sub_olddepth);
        call->has_args = (flags & l->cx_flag_hasargs) != 0;
    } else if (kind == l->cx_kind_format) {
        call->kind = RECORD_CALL_FORMAT;
        call->cv = record_u64(cx + l->cx_format_cv);
    } else if (kind == l->cx_kind_eval) {
        call->kind = RECORD_CALL_EVAL;
        call->eval_op = (uint16_t)(record_u16(cx + l->cx_u16) >> l->cx_u16_op_shift);
        call->namesv = record_u64(cx + l->cx_eval_namesv);
    } else {
        return false;
    }
    call->cop = record_u64(cx + l->cx_oldcop);
    return true;
}

/* Appends what a stack's contexts say, innermost first, since stacks are found from the innermost on. */
static bool add_stack(record_snapshot *s, const record_layout *l, const stack *st,
                      const unsigned char *contexts, int32_t first)
{
    for (int32_t at = st->at; at >= first; at--) {
        record_call call, *added;
        if (!parse_context(l, contexts + (size_t)(at - first) * l->cx_size, &call))
            continue;
        if ((added = add_call(s)) == NULL)
            return false;
        *added = call;
    }
    record_call *begin = add_call(s);
    if (begin == NULL)
        return false;
    begin->kind = RECORD_CALL_STACK;
    begin->stack_type = st->type;
    if (st->at >= 0 && first == 0 && st->type == (int32_t)l->si_type_sort)
        begin->cop = record_u64(contexts + l->cx_oldcop);
    if (first > 0)
        s->cut = true;
    return true;
}

static int32_t first_wanted(const stack *st)
{
    return st->at + 1 > MOST_CONTEXTS ? st->at + 1 - MOST_CONTEXTS : 0;
}

static bool read_outer_stack(record_snapshot *s, const record_interpreter *i, uint64_t address, stack *st)
{
    const record_layout *l = &i->layout;
    unsigned char si[SI_ROOM];
    if (!record_memory_read(&i->memory, address, si, l->si_size))
        return false;
    parse_stack(l, si, st);
    if (!is_possible(st))
        return false;
    int32_t first = first_wanted(st);
    size_t contexts = (size_t)(st->at + 1 - first);
    if (!make_room(s, contexts, l->cx_size) ||
        (contexts > 0 && !record_memory_read(&i->memory, st->contexts + (uint64_t)first * l->cx_size,
                                             s->contexts, contexts * l->cx_size)))
        return false;
    return add_stack(s, l, st, s->contexts, first);
}

/* ---- the innermost stack ---- */

enum { VARIABLES = 4, BLOCK_ROOM = 1024 };

/* What one system call reads, in this order: the stack that was innermost the last time, its contexts, what
 * runs, and stack and innermost contexts again, so that one can see whether they stayed. */
typedef struct heart {
    uint32_t phase;
    uint64_t main_root;
    unsigned char si[SI_ROOM];
    union {
        struct {
            uint64_t op, curcop, curpad, stackinfo;
        };
        unsigned char block[BLOCK_ROOM];
    };
    unsigned char si_again[SI_ROOM];
} heart;

/* The variables are close together in a struct interpreter: one piece. */
static int add_variables(const record_interpreter *i, heart *h, record_piece *pieces)
{
    const record_layout *l = &i->layout;
    if (i->address != 0 && l->interp_curstackinfo + sizeof(uint64_t) <= BLOCK_ROOM) {
        pieces[0] = (record_piece){i->address, l->interp_curstackinfo + sizeof(uint64_t), h->block};
        return 1;
    }
    pieces[0] = (record_piece){i->at.op, sizeof h->op, &h->op};
    pieces[1] = (record_piece){i->at.curcop, sizeof h->curcop, &h->curcop};
    pieces[2] = (record_piece){i->at.curpad, sizeof h->curpad, &h->curpad};
    pieces[3] = (record_piece){i->at.curstackinfo, sizeof h->stackinfo, &h->stackinfo};
    return VARIABLES;
}

static void parse_variables(const record_interpreter *i, heart *h)
{
    const record_layout *l = &i->layout;
    if (i->address == 0 || l->interp_curstackinfo + sizeof(uint64_t) > BLOCK_ROOM)
        return;
    uint64_t op = record_u64(h->block + l->interp_op), curcop = record_u64(h->block + l->interp_curcop);
    uint64_t curpad = record_u64(h->block + l->interp_curpad);
    h->stackinfo = record_u64(h->block + l->interp_curstackinfo);
    h->op = op;
    h->curcop = curcop;
    h->curpad = curpad;
}

/* Which contexts of the expected stack are read: from first on, count of them, the last few twice. */
typedef struct range {
    int32_t first, from_again;
    size_t count, again;
} range;

static range expected_range(const record_snapshot *s)
{
    range r = {0};
    if (s->stackinfo == 0)
        return r;
    r.first = s->cxix + 1 > MOST_CONTEXTS ? s->cxix + 1 - MOST_CONTEXTS : 0;
    r.count = (size_t)(s->cxix + 1 - r.first);
    r.again = r.count < COMPARED + MARGIN ? r.count : COMPARED + MARGIN;
    r.from_again = s->cxix + 1 - (int32_t)r.again;
    return r;
}

/* RECORD_TORN: what is expected is not there, but the variables could be read. */
static enum record_taken read_heart(const record_snapshot *s, const record_interpreter *i, heart *h, range r,
                                    unsigned char *again)
{
    const record_layout *l = &i->layout;
    record_piece pieces[VARIABLES + 6];
    int count = 0;
    if (s->stackinfo != 0) {
        pieces[count++] = (record_piece){i->at.phase, sizeof h->phase, &h->phase};
        pieces[count++] = (record_piece){i->at.main_root, sizeof h->main_root, &h->main_root};
        pieces[count++] = (record_piece){s->stackinfo, l->si_size, h->si};
        if (r.count > 0)
            pieces[count++] = (record_piece){s->cxstack + (uint64_t)r.first * l->cx_size,
                                             r.count * l->cx_size, s->contexts};
        count += add_variables(i, h, pieces + count);
        pieces[count++] = (record_piece){s->stackinfo, l->si_size, h->si_again};
        if (r.again > 0)
            pieces[count++] =
                (record_piece){s->cxstack + (uint64_t)r.from_again * l->cx_size, r.again * l->cx_size, again};
        if (record_memory_read_pieces(&i->memory, pieces, count) == count) {
            parse_variables(i, h);
            return RECORD_TAKEN;
        }
    }
    count = add_variables(i, h, pieces);
    if (record_memory_read_pieces(&i->memory, pieces, count) != count)
        return RECORD_GONE;
    parse_variables(i, h);
    return RECORD_TORN;
}

static int32_t with_margin(const stack *st)
{
    return st->most - st->at > MARGIN ? st->at + MARGIN : st->most;
}

/* Has the next reading look for the stack at an address. */
static void expect(record_snapshot *s, const record_interpreter *i, uint64_t stackinfo)
{
    unsigned char si[SI_ROOM];
    stack st;
    s->stackinfo = 0;
    if (stackinfo == 0 || !record_memory_read(&i->memory, stackinfo, si, i->layout.si_size))
        return;
    parse_stack(&i->layout, si, &st);
    if (!is_possible(&st))
        return;
    s->stackinfo = stackinfo;
    s->cxstack = st.contexts;
    s->cxix = with_margin(&st);
}

/* Whether the innermost calls are the same in both readings. Loops may have gone on, so not all bytes need
 * be. */
static bool same_calls(const record_layout *l, const unsigned char *a, const unsigned char *b, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        record_call left, right;
        bool is_call = parse_context(l, a + n * l->cx_size, &left);
        if (is_call != parse_context(l, b + n * l->cx_size, &right) ||
            (is_call && (left.kind != right.kind || left.cv != right.cv || left.cop != right.cop)))
            return false;
    }
    return true;
}

static bool stayed(const record_snapshot *s, const record_layout *l, const heart *h, const stack *st, range r,
                   const unsigned char *again)
{
    stack after;
    parse_stack(l, h->si_again, &after);
    return after.contexts == st->contexts && after.at == st->at && after.previous == st->previous &&
           (st->at < 0 || (st->at >= r.from_again &&
                           same_calls(l, s->contexts + (size_t)(r.from_again - r.first) * l->cx_size, again,
                                      (size_t)(st->at + 1 - r.from_again))));
}

/* Reads the innermost stack. RECORD_TORN: it was not where it was expected, but is expected next. */
static enum record_taken read_inner(record_snapshot *s, const record_interpreter *i, stack *st)
{
    const record_layout *l = &i->layout;
    heart h;
    range r = expected_range(s);
    if (!make_room(s, r.count + r.again + 1, l->cx_size))
        return RECORD_GONE;
    unsigned char *again = s->contexts + r.count * l->cx_size;
    enum record_taken taken = read_heart(s, i, &h, r, again);
    if (taken == RECORD_GONE)
        return taken;
    if (taken == RECORD_TAKEN && h.stackinfo == s->stackinfo) {
        parse_stack(l, h.si, st);
        if (is_possible(st) && st->contexts == s->cxstack && st->at <= s->cxix) {
            s->op = h.op;
            s->curcop = h.curcop;
            s->curpad = h.curpad;
            s->main_root = h.main_root;
            s->phase = h.phase;
            s->steady = stayed(s, l, &h, st, r, again);
            if (st->at < r.from_again)
                s->cxix = with_margin(st);
            s->count = 0;
            s->cut = false;
            return add_stack(s, l, st, s->contexts, r.first) ? RECORD_TAKEN : RECORD_GONE;
        }
    }
    expect(s, i, h.stackinfo);
    return RECORD_TORN;
}

static void turn_over(record_snapshot *s)
{
    for (size_t a = 0, b = s->count; a + 1 < b; a++, b--) {
        record_call call = s->calls[a];
        s->calls[a] = s->calls[b - 1];
        s->calls[b - 1] = call;
    }
}

static bool read_outer_stacks(record_snapshot *s, const record_interpreter *i, uint64_t address)
{
    stack st;
    for (int stacks = 0; address != 0; stacks++, address = st.previous) {
        if (stacks == MOST_STACKS) {
            s->cut = true;
            return true;
        }
        if (!read_outer_stack(s, i, address, &st))
            return false;
    }
    return true;
}

enum record_taken record_snapshot_take(record_snapshot *s, const record_interpreter *i)
{
    stack st;
    for (int tries = 0; tries < TRIES; tries++) {
        enum record_taken taken = read_inner(s, i, &st);
        if (taken == RECORD_GONE)
            return taken;
        if (taken == RECORD_TORN || !read_outer_stacks(s, i, st.previous))
            continue;
        turn_over(s);
        return RECORD_TAKEN;
    }
    return RECORD_TORN;
}

void record_snapshot_clear(record_snapshot *s)
{
    free(s->calls);
    free(s->contexts);
    memset(s, 0, sizeof *s);
}
