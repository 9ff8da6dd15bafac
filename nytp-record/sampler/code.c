#include "code.h"

#include <glib.h>

/* cop: the bytes, if they had to be read. false: there is something else by now. */
static bool find_statement(const record_lookup *at, uint64_t address, const unsigned char *cop,
                           record_statement *to)
{
    const record_statement *found = NULL;
    uint32_t type = cop != NULL ? record_optype_parse(&at->i->layout, cop + at->i->layout.op_type) : 0;
    if (type != 0 && !record_optypes_is_statement(at->types, type)) /* 0: what the compiler has */
        return false;
    if (cop != NULL)
        found = record_statements_at(at->statements, address, cop);
    record_statement *known = address != 0 ? record_statements_known(at->statements, address) : NULL;
    if (cop == NULL)
        found = known;
    else if (known != NULL)
        known->checked = at->number;
    *to = found != NULL ? *found : (record_statement){.file = RECORD_NO_STRING, .package = RECORD_NO_STRING};
    return true;
}

/* Whether the code of a passing sub is still what it was: it begins with the same statement. */
static bool begins_as_before(const record_lookup *at, const record_sub *sub, const record_place *place)
{
    record_statement first;
    return place->first == 0 || sub->first != place->first ||
           (find_statement(at, place->first, place->first_cop, &first) &&
            record_subs_begins_with(sub, &first));
}

/* NULL: there is none, or its code changed, so that statements of it may have changed that were not read. */
static const record_sub *find_sub(const record_lookup *at, uint64_t address, const record_place *place)
{
    bool was_known = place->expected.root != 0;
    const record_sub *sub = !was_known || place->body != NULL
                                ? record_subs_at(at->subs, address, place->head, place->body)
                                : record_subs_known(at->subs, address);
    record_sub *known = record_subs_known(at->subs, address);
    if (known != NULL && (!was_known || place->body != NULL))
        known->checked = at->number;
    if (sub == NULL || !was_known)
        return sub;
    if (!record_subs_is_passing(at->subs, sub))
        return record_codeid_is(place->expected, sub->code) ? sub : NULL;
    if (begins_as_before(at, sub, place))
        return sub;
    record_subs_forget_code(at->subs, sub->code.root);
    record_subs_forget(at->subs, address);
    return NULL;
}

/* How well a statement fits the code around it. */
enum fit { CONTRADICTS, UNKNOWN, FITS };

/* The code that statements are in: its topmost op, 0 if that is not known, and the sub, if it has one. */
typedef struct scope {
    uint64_t root;
    record_sub *sub;
    bool is_eval;      /* it has no sub, and its root is not known */
    bool is_unchanged; /* the same code was at the sub's address in an earlier sample */
} scope;

/* Has a statement not be read again while the code of its sub stays the same. */
static void note_code(record_statements *statements, const record_statement *found, const scope *around)
{
    if (around->sub == NULL || record_codeid_is(found->within, around->sub->code))
        return;
    record_statement *known = record_statements_known(statements, found->address);
    if (known != NULL)
        known->within = around->sub->code;
}

static enum fit belongs(const record_lookup *at, const record_statement *statement, const scope *around)
{
    if (statement->root == 0)
        return UNKNOWN;
    bool is_of_sub = statement->within.root == statement->root;
    if (around->root == 0)
        return around->sub != NULL || (around->is_eval && is_of_sub) ? CONTRADICTS : UNKNOWN;
    if (statement->root != around->root)
        return CONTRADICTS;
    note_code(at->statements, statement, around);
    return FITS;
}

/* Has what contradicts one another be read again the next time. */
static void doubt(const record_lookup *at, const record_statement *statement, const scope *around)
{
    record_statement *known = record_statements_known(at->statements, statement->address);
    record_sub *sub = around->sub != NULL ? record_subs_known(at->subs, around->sub->address) : NULL;
    if (known != NULL)
        known->checked = 0;
    if (sub != NULL)
        sub->checked = 0;
}

/* Forgets what contradicts the rest although nothing changed. */
static void forget(const record_lookup *at, const record_statement *statement, const scope *around)
{
    record_statements_forget(at->statements, statement->address);
    if (around->sub != NULL)
        record_subs_forget(at->subs, around->sub->address);
}

/* What was learned about the sub that a statement is part of; NULL: nothing. */
static const record_sub *sub_of(const record_lookup *at, const record_statement *statement)
{
    const record_sub *learned = statement->root != 0 ? record_subs_of_code(at->subs, statement->root) : NULL;
    bool is_same = learned != NULL &&
                   (record_codeid_is(learned->code, statement->within) ||
                    record_subs_begins_with(learned, record_statements_read(at->statements, learned->first)));
    return is_same ? learned : NULL;
}

/* Perl may free a sub after the calls were read and before the sub is; its address may have a closure by
 * then. Takes what was learned about the code of the freed sub in its place; learned: what a statement of
 * that code leads to, or NULL. */
static bool correct(const record_lookup *at, scope *around, const record_sub *learned)
{
    if (learned == NULL || around->sub == NULL ||
        (around->root != 0 && !record_subs_is_passing(at->subs, around->sub)))
        return false;
    uint64_t address = around->sub->address;
    *around->sub = *learned;
    around->sub->address = address;
    around->root = learned->code.root;
    around->is_unchanged = true;
    return true;
}

/* The same by a statement that was not read together with the calls. It may be that of a later call, so it
 * counts only if it is one of a passing sub, and if another sub was at the address in the sample before. */
static bool correct_last(const record_lookup *at, scope *around, const record_statement *statement)
{
    if (around->is_unchanged)
        return false;
    const record_sub *learned = sub_of(at, statement);
    return learned != NULL && record_subs_is_passing(at->subs, learned) && correct(at, around, learned);
}

/* Finds the innermost one of the first calls, up to end, whose code has this root; *around: its scope.
 * Returns how many calls there are up to that one, 0 for the main program, or -1: none has. */
static long find_scope(const record_code *c, const record_lookup *at, const record_snapshot *snapshot,
                       size_t end, uint64_t root, scope *around)
{
    for (size_t n = end; n > 0; n--) {
        const record_call *call = &snapshot->calls[n - 1];
        if (record_call_has_own_code(call, at->types))
            return -1;
        if (record_call_has_sub(call) && c->subs[n - 1].code.root == root) {
            *around = (scope){.root = root, .sub = &c->subs[n - 1], .is_unchanged = true};
            return (long)n;
        }
    }
    if (snapshot->cut || snapshot->main_root != root)
        return -1;
    *around = (scope){.root = root};
    return 0;
}

/* The calls of a stack are read a little later than those of a stack within it, and may be other ones by
 * then. Leaves out those that were made after the one that call n, the first of the inner stack, is part of.
 */
static bool leave_out_later(const record_code *c, const record_lookup *at, record_snapshot *snapshot,
                            size_t n, scope *around)
{
    long first = find_scope(c, at, snapshot, n - 1, c->callers[n].root, around);
    for (long later = first; later >= 0 && later < (long)n - 1; later++)
        if (snapshot->calls[later].kind != RECORD_CALL_STACK)
            snapshot->calls[later].kind = RECORD_CALL_LATER;
    return first >= 0;
}

/* Has what is around a call be what its statement is part of. false: they contradict each other for good. */
static bool reconcile(record_code *c, const record_lookup *at, record_snapshot *snapshot, size_t n,
                      scope *around)
{
    const record_statement *caller = &c->callers[n];
    bool begins_stack = n > 0 && snapshot->calls[n - 1].kind == RECORD_CALL_STACK;
    return belongs(at, caller, around) != CONTRADICTS || correct(at, around, sub_of(at, caller)) ||
           (begins_stack && leave_out_later(c, at, snapshot, n, around));
}

/* *around: the scope of what calls, then of what is called; *outer: of what called the innermost sub. false:
 * the call has ended, or contradicts what is around it. */
static bool look_up_call(record_code *c, const record_lookup *at, record_snapshot *snapshot, size_t n,
                         scope *around, scope *outer)
{
    const record_call *call = &snapshot->calls[n];
    const record_place *place = &c->bytes.places[n];
    c->subs[n] = (record_sub){.address = call->cv, .name = RECORD_NO_STRING};
    if (!find_statement(at, call->cop, place->cop, &c->callers[n]))
        return false;
    if (call->kind == RECORD_CALL_STACK)
        return true;
    if (!reconcile(c, at, snapshot, n, around)) {
        if (snapshot->steady)
            forget(at, &c->callers[n], around);
        else
            doubt(at, &c->callers[n], around);
        return false;
    }
    if (record_call_has_sub(call)) {
        const record_sub *sub = find_sub(at, call->cv, place);
        if (sub != NULL)
            c->subs[n] = *sub;
        *outer = *around;
        *around = (scope){.root = c->subs[n].code.root, .sub = &c->subs[n]};
        around->is_unchanged = sub != NULL && record_codeid_is(sub->code, place->expected);
    } else if (record_call_has_own_code(call, at->types)) {
        *around = (scope){.is_eval = true};
    }
    return true;
}

/* Each statement that calls must be part of the code that was called before it. */
static bool look_up_calls(record_code *c, const record_lookup *at, record_snapshot *snapshot, scope *around,
                          scope *outer)
{
    *outer = *around = (scope){.root = snapshot->cut ? 0 : snapshot->main_root};
    for (size_t n = 0; n < snapshot->count; n++)
        if (!look_up_call(c, at, snapshot, n, around, outer))
            return record_snapshot_leave_out(snapshot, n);
    return true;
}

/* Where stacks within the calls were looked at first, the innermost call may have changed since. Has it be
 * the one that ran just before: later ones are left out, one that has ended is added. */
static void fit_before(record_code *c, const record_lookup *at, record_snapshot *snapshot, scope *around)
{
    const record_candidate *before = &c->bytes.candidates[RECORD_BEFORE],
                           *last_call = &c->bytes.candidates[RECORD_LAST_CALL];
    record_statement running, caller;
    if (!before->is_there || !find_statement(at, before->running.curcop, before->cop, &running) ||
        running.root == 0 || running.root == around->root)
        return;
    long count = find_scope(c, at, snapshot, snapshot->count, running.root, around);
    if (count >= 0) {
        snapshot->count = (size_t)count;
        return;
    }
    const record_sub *learned = sub_of(at, &running);
    if (learned == NULL || !last_call->is_there ||
        !find_statement(at, last_call->running.curcop, last_call->cop, &caller) ||
        belongs(at, &caller, around) != FITS)
        return;
    record_call *ended = record_snapshot_add_call(snapshot);
    size_t n = snapshot->count - 1;
    *ended = (record_call){.kind = RECORD_CALL_SUB, .cop = caller.address, .cv = learned->address};
    c->callers[n] = caller;
    c->subs[n] = *learned;
    *around = (scope){.root = running.root, .sub = &c->subs[n], .is_unchanged = true};
}

static void take_candidate(record_code *c, const record_candidate *one, const record_statement *statement,
                           const scope *around, enum fit fit)
{
    c->current = *statement;
    c->running = one->running;
    c->op_type = one->op_type;
    c->op_within = fit == FITS && around->sub != NULL ? around->sub->code : (record_codeid){0};
}

/* Where no statement of a sub was seen, since it has hardly begun or is soon over: its first one. */
static bool take_first_statement(record_code *c, const record_lookup *at, const scope *around)
{
    if (around->sub == NULL || around->root == 0)
        return false;
    const record_statement *first =
        around->sub->first != 0 ? record_statements_known(at->statements, around->sub->first) : NULL;
    if (first != NULL && first->root == around->root)
        c->current = *first;
    else
        c->current = (record_statement){.root = around->root,
                                        .file = around->sub->file,
                                        .line = around->sub->first_line,
                                        .package = RECORD_NO_STRING};
    c->running = (record_running){0};
    c->op_type = RECORD_ABSENT;
    c->op_within = (record_codeid){0};
    return true;
}

/* What runs was read a little before and after the calls, when it may have been something else. A sample is
 * taken nevertheless: subs that are soon over would get too little time if not. */
static bool look_up_running(record_code *c, const record_lookup *at, const record_candidate *candidates,
                            scope *around)
{
    enum fit fits[RECORD_CANDIDATES];
    record_statement found[RECORD_CANDIDATES];
    for (int n = 0; n < RECORD_CANDIDATES; n++) {
        const record_candidate *one = &candidates[n];
        fits[n] = CONTRADICTS;
        found[n] = (record_statement){0};
        if (one->is_there && find_statement(at, one->running.curcop, one->cop, &found[n]))
            fits[n] = belongs(at, &found[n], around);
        if (fits[n] == FITS) {
            take_candidate(c, one, &found[n], around, FITS);
            return true;
        }
    }
    for (int n = 0; n < RECORD_LAST_CALL; n++)
        if (fits[n] == CONTRADICTS && correct_last(at, around, &found[n])) {
            take_candidate(c, &candidates[n], &found[n], around, FITS);
            return true;
        }
    for (int n = 0; n < RECORD_CANDIDATES; n++)
        if (fits[n] == UNKNOWN) {
            take_candidate(c, &candidates[n], &found[n], around, UNKNOWN);
            return true;
        }
    doubt(at, &found[RECORD_AFTER], around);
    return take_first_statement(c, at, around);
}

static void make_room(record_code *c, size_t calls)
{
    if (calls <= c->room)
        return;
    c->room = calls * 2;
    c->callers = g_renew(record_statement, c->callers, c->room);
    c->subs = g_renew(record_sub, c->subs, c->room);
}

bool record_code_look_up(record_code *c, const record_lookup *at, record_snapshot *snapshot)
{
    scope around, outer;
    const record_candidate *candidates = c->bytes.candidates;
    make_room(c, snapshot->count + 1);
    if (!record_codebytes_read(&c->bytes, at, snapshot) || !look_up_calls(c, at, snapshot, &around, &outer))
        return false;
    if (snapshot->fits_before)
        fit_before(c, at, snapshot, &around);
    if (look_up_running(c, at, candidates, &around))
        return true;
    if (around.sub == NULL || around.root != 0)
        return false;
    /* Perl adds a context before it says which sub it is for; or the sub was freed before it was read. */
    while (&c->subs[snapshot->count - 1] != around.sub)
        snapshot->count--;
    snapshot->count--;
    return look_up_running(c, at, candidates, &outer);
}

void record_code_clear(record_code *c)
{
    g_free(c->callers);
    g_free(c->subs);
    record_codebytes_clear(&c->bytes);
    *c = (record_code){0};
}
