#include "sampler/sample/consistency.h"

/* Whether the code of a short-lived sub is still what it was: it begins with the same statement. */
static bool begins_as_before(const sampler_lookup *at, const sampler_sub *sub,
                             const sampler_call_bytes *place)
{
    sampler_statement first;
    return place->first == 0 || sub->first != place->first ||
           (sampler_scope_find_statement(at, place->first, place->first_cop, &first) &&
            sampler_subs_begins_with(sub, &first));
}

/* Returns NULL if there is none, or if its code changed: statements of it that were not read may have, too.
 */
static const sampler_sub *find_sub(const sampler_lookup *at, uint64_t address,
                                   const sampler_call_bytes *place)
{
    bool was_known = place->expected.root != 0;
    const sampler_sub *sub = !was_known || place->body != NULL
                                 ? sampler_subs_at(at->subs, address, place->head, place->body)
                                 : sampler_subs_known(at->subs, address);
    sampler_sub *known = sampler_subs_known(at->subs, address);
    if (known != NULL && (!was_known || place->body != NULL))
        known->checked = at->generation;
    if (sub == NULL || !was_known)
        return sub;
    if (!sampler_subs_is_short_lived(at->subs, sub))
        return sampler_codeid_is(place->expected, sub->code) ? sub : NULL;
    if (begins_as_before(at, sub, place))
        return sub;
    sampler_subs_forget_code(at->subs, sub->code.root);
    sampler_subs_forget(at->subs, address);
    return NULL;
}

/* Sets *around to the code that the calling statement belongs to. Returns false if the two contradict each
 * other and cannot be corrected. */
static bool reconcile(sampler_consistency *c, const sampler_lookup *at, sampler_snapshot *snapshot, size_t n,
                      sampler_scope *around)
{
    const sampler_statement *caller = &c->calls.callers[n];
    /* The context of an eval is in use before perl has stored in it which statement the eval is of. Until
     * then it has that of an earlier call. */
    bool is_filled_in = snapshot->calls[n].kind != SAMPLER_CALL_EVAL || n < snapshot->sure;
    /* The calls of a stack are read a little later than those of a stack within it. */
    bool begins_stack =
        is_filled_in && !snapshot->steady && n > 0 && snapshot->calls[n - 1].kind == SAMPLER_CALL_STACK;
    return sampler_scope_fit(at, caller, around) != SAMPLER_CONTRADICTS ||
           sampler_scope_correct(at, around, sampler_scope_sub_of(at, caller)) ||
           (begins_stack &&
            sampler_calls_leave_out_later(&c->calls, at, snapshot, n - 1, caller->root, around));
}

/* *around: the scope of what calls, then of what is called; *outer: of what called the innermost sub. false:
 * the call has ended, or contradicts what is around it. */
static bool look_up_call(sampler_consistency *c, const sampler_lookup *at, sampler_snapshot *snapshot,
                         size_t n, sampler_scope *around, sampler_scope *outer)
{
    const sampler_call *call = &snapshot->calls[n];
    const sampler_call_bytes *place = &c->bytes.calls[n];
    c->calls.subs[n] = (sampler_sub){.address = call->cv, .name = SAMPLER_NO_STRING};
    if (!sampler_scope_find_statement(at, call->cop, place->cop, &c->calls.callers[n]))
        return false;
    if (call->kind == SAMPLER_CALL_STACK)
        return true;
    if (!reconcile(c, at, snapshot, n, around)) {
        if (snapshot->steady)
            sampler_scope_forget(at, &c->calls.callers[n], around);
        else
            sampler_scope_doubt(at, &c->calls.callers[n], around);
        return false;
    }
    if (sampler_call_has_sub(call)) {
        const sampler_sub *sub = find_sub(at, call->cv, place);
        if (sub != NULL)
            c->calls.subs[n] = *sub;
        *outer = *around;
        *around = (sampler_scope){.root = c->calls.subs[n].code.root, .sub = &c->calls.subs[n]};
        around->is_unchanged = sub != NULL && sampler_codeid_is(sub->code, place->expected);
    } else if (sampler_call_has_own_code(call, at->types)) {
        *around = (sampler_scope){.is_eval = true, .done_by = call->cop};
    }
    return true;
}

/* Each statement that calls must be part of the code that was called before it. */
static bool look_up_calls(sampler_consistency *c, const sampler_lookup *at, sampler_snapshot *snapshot,
                          sampler_scope *around, sampler_scope *outer)
{
    *outer = *around = (sampler_scope){.root = snapshot->cut ? 0 : snapshot->main_root};
    for (size_t n = 0; n < snapshot->count; n++)
        if (!look_up_call(c, at, snapshot, n, around, outer))
            return sampler_snapshot_leave_out(snapshot, n);
    return true;
}

static void take_candidate(sampler_consistency *c, const sampler_candidate *one,
                           const sampler_statement *statement, const sampler_scope *around,
                           enum sampler_fit fit)
{
    c->current = *statement;
    c->running = one->running;
    c->op_type = one->op_type;
    c->op_within = fit == SAMPLER_FITS && around->sub != NULL ? around->sub->code : (sampler_codeid){0};
}

/* Where no statement of a sub was seen, since it has hardly begun or is soon over: its first one. */
static bool take_first_statement(sampler_consistency *c, const sampler_lookup *at,
                                 const sampler_scope *around)
{
    if (around->sub == NULL || around->root == 0)
        return false;
    const sampler_statement *first =
        around->sub->first != 0 ? sampler_statements_known(at->statements, around->sub->first) : NULL;
    if (first != NULL && first->root == around->root)
        c->current = *first;
    else
        c->current = (sampler_statement){.root = around->root,
                                         .file = around->sub->file,
                                         .line = around->sub->first_line,
                                         .package = {SAMPLER_NO_STRING, false}};
    c->running = (sampler_running){0};
    c->op_type = SAMPLER_ABSENT;
    c->op_within = (sampler_codeid){0};
    return true;
}

/* What runs was read a little before and after the calls, when it may have been something else. A sample is
 * taken nevertheless: subs that are soon over would get too little time if not. steady: nothing changed in
 * between, so what runs is the statement that was read before. */
static bool look_up_running(sampler_consistency *c, const sampler_lookup *at,
                            const sampler_candidate *candidates, bool steady, sampler_scope *around)
{
    enum sampler_fit fits[SAMPLER_CANDIDATES];
    sampler_statement found[SAMPLER_CANDIDATES];
    for (int n = 0; n < SAMPLER_CANDIDATES; n++) {
        const sampler_candidate *one = &candidates[n];
        const bool may_run = one->is_there && (n == SAMPLER_BEFORE || !steady);
        fits[n] = SAMPLER_CONTRADICTS;
        found[n] = (sampler_statement){0};
        if (may_run && sampler_scope_find_statement(at, one->running.curcop, one->cop, &found[n]))
            fits[n] = sampler_scope_fit(at, &found[n], around);
        if (fits[n] == SAMPLER_FITS) {
            take_candidate(c, one, &found[n], around, SAMPLER_FITS);
            return true;
        }
    }
    for (int n = 0; n < SAMPLER_CALLED; n++)
        if (fits[n] == SAMPLER_CONTRADICTS && sampler_scope_correct_last(at, around, &found[n])) {
            take_candidate(c, &candidates[n], &found[n], around, SAMPLER_FITS);
            return true;
        }
    for (int n = 0; n < SAMPLER_CANDIDATES; n++)
        if (fits[n] == SAMPLER_FIT_UNKNOWN) {
            take_candidate(c, &candidates[n], &found[n], around, SAMPLER_FIT_UNKNOWN);
            return true;
        }
    sampler_scope_doubt(at, &found[SAMPLER_BEFORE], around);
    return candidates[SAMPLER_BEFORE].is_there && take_first_statement(c, at, around);
}

bool sampler_consistency_look_up(sampler_consistency *c, const sampler_lookup *at, sampler_snapshot *snapshot)
{
    sampler_scope around, outer;
    const sampler_candidate *candidates = c->bytes.candidates;
    sampler_calls_make_room(&c->calls, snapshot);
    if (!sampler_prefetch_read(&c->bytes, at, snapshot) || !look_up_calls(c, at, snapshot, &around, &outer))
        return false;
    sampler_calls_fit(&c->calls, at, snapshot, candidates, &around);
    if (look_up_running(c, at, candidates, snapshot->steady, &around))
        return true;
    if (around.sub == NULL || around.root != 0)
        return false;
    /* Perl adds a context before it says which sub it is for; or the sub was freed before it was read. */
    while (&c->calls.subs[snapshot->count - 1] != around.sub)
        snapshot->count--;
    snapshot->count--;
    return look_up_running(c, at, candidates, snapshot->steady, &outer);
}

void sampler_consistency_clear(sampler_consistency *c)
{
    sampler_calls_clear(&c->calls);
    sampler_prefetch_clear(&c->bytes);
    *c = (sampler_consistency){0};
}
