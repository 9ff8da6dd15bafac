/* The perl interpreter in a process: where its variables are, and which layout its structures have. */
#pragma once

#include "sampler/perl/layouts.h"
#include "sampler/process/pthreads.h"
#include "sampler/process/remote.h"

/* The addresses of variables. */
typedef struct sampler_variables {
    uint64_t op, curcop, curstackinfo, curpad, defstash, main_cv, main_root;
    uint64_t stashpad, stashpadmax; /* 0 without threads */
    uint64_t origfilename, perldb, cop_seqmax, phase;
    uint64_t stack_sp, sv_count, basetime, top_env; /* 0 if the table lacks them */
} sampler_variables;

typedef struct sampler_interpreter {
    sampler_memory memory;
    sampler_layout layout;
    sampler_variables at;
    uint64_t op_names; /* PL_op_name: an array of pointers */
    uint64_t environ;  /* the variable of libc; 0: not found */
    uint64_t address;  /* of the struct interpreter; 0 without MULTIPLICITY */
} sampler_interpreter;

enum sampler_found {
    SAMPLER_FOUND,
    SAMPLER_NOT_PERL,     /* no object of the process exports what perl does */
    SAMPLER_NOT_STARTED,  /* a perl without an interpreter, for the moment or for good */
    SAMPLER_NO_LAYOUT,    /* a perl that no table fits */
    SAMPLER_ENDED,        /* there is no such process any more, or it is about to end */
    SAMPLER_NOT_READABLE, /* errno says why */
    SAMPLER_NOT_RECORDED, /* a perl whose profile cannot be written, or that another program traces */
};

/* Finds the interpreter of a process and checks it. *pid must live as long as the interpreter. offsets: a
 * table, or a directory of them. *identity says what perl it is from SAMPLER_NO_LAYOUT on, and if it was
 * found. *pthreads: where its threads and their interpreters are. */
enum sampler_found sampler_interpreter_find(sampler_interpreter *interpreter, const pid_t *pid,
                                            const char *offsets, sampler_identity *identity,
                                            sampler_pthreads *pthreads);

/* Goes over to another interpreter of the process, that of a thread. Returns false if there is none at the
 * address. */
bool sampler_interpreter_move(sampler_interpreter *interpreter, uint64_t address);

/* Whether the variables still look as those of a perl do. */
bool sampler_interpreter_verify(const sampler_interpreter *interpreter);
