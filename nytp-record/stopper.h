/* Stops a process for moments, with ptrace(2). */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

typedef struct record_stopper {
    pid_t pid;  /* 0: none is seized */
    int status; /* what it has stopped with, as waitpid(2) has it; 0: it runs */
} record_stopper;

/* Each returns 0, or -1 with errno set. */

int record_stopper_seize(record_stopper *stopper, pid_t pid);

/* Lets the process go on after the stops that signals made since the last time, and hands the signals on. Due
 * before each sample, also where none is taken: the process waits for it. */
int record_stopper_pass_on(const record_stopper *stopper);

/* Returns when the process has stopped. EINTR: a signal for this process came first. */
int record_stopper_stop(record_stopper *stopper);
int record_stopper_go_on(record_stopper *stopper);

/* Stops tracing, so that the process goes on. Does nothing if no process is seized. */
void record_stopper_release(record_stopper *stopper);

/* Takes the exit status of a child that has ended, as waitpid(2) has it. Returns false if the child goes
 * on. A stop of a child that is traced is left for record_stopper_stop(). */
bool record_stopper_reap(pid_t child, int *status);
