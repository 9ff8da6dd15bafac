/* Perl's stacks of contexts as they are in memory at one moment, or nearly so: what calls what, as addresses.
 */
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H

#include "interpreter.h"

enum record_call_kind {
    RECORD_CALL_SUB,
    RECORD_CALL_FORMAT,
    RECORD_CALL_EVAL,
    RECORD_CALL_STACK, /* a stack of its own begins: for sort, a tie, a destructor, ... */
};

typedef struct record_call {
    enum record_call_kind kind;
    bool has_args;      /* of a sub: it was not called as &sub; */
    uint16_t eval_op;   /* of an eval: the type of the op that made it */
    int32_t stack_type; /* of a stack: perl's PERLSI_* */
    int32_t depth;      /* of a sub: its recursion when it was called, from 0 on */
    uint64_t cop;       /* the statement that called; 0: not known, or of a stack that is not for sort */
    uint64_t cv;        /* of a sub or format */
    uint64_t namesv;    /* of an eval: the file of a require */
} record_call;

static inline bool record_call_has_sub(const record_call *call)
{
    return call->kind == RECORD_CALL_SUB || call->kind == RECORD_CALL_FORMAT;
}

/* What runs: the op, its statement, and the pad of its code. */
typedef struct record_running {
    uint64_t op, curcop, curpad;
} record_running;

typedef struct record_snapshot {
    record_running before, after; /* what ran just before and after the innermost calls were read */
    uint64_t main_root;
    uint32_t cop_seqmax; /* counts what perl compiles: while it stays the same, there is no new statement */
    uint32_t phase;
    record_call *calls; /* outermost first */
    size_t count, room;
    size_t sure, unsure; /* of these: outer calls that go on for sure, and inner ones that may have ended */
    uint64_t last_call;  /* the statement of the last call from the innermost one, which has ended; 0: none */
    bool cut;            /* outer calls are left out, since there are too many */
    bool steady;         /* nothing changed from before to after */

    /* What is expected of the next time, so that one system call can read all. */
    uint64_t stackinfo, cxstack;
    int32_t cxix;
    unsigned char *contexts;
    size_t contexts_room;
} record_snapshot;

enum record_taken {
    RECORD_TAKEN,
    RECORD_TORN, /* it changed too fast, or makes no sense */
    RECORD_GONE, /* not even the variables can be read; errno says why */
};

enum record_taken record_snapshot_take(record_snapshot *snapshot, const record_interpreter *i);

/* Leaves out a call and those in it, which must be among those that may have ended. false: they are not. */
static inline bool record_snapshot_leave_out(record_snapshot *snapshot, size_t n)
{
    if (n < snapshot->sure)
        return false;
    snapshot->count = n;
    return true;
}

void record_snapshot_clear(record_snapshot *snapshot);

#endif
