/* The bytes of the statements and subs that a snapshot refers to, read in as few system calls as can be. What
 * was found before and cannot have changed is not read again. */
#ifndef RECORD_CODEBYTES_H
#define RECORD_CODEBYTES_H

#include "snapshot.h"
#include "subs.h"

/* Where statements and subs are looked up; all of it stays the caller's. */
typedef struct record_lookup {
    const record_interpreter *i;
    const record_optypes *types;
    record_statements *statements;
    record_subs *subs;
    uint64_t number; /* of this look-up, from 1 on */
} record_lookup;

/* The bytes that were read for one call. NULL: what was found before is still valid. */
typedef struct record_place {
    unsigned char *cop, *head, *body;
    record_codeid expected; /* the code of a sub that was known */
    uint64_t first;         /* the first statement of one that is passing, to see if it is the same; else 0 */
    unsigned char *first_cop;
    int end; /* how many pieces there are up to those of this call */
} record_place;

/* Statements that may be the one that runs: those that were read before and after the calls, and those that
 * made calls which have ended. */
enum { RECORD_BEFORE, RECORD_AFTER, RECORD_CALLED, RECORD_CANDIDATES = RECORD_CALLED + RECORD_ENDED };

typedef struct record_candidate {
    record_running running; /* of a statement that made a call only curcop is set */
    unsigned char *cop;     /* what was read; NULL: nothing had to be, or could not be */
    uint32_t op_type;       /* RECORD_ABSENT: not known */
    bool is_there;
} record_candidate;

/* The type of an op that was read. */
typedef struct record_kept_op {
    uint64_t op, checked; /* by which look-up; 0: none */
    uint32_t type;
} record_kept_op;

enum { RECORD_KEPT_OPS = 8192 };

typedef struct record_codebytes {
    record_place *places; /* for each call */
    record_candidate candidates[RECORD_CANDIDATES];
    size_t room;
    /* Perl has compiled nothing since this look-up: what it and later ones found is valid. */
    uint64_t valid_from;
    uint32_t cop_seqmax;                 /* the snapshot's, at the last look-up */
    record_kept_op ops[RECORD_KEPT_OPS]; /* each has one place, which its address gives */
    record_piece *pieces;
    unsigned char *bytes;
} record_codebytes;

/* Takes calls off the snapshot that have ended, and refer to what is no longer there. false: one of
 * the other calls refers to such. */
bool record_codebytes_read(record_codebytes *b, const record_lookup *at, record_snapshot *snapshot);
void record_codebytes_clear(record_codebytes *b);

/* Whether an eval runs code of its own, which has no sub. */
static inline bool record_call_has_own_code(const record_call *call, const record_optypes *types)
{
    return call->kind == RECORD_CALL_EVAL &&
           (call->eval_op == types->entereval || call->eval_op == types->require ||
            call->eval_op == types->dofile);
}

#endif
