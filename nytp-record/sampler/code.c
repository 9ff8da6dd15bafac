#include "code.h"

#include "structure.h"

#include <stdlib.h>

enum { PIECES = 3 /* of each call: the statement, head and body of the sub */ };

enum { INNERMOST = 8 /* calls that may change while they are read */ };

static bool make_room(record_code *c, size_t calls, size_t bytes)
{
    if (calls > c->room) {
        size_t room = calls * 2;
        free(c->callers);
        free(c->subs);
        free(c->places);
        free(c->pieces);
        c->callers = calloc(room, sizeof *c->callers);
        c->subs = calloc(room, sizeof *c->subs);
        c->places = calloc(room, sizeof *c->places);
        c->pieces = calloc(room * PIECES, sizeof *c->pieces);
        bool all = c->callers != NULL && c->subs != NULL && c->places != NULL && c->pieces != NULL;
        c->room = all ? room : 0;
    }
    if (bytes > c->bytes_room) {
        free(c->bytes);
        c->bytes = malloc(bytes * 2);
        c->bytes_room = c->bytes != NULL ? bytes * 2 : 0;
    }
    return calls <= c->room && bytes <= c->bytes_room;
}

/* Bytes of one call's pieces. */
static size_t stride(const record_layout *l)
{
    return (size_t)l->cop_size + l->sv_size + l->xpvcv_size;
}

static bool has_sub(const record_call *call)
{
    return call->kind == RECORD_CALL_SUB || call->kind == RECORD_CALL_FORMAT;
}

/* Pieces that are to be read, one after the other, into bytes. */
typedef struct filling {
    record_piece *pieces;
    int count;
    unsigned char *to;
} filling;

static unsigned char *add_piece(filling *f, uint64_t address, size_t size)
{
    unsigned char *to = f->to;
    f->pieces[f->count++] = (record_piece){address, size, to};
    f->to += size;
    return to;
}

/* What a recursive sub has several times is read once. */
static void add_call(record_code *c, filling *f, const record_layout *l, record_statements *statements,
                     const record_subs *subs, const record_call *call, record_place *place)
{
    *place = (record_place){0};
    if (call->cop != 0) {
        record_statement *known = record_statements_known(statements, call->cop);
        if (known == NULL || known->checked != c->turn)
            place->cop = add_piece(f, call->cop, l->cop_size);
        if (known != NULL)
            known->checked = c->turn;
    }
    if (!has_sub(call))
        return;
    record_sub *known = record_subs_known(subs, call->cv);
    if (known != NULL && known->checked == c->turn)
        return;
    place->head = add_piece(f, call->cv, l->sv_size);
    if (known != NULL) {
        place->body = add_piece(f, known->body, l->xpvcv_size);
        known->checked = c->turn;
    }
}

/* Where the current statement and the op that runs are; each is NULL when it cannot be read. */
typedef struct running {
    unsigned char *cop, *op;
} running;

/* What is at an address that a running perl refers to can be read, but for the current statement and op of
 * one that ends. */
static bool read_all(record_code *c, const record_interpreter *i, record_statements *statements,
                     const record_subs *subs, const record_snapshot *snapshot, running *at)
{
    const record_layout *l = &i->layout;
    filling f = {c->pieces, 0, c->bytes};
    for (size_t n = 0; n < snapshot->count; n++)
        add_call(c, &f, l, statements, subs, &snapshot->calls[n], &c->places[n]);
    int calls = f.count;
    *at = (running){0};
    if (snapshot->curcop != 0)
        at->cop = add_piece(&f, snapshot->curcop, l->cop_size);
    int with_cop = f.count;
    if (snapshot->op != 0)
        at->op = add_piece(&f, snapshot->op + l->op_type, sizeof(uint16_t));
    int got = record_memory_read_pieces(&i->memory, f.pieces, f.count);
    if (got < f.count)
        at->op = NULL;
    if (got < with_cop)
        at->cop = NULL;
    return got >= calls;
}

static void set_statement(record_statement *to, const record_statement *found)
{
    if (found != NULL)
        *to = *found;
    else
        *to = (record_statement){.file = RECORD_NO_STRING, .package = RECORD_NO_STRING};
}

static const record_statement *find_caller(record_statements *statements, const record_call *call,
                                           const record_place *place)
{
    if (call->cop == 0)
        return NULL;
    return place->cop != NULL ? record_statements_at(statements, call->cop, place->cop)
                              : record_statements_known(statements, call->cop);
}

static bool find_all(record_code *c, const record_interpreter *i, record_statements *statements,
                     record_subs *subs, const record_snapshot *snapshot, const running *at)
{
    for (size_t n = 0; n < snapshot->count; n++) {
        const record_call *call = &snapshot->calls[n];
        const record_place *place = &c->places[n];
        set_statement(&c->callers[n], find_caller(statements, call, place));
        c->subs[n] = (record_sub){0};
        if (!has_sub(call))
            continue;
        const record_sub *sub = place->head != NULL ? record_subs_at(subs, call->cv, place->head, place->body)
                                                    : record_subs_known(subs, call->cv);
        if (sub == NULL)
            return false;
        c->subs[n] = *sub;
    }
    set_statement(&c->current,
                  at->cop != NULL ? record_statements_at(statements, snapshot->curcop, at->cop) : NULL);
    c->op_type = at->op != NULL ? record_u16(at->op) & i->layout.op_type_mask : RECORD_ABSENT;
    return true;
}

/* How well statements fit the subs around them. */
enum fit { CONTRADICTS, UNKNOWN, FITS };

/* Forgets what does not fit together although it did not change, since one of both may be out of date. */
static enum fit belongs(const record_statement *statement, uint64_t root, uint64_t cv, bool steady,
                        record_statements *statements, record_subs *subs)
{
    if (statement->root == 0 || root == 0)
        return UNKNOWN;
    if (statement->root == root)
        return FITS;
    if (!steady)
        return CONTRADICTS;
    record_statements_forget(statements, statement->address);
    if (cv != 0)
        record_subs_forget(subs, cv);
    return CONTRADICTS;
}

/* Whether an eval runs code of its own, which has no sub. */
static bool has_own_code(const record_call *call, const record_optypes *types)
{
    return call->kind == RECORD_CALL_EVAL &&
           (call->eval_op == types->entereval || call->eval_op == types->require ||
            call->eval_op == types->dofile);
}

/* Whether the innermost call has just begun, or ended: the statement is still, or again, the one that called.
 * Perl makes pads for a recursive sub then, which may take a while. */
static bool is_beginning(const record_code *c, const record_snapshot *snapshot, uint64_t root)
{
    const record_call *last = snapshot->count > 0 ? &snapshot->calls[snapshot->count - 1] : NULL;
    return last != NULL && last->kind == RECORD_CALL_SUB && last->cop == snapshot->curcop && root != 0 &&
           c->current.root != 0 && c->current.root != root;
}

/* Each statement that calls must be part of the code that was called before it. Outer calls hardly change, so
 * whether they can be checked counts for the innermost ones only. */
static enum fit fit_together(const record_code *c, const record_optypes *types, record_statements *statements,
                             record_subs *subs, record_snapshot *snapshot)
{
    uint64_t root = snapshot->cut ? 0 : snapshot->main_root, cv = 0;
    enum fit worst = FITS;
    for (size_t n = 0; n < snapshot->count; n++) {
        const record_call *call = &snapshot->calls[n];
        if (call->kind == RECORD_CALL_STACK)
            continue;
        enum fit fit = belongs(&c->callers[n], root, cv, snapshot->steady, statements, subs);
        if (fit == CONTRADICTS)
            return fit;
        if (fit < worst && n + INNERMOST >= snapshot->count)
            worst = fit;
        if (has_sub(call) || has_own_code(call, types)) {
            root = c->subs[n].root;
            cv = call->cv;
        }
    }
    if (is_beginning(c, snapshot, root)) {
        snapshot->count--;
        return worst;
    }
    enum fit current = belongs(&c->current, root, cv, snapshot->steady, statements, subs);
    return current < worst ? current : worst;
}

/* Perl adds a context before it says which sub it is for, and takes the sub out before it removes the
 * context. The statement is then the one that called, or will be next. */
static bool take_off_unfinished(record_snapshot *snapshot)
{
    const record_call *last = snapshot->count > 0 ? &snapshot->calls[snapshot->count - 1] : NULL;
    if (last == NULL || !has_sub(last) || (last->cv != 0 && last->cop != snapshot->curcop))
        return false;
    snapshot->curcop = last->cop;
    snapshot->count--;
    return true;
}

static bool read_and_find(record_code *c, const record_interpreter *i, record_statements *statements,
                          record_subs *subs, const record_snapshot *snapshot)
{
    running now;
    c->turn++;
    return read_all(c, i, statements, subs, snapshot, &now) &&
           find_all(c, i, statements, subs, snapshot, &now);
}

/* The stack was not read at one moment. It is right if it did not change meanwhile, or if all of it fits. */
bool record_code_look_up(record_code *c, const record_interpreter *i, const record_optypes *types,
                         record_statements *statements, record_subs *subs, record_snapshot *snapshot)
{
    if (!make_room(c, snapshot->count + 1, (snapshot->count + 1) * stride(&i->layout)))
        return false;
    if (!read_and_find(c, i, statements, subs, snapshot) &&
        !(take_off_unfinished(snapshot) && read_and_find(c, i, statements, subs, snapshot)))
        return false;
    enum fit fit = fit_together(c, types, statements, subs, snapshot);
    return fit == FITS || (fit == UNKNOWN && snapshot->steady);
}

void record_code_clear(record_code *c)
{
    free(c->callers);
    free(c->subs);
    free(c->places);
    free(c->pieces);
    free(c->bytes);
    *c = (record_code){0};
}
