#include "session.h"

#include "family.h"
#include "progress.h"
#include "sampler/clock.h"
#include "sampler/pace.h"
#include "signals.h"
#include "stopper.h"

#include "cli/say.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_NS       (RECORD_SECOND_NS / 10) /* how often descendants are looked for, unless samples are rarer */
#define FIRST_LOOK_NS (RECORD_SECOND_NS / 500) /* the same before there is any perl */
#define PATIENCE_NS   (10 * RECORD_SECOND_NS)  /* until a command must have started a perl */

typedef struct session {
    const record_options *options;
    record_family *family;
    pid_t root;
    bool is_command, descendants;
    pid_t command; /* 0: there is none, or it has ended */
    int status;    /* of the command that has ended */
    int64_t start_ns, looked_ns, second_ns;
    record_pace pace;
} session;

static void note_end_of_command(session *s)
{
    if (s->command != 0 && record_stopper_reap(s->command, &s->status))
        s->command = 0;
}

static bool root_lives(const session *s)
{
    record_process root;
    if (s->is_command)
        return s->command != 0;
    return record_process_read(&root, s->root) && root.state != 'Z' && root.state != 'X';
}

static bool is_over(const session *s, int64_t now)
{
    if (record_signals_end_wanted())
        return true;
    if (s->options->duration_s > 0 &&
        (double)(now - s->start_ns) >= s->options->duration_s * (double)RECORD_SECOND_NS)
        return true;
    if (record_family_count(s->family) > 0)
        return false;
    if (record_family_total(s->family) == 0)
        return !root_lives(s) || now - s->start_ns >= (s->is_command ? PATIENCE_NS : RECORD_SECOND_NS) ||
               (!s->is_command && record_family_is_hopeless(s->family));
    return !s->descendants || !root_lives(s);
}

static void look(session *s, int64_t now)
{
    int64_t pause = record_family_total(s->family) > 0 ? LOOK_NS : FIRST_LOOK_NS;
    if (now - s->looked_ns < pause || (record_family_total(s->family) > 0 && !s->descendants))
        return;
    s->looked_ns = now;
    record_family_look(s->family);
}

static void sample_until_over(session *s)
{
    record_progress progress;
    s->start_ns = s->second_ns = record_now_ns();
    record_pace_begin(&s->pace, s->options->rate_hz);
    record_progress_begin(&progress);
    for (;;) {
        int64_t now = record_now_ns();
        note_end_of_command(s);
        look(s, now);
        record_family_sample(s->family);
        if (record_signals_take_conclude())
            record_family_conclude(s->family);
        if (now - s->second_ns >= RECORD_SECOND_NS) {
            s->second_ns = now;
            record_family_each_second(s->family);
            record_progress_show(&progress, s->family, (double)(now - s->start_ns) / 1e9);
        }
        if (is_over(s, now))
            break;
        record_pace_wait(&s->pace);
    }
    record_progress_end(&progress);
}

/* Returns the exit status of the recording. */
static int conclude(session *s)
{
    bool wanted = record_signals_end_wanted();
    int rc = record_family_finish(s->family);
    record_counts counts = record_family_counts(s->family);
    size_t total = record_family_total(s->family);
    const char *why = record_family_why(s->family);
    if (total == 0 && s->is_command && !wanted)
        nytp_say("no perl was started within 10 seconds, or before the recording or the command ended; the "
                 "last process that was tried: %s",
                 why);
    else if (total == 0 && !wanted)
        nytp_say("%s", why);
    else if (total > 0)
        record_progress_sum(&counts, total, record_family_file(s->family),
                            (double)(record_now_ns() - s->start_ns) / 1e9);
    return rc < 0 || total == 0 ? NYTP_EXIT_FAILED : NYTP_EXIT_DONE;
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
    session s = {.options = options, .root = pid, .descendants = options->children};
    return record(&s);
}

/* In the child. */
static void execute(char **command)
{
    execvp(command[0], command);
    int error_number = errno;
    nytp_say("%s: cannot execute: %s", command[0], strerror(error_number));
    _exit(error_number == ENOENT ? 127 : 126);
}

int record_session_run(const record_options *options, char **command)
{
    session s = {.options = options, .is_command = true, .descendants = true};
    /* The kernel keeps no exit status where this signal is ignored. */
    void (*inherited)(int) = signal(SIGCHLD, SIG_DFL);
    pid_t child = fork();
    if (child < 0) {
        nytp_say("cannot start a process: %s", strerror(errno));
        return NYTP_EXIT_FAILED;
    }
    if (child == 0) {
        signal(SIGCHLD, inherited);
        execute(command);
    }
    s.command = s.root = child;
    int status = record(&s);
    while (s.command != 0 && !record_signals_end_wanted()) /* after --duration */
        if (waitpid(s.command, &s.status, 0) == s.command || errno != EINTR)
            s.command = 0;
    if (s.command != 0 || status != NYTP_EXIT_DONE)
        return status;
    return WIFEXITED(s.status) ? WEXITSTATUS(s.status) : 128 + WTERMSIG(s.status);
}
