/* Starts programs for the tests. A test in perl has many pages, which its own fork would have to share: here
 * that takes longer than most of the programs run.
 *
 * Each request on standard input is the number of its bytes, a uint32_t, and so many bytes: strings that end
 * with NUL. They are the directory, the files for standard input, output and error, the number of arguments,
 * the arguments, and the environment. The answer on standard output is a pid_t, or a negative errno. The
 * program becomes a child of the process that started this one, which waits for it, and has a process group
 * of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *dir, *in, *out, *err;
    char **argv, **env;
} request;

static _Alignas(16) char stack[1 << 18];

static int fail(const request *r)
{
    int error = errno;
    for (char **argument = r->argv; *argument != NULL; argument++)
        dprintf(STDERR_FILENO, "%s%s", *argument, argument[1] != NULL ? " " : ": ");
    dprintf(STDERR_FILENO, "%s\n", strerror(error));
    return 127;
}

static int open_as(int fd, const char *path, int flags)
{
    int opened = open(path, flags, 0600);
    if (opened < 0 || opened == fd)
        return opened;
    int rc = dup2(opened, fd);
    close(opened);
    return rc;
}

/* The child. It has the memory of its parent, which goes on when this ends or has executed the program.
 * execvp() looks for the program in PATH of the new environment; nothing else here reads the environment. */
static int become(void *data)
{
    const request *r = data;
    const int output = O_WRONLY | O_CREAT | O_APPEND;
    if (setpgid(0, 0) != 0 || open_as(STDERR_FILENO, r->err, output) < 0 ||
        open_as(STDIN_FILENO, r->in, O_RDONLY) < 0 || open_as(STDOUT_FILENO, r->out, output) < 0 ||
        chdir(r->dir) != 0)
        _exit(fail(r));
    environ = r->env;
    execvp(r->argv[0], r->argv);
    _exit(fail(r));
}

static int read_all(void *into, size_t n)
{
    for (size_t got = 0; got < n;) {
        ssize_t part = read(STDIN_FILENO, (char *)into + got, n - got);
        if (part <= 0)
            return -1;
        got += (size_t)part;
    }
    return 0;
}

static char *next_string(char **at)
{
    char *string = *at;
    *at += strlen(string) + 1;
    return string;
}

static pid_t start(char *bytes, const char *end)
{
    request r;
    r.dir = next_string(&bytes);
    r.in = next_string(&bytes);
    r.out = next_string(&bytes);
    r.err = next_string(&bytes);
    size_t n_arguments = strtoul(next_string(&bytes), NULL, 10), n = 0, size = 0;
    for (const char *at = bytes; at < end; at++)
        size += *at == '\0';
    char **strings = calloc(size + 2, sizeof(char *));
    if (strings == NULL)
        return -ENOMEM;
    for (r.argv = strings; n < n_arguments; n++)
        strings[n] = next_string(&bytes);
    n++;
    for (r.env = strings + n; bytes < end; n++)
        strings[n] = next_string(&bytes);
    pid_t pid = clone(become, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, &r);
    if (pid < 0)
        pid = -errno;
    free(strings);
    return pid;
}

int main(void)
{
    uint32_t n;
    while (read_all(&n, sizeof n) == 0) {
        char *bytes = malloc((size_t)n + 1);
        if (bytes == NULL || read_all(bytes, n) != 0)
            return 1;
        bytes[n] = '\0';
        pid_t pid = start(bytes, bytes + n);
        free(bytes);
        if (write(STDOUT_FILENO, &pid, sizeof pid) != sizeof pid)
            return 1;
    }
    return 0;
}
