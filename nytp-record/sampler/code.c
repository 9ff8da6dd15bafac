#include "code.h"

/* Whether the code of a passing sub is still what it was: it begins with the same statement. */
static bool begins_as_before(const record_lookup *at, const record_sub *sub, const record_place *place)
{
    record_statement first;
    return place->first == 0 || sub->first != place->first ||
           (record_scope_find_statement(at, place->first, place->first_cop, &first) &&
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

/* Has what is around a call be what its statement is part of. false: they contradict each other for good. */
static bool reconcile(record_code *c, const record_lookup *at, record_snapshot *snapshot, size_t n,
                      record_scope *around)
{
    const record_statement *caller = &c->calls.callers[n];
    /* The calls of a stack are read a little later than those of a stack within it. */
    bool begins_stack = n > 0 && snapshot->calls[n - 1].kind == RECORD_CALL_STACK;
    return record_scope_fit(at, caller, around) != RECORD_CONTRADICTS ||
           record_scope_correct(at, around, record_scope_sub_of(at, caller)) ||
           (begins_stack &&
            record_calls_leave_out_later(&c->calls, at, snapshot, n - 1, caller->root, around));
}

/* *around: the scope of what calls, then of what is called; *outer: of what called the innermost sub. false:
 * the call has ended, or contradicts what is around it. */
static bool look_up_call(record_code *c, const record_lookup *at, record_snapshot *snapshot, size_t n,
                         record_scope *around, record_scope *outer)
{
    const record_call *call = &snapshot->calls[n];
    const record_place *place = &c->bytes.places[n];
    c->calls.subs[n] = (record_sub){.address = call->cv, .name = RECORD_NO_STRING};
    if (!record_scope_find_statement(at, call->cop, place->cop, &c->calls.callers[n]))
        return false;
    if (call->kind == RECORD_CALL_STACK)
        return true;
    if (!reconcile(c, at, snapshot, n, around)) {
        if (snapshot->steady)
            record_scope_forget(at, &c->calls.callers[n], around);
        else
            record_scope_doubt(at, &c->calls.callers[n], around);
        return false;
    }
    if (record_call_has_sub(call)) {
        const record_sub *sub = find_sub(at, call->cv, place);
        if (sub != NULL)
            c->calls.subs[n] = *sub;
        *outer = *around;
        *around = (record_scope){.root = c->calls.subs[n].code.root, .sub = &c->calls.subs[n]};
        around->is_unchanged = sub != NULL && record_codeid_is(sub->code, place->expected);
    } else if (record_call_has_own_code(call, at->types)) {
        *around = (record_scope){.is_eval = true};
    }
    return true;
}

/* Each statement that calls must be part of the code that was called before it. */
static bool look_up_calls(record_code *c, const record_lookup *at, record_snapshot *snapshot,
                          record_scope *around, record_scope *outer)
{
    *outer = *around = (record_scope){.root = snapshot->cut ? 0 : snapshot->main_root};
    for (size_t n = 0; n < snapshot->count; n++)
        if (!look_up_call(c, at, snapshot, n, around, outer))
            return record_snapshot_leave_out(snapshot, n);
    return true;
}

static void take_candidate(record_code *c, const record_candidate *one, const record_statement *statement,
                           const record_scope *around, enum record_fit fit)
{
    c->current = *statement;
    c->running = one->running;
    c->op_type = one->op_type;
    c->op_within = fit == RECORD_FITS && around->sub != NULL ? around->sub->code : (record_codeid){0};
}

/* Where no statement of a sub was seen, since it has hardly begun or is soon over: its first one. */
static bool take_first_statement(record_code *c, const record_lookup *at, const record_scope *around)
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
                                        .package = {RECORD_NO_STRING, false}};
    c->running = (record_running){0};
    c->op_type = RECORD_ABSENT;
    c->op_within = (record_codeid){0};
    return true;
}

/* What runs was read a little before and after the calls, when it may have been something else. A sample is
 * taken nevertheless: subs that are soon over would get too little time if not. */
static bool look_up_running(record_code *c, const record_lookup *at, const record_candidate *candidates,
                            record_scope *around)
{
    enum record_fit fits[RECORD_CANDIDATES];
    record_statement found[RECORD_CANDIDATES];
    for (int n = 0; n < RECORD_CANDIDATES; n++) {
        const record_candidate *one = &candidates[n];
        fits[n] = RECORD_CONTRADICTS;
        found[n] = (record_statement){0};
        if (one->is_there && record_scope_find_statement(at, one->running.curcop, one->cop, &found[n]))
            fits[n] = record_scope_fit(at, &found[n], around);
        if (fits[n] == RECORD_FITS) {
            take_candidate(c, one, &found[n], around, RECORD_FITS);
            return true;
        }
    }
    for (int n = 0; n < RECORD_CALLED; n++)
        if (fits[n] == RECORD_CONTRADICTS && record_scope_correct_last(at, around, &found[n])) {
            take_candidate(c, &candidates[n], &found[n], around, RECORD_FITS);
            return true;
        }
    for (int n = 0; n < RECORD_CANDIDATES; n++)
        if (fits[n] == RECORD_FIT_UNKNOWN) {
            take_candidate(c, &candidates[n], &found[n], around, RECORD_FIT_UNKNOWN);
            return true;
        }
    record_scope_doubt(at, &found[RECORD_BEFORE], around);
    return take_first_statement(c, at, around);
}

bool record_code_look_up(record_code *c, const record_lookup *at, record_snapshot *snapshot)
{
    record_scope around, outer;
    const record_candidate *candidates = c->bytes.candidates;
    record_calls_make_room(&c->calls, snapshot);
    if (!record_codebytes_read(&c->bytes, at, snapshot) || !look_up_calls(c, at, snapshot, &around, &outer))
        return false;
    record_calls_fit(&c->calls, at, snapshot, candidates, &around);
    if (look_up_running(c, at, candidates, &around))
        return true;
    if (around.sub == NULL || around.root != 0)
        return false;
    /* Perl adds a context before it says which sub it is for; or the sub was freed before it was read. */
    while (&c->calls.subs[snapshot->count - 1] != around.sub)
        snapshot->count--;
    snapshot->count--;
    return look_up_running(c, at, candidates, &outer);
}

void record_code_clear(record_code *c)
{
    record_calls_clear(&c->calls);
    record_codebytes_clear(&c->bytes);
    *c = (record_code){0};
}
