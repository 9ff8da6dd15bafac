/* A process whose stacks are read: found, checked, found again when it executes another program. */
#ifndef RECORD_TARGET_H
#define RECORD_TARGET_H

#include "process.h"
#include "stack.h"

typedef struct record_target {
    pid_t pid;
    record_process process; /* as it was at first */
    int proc;               /* its directory in /proc; -1: there is no such process */
    record_interpreter interpreter;
    record_identity identity;
    nytp_strings *strings; /* all names and files that stacks refer to */
    record_stacks *stacks; /* NULL: it is not attached to */
    const char *offsets;   /* where tables of layouts are */
    size_t max_depth;
    char why[6000]; /* why it cannot be read: a sentence or two, with what to do */
} record_target;

/* offsets must live as long. */
void record_target_init(record_target *target, record_process_id process, const char *offsets,
                        size_t max_depth);

/* Finds the perl in the process. RECORD_FOUND, or what was found instead, and target->why says it. */
enum record_found record_target_attach(record_target *target);

/* Bounds the memory of what is kept of the process: if there is too much, forgets all of it, strings too. It
 * is read again as it is needed. Call it between stacks. Returns true if numbers of strings that stacks had
 * before do not hold any more. */
bool record_target_trim(record_target *target);

/* Takes a stack. RECORD_GONE: the process has ended, even if another one has its pid, or it executes what
 * cannot be read. */
enum record_taken record_target_take(record_target *target, record_stack *stack);

void record_target_clear(record_target *target);

#endif
