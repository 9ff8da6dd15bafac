/* A process whose stacks are read: found, checked, found again when it executes another program. */
#pragma once

#include "sampler/process/process.h"
#include "sampler/process/symbols.h"
#include "sampler/sample/resolve.h"

/* One interpreter: that of a process, or of one of its threads. */
typedef struct sampler_subject {
    sampler_process process;
    pid_t tid;     /* of the thread; the first one has the number of the process */
    uint64_t slot; /* where a thread has the address of its interpreter; 0: the first one of the process */
    bool is_asked_for;
} sampler_subject;

typedef struct sampler_target {
    pid_t pid, tid;
    sampler_process process; /* as it was at first */
    uint64_t slot;           /* as a subject has it */
    int proc;                /* the directory of the process or thread in /proc; -1: it cannot be opened */
    int open_error;          /* errno of that */
    sampler_pthreads pthreads;
    sampler_interpreter interpreter;
    sampler_identity identity;
    nytp_strings *strings;  /* all names and files that stacks refer to */
    sampler_stacks *stacks; /* NULL: it is not attached to */
    const char *offsets;    /* where tables of layouts are */
    size_t max_depth;
    char why[6000];  /* why it cannot be read: a sentence or two, with what to do */
    char guess[160]; /* that its release is not known, but another one of its series; "": it is known */
} sampler_target;

/* offsets must live as long. */
void sampler_target_init(sampler_target *target, const sampler_subject *subject, const char *offsets,
                         size_t max_depth);

/* The interpreter that a process begins with. */
sampler_subject sampler_subject_of(sampler_process_id process);

/* Finds the perl in the process. SAMPLER_FOUND, or what was found instead, and target->why says it. */
enum sampler_found sampler_target_attach(sampler_target *target);

/* When it began to execute its program at the latest, in seconds since 1970. A process may have begun long
 * before that, and perl knows the second ($^T). */
double sampler_target_start_s(const sampler_target *target);

/* The program that it executes: $0, as perl was given it, or else the arguments; in at most size - 1 bytes.
 * Returns whether it is $0. */
bool sampler_target_program(const sampler_target *target, char *to, size_t size);

/* The value of a variable of its environment as it was started with, or as it is now if the program has
 * overwritten that (perl does for $0); in at most size - 1 bytes, empty if it has none. */
void sampler_target_environment(const sampler_target *target, const char *name, char *to, size_t size);

/* Bounds the memory of what is kept of the process: if there is too much, forgets all of it, strings too. It
 * is read again as it is needed. Call it between stacks. Returns true if numbers of strings that stacks had
 * before do not hold any more. */
bool sampler_target_trim(sampler_target *target);

/* Takes a stack. SAMPLER_GONE: the process has ended, even if another one has its pid, or it executes what
 * cannot be read. */
enum sampler_taken sampler_target_take(sampler_target *target, sampler_stack *stack);

/* Returns how many values its perl has; 0: not known. */
uint64_t sampler_target_values(const sampler_target *target);

void sampler_target_clear(sampler_target *target);
