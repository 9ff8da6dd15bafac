/* What a perl executes, by name: the stack of subs, and the statement that runs. */
#ifndef RECORD_STACK_H
#define RECORD_STACK_H

#include "snapshot.h"
#include "subs.h"

enum record_frame_kind {
    RECORD_FRAME_SUB,
    RECORD_FRAME_BUILTIN, /* a built-in as the collector names it, or an xsub */
    RECORD_FRAME_FORMAT,
    RECORD_FRAME_EVAL_STRING,
    RECORD_FRAME_EVAL_BLOCK,
    RECORD_FRAME_REQUIRE,
};

typedef struct record_frame {
    enum record_frame_kind kind;
    bool utf8;
    bool has_args;
    uint32_t name;               /* number of a string; of an eval RECORD_NO_STRING */
    uint32_t file, line;         /* of the call; file may be RECORD_NO_STRING */
    uint32_t own_file, own_line; /* of a sub's first statement, if that is known; else RECORD_NO_STRING, 0 */
    uint64_t cv;
    int32_t depth; /* as record_call's */
} record_frame;

typedef struct record_stack {
    record_frame *frames; /* outermost first */
    size_t count, room;
    uint32_t file, line; /* of the statement that runs; file may be RECORD_NO_STRING */
    bool cut;            /* outer frames are left out, since there are too many */
} record_stack;

/* Whether a frame is a call of a sub or a built-in with a name; others are within such a call. */
static inline bool record_frame_is_call(const record_frame *frame)
{
    return (frame->kind == RECORD_FRAME_SUB || frame->kind == RECORD_FRAME_BUILTIN) &&
           frame->name != RECORD_NO_STRING;
}

typedef struct record_spot {
    uint32_t file, line; /* file may be RECORD_NO_STRING */
} record_spot;

/* Where frame n was called; n == stack->count: the statement that runs. This is where frame n - 1 executes,
 * or for n == 0 the main program. */
static inline record_spot record_stack_spot(const record_stack *stack, size_t n)
{
    return n < stack->count ? (record_spot){stack->frames[n].file, stack->frames[n].line}
                            : (record_spot){stack->file, stack->line};
}

/* Reads stacks of one process again and again. */
typedef struct record_stacks record_stacks;

/* Keeps the interpreter, and the strings to which it adds names and files; both stay the caller's. max_depth:
 * how many frames are read, the innermost ones. NULL: what the process has cannot be read. */
record_stacks *record_stacks_new(const record_interpreter *i, nytp_strings *strings, size_t max_depth);
void record_stacks_free(record_stacks *stacks);

/* Returns how many statements and subs are kept: each takes memory. */
size_t record_stacks_kept(const record_stacks *stacks);

enum record_taken record_stacks_take(record_stacks *stacks, record_stack *stack);

void record_stack_clear(record_stack *stack);

#endif
