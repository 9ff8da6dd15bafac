#include "snapshot.h"

#include "structure.h"

#include <stdlib.h>

enum {
    TRIES = 8,             /* to find the innermost stack where it is expected */
    MOST_STACKS = 1000,    /* one within the other */
    MOST_CONTEXTS = 16384, /* of one stack; outer ones are left out */
    MOST_CALLS = 4 * MOST_CONTEXTS,
    MARGIN = 16, /* contexts that may have come since the last time */
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

/* Appends what the contexts of a stack up to one of them say, innermost first, since stacks are found from
 * the innermost on. */
static bool add_stack(record_snapshot *s, const record_layout *l, const stack *st,
                      const unsigned char *contexts, int32_t first, int32_t last)
{
    for (int32_t at = last; at >= first; at--) {
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
    if (last >= 0 && first == 0 && st->type == (int32_t)l->si_type_sort)
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
    return add_stack(s, l, st, s->contexts, first, st->at);
}

/* ---- the innermost stack ---- */

enum { VARIABLES = 4, BLOCK_ROOM = 1024 };

/* Variables that are read as one piece where they are close together, as in a struct interpreter. */
typedef struct group {
    record_piece list[VARIABLES];
    int count;
    record_piece all; /* size 0: they are too far from each other */
    unsigned char block[BLOCK_ROOM];
} group;

static void add_variable(group *g, uint64_t address, size_t size, void *to)
{
    g->list[g->count++] = (record_piece){address, size, to};
}

/* Returns how many pieces it adds. */
static int add_group(group *g, record_piece *pieces)
{
    uint64_t first = UINT64_MAX, end = 0;
    for (int n = 0; n < g->count; n++) {
        const record_piece *one = &g->list[n];
        first = one->address < first ? one->address : first;
        end = one->address + one->size > end ? one->address + one->size : end;
    }
    g->all = (record_piece){first, end - first <= BLOCK_ROOM ? end - first : 0, g->block};
    if (g->all.size == 0)
        memcpy(pieces, g->list, (size_t)g->count * sizeof *pieces);
    else
        pieces[0] = g->all;
    return g->all.size == 0 ? g->count : 1;
}

static void take_group(const group *g)
{
    for (int n = 0; n < g->count && g->all.size > 0; n++)
        memcpy(g->list[n].to, g->block + (g->list[n].address - g->all.address), g->list[n].size);
}

/* What runs, and in which stack. */
typedef struct variables {
    record_running running;
    uint64_t stackinfo;
    group group;
} variables;

static int add_variables(const record_interpreter *i, variables *v, record_piece *pieces)
{
    v->group.count = 0;
    add_variable(&v->group, i->at.op, sizeof v->running.op, &v->running.op);
    add_variable(&v->group, i->at.curcop, sizeof v->running.curcop, &v->running.curcop);
    add_variable(&v->group, i->at.curpad, sizeof v->running.curpad, &v->running.curpad);
    add_variable(&v->group, i->at.curstackinfo, sizeof v->stackinfo, &v->stackinfo);
    return add_group(&v->group, pieces);
}

/* What one system call reads, in this order, so that what may change most is read closest together; the
 * contexts are read between before and after. */
typedef struct reading {
    uint64_t main_root;
    uint32_t cop_seqmax, phase;
    group rare; /* these three */
    unsigned char si[SI_ROOM];
    variables before, after;
    unsigned char si_again[SI_ROOM];
} reading;

static int add_rare(const record_interpreter *i, reading *h, record_piece *pieces)
{
    h->rare.count = 0;
    add_variable(&h->rare, i->at.main_root, sizeof h->main_root, &h->main_root);
    add_variable(&h->rare, i->at.cop_seqmax, sizeof h->cop_seqmax, &h->cop_seqmax);
    add_variable(&h->rare, i->at.phase, sizeof h->phase, &h->phase);
    return add_group(&h->rare, pieces);
}

/* Which contexts of the expected stack are read: from first on, count of them. */
typedef struct range {
    int32_t first;
    size_t count;
} range;

static range expected_range(const record_snapshot *s)
{
    range r = {0};
    if (s->stackinfo == 0)
        return r;
    r.first = s->cxix + 1 > MOST_CONTEXTS ? s->cxix + 1 - MOST_CONTEXTS : 0;
    r.count = (size_t)(s->cxix + 1 - r.first);
    return r;
}

/* RECORD_TORN: what is expected is not there, but the variables could be read. */
static enum record_taken read_all(const record_snapshot *s, const record_interpreter *i, reading *h, range r)
{
    const record_layout *l = &i->layout;
    record_piece pieces[3 * VARIABLES + 3];
    int count = 0;
    if (s->stackinfo != 0) {
        count += add_rare(i, h, pieces);
        pieces[count++] = (record_piece){s->stackinfo, l->si_size, h->si};
        count += add_variables(i, &h->before, pieces + count);
        if (r.count > 0)
            pieces[count++] = (record_piece){s->cxstack + (uint64_t)r.first * l->cx_size,
                                             r.count * l->cx_size, s->contexts};
        count += add_variables(i, &h->after, pieces + count);
        pieces[count++] = (record_piece){s->stackinfo, l->si_size, h->si_again};
        if (record_memory_read_pieces(&i->memory, pieces, count) == count) {
            take_group(&h->rare);
            take_group(&h->before.group);
            take_group(&h->after.group);
            return RECORD_TAKEN;
        }
    }
    count = add_variables(i, &h->after, pieces);
    if (record_memory_read_pieces(&i->memory, pieces, count) != count)
        return RECORD_GONE;
    take_group(&h->after.group);
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

/* Returns the index of the innermost context that was in use when the contexts were read; sure: the lower one
 * of the two that were read before and after. Perl takes the sub out of a context that it removes. */
static int32_t find_last(const record_layout *l, const unsigned char *contexts, range r, int32_t sure)
{
    record_call call;
    int32_t last = sure;
    for (int32_t at = r.first; at < r.first + (int32_t)r.count; at++) {
        if (!parse_context(l, contexts + (size_t)(at - r.first) * l->cx_size, &call) ||
            !record_call_has_sub(&call))
            continue;
        if (call.cv == 0)
            return at <= sure ? at - 1 : last;
        if (at > sure)
            last = at;
    }
    return last;
}

/* The statement of the last call from the innermost context, which has ended; 0: there is none. */
static uint64_t find_last_call(const record_layout *l, const unsigned char *contexts, range r, int32_t last)
{
    record_call call;
    for (int32_t at = last + 1; at < r.first + (int32_t)r.count; at++)
        if (parse_context(l, contexts + (size_t)(at - r.first) * l->cx_size, &call) &&
            record_call_has_sub(&call))
            return call.cop;
    return 0;
}

static size_t count_calls(const record_layout *l, const unsigned char *contexts, range r, int32_t from,
                          int32_t last)
{
    record_call call;
    size_t count = 0;
    for (int32_t at = from; at <= last; at++)
        count += parse_context(l, contexts + (size_t)(at - r.first) * l->cx_size, &call);
    return count;
}

static void take_variables(record_snapshot *s, const reading *h)
{
    s->before = h->before.running;
    s->after = h->after.running;
    s->cop_seqmax = h->cop_seqmax;
    s->main_root = h->main_root;
    s->phase = h->phase;
}

/* Whether the stack that was read is the innermost one, and nothing of it was left out. */
static bool is_expected(const record_snapshot *s, const reading *h, range r, const stack *before,
                        const stack *after)
{
    return (h->before.stackinfo == s->stackinfo || h->after.stackinfo == s->stackinfo) &&
           is_possible(before) && is_possible(after) && before->contexts == s->cxstack &&
           after->contexts == s->cxstack && before->previous == after->previous && before->at <= s->cxix &&
           after->at <= s->cxix && (r.first == 0 || (before->at >= r.first && after->at >= r.first));
}

static bool take_reading(record_snapshot *s, const record_layout *l, const reading *h, range r,
                         const stack *before, const stack *after)
{
    int32_t sure = before->at < after->at ? before->at : after->at;
    int32_t last = find_last(l, s->contexts, r, sure);
    take_variables(s, h);
    s->steady =
        before->at == after->at && last == before->at && h->before.running.op == h->after.running.op &&
        h->before.running.curcop == h->after.running.curcop && h->before.stackinfo == h->after.stackinfo;
    s->last_call = find_last_call(l, s->contexts, r, last);
    s->unsure = count_calls(l, s->contexts, r, sure + 1, last);
    if (s->cxix - before->at < MARGIN / 2 || s->cxix - before->at > MARGIN * 2)
        s->cxix = with_margin(before);
    s->count = 0;
    s->cut = false;
    return add_stack(s, l, before, s->contexts, r.first, last);
}

/* Reads the innermost stack. RECORD_TORN: it was not where it was expected, but is expected next. */
static enum record_taken read_inner(record_snapshot *s, const record_interpreter *i, stack *st)
{
    reading h;
    stack after;
    range r = expected_range(s);
    if (!make_room(s, r.count + 1, i->layout.cx_size))
        return RECORD_GONE;
    enum record_taken taken = read_all(s, i, &h, r);
    if (taken == RECORD_GONE)
        return taken;
    if (taken == RECORD_TAKEN) {
        parse_stack(&i->layout, h.si, st);
        parse_stack(&i->layout, h.si_again, &after);
        if (is_expected(s, &h, r, st, &after))
            return take_reading(s, &i->layout, &h, r, st, &after) ? RECORD_TAKEN : RECORD_GONE;
    }
    expect(s, i, h.after.stackinfo);
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
        if (stacks == MOST_STACKS || s->count > MOST_CALLS) {
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
        s->sure = s->count - s->unsure;
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
