#include "sampler/sample/snapshot.h"

#include "base/hash.h"

#include <glib.h>
#include <string.h>

enum { PIECES = 4 /* of each call: the statement, head and body of the sub, and its first statement */ };

static void make_room(sampler_prefetch *b, const sampler_layout *l, size_t calls)
{
    if (calls <= b->room)
        return;
    size_t bytes = (size_t)l->cop_size * 2 + l->sv_size + l->xpvcv_size; /* of one call's pieces */
    b->room = calls * 2;
    b->calls = g_renew(sampler_call_bytes, b->calls, b->room);
    b->pieces = g_renew(sampler_piece, b->pieces, b->room * PIECES);
    b->bytes = g_realloc_n(b->bytes, b->room, bytes);
}

/* Pieces that are to be read, one after the other, into bytes. */
typedef struct filling {
    sampler_piece *pieces;
    int count;
    unsigned char *to;
} filling;

static unsigned char *add_piece(filling *f, uint64_t address, size_t size)
{
    unsigned char *to = f->to;
    f->pieces[f->count++] = (sampler_piece){address, size, to};
    f->to += size;
    return to;
}

/* Adds the bytes of a statement to what is read, unless it was read since perl compiled something last, or
 * was found in code that is read: it has not changed then, if that code has not. */
static unsigned char *add_statement(sampler_prefetch *b, filling *f, const sampler_lookup *at,
                                    uint64_t address, const sampler_sub *around)
{
    sampler_statement *known = address != 0 ? sampler_statements_known(at->statements, address) : NULL;
    if (address == 0 ||
        (known != NULL && (known->planned == at->generation || known->checked >= b->valid_from ||
                           (around != NULL && sampler_codeid_is(known->within, around->code)))))
        return NULL;
    if (known != NULL)
        known->planned = at->generation;
    return add_piece(f, address, at->i->layout.cop_size);
}

/* Adds the pieces of a known sub; a sub that is not known is read when it is looked up. A short-lived one may
 * be replaced at any time, others only when perl compiles something. Returns the known sub, or NULL if it
 * is not known, or is short-lived, so its code may have changed although its sequence number did not. */
static const sampler_sub *add_sub(sampler_prefetch *b, filling *f, const sampler_lookup *at, uint64_t address,
                                  sampler_call_bytes *place)
{
    sampler_sub *known = sampler_subs_known(at->subs, address);
    if (known == NULL)
        return NULL;
    bool is_short_lived = sampler_subs_is_short_lived(at->subs, known);
    place->expected = known->code;
    if (known->planned != at->generation && (is_short_lived || known->checked < b->valid_from)) {
        known->planned = at->generation;
        if (sampler_subs_needs_head(at->subs, known))
            place->head = add_piece(f, address, at->i->layout.sv_size);
        place->body = add_piece(f, known->body, at->i->layout.xpvcv_size);
        place->first = is_short_lived ? known->first : 0;
        place->first_cop = add_statement(b, f, at, place->first, NULL);
    }
    return is_short_lived ? NULL : known;
}

/* Returns the topmost op of what the innermost call executes, or 0 if it is not known. */
static uint64_t innermost_root(const sampler_lookup *at, const sampler_snapshot *snapshot)
{
    for (size_t n = snapshot->count; n > 0; n--) {
        const sampler_call *call = &snapshot->calls[n - 1];
        if (sampler_call_has_own_code(call, at->types))
            return 0;
        if (sampler_call_has_sub(call)) {
            const sampler_sub *known = sampler_subs_known(at->subs, call->cv);
            return known != NULL ? known->code.root : 0;
        }
    }
    return snapshot->cut ? 0 : snapshot->main_root;
}

/* If the statement read before the calls belongs to the innermost sub, the other candidates are not read. */
static void list_candidates(const sampler_lookup *at, const sampler_snapshot *snapshot,
                            sampler_candidate *list)
{
    uint64_t before = snapshot->before.curcop;
    const sampler_statement *known = before != 0 ? sampler_statements_known(at->statements, before) : NULL;
    memset(list, 0, SAMPLER_CANDIDATES * sizeof *list);
    list[SAMPLER_BEFORE].running = snapshot->before;
    if (known != NULL && known->root != 0 && known->root == innermost_root(at, snapshot) &&
        snapshot->unsure == 0)
        return;
    if (snapshot->after.curcop != before)
        list[SAMPLER_AFTER].running = snapshot->after;
    for (int n = 0; n < snapshot->ended_count; n++)
        list[SAMPLER_CALLED + n].running.curcop = snapshot->ended[n];
}

static sampler_known_op *known_op(sampler_prefetch *b, uint64_t op)
{
    return &b->ops[nytp_hash_mix(0, op, 0) % SAMPLER_KNOWN_OPS];
}

/* Returns where the type of its op will be, or NULL if it does not have to be read. */
static unsigned char *add_candidate(sampler_prefetch *b, filling *f, const sampler_lookup *at,
                                    const sampler_sub *around, sampler_candidate *one)
{
    uint64_t op = one->running.op;
    const sampler_known_op *kept = known_op(b, op);
    one->cop = add_statement(b, f, at, one->running.curcop, around);
    one->op_type = SAMPLER_ABSENT;
    if (op != 0 && kept->op == op && kept->checked >= b->valid_from)
        one->op_type = kept->type;
    else if (op != 0)
        return add_piece(f, op + at->i->layout.op_type, sizeof(uint16_t));
    return NULL;
}

static void take_op_type(sampler_prefetch *b, const sampler_lookup *at, sampler_candidate *one,
                         const unsigned char *type)
{
    one->op_type = sampler_optype_parse(&at->i->layout, type);
    *known_op(b, one->running.op) = (sampler_known_op){one->running.op, at->generation, one->op_type};
}

/* What an op that may call an xsub calls, if it was not read together with the op: it counts if the op still
 * runs. */
typedef struct late_callee {
    sampler_running now;
    int end; /* how many pieces there are up to its own; 0: it is not read */
} late_callee;

static void add_callee(filling *f, const sampler_lookup *at, const sampler_candidate *one, late_callee *late)
{
    const sampler_running *then = &one->running;
    late->end = 0;
    if (then->op == 0 || then->stack_sp == 0 || then->callee != 0 ||
        (one->op_type != SAMPLER_ABSENT && one->op_type != at->types->entersub))
        return;
    sampler_running *now = &late->now;
    f->pieces[f->count++] =
        (sampler_piece){then->stack_sp + sizeof now->callee, sizeof now->callee, &now->callee};
    f->pieces[f->count++] = (sampler_piece){at->i->at.op, sizeof now->op, &now->op};
    f->pieces[f->count++] = (sampler_piece){at->i->at.stack_sp, sizeof now->stack_sp, &now->stack_sp};
    late->end = f->count;
}

static void take_callee(const late_callee *late, int got, sampler_running *running)
{
    if (late->end != 0 && got >= late->end && late->now.op == running->op &&
        late->now.stack_sp == running->stack_sp)
        running->callee = late->now.callee;
}

bool sampler_prefetch_read(sampler_prefetch *b, const sampler_lookup *at, sampler_snapshot *snapshot)
{
    const sampler_sub *around = NULL;
    late_callee late;
    make_room(b, &at->i->layout, snapshot->count + SAMPLER_CANDIDATES);
    if (snapshot->cop_seqmax != b->cop_seqmax || b->valid_from == 0)
        b->valid_from = at->generation;
    b->cop_seqmax = snapshot->cop_seqmax;
    filling f = {b->pieces, 0, b->bytes};
    for (size_t n = 0; n < snapshot->count; n++) {
        const sampler_call *call = &snapshot->calls[n];
        sampler_call_bytes *place = &b->calls[n];
        *place = (sampler_call_bytes){.cop = add_statement(b, &f, at, call->cop, around)};
        if (sampler_call_has_sub(call))
            around = add_sub(b, &f, at, call->cv, place);
        else if (sampler_call_has_own_code(call, at->types))
            around = NULL;
        place->end = f.count;
    }
    int ends[SAMPLER_CANDIDATES];
    const unsigned char *types[SAMPLER_CANDIDATES];
    list_candidates(at, snapshot, b->candidates);
    for (int n = 0; n < SAMPLER_CANDIDATES; n++) {
        types[n] = add_candidate(b, &f, at, around, &b->candidates[n]);
        ends[n] = f.count;
    }
    add_callee(&f, at, &b->candidates[SAMPLER_BEFORE], &late);
    int got = sampler_memory_read_pieces(&at->i->memory, f.pieces, f.count);
    for (int n = 0; n < SAMPLER_CANDIDATES; n++) {
        sampler_candidate *one = &b->candidates[n];
        one->is_there = one->running.curcop != 0 && got >= ends[n];
        if (one->is_there && types[n] != NULL)
            take_op_type(b, at, one, types[n]);
    }
    take_callee(&late, got, &b->candidates[SAMPLER_BEFORE].running);
    for (size_t n = 0; n < snapshot->count; n++)
        if (b->calls[n].end > got)
            return sampler_snapshot_leave_out(snapshot, n);
    return true;
}

void sampler_prefetch_clear(sampler_prefetch *b)
{
    g_free(b->calls);
    g_free(b->pieces);
    g_free(b->bytes);
    *b = (sampler_prefetch){0};
}
