/* The code that statements are part of. What a sample refers to was read at different moments, so a statement
 * may not be part of the code around it. These functions find that out, and correct what can be corrected. */
#pragma once

#include "sampler/sample/prefetch.h"

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
