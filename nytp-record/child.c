#include "processes.h"

#include "sampler/sampler.h"

#include "cli/say.h"
#include "cli/sibling.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child. What ends a recording may reach all of its processes: Ctrl-C, a terminal that is closed, or
 * systemctl stop. Then this program has only begun. */
static void execute(const char *path, const char *const *arguments, int from, int to)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    if (dup2(from, STDIN_FILENO) >= 0 && (to < 0 || dup2(to, STDOUT_FILENO) >= 0))
        execv(path, (char *const *)arguments);
    nytp_say("%s: cannot execute: %s", path, strerror(errno));
    _exit(127);
}

#define INTERRUPT SIGALRM /* which it does not ignore; it removes its temporary file */

/* Waits for it to end. Ctrl-C ends it if it has taken a second already, because it may wait for the reader of
 * a FIFO. Before that, Ctrl-C may be the one that ended the recording: some programs send a signal twice. */
bool record_child_wait(pid_t pid, int *status)
{
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, the kernel keeps no exit status */
    record_signals_was_interrupted();
    int64_t start_ns = sampler_now_ns();
    sigset_t before;
    pid_t ended;
    record_signals_hold(&before);
    while ((ended = waitpid(pid, status, WNOHANG)) == 0) {
        record_signals_wait();
        if (record_signals_was_interrupted() && sampler_now_ns() - start_ns >= SAMPLER_SECOND_NS)
            kill(pid, INTERRUPT);
    }
    int error_number = errno;
    record_signals_let_go(&before);
    errno = error_number;
    return ended == pid;
}

bool record_child_run(const char *const *arguments, int from, int to)
{
    int status;
    g_autofree char *path = nytp_sibling_wanted(arguments[0]);
    if (path == NULL)
        return false;
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, the kernel keeps no exit status */
    pid_t pid = fork();
    if (pid == 0)
        execute(path, arguments, from, to);
    if (pid < 0 || !record_child_wait(pid, &status)) {
        nytp_say("%s: cannot be run: %s", arguments[0], strerror(errno));
        return false;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
        nytp_say("%s was ended by a signal: %s", arguments[0],
                 strsignal(WTERMSIG(status) == INTERRUPT ? SIGINT : WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
