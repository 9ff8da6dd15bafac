#include "processes.h"

#include "sampler/sampler.h"

#include "cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int record_stopper_seize(record_stopper *s, pid_t pid)
{
    *s = (record_stopper){0};
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, no stop is signalled */
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

/* Waits for the signal that something has stopped or ended, which is blocked. -1: errno says that another one
 * came, or that the time is over. */
static int wait_for_child(const sigset_t *child, int64_t end_ns)
{
    int64_t left_ns = end_ns - sampler_now_ns();
    left_ns = left_ns > 0 ? left_ns : 0;
    struct timespec left = {left_ns / SAMPLER_SECOND_NS, left_ns % SAMPLER_SECOND_NS};
    return sigtimedwait(child, NULL, &left) > 0 ? 0 : -1;
}

static int stop(record_stopper *s, const sigset_t *child, int64_t end_ns)
{
    if (ptrace(PTRACE_INTERRUPT, s->pid, NULL, NULL) != 0)
        return -1;
    for (;;) {
        int status;
        if (wait_for(s->pid, WNOHANG, &status) != 0)
            return -1;
        if (status == 0 ? wait_for_child(child, end_ns) != 0
                        : status >> 16 != PTRACE_EVENT_STOP && resume(s->pid, status) != 0)
            return -1;
        if (status >> 16 == PTRACE_EVENT_STOP) {
            s->status = status;
            return 0;
        }
    }
}

int record_stopper_stop(record_stopper *s, int64_t patience_ns)
{
    sigset_t child, before;
    if (s->status != 0)
        return 0;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    int done = stop(s, &child, sampler_now_ns() + patience_ns), error_number = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error_number;
    return done;
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
        if (record_stopper_stop(s, RECORD_STOPPER_LONG_NS) == 0)
            ptrace(PTRACE_DETACH, s->pid, NULL, NULL);
        else if (errno == EINTR)
            continue;
        *s = (record_stopper){0};
    }
}

void record_stopper_explain(pid_t pid, int error_number, char *to, size_t size)
{
    char name[64];
    pid_t tracer = sampler_process_tracer(pid);
    sampler_process_arguments(tracer, name, sizeof name);
    if (error_number == EPERM && tracer != 0)
        snprintf(to, size,
                 "%ld: cannot be stopped, because process %ld (%s) traces it; without --stop it can be read",
                 (long)pid, (long)tracer, name);
    else if (error_number == EAGAIN)
        snprintf(to, size,
                 "%ld: does not stop, because it waits for a disk or a file server (state D of ps); without "
                 "--stop it can be read",
                 (long)pid);
    else
        snprintf(to, size, "%ld: cannot be stopped: %s", (long)pid, strerror(error_number));
}

void record_stopper_say(pid_t pid, int error_number)
{
    char why[256];
    record_stopper_explain(pid, error_number, why, sizeof why);
    nytp_say("%s", why);
}

pid_t record_stopper_reap(int *status)
{
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
        return -1;
    /* A stop of a child that is traced is reported, too, and hides those that have ended until the next time.
     */
    return has_ended(&info) ? waitpid(info.si_pid, status, 0) : 0;
}
