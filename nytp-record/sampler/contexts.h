/* One of perl's stacks of contexts, as it was read: what calls what, as addresses. */
#ifndef RECORD_CONTEXTS_H
#define RECORD_CONTEXTS_H

#include "layout.h"

enum record_call_kind {
    RECORD_CALL_SUB,
    RECORD_CALL_FORMAT,
    RECORD_CALL_EVAL,
    RECORD_CALL_STACK, /* a stack of its own begins: for sort, a tie, a destructor, ... */
    RECORD_CALL_LATER, /* one that was made only after the statement that runs, or the calls within it: left
                          out */
};

typedef struct record_call {
    enum record_call_kind kind;
    bool has_args;      /* of a sub: it was not called as &sub; */
    uint16_t eval_op;   /* of an eval: the type of the op that made it */
    int32_t stack_type; /* of a stack: perl's PERLSI_* */
    int32_t depth;      /* of a sub: its recursion when it was called, from 0 on */
    uint64_t cop;       /* the statement that called; 0: not known, or of a stack that is not for sort */
    uint64_t cv;        /* of a sub or format */
} record_call;

static inline bool record_call_has_sub(const record_call *call)
{
    return call->kind == RECORD_CALL_SUB || call->kind == RECORD_CALL_FORMAT;
}

/* Contexts, which stay the caller's, from one index of their stack on. */
typedef struct record_contexts {
    const record_layout *layout;
    const unsigned char *bytes;
    int32_t first, end;
} record_contexts;

/* The context at an index as a call. false: it is a block, a loop or the like, or one that caller() leaves
 * out, too. */
bool record_contexts_call(const record_contexts *contexts, int32_t at, record_call *call);

/* The statement that was executed when the stack was made. */
uint64_t record_contexts_base_cop(const record_contexts *contexts);

/* Which contexts were in use when they were read. */
typedef struct record_extent {
    int32_t sub;  /* the index of the innermost sub; first - 1: there was none */
    int32_t last; /* of the innermost context that may have been; those after sub may have ended */
} record_extent;

/* at: the stack's index as it was read soon after the contexts. */
record_extent record_contexts_extent(const record_contexts *contexts, int32_t at);

/* The statements that made the calls beyond an index, which have ended, outermost first: up to room of them.
 * An inner one may be from an earlier call than those around it. Returns how many there are. */
int record_contexts_ended(const record_contexts *contexts, int32_t last, uint64_t *cops, int room);

/* How many calls there are from one index on up to another one. */
size_t record_contexts_count_calls(const record_contexts *contexts, int32_t from, int32_t last);

#endif
