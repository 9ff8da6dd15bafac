/* Stops a process for moments, with ptrace(2). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
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

/* How long to wait for a process to stop: one that waits for a disk or a file server does not. */
#define RECORD_STOPPER_SHORT_NS INT64_C(10000000)
#define RECORD_STOPPER_LONG_NS  INT64_C(1000000000)

/* Returns when the process has stopped. EINTR: a signal for this process came first. EAGAIN: it has not
 * stopped within that time; record_stopper_pass_on() has it go on if it does later. */
int record_stopper_stop(record_stopper *stopper, int64_t patience_ns);
int record_stopper_go_on(record_stopper *stopper);

/* Says why a process could not be seized or stopped. */
void record_stopper_say(pid_t pid, int error_number);
void record_stopper_explain(pid_t pid, int error_number, char *to, size_t size);

/* Stops tracing, so that the process goes on. Does nothing if no process is seized. */
void record_stopper_release(record_stopper *stopper);

/* Takes the exit status of a child that has ended, as waitpid(2) has it. Returns its pid, 0 if all children
 * go on, or -1 if there is none. A stop of a child that is traced is left for record_stopper_stop(). */
pid_t record_stopper_reap(int *status);
