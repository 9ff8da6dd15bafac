#include "session.h"

#include "family.h"
#include "progress.h"
#include "sampler/sampler.h"
#include "signals.h"
#include "stopper.h"

#include "cli/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_NS                                                                                              \
    (SAMPLER_SECOND_NS / 10) /* how often descendants are looked for, unless samples are rarer               \
                              */
#define FIRST_LOOK_NS (SAMPLER_SECOND_NS / 500) /* the same before there is any perl */
#define PATIENCE_NS   (10 * SAMPLER_SECOND_NS)  /* until a command must have started a perl */

typedef struct session {
    const record_options *options;
    record_family *family;
    sampler_process_id root;
    bool is_command, descendants;
    const char *name; /* of the command */
    pid_t command;    /* 0: there is none, or it has ended */
    int status;       /* of the command that has ended */
    int64_t start_ns, end_ns, looked_ns, second_ns;
    sampler_pace pace;
} session;

/* How many files may be open: each process that is sampled needs some. A command gets as many as before. */
static struct rlimit descriptors_before;

static void raise_descriptors(void)
{
    if (getrlimit(RLIMIT_NOFILE, &descriptors_before) == 0)
        setrlimit(RLIMIT_NOFILE, &(struct rlimit){descriptors_before.rlim_max, descriptors_before.rlim_max});
}

static void note_end_of_command(session *s)
{
    if (s->command != 0 && record_stopper_reap(s->command, &s->status))
        s->command = 0;
}

static bool root_lives(const session *s)
{
    sampler_process root;
    if (s->is_command)
        return s->command != 0;
    return sampler_process_read(&root, s->root.pid) && sampler_process_id_is(root.id, s->root) &&
           root.state != 'Z' && root.state != 'X';
}

static bool is_over(const session *s, int64_t now)
{
    if (record_signals_end_wanted())
        return true;
    if (s->options->duration_s > 0 &&
        (double)(now - s->start_ns) >= s->options->duration_s * (double)SAMPLER_SECOND_NS)
        return true;
    if (record_family_count(s->family) > 0)
        return false;
    if (record_family_total(s->family) == 0)
        return !root_lives(s) ||
               now - s->start_ns >= (s->is_command ? PATIENCE_NS : record_family_patience_ns(s->family));
    return !s->descendants || !root_lives(s);
}

static void look(session *s, int64_t now)
{
    int64_t pause = record_family_total(s->family) > 0 ? LOOK_NS : FIRST_LOOK_NS;
    if (s->is_command && s->command == 0 && record_family_total(s->family) == 0)
        return; /* what is known of it says more than that it has ended */
    if (now - s->looked_ns < pause || (record_family_total(s->family) > 0 && !s->descendants))
        return;
    s->looked_ns = now;
    record_family_look(s->family);
}

static void sample_until_over(session *s)
{
    record_progress progress;
    s->start_ns = s->second_ns = sampler_now_ns();
    sampler_pace_begin(&s->pace, s->options->rate_hz);
    record_progress_begin(&progress);
    for (;;) {
        int64_t now = sampler_now_ns();
        note_end_of_command(s);
        look(s, now);
        record_family_sample(s->family);
        if (record_signals_take_conclude())
            record_family_conclude(s->family);
        if (now - s->second_ns >= SAMPLER_SECOND_NS) {
            s->second_ns = now;
            record_family_each_second(s->family);
            record_progress_show(&progress, s->family, (double)(now - s->start_ns) / 1e9);
        }
        if (is_over(s, now))
            break;
        sampler_pace_wait(&s->pace);
    }
    s->end_ns = sampler_now_ns();
    record_progress_end(&progress);
}

/* Why there is no recording, and what to do. */
static void say_nothing_recorded(const session *s)
{
    const char *why = record_family_why(s->family);
    if (record_signals_end_wanted())
        nytp_say("ended by a signal before a perl was found: nothing is recorded");
    else if (!s->is_command)
        nytp_say("%s", why);
    else if (s->command == 0)
        nytp_say("%s ended before a perl could be sampled, so nothing is recorded%s%s", s->name,
                 why[0] != '\0' ? ": " : "", why);
    else
        nytp_say(
            "%s has started no perl within %d seconds, so nothing is recorded (-p PID samples a perl that "
            "runs): %s",
            s->name, (int)(PATIENCE_NS / SAMPLER_SECOND_NS), why);
}

static void say_recorded(const session *s, const record_counts *counts)
{
    if (!s->is_command && !root_lives(s))
        nytp_say("process %ld has ended", (long)s->root.pid);
    record_progress_sum(counts, s->options, record_family_total(s->family), record_family_file(s->family),
                        (double)(s->end_ns - s->start_ns) / 1e9);
    if (counts->samples == 0 && counts->idle == 0)
        nytp_say("the program ended before a sample was taken; -r takes more samples per second");
}

/* Returns the exit status of the recording. */
static int conclude(session *s)
{
    record_counts counts = record_family_counts(s->family);
    if (record_family_total(s->family) == 0) {
        say_nothing_recorded(s);
        return NYTP_EXIT_FAILED;
    }
    if (record_family_finish(s->family) < 0)
        return NYTP_EXIT_FAILED;
    say_recorded(s, &counts);
    return NYTP_EXIT_DONE;
}

static int record(session *s)
{
    record_signals_begin();
    s->family = record_family_new(s->root, s->options, s->descendants);
    sample_until_over(s);
    int status = conclude(s);
    record_family_free(s->family);
    return status;
}

int record_session_attach(const record_options *options, pid_t pid)
{
    session s = {.options = options, .root = sampler_process_now(pid), .descendants = options->children};
    raise_descriptors();
    return record(&s);
}

/* In the child. The pipe to the parent is closed if this succeeds. */
static void execute(char **command, int to)
{
    execvp(command[0], command);
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
static pid_t start(char **command)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    /* The kernel keeps no exit status where this signal is ignored. */
    void (*inherited)(int) = signal(SIGCHLD, SIG_DFL);
    pid_t child = fork();
    int error_number = errno;
    if (child == 0) {
        signal(SIGCHLD, inherited);
        if (descriptors_before.rlim_max != 0)
            setrlimit(RLIMIT_NOFILE, &descriptors_before);
        execute(command, ends[1]);
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

/* As shells have it. */
static int status_of_failure(int error_number)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
    return error_number == ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

int record_session_run(const record_options *options, char **command)
{
    session s = {.options = options, .is_command = true, .descendants = true, .name = command[0]};
    raise_descriptors();
    pid_t child = start(command);
    if (child < 0) {
        int error_number = errno;
        nytp_say("%s: cannot execute: %s", command[0], strerror(error_number));
        return status_of_failure(error_number);
    }
    s.command = child;
    s.root = sampler_process_now(child);
    int status = record(&s);
    while (s.command != 0 && !record_signals_end_wanted()) /* after --duration */
        if (waitpid(s.command, &s.status, 0) == s.command || errno != EINTR)
            s.command = 0;
    if (s.command != 0 || status != NYTP_EXIT_DONE)
        return status;
    return WIFEXITED(s.status) ? WEXITSTATUS(s.status) : 128 + WTERMSIG(s.status);
}
