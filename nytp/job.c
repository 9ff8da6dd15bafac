#include "job.h"

#include "cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_EXECUTED = 127, ENDED_BY_SIGNAL = 128 };
enum { HANDLED = 4 };
static const int handled[HANDLED] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static volatile pid_t child;

/* The terminal sends Ctrl-C to the program, too. What kill(1) sends came to this process alone. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    (void)context;
    int error_number = errno;
    if (info->si_code != SI_KERNEL && child > 0)
        kill(child, number);
    errno = error_number;
}

/* Signals that are ignored stay so, for a job of nohup(1) or in the background. */
static void catch_signals(struct sigaction *before)
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < HANDLED; i++) {
        sigaction(handled[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(handled[i], &action, NULL);
    }
}

static void release_signals(const struct sigaction *before)
{
    for (size_t i = 0; i < HANDLED; i++)
        sigaction(handled[i], &before[i], NULL);
}

static int wait_for(pid_t pid)
{
    int status;
    pid_t ended;
    while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    if (ended < 0)
        return NYTP_EXIT_FAILED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : ENDED_BY_SIGNAL + WTERMSIG(status);
}

int verb_job_run(char **arguments, char **environment)
{
    struct sigaction before[HANDLED];
    sigset_t of_them, mask;
    sigemptyset(&of_them);
    for (size_t i = 0; i < HANDLED; i++)
        sigaddset(&of_them, handled[i]);
    sigprocmask(SIG_BLOCK, &of_them, &mask); /* until it is known whom to pass them on to */
    /* The kernel keeps no exit status where this signal is ignored. */
    void (*of_children)(int) = signal(SIGCHLD, SIG_DFL);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGCHLD, of_children);
        sigprocmask(SIG_SETMASK, &mask, NULL);
        execvpe(arguments[0], arguments, environment);
    }
    if (pid <= 0)
        nytp_say("%s: cannot execute: %s", arguments[0], strerror(errno));
    if (pid == 0)
        _exit(NOT_EXECUTED);
    child = pid;
    catch_signals(before);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    int status = pid > 0 ? wait_for(pid) : NOT_EXECUTED;
    release_signals(before);
    return status;
}
