/* The process: its end, when C code calls exit(), the main thread returns, or the last thread ends; and
 * forked children, for which output, sums and time that a child inherits belong to the parent. */
#pragma once

#include "prof.h"

#include <sys/types.h>

typedef struct prof_process {
    pid_t pid;            /* of the process that the output belongs to */
    int forks_left;       /* how many more generations are profiled; -1: all */
    bool too_deep;        /* this generation is not profiled */
    bool forked_child;    /* the process was forked since the last event: output and sums are the parent's */
    int forks_unseen;     /* generations since the last event */
    bool is_child;        /* the process number is appended to the path */
    unsigned thread;      /* 0: not that of an ithread */
    unsigned interpreter; /* its number in the process, from 0 */
    _Atomic bool saves;   /* a checkpoint is being saved (prof_checkpoint()) */
    _Atomic bool ends;    /* another thread ends the process, and completes the output (at_exit()) */
    _Atomic bool stopped;
    uint64_t ran_ns; /* how long its thread had run when it was to stop; 0 before */
} prof_process;

void prof_process_init(prof_process *process);

/* From here on completes the outputs of the process at its end, and marks the children of forks. Call it
 * once. */
void prof_watch_process(void);

/* If the process is a child whose fork was not noticed, gives it its own profile. Returns whether it was. */
bool prof_notice_fork(pTHX_ prof *p);

/* Call it when the interpreter ends. */
void prof_unwatch_thread(const prof *p);

/* Does not return if another thread is ending the process. */
void prof_stop_if_process_ends(prof *p);

/* The rare work: every 0.4 s, at the first event after a fork, and when another coroutine runs. Returns
 * whether profiling is enabled afterwards. For prof_probe_init(). */
bool prof_checkpoint(pTHX_ prof *p, uint64_t now);
