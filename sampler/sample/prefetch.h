/* The bytes of the statements and subs that a snapshot refers to, read in as few system calls as can be. What
 * was found before and cannot have changed is not read again. */
#pragma once

#include "sampler/sample/snapshot.h"
#include "sampler/perl/subs.h"

/* Where statements and subs are looked up; all of it stays the caller's. */
typedef struct sampler_lookup {
    const sampler_interpreter *i;
    const sampler_optypes *types;
    sampler_statements *statements;
    sampler_subs *subs;
    uint64_t generation; /* the number of this look-up, from 1 on */
} sampler_lookup;

/* The bytes that were read for one call. NULL: what was found before is still valid. */
typedef struct sampler_call_bytes {
    unsigned char *cop, *head, *body;
    sampler_codeid expected; /* the code of a sub that was known */
    uint64_t first;          /* the first statement of a short-lived sub, to see if it is the same; else 0 */
    unsigned char *first_cop;
    int end; /* how many pieces there are up to those of this call */
} sampler_call_bytes;

/* Statements that may be the one that runs: those that were read before and after the calls, and those that
 * made calls which have ended. */
enum {
    SAMPLER_BEFORE,
    SAMPLER_AFTER,
    SAMPLER_CALLED,
    SAMPLER_CANDIDATES = SAMPLER_CALLED + SAMPLER_MOST_ENDED
};

typedef struct sampler_candidate {
    sampler_running running; /* of a statement that made a call only curcop is set */
    unsigned char *cop;      /* what was read; NULL: nothing had to be, or could not be */
    uint32_t op_type;        /* SAMPLER_ABSENT: not known */
    bool is_there;
} sampler_candidate;

/* The type of an op that was read. */
typedef struct sampler_known_op {
    uint64_t op, checked; /* by which look-up; 0: none */
    uint32_t type;
} sampler_known_op;

enum { SAMPLER_KNOWN_OPS = 8192 };

typedef struct sampler_prefetch {
    sampler_call_bytes *calls; /* for each call */
    sampler_candidate candidates[SAMPLER_CANDIDATES];
    size_t room;
    /* Perl has compiled nothing since this look-up: what it and later ones found is valid. */
    uint64_t valid_from;
    uint32_t cop_seqmax;                     /* the snapshot's, at the last look-up */
    sampler_known_op ops[SAMPLER_KNOWN_OPS]; /* each has one place, which its address gives */
    sampler_piece *pieces;
    unsigned char *bytes;
} sampler_prefetch;

/* Reads the bytes. Drops ended calls whose statement or sub cannot be read. Returns false if such a call
 * cannot be dropped, because a call within it goes on. */
bool sampler_prefetch_read(sampler_prefetch *b, const sampler_lookup *at, sampler_snapshot *snapshot);
void sampler_prefetch_clear(sampler_prefetch *b);

/* Whether an eval runs code of its own, which has no sub. */
static inline bool sampler_call_has_own_code(const sampler_call *call, const sampler_optypes *types)
{
    return call->kind == SAMPLER_CALL_EVAL &&
           (call->eval_op == types->entereval || call->eval_op == types->require ||
            call->eval_op == types->dofile);
}
