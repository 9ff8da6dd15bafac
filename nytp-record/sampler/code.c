#include "code.h"

#include <stdlib.h>

/* Pieces for each call: the statement, head and body of the sub. */
enum { PIECES = 3 };

enum { INNERMOST = 8 /* calls that may change while they are read */ };

static bool make_room(record_code *c, size_t calls, size_t bytes)
{
    if (calls > c->room) {
        size_t room = calls * 2;
        free(c->callers);
        free(c->subs);
        free(c->pieces);
        c->callers = calloc(room, sizeof *c->callers);
        c->subs = calloc(room, sizeof *c->subs);
        c->pieces = calloc(room * PIECES + 1, sizeof *c->pieces);
        c->room = c->callers != NULL && c->subs != NULL && c->pieces != NULL ? room : 0;
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

/* Reads all, each call's into bytes at its place, the current statement after them. What is at an address
 * that a running perl refers to can be read, but for the current statement of one that ends. */
static bool read_all(record_code *c, const record_interpreter *i, const record_subs *subs,
                     const record_snapshot *snapshot, bool *has_current)
{
    const record_layout *l = &i->layout;
    int count = 0;
    unsigned char *to = c->bytes;
    for (size_t n = 0; n < snapshot->count; n++, to += stride(l)) {
        const record_call *call = &snapshot->calls[n];
        if (call->cop != 0)
            c->pieces[count++] = (record_piece){call->cop, l->cop_size, to};
        if (!has_sub(call))
            continue;
        uint64_t body = record_subs_body(subs, call->cv);
        c->pieces[count++] = (record_piece){call->cv, l->sv_size, to + l->cop_size};
        if (body != 0)
            c->pieces[count++] = (record_piece){body, l->xpvcv_size, to + l->cop_size + l->sv_size};
    }
    c->pieces[count] = (record_piece){snapshot->curcop, l->cop_size, to};
    int got = record_memory_read_pieces(&i->memory, c->pieces, count + (snapshot->curcop != 0));
    *has_current = got > count;
    return got >= count;
}

static void set_statement(record_statement *to, const record_statement *found)
{
    if (found != NULL)
        *to = *found;
    else
        *to = (record_statement){.file = RECORD_NO_STRING, .package = RECORD_NO_STRING};
}

static bool find_all(record_code *c, const record_interpreter *i, record_statements *statements,
                     record_subs *subs, const record_snapshot *snapshot, bool has_current)
{
    const record_layout *l = &i->layout;
    const unsigned char *from = c->bytes;
    for (size_t n = 0; n < snapshot->count; n++, from += stride(l)) {
        const record_call *call = &snapshot->calls[n];
        set_statement(&c->callers[n],
                      call->cop != 0 ? record_statements_at(statements, call->cop, from) : NULL);
        c->subs[n] = (record_sub){0};
        if (!has_sub(call))
            continue;
        const unsigned char *head = from + l->cop_size;
        const record_sub *sub = record_subs_at(
            subs, call->cv, head, record_subs_body(subs, call->cv) != 0 ? head + l->sv_size : NULL);
        if (sub == NULL)
            return false;
        c->subs[n] = *sub;
    }
    set_statement(&c->current, has_current ? record_statements_at(statements, snapshot->curcop, from) : NULL);
    return true;
}

/* How well statements fit the subs around them. */
enum fit { CONTRADICTS, UNKNOWN, FITS };

/* Forgets what does not fit together, since one of both may be out of date. */
static enum fit belongs(const record_statement *statement, uint64_t root, uint64_t cv,
                        record_statements *statements, record_subs *subs)
{
    if (statement->root == 0 || root == 0)
        return UNKNOWN;
    if (statement->root == root)
        return FITS;
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
        enum fit fit = belongs(&c->callers[n], root, cv, statements, subs);
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
    enum fit current = belongs(&c->current, root, cv, statements, subs);
    return current < worst ? current : worst;
}

/* The stack was not read at one moment. It is right if it did not change meanwhile, or if all of it fits. */
bool record_code_look_up(record_code *c, const record_interpreter *i, const record_optypes *types,
                         record_statements *statements, record_subs *subs, record_snapshot *snapshot)
{
    bool has_current;
    if (!make_room(c, snapshot->count + 1, (snapshot->count + 1) * stride(&i->layout)) ||
        !read_all(c, i, subs, snapshot, &has_current) ||
        !find_all(c, i, statements, subs, snapshot, has_current))
        return false;
    enum fit fit = fit_together(c, types, statements, subs, snapshot);
    return fit == FITS || (fit == UNKNOWN && snapshot->steady);
}

void record_code_clear(record_code *c)
{
    free(c->callers);
    free(c->subs);
    free(c->pieces);
    free(c->bytes);
    *c = (record_code){0};
}
