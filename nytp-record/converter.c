#include "converter.h"

#include "sampler/sampler.h"
#include "signals.h"

#include "cli/say.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const record_formats[] = {"profile", "folded", "speedscope", "pprof", "callgrind", NULL};

/* The root is shown, so that the samples outside of all subs are there; nytprofcalls does so only if asked.
 */
static const struct {
    const char *program, *output, *option;
} converters[] = {
    [RECORD_PROFILE] = {NULL, "nytprof.out", NULL},
    [RECORD_FOLDED] = {"nytprofcalls", "nytprof.folded", "--root"},
    [RECORD_SPEEDSCOPE] = {"nytp-speedscope", "nytprof.speedscope.json", NULL},
    [RECORD_PPROF] = {"nytp-pprof", "nytprof.pb.gz", NULL},
    [RECORD_CALLGRIND] = {"nytprofcg", "nytprof.callgrind", NULL},
};

const char *record_converter_default(enum record_format format)
{
    return converters[format].output;
}

const char *record_converter_name(enum record_format format)
{
    return converters[format].program;
}

const char *record_converter_option(enum record_format format)
{
    return converters[format].option;
}

char *record_converter_find(enum record_format format)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *directory = g_path_get_dirname(self);
    char *path = g_build_filename(directory, converters[format].program, NULL);
    g_free(directory);
    if (access(path, X_OK) == 0)
        return path;
    g_free(path);
    return g_find_program_in_path(converters[format].program);
}

/* In the child. What ends a recording may reach all of its processes: Ctrl-C, a terminal that is closed, or
 * systemctl stop. Then the conversion has only begun. */
static void execute(const char *path, const char *option, const char *output, int from)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        signal(ignored[i], SIG_IGN);
    if (dup2(from, STDIN_FILENO) >= 0)
        execl(path, path, "-o", output, "-", option, (char *)NULL);
    nytp_say("%s: cannot execute: %s", path, strerror(errno));
    _exit(127);
}

#define INTERRUPT SIGALRM /* which it does not ignore; it removes its temporary file */

/* Waits for it to end. Ctrl-C ends it if it has taken a second already, because it may wait for the reader of
 * a FIFO. Before that, Ctrl-C may be the one that ended the recording: some programs send a signal twice. */
static bool wait_for(pid_t pid, int *status)
{
    int64_t start_ns = sampler_now_ns();
    while (waitpid(pid, status, 0) != pid) {
        if (errno != EINTR)
            return false;
        if (record_signals_was_interrupted() && sampler_now_ns() - start_ns >= SAMPLER_SECOND_NS)
            kill(pid, INTERRUPT);
    }
    return true;
}

bool record_converter_run(enum record_format format, const char *output, int from)
{
    int status;
    char *path = record_converter_find(format);
    if (path == NULL) {
        nytp_say("%s is not installed any more", converters[format].program);
        return false;
    }
    signal(SIGCHLD, SIG_DFL); /* where it is ignored, the kernel keeps no exit status */
    record_signals_was_interrupted();
    pid_t pid = fork();
    if (pid == 0)
        execute(path, converters[format].option, output, from);
    g_free(path);
    if (pid < 0 || !wait_for(pid, &status)) {
        nytp_say("%s: cannot be run: %s", converters[format].program, strerror(errno));
        return false;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
        nytp_say("%s was ended by a signal: %s", converters[format].program,
                 strsignal(WTERMSIG(status) == INTERRUPT ? SIGINT : WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
