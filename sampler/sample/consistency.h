/* The statements and subs that a snapshot refers to, checked against one another: whether each statement is
 * part of the sub that it is said to run in. The statement that runs was read just before the calls, and what
 * the calls refer to some microseconds later. */
#pragma once

#include "sampler/perl/statements.h"
#include "sampler/sample/snapshot.h"

#include <stdbool.h>

/* The code that statements are part of. What a sample refers to was read at different moments, so a statement
 * may not be part of the code around it. These functions find that out, and correct what can be corrected. */

/* Its topmost op, 0 if that is not known, and the sub, if it has one. */
typedef struct sampler_scope {
    uint64_t root;
    sampler_sub *sub;
    bool is_eval;      /* it has no sub, and its root is not known */
    uint64_t done_by;  /* the statement that did the eval: it runs while the code is compiled or freed */
    bool is_unchanged; /* the same code was at the sub's address in an earlier sample */
} sampler_scope;

/* How well a statement fits the code around it. */
enum sampler_fit { SAMPLER_CONTRADICTS, SAMPLER_FIT_UNKNOWN, SAMPLER_FITS };

/* cop: the bytes of the statement, if they had to be read. Returns false if there is something else by now.
 * *to has no file and no root where nothing is known. */
bool sampler_scope_find_statement(const sampler_lookup *at, uint64_t address, const unsigned char *cop,
                                  sampler_statement *to);

/* A statement that fits is not read again while the code of its sub stays the same. */
enum sampler_fit sampler_scope_fit(const sampler_lookup *at, const sampler_statement *statement,
                                   const sampler_scope *around);

/* Marks the statement and the sub as stale, so that the next look-up reads them again. */
void sampler_scope_doubt(const sampler_lookup *at, const sampler_statement *statement,
                         const sampler_scope *around);

/* Forgets what contradicts the rest although nothing changed. */
void sampler_scope_forget(const sampler_lookup *at, const sampler_statement *statement,
                          const sampler_scope *around);

/* Returns what was learned about the sub that a statement is part of, or NULL. Valid until the next call. */
const sampler_sub *sampler_scope_sub_of(const sampler_lookup *at, const sampler_statement *statement);

/* Perl may free a sub after the calls were read and before the sub is; its address may have a closure by
 * then. Takes what was learned about the code of the freed sub in its place; learned: what a statement of
 * that code leads to, or NULL. Returns false if there is no such code. */
bool sampler_scope_correct(const sampler_lookup *at, sampler_scope *around, const sampler_sub *learned);

/* Like sampler_scope_correct(), by a statement that was not read together with the calls. It may be that of a
 * later call, so it counts only if it is one of a short-lived sub, and if another sub was at the address in
 * the sample before.
 */
bool sampler_scope_correct_last(const sampler_lookup *at, sampler_scope *around,
                                const sampler_statement *statement);

enum { SAMPLER_KNOWN_SUBS = 1024, SAMPLER_KNOWN_CALLERS = 4 };

typedef struct sampler_known_caller {
    sampler_codeid callee;
    uint64_t statement; /* its address */
    uint32_t sequence;  /* of the statement: perl gives each another one */
} sampler_known_caller;

/* All zero: none. Each sub has one place, which its code gives, for its last callers, the very last first. */
typedef struct sampler_known_callers {
    sampler_known_caller callers[SAMPLER_KNOWN_SUBS][SAMPLER_KNOWN_CALLERS];
} sampler_known_callers;

void sampler_known_callers_add(sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee);

/* Calls that were seen long ago may have been forgotten. */
bool sampler_known_callers_has(const sampler_known_callers *seen, const sampler_statement *caller,
                               sampler_codeid callee);

/* Returns a caller of a sub: with n = 0 the one that was seen last, with 1 the one before it. NULL: fewer
 * were seen. Valid until a caller is added. */
const sampler_known_caller *sampler_known_callers_of(const sampler_known_callers *seen, sampler_codeid callee,
                                                     int n);

typedef struct sampler_calls {
    sampler_statement *callers; /* for each call: the statement that called */
    sampler_sub *subs;          /* for each call: the sub; its root is 0 where there is none */
    size_t room;
    sampler_known_callers seen;
} sampler_calls;

/* Makes room for the calls of the snapshot, and for those that sampler_calls_fit() adds. */
void sampler_calls_make_room(sampler_calls *calls, const sampler_snapshot *snapshot);
void sampler_calls_clear(sampler_calls *calls);

/* Leaves out those of the first calls, up to end, that were made within the code that has this root: they are
 * later ones. Stacks stay, and eval blocks of that code. Sets *around to the scope of that code. Returns
 * false if no call has it. */
bool sampler_calls_leave_out_later(const sampler_calls *calls, const sampler_lookup *at,
                                   sampler_snapshot *snapshot, size_t end, uint64_t root,
                                   sampler_scope *around);

/* The calls were read after the statement that ran. Makes them those of that moment: leaves out later ones,
 * and adds those that have ended, up to SAMPLER_MOST_ENDED, if their callers were seen. *around: the scope of
 * the innermost call. */
void sampler_calls_fit(sampler_calls *calls, const sampler_lookup *at, sampler_snapshot *snapshot,
                       const sampler_candidate *candidates, sampler_scope *around);

typedef struct sampler_consistency {
    sampler_calls calls;
    sampler_statement current;
    sampler_running running;  /* the op is 0 where it is not known */
    uint32_t op_type;         /* of the op that runs; SAMPLER_ABSENT: not known */
    sampler_codeid op_within; /* the sub's code that the op is part of; root 0: not known */
    sampler_prefetch bytes;
} sampler_consistency;

/* What is not known has file SAMPLER_NO_STRING. Makes the calls of the snapshot those of the moment when the
 * statement that runs was read: takes some off, and adds some. Returns false if the snapshot contradicts
 * itself.
 */
bool sampler_consistency_look_up(sampler_consistency *code, const sampler_lookup *at,
                                 sampler_snapshot *snapshot);
void sampler_consistency_clear(sampler_consistency *code);
