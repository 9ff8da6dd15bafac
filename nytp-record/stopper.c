#include "stopper.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

int record_stopper_seize(pid_t pid)
{
    return ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 0 : -1;
}

/* While it is traced, each signal for it stops it first, and is handed on. */
int record_stopper_stop(pid_t pid)
{
    int status;
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) != 0)
        return -1;
    for (;;) {
        if (waitpid(pid, &status, __WALL) < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        if (!WIFSTOPPED(status)) {
            errno = ESRCH;
            return -1;
        }
        if (status >> 16 == PTRACE_EVENT_STOP)
            return 0;
        if (ptrace(PTRACE_CONT, pid, NULL, (void *)(size_t)WSTOPSIG(status)) != 0)
            return -1;
    }
}

int record_stopper_go_on(pid_t pid)
{
    return ptrace(PTRACE_CONT, pid, NULL, NULL) == 0 ? 0 : -1;
}

void record_stopper_release(pid_t pid)
{
    if (record_stopper_stop(pid) == 0)
        ptrace(PTRACE_DETACH, pid, NULL, NULL);
}
