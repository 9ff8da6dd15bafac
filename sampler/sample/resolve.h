/* What a perl executes, by name: the stack of subs, and the statement that runs. */
#pragma once

#include "sampler/sample/snapshot.h"
#include "sampler/perl/subs.h"

enum sampler_frame_kind {
    SAMPLER_FRAME_SUB,
    SAMPLER_FRAME_BUILTIN, /* a built-in as the collector names it, or an xsub */
    SAMPLER_FRAME_FORMAT,
    SAMPLER_FRAME_EVAL_STRING,
    SAMPLER_FRAME_EVAL_BLOCK,
    SAMPLER_FRAME_REQUIRE,
    SAMPLER_FRAME_CUT, /* stands for the outer calls of a stack that is cut; always the first frame */
};

typedef struct sampler_frame {
    enum sampler_frame_kind kind;
    bool utf8;
    bool has_args;
    uint32_t name;               /* number of a string; of an eval SAMPLER_NO_STRING */
    uint32_t file, line;         /* of the call; file may be SAMPLER_NO_STRING */
    uint32_t own_file, own_line; /* of a sub's first statement, if that is known; else SAMPLER_NO_STRING, 0 */
    uint64_t cv;
    int32_t depth; /* as sampler_call's */
} sampler_frame;

typedef struct sampler_stack {
    sampler_frame *frames; /* outermost first */
    size_t count, room;
    uint32_t file, line; /* of the statement that runs; file may be SAMPLER_NO_STRING */
    bool cut;            /* outer frames are left out, since there are too many */
    bool moved;          /* the program went on while the stack was read */
} sampler_stack;

/* Whether a frame is a call of a sub or a built-in with a name, or stands for some; others are within such a
 * call. */
static inline bool sampler_frame_is_call(const sampler_frame *frame)
{
    return (frame->kind == SAMPLER_FRAME_SUB || frame->kind == SAMPLER_FRAME_BUILTIN ||
            frame->kind == SAMPLER_FRAME_CUT) &&
           frame->name != SAMPLER_NO_STRING;
}

typedef struct sampler_spot {
    uint32_t file, line; /* file may be SAMPLER_NO_STRING */
} sampler_spot;

/* Where frame n was called; n == stack->count: the statement that runs. This is where frame n - 1 executes,
 * or for n == 0 the main program. */
static inline sampler_spot sampler_stack_spot(const sampler_stack *stack, size_t n)
{
    return n < stack->count ? (sampler_spot){stack->frames[n].file, stack->frames[n].line}
                            : (sampler_spot){stack->file, stack->line};
}

/* Reads stacks of one process again and again. */
typedef struct sampler_stacks sampler_stacks;

/* Keeps the interpreter, and the strings to which it adds names and files; both stay the caller's. max_depth:
 * how many frames are read, the innermost ones. Returns NULL if what the process has cannot be read. */
sampler_stacks *sampler_stacks_new(const sampler_interpreter *i, nytp_strings *strings, size_t max_depth);
void sampler_stacks_free(sampler_stacks *stacks);

/* Returns how many statements and subs are kept: each takes memory. */
size_t sampler_stacks_kept(const sampler_stacks *stacks);

enum sampler_taken sampler_stacks_take(sampler_stacks *stacks, sampler_stack *stack);

void sampler_stack_clear(sampler_stack *stack);
