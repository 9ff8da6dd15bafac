/* The code that statements are part of. What a sample refers to was read at different moments, so a statement
 * may not be part of the code around it. These functions find that out, and correct what can be corrected. */
#ifndef RECORD_SCOPE_H
#define RECORD_SCOPE_H

#include "codebytes.h"

/* Its topmost op, 0 if that is not known, and the sub, if it has one. */
typedef struct record_scope {
    uint64_t root;
    record_sub *sub;
    bool is_eval;      /* it has no sub, and its root is not known */
    bool is_unchanged; /* the same code was at the sub's address in an earlier sample */
} record_scope;

/* How well a statement fits the code around it. */
enum record_fit { RECORD_CONTRADICTS, RECORD_FIT_UNKNOWN, RECORD_FITS };

/* cop: the bytes of the statement, if they had to be read. false: there is something else by now. *to has no
 * file and no root where nothing is known. */
bool record_scope_find_statement(const record_lookup *at, uint64_t address, const unsigned char *cop,
                                 record_statement *to);

/* A statement that fits is not read again while the code of its sub stays the same. */
enum record_fit record_scope_fit(const record_lookup *at, const record_statement *statement,
                                 const record_scope *around);

/* Has what contradicts one another be read again the next time. */
void record_scope_doubt(const record_lookup *at, const record_statement *statement,
                        const record_scope *around);

/* Forgets what contradicts the rest although nothing changed. */
void record_scope_forget(const record_lookup *at, const record_statement *statement,
                         const record_scope *around);

/* What was learned about the sub that a statement is part of. NULL: nothing. Valid until the next call. */
const record_sub *record_scope_sub_of(const record_lookup *at, const record_statement *statement);

/* Perl may free a sub after the calls were read and before the sub is; its address may have a closure by
 * then. Takes what was learned about the code of the freed sub in its place; learned: what a statement of
 * that code leads to, or NULL. false: that is not so. */
bool record_scope_correct(const record_lookup *at, record_scope *around, const record_sub *learned);

/* The same by a statement that was not read together with the calls. It may be that of a later call, so it
 * counts only if it is one of a passing sub, and if another sub was at the address in the sample before. */
bool record_scope_correct_last(const record_lookup *at, record_scope *around,
                               const record_statement *statement);

#endif
