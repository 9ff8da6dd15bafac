/* Perl's stacks of contexts as they are in memory at one moment, or nearly so: what calls what, as addresses.
 */
#pragma once

#include "sampler/perl/contexts.h"
#include "sampler/perl/interpreter.h"
#include "sampler/perl/subs.h"

enum { SAMPLER_STACKS = 8 /* that are read at once */ };

/* What runs: the op, its statement, the pad of its code, and the end of the stack of values. */
typedef struct sampler_running {
    uint64_t op, curcop, curpad;
    uint64_t stack_sp; /* 0: not known */
    uint64_t callee;   /* the value past that: of an xsub that runs, what was called; 0: not known */
} sampler_running;

/* Where a stack is expected, and which of its contexts are to be read. */
typedef struct sampler_expected {
    uint64_t address, contexts;
    int32_t first, end;
} sampler_expected;

typedef struct sampler_moment {
    sampler_running running;
    uint64_t stackinfo; /* the innermost stack */
} sampler_moment;

typedef struct sampler_reading {
    sampler_moment before, after; /* just before and just after the contexts were read */
    const unsigned char *contexts[SAMPLER_STACKS];
    sampler_stackinfo stacks[SAMPLER_STACKS]; /* read after the contexts */
    uint64_t main_root;
    uint32_t cop_seqmax;
} sampler_reading;

enum sampler_taken {
    SAMPLER_TAKEN,
    SAMPLER_TORN, /* it changed too fast, or makes no sense */
    SAMPLER_GONE, /* not even the variables can be read; errno says why */
};

/* Reads the expected stacks, up to SAMPLER_STACKS of them, outermost first. stack_sp: where the stack of
 * values ended the last time, or 0; if it ends near that, the callee of before is read, too. bytes: room for
 * the contexts, into which the result points. SAMPLER_TORN: they are not there, and nothing but before is
 * set. */
enum sampler_taken sampler_reading_take(sampler_reading *reading, const sampler_interpreter *i,
                                        const sampler_expected *expected, int count, uint64_t stack_sp,
                                        unsigned char *bytes);

/* A stack where it was the last time. */
typedef struct sampler_known_stack {
    sampler_expected expected;
    unsigned unused; /* samples since it was in use */
} sampler_known_stack;

enum { SAMPLER_MOST_ENDED = 4 /* calls that have ended: as many are noted, and added to a sample */ };

typedef struct sampler_snapshot {
    sampler_running before, after; /* what ran just before and after the calls were read */
    uint64_t main_root;
    uint32_t cop_seqmax; /* counts what perl compiles: while it stays the same, there is no new statement */
    sampler_call *calls; /* outermost first */
    size_t count, room;
    size_t sure, unsure; /* of these: outer calls that go on for sure, and inner ones that may have ended */
    uint64_t
        ended[SAMPLER_MOST_ENDED]; /* statements that called what has ended, see sampler_contexts_ended() */
    int ended_count;
    bool cut;       /* outer calls are left out, since there are too many */
    bool steady;    /* nothing changed from before to after */
    bool is_ending; /* the same, but perl has taken the innermost sub out of its context, see ended */

    /* How much is read. */
    size_t max_depth; /* calls of subs that are wanted */
    size_t limit;     /* contexts of one stack; grows while there are fewer calls in them */
    size_t left;      /* contexts that this sample may still read */

    /* What is expected of the next time, so that one system call can read all: stacks within each other, also
     * inner ones that are in use now and then. */
    sampler_known_stack known[SAMPLER_STACKS];
    int known_count;
    uint64_t stack_sp; /* where the stack of values ended; 0: not known */
    unsigned char *contexts;
    size_t contexts_room;
} sampler_snapshot;

/* max_depth: how many calls of subs are wanted, the innermost ones. */
void sampler_snapshot_init(sampler_snapshot *snapshot, size_t max_depth);

/* Adds an innermost call that is all zero. Valid until the next one is added. */
sampler_call *sampler_snapshot_add_call(sampler_snapshot *snapshot);

enum sampler_taken sampler_snapshot_take(sampler_snapshot *snapshot, const sampler_interpreter *i);

/* Leaves out a call and those in it. Returns false if they are not among those that may have ended. */
static inline bool sampler_snapshot_leave_out(sampler_snapshot *snapshot, size_t n)
{
    if (n < snapshot->sure)
        return false;
    snapshot->count = n;
    return true;
}

void sampler_snapshot_clear(sampler_snapshot *snapshot);

/* The bytes of the statements and subs that a snapshot refers to, read in as few system calls as can be. What
 * was found before and cannot have changed is not read again. */

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
