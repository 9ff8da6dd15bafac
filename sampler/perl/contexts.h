/* One of perl's stacks of contexts, as it was read: what calls what, as addresses. */
#pragma once

#include "sampler/perl/layout.h"

enum sampler_call_kind {
    SAMPLER_CALL_SUB,
    SAMPLER_CALL_FORMAT,
    SAMPLER_CALL_EVAL,
    SAMPLER_CALL_STACK, /* a stack of its own begins: for sort, a tie, a destructor, ... */
    SAMPLER_CALL_LATER, /* one that was made only after the statement that runs, or the calls within it: left
                          out */
};

typedef struct sampler_call {
    enum sampler_call_kind kind;
    bool has_args;      /* of a sub: it was not called as &sub; */
    uint16_t eval_op;   /* of an eval: the type of the op that made it */
    int32_t stack_type; /* of a stack: perl's PERLSI_* */
    int32_t depth;      /* of a sub: its recursion when it was called, from 0 on */
    uint64_t cop;       /* the statement that called; 0: not known, or of a stack that is not for sort */
    uint64_t cv;        /* of a sub or format */
} sampler_call;

static inline bool sampler_call_has_sub(const sampler_call *call)
{
    return call->kind == SAMPLER_CALL_SUB || call->kind == SAMPLER_CALL_FORMAT;
}

/* Contexts, which stay the caller's, from one index of their stack on. */
typedef struct sampler_contexts {
    const sampler_layout *layout;
    const unsigned char *bytes;
    int32_t first, end;
} sampler_contexts;

/* Sets *call to the context at an index. Returns false if that is a block, a loop or the like, or one that
 * caller() leaves out, too. */
bool sampler_contexts_call(const sampler_contexts *contexts, int32_t at, sampler_call *call);

/* The statement that was executed when the stack was made. */
uint64_t sampler_contexts_base_cop(const sampler_contexts *contexts);

/* Which contexts were in use when they were read. */
typedef struct sampler_extent {
    int32_t sub;  /* the index of the innermost sub; first - 1: there was none */
    int32_t last; /* of the innermost context that may have been; those after sub may have ended */
} sampler_extent;

/* at: the stack's index as it was read soon after the contexts. */
sampler_extent sampler_contexts_extent(const sampler_contexts *contexts, int32_t at);

/* The statements that made the calls beyond an index, which have ended, outermost first: up to room of them.
 * An inner one may be from an earlier call than those around it. Returns how many there are. */
int sampler_contexts_ended(const sampler_contexts *contexts, int32_t last, uint64_t *cops, int room);

/* How many calls there are from one index on up to another one. */
size_t sampler_contexts_count_calls(const sampler_contexts *contexts, int32_t from, int32_t last);
