#include "stopper.h"

#include "sampler/sampler.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int record_stopper_seize(record_stopper *s, pid_t pid)
{
    *s = (record_stopper){0};
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) != 0)
        return -1;
    s->pid = pid;
    return 0;
}

static bool has_ended(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
}

static bool is_child(pid_t pid)
{
    sampler_process process;
    return sampler_process_read(&process, pid) && process.parent == getpid();
}

/* Waits until the process has stopped or ended. *status: what it has stopped with; 0, with WNOHANG: it has
 * not. -1 with ESRCH: it has ended. Its parent learns of the end only after its tracer has waited for it. If
 * this process is the parent, record_stopper_reap() waits. */
static int wait_for(pid_t pid, int options, int *status)
{
    siginfo_t info = {0};
    *status = 0;
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | __WALL | WNOWAIT | options) != 0)
        return -1;
    bool ended = has_ended(&info);
    if (info.si_pid != 0 && !(ended && is_child(pid)) && waitpid(pid, status, __WALL | options) < 0)
        return -1;
    if (ended)
        errno = ESRCH;
    return ended ? -1 : 0;
}

/* Lets it go on after a stop. While it is traced, each signal for it stops it first, and is handed on here.
 * One that a signal stops, as Ctrl-Z does, stays so. */
static int resume(pid_t pid, int status)
{
    bool is_event = status >> 16 == PTRACE_EVENT_STOP;
    if (is_event && WSTOPSIG(status) != SIGTRAP)
        return ptrace(PTRACE_LISTEN, pid, NULL, NULL) == 0 ? 0 : -1;
    size_t signal_number = is_event ? 0 : (size_t)WSTOPSIG(status);
    return ptrace(PTRACE_CONT, pid, NULL, (void *)signal_number) == 0 ? 0 : -1; /* NOLINT */
}

int record_stopper_pass_on(const record_stopper *s)
{
    int status;
    do {
        if (wait_for(s->pid, WNOHANG, &status) != 0 || (status != 0 && resume(s->pid, status) != 0))
            return -1;
    } while (status != 0);
    return 0;
}

int record_stopper_stop(record_stopper *s)
{
    if (s->status != 0)
        return 0;
    if (ptrace(PTRACE_INTERRUPT, s->pid, NULL, NULL) != 0)
        return -1;
    for (;;) {
        int status;
        if (wait_for(s->pid, 0, &status) != 0)
            return -1;
        if (status >> 16 == PTRACE_EVENT_STOP) {
            s->status = status;
            return 0;
        }
        if (resume(s->pid, status) != 0)
            return -1;
    }
}

int record_stopper_go_on(record_stopper *s)
{
    int status = s->status;
    s->status = 0;
    return resume(s->pid, status);
}

void record_stopper_release(record_stopper *s)
{
    enum { TRIES = 3 }; /* a signal for this process may come first */
    for (int tries = 0; s->pid != 0 && tries < TRIES; tries++) {
        if (record_stopper_stop(s) == 0)
            ptrace(PTRACE_DETACH, s->pid, NULL, NULL);
        else if (errno == EINTR)
            continue;
        *s = (record_stopper){0};
    }
}

bool record_stopper_reap(pid_t child, int *status)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && has_ended(&info) &&
           waitpid(child, status, 0) == child;
}
