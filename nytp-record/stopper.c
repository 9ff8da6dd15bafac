#include "stopper.h"

#include "sampler/process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int record_stopper_seize(pid_t pid)
{
    return ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 0 : -1;
}

static bool is_child(pid_t pid)
{
    record_process process;
    return record_process_read(&process, pid) && process.parent == getpid();
}

/* Waits until the process has stopped or ended; with WNOHANG it has ended already. Its parent learns of the end only
 * after its tracer has waited for it. If this process is the parent, it waits elsewhere, for the exit status. */
static int wait_for(pid_t pid, int options, int *status)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | __WALL | WNOWAIT | options) != 0)
        return -1;
    bool ended = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
    if (!(ended && is_child(pid)) && waitpid(pid, status, __WALL | options) < 0)
        return -1;
    if (ended)
        errno = ESRCH;
    return ended ? -1 : 0;
}

/* While it is traced, each signal for it stops it first, and is handed on. */
int record_stopper_stop(pid_t pid)
{
    int status = 0;
    if (ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) != 0) {
        int why = errno;
        wait_for(pid, WNOHANG, &status);
        errno = why;
        return -1;
    }
    for (;;) {
        if (wait_for(pid, 0, &status) != 0) {
            if (errno == EINTR)
                continue;
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
