/* Finds what can run in a tree of ops that perl has optimized. It leaves out ops whose work it can do
 * without, also those that begin statements. A statement whose op is gone is seen by the first of its ops
 * that runs. */
#include "cover/ops.h"

#include "basics/alloc.h"

#include <stdlib.h>

/* A block that the walk is in. */
typedef struct cover_block {
    const OP *of;
    uint32_t line;        /* of the statement that the walk is in */
    prof_cover_text text; /* 0: it is not recorded */
    uint32_t statement;   /* its site + 1; 0: none */
    uint32_t with_ops;    /* the same of the last one that has ops */
    uint32_t waiting;     /* the same of one without ops, which runs with the next one, or, at the end of the
                             block, with the last one that has some */
    PADOFFSET pads,
        pads_end;     /* the variables that a statement of this block makes for some of those after it */
    uint32_t pads_by; /* its site */
} cover_block;

typedef struct awaited {
    const OP *op;
    uint32_t site;
} awaited;

typedef struct walk {
    const prof_cover_begins *begins;
    uint32_t begin_at;
    prof_cover_sites *sites;
    cover_block *blocks;
    uint32_t block_count, block_cap;
    uint32_t last;    /* the site + 1 of the last statement; 0: none */
    awaited *awaited; /* ops that show statements and that the walk has not reached */
    uint32_t awaited_count, awaited_cap;
} walk;

static void make_alias(walk *w, uint32_t site, uint32_t of)
{
    w->sites->of[site].op = NULL;
    w->sites->of[site].point.of = of;
}

static void leave_block(walk *w)
{
    const cover_block *b = &w->blocks[--w->block_count];
    if (b->waiting != 0 && b->with_ops != 0)
        make_alias(w, b->waiting - 1, b->with_ops - 1);
}

/* Goes to the next op, and out of the blocks that end before it. */
static OP *next_op(walk *w, OP *o, const OP *root)
{
    OP *const next = prof_next_op(o, root);
    if (first_kid(o) != NULL)
        return next;
    for (const OP *ended = o; ended != root && !OpHAS_SIBLING(ended);) {
        ended = ended->op_sibparent;
        if (w->block_count > 0 && w->blocks[w->block_count - 1].of == ended)
            leave_block(w);
    }
    return next;
}

static uint32_t add_site(walk *w, OP *op, enum nytp_cover_op kind)
{
    const cover_block *b = &w->blocks[w->block_count - 1];
    w->sites->of = prof_grow(w->sites->of, &w->sites->cap, w->sites->count, sizeof *w->sites->of);
    w->sites->of[w->sites->count] =
        (prof_cover_site){.op = op, .text = b->text, .point = {.op = kind, .line = b->line, .of = -1}};
    return w->sites->count++;
}

static void await(walk *w, const OP *op, uint32_t site)
{
    w->awaited = prof_grow(w->awaited, &w->awaited_cap, w->awaited_count, sizeof *w->awaited);
    w->awaited[w->awaited_count++] = (awaited){op, site};
}

/* Returns the site that waits for the op; -1 if none does. */
static int64_t awaited_at(const walk *w, const OP *op)
{
    for (uint32_t i = w->awaited_count; i-- > 0;)
        if (w->awaited[i].op == op)
            return i;
    return -1;
}

/* Returns whether the statement only declares variables that one before it has made with its own. */
static bool is_made_before(const cover_block *b, const OP *statement)
{
    const OP *o = statement;
    while (o != NULL && (o->op_type == OP_NULL || o->op_type == OP_LIST || o->op_type == OP_PUSHMARK ||
                         o->op_type == OP_PADRANGE))
        o = first_kid(o) != NULL ? first_kid(o) : OpSIBLING(o);
    if (o == NULL || b->pads == b->pads_end || (o->op_private & OPpLVAL_INTRO) == 0)
        return false;
    return (o->op_type == OP_PADSV || o->op_type == OP_PADAV || o->op_type == OP_PADHV) &&
           o->op_targ >= b->pads && o->op_targ < b->pads_end;
}

/* A PADRANGE makes the variables of its own statement, and of those right after it that only declare some. */
static void note_pads(walk *w, const OP *o)
{
    cover_block *b = &w->blocks[w->block_count - 1];
    if (b->statement == 0 || (o->op_private & OPpLVAL_INTRO) == 0)
        return;
    const PADOFFSET end = o->op_targ + (PADOFFSET)(o->op_private & OPpPADRANGE_COUNTMASK);
    if (b->pads < b->pads_end && o->op_targ >= b->pads && o->op_targ < b->pads_end)
        return;
    b->pads = o->op_targ;
    b->pads_end = end;
    b->pads_by = b->statement - 1;
}

/* Returns the begin as it was parsed; they are in the order of the walk. NULL if it was not there then. */
static const prof_cover_begin *begin_at(const walk *w, const OP *o)
{
    for (uint32_t i = w->begin_at; i < w->begins->count; i++)
        if (w->begins->of[i].op == o)
            return &w->begins->of[i];
    return NULL;
}

/* Adds the statements up to a begin that perl has made one with the last: `my $x; my $y;`. */
static void add_joined(walk *w, uint32_t end)
{
    for (; w->begin_at < end; w->begin_at++) {
        if (w->last == 0)
            continue;
        const uint32_t site = add_site(w, NULL, NYTP_COVER_STATEMENT);
        w->sites->of[site].text = w->begins->of[w->begin_at].text;
        w->sites->of[site].point.line = w->begins->of[w->begin_at].line;
        make_alias(w, site, w->last - 1);
    }
}

static void set_line(walk *w, const OP *o)
{
    cover_block *b = &w->blocks[w->block_count - 1];
    const prof_cover_begin *parsed = begin_at(w, o);
    if (parsed == NULL) {
        b->line = CopLINE(cCOPx(o));
        return;
    }
    add_joined(w, (uint32_t)(parsed - w->begins->of));
    w->begin_at++;
    b->line = parsed->line;
    b->text = parsed->text;
}

/* The statement at a begin that perl has left out. */
static uint32_t add_former(walk *w, OP *statement)
{
    OP *const op = first_to_run(statement);
    const uint32_t site = add_site(w, op, NYTP_COVER_STATEMENT);
    const int64_t same = op != NULL ? awaited_at(w, op) : -1;
    if (same >= 0)
        make_alias(w, site, w->awaited[same].site);
    else if (op != NULL)
        await(w, op, site);
    return site;
}

static void visit_begin(walk *w, OP *o)
{
    OP *const statement = OpSIBLING(o);
    set_line(w, o);
    cover_block *const b = &w->blocks[w->block_count - 1];
    const bool is_former = is_former_begin(o);
    if (statement != NULL ? is_begin(statement) || is_former_begin(statement) : is_former)
        return; /* an empty statement */
    uint32_t site;
    if (is_former) {
        site = add_former(w, statement);
    } else {
        site = add_site(w, o, NYTP_COVER_STATEMENT);
        if (statement != NULL && is_made_before(b, statement))
            make_alias(w, site, b->pads_by);
    }
    if (b->waiting != 0)
        make_alias(w, b->waiting - 1, site);
    const bool waits = w->sites->of[site].op == NULL && w->sites->of[site].point.of < 0;
    b->waiting = waits ? site + 1 : 0;
    b->with_ops = waits ? b->with_ops : site + 1;
    b->statement = w->last = site + 1;
}

/* The condition of an elsif begins like a statement, on a line of its own. */
static uint32_t line_of_operator(const walk *w, const OP *o)
{
    const OP *left = first_kid(o);
    while (left != NULL && is_idle(left) && !is_former_begin(left))
        left = first_kid(left);
    const prof_cover_begin *own =
        left != NULL && (is_begin(left) || is_former_begin(left)) ? begin_at(w, left) : NULL;
    return own != NULL ? own->line : w->blocks[w->block_count - 1].line;
}

/* If both ways lead to the same op, nothing shows which one it was. */
static void visit_operator(walk *w, OP *o, enum nytp_cover_op kind, int64_t statement)
{
    if (cLOGOPx(o)->op_other == o->op_next || w->blocks[w->block_count - 1].text == 0)
        return;
    const uint32_t site = add_site(w, o, kind);
    w->sites->of[site].point.want = want_of(o);
    w->sites->of[site].point.line = line_of_operator(w, o);
    if (statement >= 0)
        make_alias(w, (uint32_t)statement, site);
}

static void visit(walk *w, OP *o)
{
    const enum nytp_cover_op kind = operator_of(o);
    const int64_t found = awaited_at(w, o);
    const int64_t statement = found >= 0 ? (int64_t)w->awaited[found].site : -1;
    if (found >= 0)
        w->awaited[found] = w->awaited[--w->awaited_count];
    if (is_begin(o) || is_former_begin(o))
        visit_begin(w, o);
    else if (kind != NYTP_COVER_STATEMENT)
        visit_operator(w, o, kind, statement);
    else if (o->op_type == OP_PADRANGE)
        note_pads(w, o);
}

/* A block begins: statements in it follow one another, and the one around it goes on after it. */
static void enter_block(walk *w, const OP *of)
{
    const cover_block *around = w->block_count > 0 ? &w->blocks[w->block_count - 1] : NULL;
    const cover_block b = {.of = of,
                           .line = around != NULL ? around->line : 0,
                           .text = around != NULL ? around->text : w->begins->text};
    w->blocks = prof_grow(w->blocks, &w->block_cap, w->block_count, sizeof *w->blocks);
    w->blocks[w->block_count++] = b;
}

static bool has_statements(const OP *o)
{
    for (const OP *kid = first_kid(o); kid != NULL; kid = OpSIBLING(kid))
        if (is_begin(kid) || is_former_begin(kid))
            return true;
        else if (kid->op_type != OP_ENTER && kid->op_type != OP_ENTERTRY && kid->op_type != OP_ENTERLOOP)
            return false;
    return false;
}

static void find_sites(walk *w, OP *root)
{
    if (w->block_count == 0)
        enter_block(w, NULL);
    for (OP *o = root; o != NULL; o = next_op(w, o, root)) {
        OP *aside = tree_aside(o);
        if (aside != NULL) {
            enter_block(w, NULL);
            const uint32_t depth = w->block_count;
            find_sites(w, aside);
            while (w->block_count >= depth)
                leave_block(w);
        }
        visit(w, o);
        if (has_statements(o))
            enter_block(w, o);
    }
}

void prof_sites_find(OP *root, const prof_cover_begins *begins, prof_cover_sites *sites)
{
    walk w = {.begins = begins, .sites = sites};
    find_sites(&w, root);
    while (w.block_count > 0)
        leave_block(&w);
    add_joined(&w, begins->count);
    free(w.blocks);
    free(w.awaited);
}
