/* Stops a process for a moment, with ptrace(2). */
#ifndef RECORD_STOPPER_H
#define RECORD_STOPPER_H

#include <sys/types.h>

/* Each returns 0, or -1 with errno set. */
int record_stopper_seize(pid_t pid);
int record_stopper_stop(pid_t pid); /* returns when it has stopped; the process may be gone */
int record_stopper_go_on(pid_t pid);
void record_stopper_release(pid_t pid);

#endif
