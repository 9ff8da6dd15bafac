#include "cli/sibling.h"

#include "base/time_ns.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_EXECUTED = 127, ENDED_BY_SIGNAL = 128 };
enum { HANDLED = 4 };
static const int handled[HANDLED] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static struct sigaction before[HANDLED];
static bool catches; /* also while no program runs */
static volatile sig_atomic_t caught;
static volatile pid_t child;

/* The terminal sends Ctrl-C to the program, too, but its end only to the leader of the session: the shell, or
 * this process, as in `ssh -t HOST nytp run my.pl`. What kill(1) sends came to this process alone. */
bool nytp_job_program_has(int number, const siginfo_t *info)
{
    return info->si_code == SI_KERNEL && (number != SIGHUP || getsid(0) != getpid());
}

static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int error_number = errno;
    caught = number;
    if (child > 0 && !nytp_job_program_has(number, info))
        kill(child, number);
    errno = error_number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < HANDLED; i++) {
        sigaction(handled[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(handled[i], &action, NULL);
    }
}

static void release_signals(void)
{
    for (size_t i = 0; i < HANDLED; i++)
        sigaction(handled[i], &before[i], NULL);
}

void nytp_job_catch_signals(void)
{
    catches = true;
    catch_signals();
}

int nytp_job_caught(void)
{
    return caught;
}

void nytp_job_end_by_signal(void)
{
    if (caught == 0)
        return;
    release_signals();
    raise(caught);
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static nytp_job_end wait_for(pid_t pid)
{
    int status;
    pid_t ended;
    struct rusage used;
    while ((ended = wait4(pid, &status, 0, &used)) < 0 && errno == EINTR)
        ;
    if (ended < 0)
        return (nytp_job_end){.status = NYTP_EXIT_FAILED};
    return (nytp_job_end){.status =
                              WIFEXITED(status) ? WEXITSTATUS(status) : ENDED_BY_SIGNAL + WTERMSIG(status),
                          .cpu_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
}

/* Puts a file in the place of a descriptor. Returns whether that is done. */
static bool redirect(int fd, const char *path)
{
    enum { MODE = 0666 };
    if (path == NULL)
        return true;
    const int opened = open(path, fd == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, MODE);
    const bool done = opened >= 0 && dup2(opened, fd) == fd;
    if (opened >= 0 && opened != fd)
        close(opened);
    return done;
}

/* Returns only if it failed. */
static void execute(const nytp_job *job)
{
    const int said = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if ((job->directory == NULL || chdir(job->directory) == 0) && redirect(STDIN_FILENO, job->input) &&
        redirect(STDOUT_FILENO, job->output) && redirect(STDERR_FILENO, job->errors))
        execvpe(job->arguments[0], job->arguments, job->environment);
    const int error_number = errno;
    if (said >= 0)
        dup2(said, STDERR_FILENO);
    errno = error_number;
}

nytp_job_end nytp_job_run(const nytp_job *job)
{
    sigset_t of_them, mask;
    sigemptyset(&of_them);
    for (size_t i = 0; i < HANDLED; i++)
        sigaddset(&of_them, handled[i]);
    sigprocmask(SIG_BLOCK, &of_them, &mask); /* until it is known whom to pass them on to */
    if (catches)
        release_signals();
    /* The kernel keeps no exit status where this signal is ignored. */
    void (*of_children)(int) = signal(SIGCHLD, SIG_DFL);
    const double began_s = nytp_time_s(CLOCK_MONOTONIC);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGCHLD, of_children);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        execute(job);
    }
    if (pid <= 0)
        nytp_say("%s: cannot execute: %s", job->arguments[0], strerror(errno));
    if (pid == 0)
        _exit(NOT_EXECUTED);
    child = pid;
    catch_signals();
    sigprocmask(SIG_SETMASK, &mask, NULL);
    nytp_job_end end = pid > 0 ? wait_for(pid) : (nytp_job_end){.status = NOT_EXECUTED};
    end.lasted_s = nytp_time_s(CLOCK_MONOTONIC) - began_s;
    child = 0;
    if (!catches)
        release_signals();
    return end;
}
