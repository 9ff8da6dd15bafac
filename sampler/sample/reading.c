#include "sampler/sample/snapshot.h"

#include <string.h>

enum {
    VARIABLES = 5,
    BLOCK_ROOM = 1024,
    PIECES = 3 * VARIABLES + 2 * SAMPLER_STACKS + 1,
    NEAR = 128, /* bytes of the stack of values that are read before and after its expected end */
    PAGE = 4096,
};

/* Variables that are read as one piece where they are close together, as in a struct interpreter. */
typedef struct group {
    sampler_piece list[VARIABLES];
    int count;
    sampler_piece all; /* size 0: they are too far from each other */
    unsigned char block[BLOCK_ROOM];
} group;

static void add_variable(group *g, uint64_t address, size_t size, void *to)
{
    g->list[g->count++] = (sampler_piece){address, size, to};
}

/* Returns how many pieces it adds. */
static int add_group(group *g, sampler_piece *pieces)
{
    uint64_t first = UINT64_MAX, end = 0;
    for (int n = 0; n < g->count; n++) {
        const sampler_piece *one = &g->list[n];
        first = one->address < first ? one->address : first;
        end = one->address + one->size > end ? one->address + one->size : end;
    }
    g->all = (sampler_piece){first, end - first <= BLOCK_ROOM ? end - first : 0, g->block};
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

static int add_moment(const sampler_interpreter *i, sampler_moment *m, group *g, sampler_piece *pieces)
{
    g->count = 0;
    add_variable(g, i->at.op, sizeof m->running.op, &m->running.op);
    add_variable(g, i->at.curcop, sizeof m->running.curcop, &m->running.curcop);
    add_variable(g, i->at.curpad, sizeof m->running.curpad, &m->running.curpad);
    add_variable(g, i->at.curstackinfo, sizeof m->stackinfo, &m->stackinfo);
    m->running.stack_sp = m->running.callee = 0;
    if (i->at.stack_sp != 0)
        add_variable(g, i->at.stack_sp, sizeof m->running.stack_sp, &m->running.stack_sp);
    return add_group(g, pieces);
}

static int add_rest(const sampler_interpreter *i, sampler_reading *r, group *g, sampler_piece *pieces)
{
    g->count = 0;
    add_variable(g, i->at.main_root, sizeof r->main_root, &r->main_root);
    add_variable(g, i->at.cop_seqmax, sizeof r->cop_seqmax, &r->cop_seqmax);
    return add_group(g, pieces);
}

/* Values around the expected end of the stack: within one page, since the next one may not be there. */
typedef struct values {
    sampler_piece piece; /* size 0: nothing is expected */
    unsigned char bytes[2 * NEAR];
} values;

/* Returns how many pieces it adds. */
static int add_values(values *v, uint64_t stack_sp, sampler_piece *pieces)
{
    v->piece = (sampler_piece){0};
    if (stack_sp == 0)
        return 0;
    uint64_t page = stack_sp - stack_sp % PAGE;
    uint64_t first = stack_sp - page > NEAR ? stack_sp - NEAR : page;
    uint64_t end = page + PAGE - stack_sp > NEAR ? stack_sp + NEAR : page + PAGE;
    v->piece = (sampler_piece){first, end - first, v->bytes};
    pieces[0] = v->piece;
    return 1;
}

static void take_callee(const values *v, sampler_running *running)
{
    uint64_t offset = running->stack_sp + sizeof running->callee - v->piece.address;
    if (running->stack_sp != 0 && offset < v->piece.size && v->piece.size - offset >= sizeof running->callee)
        memcpy(&running->callee, v->bytes + offset, sizeof running->callee);
}

typedef unsigned char stackinfos[SAMPLER_STACKS][SAMPLER_SI_ROOM];

static int add_stackinfos(const sampler_interpreter *i, const sampler_expected *expected, int count,
                          stackinfos to, sampler_piece *pieces)
{
    for (int n = 0; n < count; n++)
        pieces[n] = (sampler_piece){expected[n].address, i->layout.si_size, to[n]};
    return count;
}

static int add_contexts(const sampler_interpreter *i, sampler_reading *r, const sampler_expected *expected,
                        int count, unsigned char *bytes, sampler_piece *pieces)
{
    size_t size = i->layout.cx_size;
    int added = 0;
    for (int n = count - 1; n >= 0; n--) {
        const sampler_expected *e = &expected[n];
        size_t length = (size_t)(e->end - e->first) * size;
        r->contexts[n] = bytes;
        if (length > 0)
            pieces[added++] = (sampler_piece){e->contexts + (uint64_t)e->first * size, length, bytes};
        bytes += length;
    }
    return added;
}

/* What runs is read first. Perl is slowed down when it writes to memory that another processor has just read,
 * so what is read later would show some code too often. The contexts follow at once, those of the innermost
 * stack first: less of them has changed then. */
static bool read_all(sampler_reading *r, const sampler_interpreter *i, const sampler_expected *expected,
                     int count, uint64_t stack_sp, unsigned char *bytes)
{
    group rest, before, after;
    values near_end;
    stackinfos infos;
    sampler_piece pieces[PIECES];
    int added = add_moment(i, &r->before, &before, pieces);
    added += add_values(&near_end, stack_sp, pieces + added);
    added += add_contexts(i, r, expected, count, bytes, pieces + added);
    added += add_moment(i, &r->after, &after, pieces + added);
    added += add_stackinfos(i, expected, count, infos, pieces + added);
    added += add_rest(i, r, &rest, pieces + added);
    if (sampler_memory_read_pieces(&i->memory, pieces, added) != added)
        return false;
    take_group(&before);
    take_group(&after);
    take_group(&rest);
    take_callee(&near_end, &r->before.running);
    for (int n = 0; n < count; n++)
        r->stacks[n] = sampler_stackinfo_parse(&i->layout, infos[n]);
    return true;
}

enum sampler_taken sampler_reading_take(sampler_reading *r, const sampler_interpreter *i,
                                        const sampler_expected *expected, int count, uint64_t stack_sp,
                                        unsigned char *bytes)
{
    group before;
    sampler_piece pieces[VARIABLES];
    if (count > 0 && read_all(r, i, expected, count, stack_sp, bytes))
        return SAMPLER_TAKEN;
    int added = add_moment(i, &r->before, &before, pieces);
    if (sampler_memory_read_pieces(&i->memory, pieces, added) != added)
        return SAMPLER_GONE;
    take_group(&before);
    return SAMPLER_TORN;
}
