#include "converter.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const record_formats[] = {"profile", "folded", "speedscope", "pprof", "callgrind", NULL};

static const struct {
    const char *program, *output;
} converters[] = {
    [RECORD_PROFILE] = {NULL, "nytprof.out"},
    [RECORD_FOLDED] = {"nytprofcalls", "nytprof.folded"},
    [RECORD_SPEEDSCOPE] = {"nytp-speedscope", "nytprof.speedscope.json"},
    [RECORD_PPROF] = {"nytp-pprof", "nytprof.pb.gz"},
    [RECORD_CALLGRIND] = {"nytprofcg", "nytprof.callgrind"},
};

const char *record_converter_default(enum record_format format)
{
    return converters[format].output;
}

const char *record_converter_name(enum record_format format)
{
    return converters[format].program;
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

/* In the child. Ctrl-C is for the one that samples, which then closes the pipe. */
static void execute(const char *path, const char *output, int from)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (dup2(from, STDIN_FILENO) >= 0)
        execl(path, path, "-o", output, "-", (char *)NULL);
    _exit(127);
}

int record_converter_start(enum record_format format, const char *output, pid_t *pid)
{
    int ends[2];
    char *path = record_converter_find(format);
    if (path == NULL || pipe2(ends, O_CLOEXEC) != 0) {
        g_free(path);
        return -1;
    }
    signal(SIGPIPE, SIG_IGN); /* the status of the program says whether it had all */
    *pid = fork();
    if (*pid == 0)
        execute(path, output, ends[0]);
    int error_number = errno;
    g_free(path);
    close(ends[0]);
    if (*pid > 0)
        return ends[1];
    close(ends[1]);
    errno = error_number;
    return -1;
}

int record_converter_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}
