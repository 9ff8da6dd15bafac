#include "sampler/sample/consistency.h"

#include <glib.h>
#include <string.h>

void sampler_calls_make_room(sampler_calls *c, const sampler_snapshot *snapshot)
{
    size_t calls = snapshot->count + SAMPLER_MOST_ENDED;
    if (calls <= c->room)
        return;
    c->room = calls * 2;
    c->callers = g_renew(sampler_statement, c->callers, c->room);
    c->subs = g_renew(sampler_sub, c->subs, c->room);
}

void sampler_calls_clear(sampler_calls *c)
{
    g_free(c->callers);
    g_free(c->subs);
    memset(c, 0, sizeof *c);
}

/* Finds the innermost one of the first calls, up to end, whose code has this root; *around: its scope.
 * Returns how many calls there are up to that one, 1 for the main program, whose stack is the first of them,
 * or -1: none has. */
static long find_scope(const sampler_calls *c, const sampler_lookup *at, const sampler_snapshot *snapshot,
                       size_t end, uint64_t root, sampler_scope *around)
{
    for (size_t n = end; n > 0; n--) {
        const sampler_call *call = &snapshot->calls[n - 1];
        if (sampler_call_has_own_code(call, at->types))
            return -1;
        if (sampler_call_has_sub(call) && c->subs[n - 1].code.root == root) {
            *around = (sampler_scope){.root = root, .sub = &c->subs[n - 1], .is_unchanged = true};
            return (long)n;
        }
    }
    if (snapshot->cut || snapshot->main_root != root)
        return -1;
    *around = (sampler_scope){.root = root};
    return 1;
}

bool sampler_calls_leave_out_later(const sampler_calls *c, const sampler_lookup *at,
                                   sampler_snapshot *snapshot, size_t end, uint64_t root,
                                   sampler_scope *around)
{
    long count = find_scope(c, at, snapshot, end, root, around);
    if (count < 0)
        return false;
    size_t later = (size_t)count;
    while (later < end && snapshot->calls[later].kind == SAMPLER_CALL_EVAL)
        later++;
    for (; later < end; later++)
        if (snapshot->calls[later].kind != SAMPLER_CALL_STACK)
            snapshot->calls[later].kind = SAMPLER_CALL_LATER;
    return true;
}

/* Notes the caller of the innermost sub, whose context was read. */
static void note_call(sampler_calls *c, const sampler_snapshot *snapshot)
{
    size_t n = snapshot->count;
    while (n > 0 && !sampler_call_has_sub(&snapshot->calls[n - 1]))
        n--;
    if (n > 0 && c->subs[n - 1].code.root != 0 && c->callers[n - 1].root != 0)
        sampler_known_callers_add(&c->seen, &c->callers[n - 1], c->subs[n - 1].code);
}

/* What sampler_calls_fit() works on. */
typedef struct fitting {
    sampler_calls *calls;
    const sampler_lookup *at;
    sampler_snapshot *snapshot;
    const sampler_candidate *candidates;
    sampler_scope *around; /* the innermost call's */
} fitting;

static bool find_candidate(const fitting *f, int n, sampler_statement *to)
{
    const sampler_candidate *one = &f->candidates[n];
    return one->is_there && sampler_scope_find_statement(f->at, one->running.curcop, one->cop, to) &&
           to->root != 0;
}

/* Finds the last statement that was seen to call a sub and is part of the code with this root; 0: of any code
 * but the sub's own. */
static bool find_seen_caller(const fitting *f, const sampler_sub *sub, uint64_t root,
                             sampler_statement *caller)
{
    const sampler_known_caller *seen;
    for (int n = 0; (seen = sampler_known_callers_of(&f->calls->seen, sub->code, n)) != NULL; n++) {
        const sampler_statement *known = sampler_statements_known(f->at->statements, seen->statement);
        if (known != NULL && known->sequence == seen->sequence && known->root != 0 &&
            known->root != sub->code.root && (root == 0 || known->root == root)) {
            *caller = *known;
            return true;
        }
    }
    return false;
}

/* Finds the statement that called a sub: one that has just made a call, or is in the innermost call, or is
 * the last that was seen to call it. */
static bool find_caller(const fitting *f, const sampler_sub *sub, sampler_statement *caller)
{
    for (int n = SAMPLER_AFTER; n < SAMPLER_CANDIDATES; n++)
        if (find_candidate(f, n, caller) && sampler_known_callers_has(&f->calls->seen, caller, sub->code))
            return true;
    return find_seen_caller(f, sub, f->around->root, caller) || find_seen_caller(f, sub, 0, caller);
}

/* Makes a call of the code that has this root the innermost one. Returns false if no call has it. */
static bool cut_to(const fitting *f, uint64_t root)
{
    return f->around->root == root ||
           sampler_calls_leave_out_later(f->calls, f->at, f->snapshot, f->snapshot->count, root, f->around);
}

static void add_call(const fitting *f, const sampler_statement *caller, const sampler_sub *sub)
{
    sampler_calls *c = f->calls;
    sampler_call *call = sampler_snapshot_add_call(f->snapshot);
    size_t n = f->snapshot->count - 1;
    *call = (sampler_call){.kind = SAMPLER_CALL_SUB, .cop = caller->address, .cv = sub->address};
    c->callers[n] = *caller;
    c->subs[n] = *sub;
    *f->around = (sampler_scope){.root = sub->code.root, .sub = &c->subs[n], .is_unchanged = true};
}

/* Adds the call of a sub that is just ending: its context still says what called it. That it is the sub's is
 * known by an earlier sample, as a program in a loop may have come back to the same statement, and another
 * sub may be ending. */
static bool add_ending_call(const fitting *f, const sampler_sub *sub)
{
    sampler_statement caller;
    const sampler_candidate *one = &f->candidates[SAMPLER_CALLED];
    if (!f->snapshot->is_ending || !one->is_there ||
        !sampler_scope_find_statement(f->at, one->running.curcop, one->cop, &caller) ||
        (caller.root != 0 && !sampler_known_callers_has(&f->calls->seen, &caller, sub->code)))
        return false;
    add_call(f, &caller, sub);
    return true;
}

/* Extends the calls to a sub that has ended: it was called by one of them, or by a sub that has ended, too.
 * Returns false if its callers are not known. */
static bool lead_to(const fitting *f, sampler_sub sub, int most)
{
    sampler_statement caller;
    if (most == 0 || !find_caller(f, &sub, &caller))
        return false;
    if (!cut_to(f, caller.root)) {
        const sampler_sub *between = sampler_scope_sub_of(f->at, &caller);
        if (between == NULL || !lead_to(f, *between, most - 1))
            return false;
    }
    add_call(f, &caller, &sub);
    return true;
}

void sampler_calls_fit(sampler_calls *c, const sampler_lookup *at, sampler_snapshot *snapshot,
                       const sampler_candidate *candidates, sampler_scope *around)
{
    const fitting f = {c, at, snapshot, candidates, around};
    sampler_statement running;
    note_call(c, snapshot);
    if (!find_candidate(&f, SAMPLER_BEFORE, &running) || cut_to(&f, running.root) ||
        (around->root == 0 && sampler_scope_correct_last(at, around, &running)))
        return;
    const sampler_sub *sub = sampler_scope_sub_of(at, &running);
    if (sub != NULL && !add_ending_call(&f, sub))
        lead_to(&f, *sub, SAMPLER_MOST_ENDED);
}
