#include "processes.h"

#include "sampler/sampler.h"

#include "cli/perl_file.h"
#include "cli/options.h"
#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rlimit descriptors_before;

void record_command_raise_descriptors(void)
{
    if (getrlimit(RLIMIT_NOFILE, &descriptors_before) == 0)
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){descriptors_before.rlim_max, descriptors_before.rlim_max});
}

/* In the child. The pipe to the parent is closed if this succeeds. */
static void execute(char **arguments, int to)
{
    execvp(arguments[0], arguments);
    int error_number = errno;
    while (write(to, &error_number, sizeof error_number) < 0 && errno == EINTR)
        ;
    _exit(NYTP_EXIT_FAILED);
}

/* Returns 0 when the command runs, or errno if it could not be executed. */
static int failure_of(int from)
{
    int error_number;
    ssize_t size;
    while ((size = read(from, &error_number, sizeof error_number)) < 0 && errno == EINTR)
        ;
    return size == (ssize_t)sizeof error_number ? error_number : 0;
}

/* Returns the process, or -1 and errno. */
static pid_t start(char **arguments)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    /* The kernel keeps no exit status where this signal is ignored. */
    void (*inherited)(int) = signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
    pid_t child = fork();
    int error_number = errno;
    if (child == 0) {
        signal(SIGCHLD, inherited);
        if (descriptors_before.rlim_max != 0)
            setrlimit(RLIMIT_NOFILE, &descriptors_before);
        execute(arguments, ends[1]);
    }
    close(ends[1]);
    if (child > 0 && (error_number = failure_of(ends[0])) != 0) {
        waitpid(child, NULL, 0);
        child = -1;
    }
    close(ends[0]);
    errno = error_number;
    return child;
}

static int status_of_failure(int error_number)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
    return error_number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

static bool is_perl_script(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is_script = fd >= 0 && nytp_perl_file_refusal(path, fd) == NULL;
    if (fd >= 0)
        close(fd);
    return is_script;
}

static void say_what_to_do(const char *name)
{
    if (nytp_pid_is_meant(name))
        nytp_advise("to sample process %s: nytp-record -p %s", name, name);
    else if (is_perl_script(name))
        nytp_advise("%s is a Perl script: nytp-record perl %s", name, name);
}

int record_command_start(record_command *c, char **arguments)
{
    *c = (record_command){.name = arguments[0], .pid = start(arguments), .has_children = true};
    if (c->pid > 0)
        return 0;
    int error_number = errno;
    nytp_say("%s: cannot execute: %s", arguments[0], strerror(error_number));
    say_what_to_do(arguments[0]);
    return status_of_failure(error_number);
}

void record_command_reap(record_command *c)
{
    int status;
    pid_t pid;
    while ((pid = record_stopper_reap(&status)) > 0)
        if (pid == c->pid) {
            c->pid = 0;
            c->status = status;
        }
    c->has_children = pid == 0;
}

void record_command_pass_on(const record_command *c)
{
    const int signal_number = record_signals_take_own();
    if (signal_number != 0 && c->pid != 0)
        kill(c->pid, signal_number);
}

/* Whether another signal asks for the end than that of *asked_ns, or 0. Some programs send one twice. */
static bool is_asked_again(int64_t *asked_ns)
{
    const int64_t now_ns = sampler_now_ns();
    if (!record_signals_take_end())
        return false;
    if (*asked_ns != 0)
        return now_ns - *asked_ns >= SAMPLER_SECOND_NS;
    *asked_ns = now_ns;
    return false;
}

void record_command_wait(record_command *c)
{
    int64_t asked_ns = 0;
    sigset_t before;
    record_signals_hold(&before);
    for (record_command_reap(c); c->pid != 0; record_command_reap(c)) {
        record_command_pass_on(c);
        if (is_asked_again(&asked_ns)) {
            nytp_say("%s (process %ld) goes on", c->name, (long)c->pid);
            break;
        }
        record_signals_wait();
    }
    record_signals_let_go(&before);
}

int record_command_status(const record_command *c)
{
    return WIFEXITED(c->status) ? WEXITSTATUS(c->status) : 128 + WTERMSIG(c->status);
}
