#include "session.h"

#include "processes.h"
#include "family.h"
#include "sampler/sampler.h"

#include "cli/say.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#define LOOK_ALL_NS SAMPLER_SECOND_NS /* how often all processes of the machine are looked at */
#define LOOK_NS                                                                                              \
    (SAMPLER_SECOND_NS / 10) /* how often descendants are looked for, unless samples are rarer               \
                              */
#define FIRST_LOOK_NS (SAMPLER_SECOND_NS / 500) /* the same before there is any perl */
#define LOOK_SHARE    5 /* looks for what a command starts take one of so many parts of the time */
#define EXECUTE_NS    (SAMPLER_SECOND_NS / 10) /* until a new process has usually executed a program */
#define PATIENCE_NS   (10 * SAMPLER_SECOND_NS) /* until a command must have started a perl */
#define ORPHANS_NS    (SAMPLER_SECOND_NS / 5)  /* until what a command leaves must be a perl */

/* A look may meet a process that ends at that moment, and miss the one that it has started: on a busy machine
 * the time may be over then. */
enum { ORPHANS_LOOKS = 3 /* that must have been made, too */ };

typedef struct session {
    const record_options *options;
    record_family *family;
    sampler_process_id root, above; /* above: whose descendants are sampled */
    bool is_command;
    record_command command;
    int64_t start_ns, ended_ns, looked_ns, second_ns;
    int64_t first_ns;   /* when the first perl was found; 0: none was */
    int64_t look_ns;    /* how long the last look took that has found nothing; 0: it has found a perl */
    int64_t started_ns; /* when a process, of whatever program, was seen to have been started */
    double children_s;  /* processor time of the command and what it has left, as far as they have ended */
    pid_t newest;       /* the last process of the system then */
    int64_t alone_ns;   /* the last time when the command, or a perl, was there */
    unsigned looks;     /* since then */
    sampler_pace pace;
    bool is_empty; /* no profile was written, although one could have been */
} session;

static bool root_lives(const session *s)
{
    sampler_process root;
    if (s->is_command)
        return s->command.pid != 0;
    return sampler_process_read(&root, s->root.pid) && sampler_process_id_is(root.id, s->root) &&
           !sampler_process_has_ended(&root);
}

/* Whether a perl may still come: the command goes on, or has left processes that may become one, as a daemon
 * does before it begins its work. */
static bool may_come(const session *s, int64_t now)
{
    return root_lives(s) || (s->is_command && s->command.has_children &&
                             (now - s->alone_ns < ORPHANS_NS || s->looks < ORPHANS_LOOKS));
}

/* --duration is of what is sampled: a command that is not a perl yet does not use it up. */
static int64_t end_ns(const session *s)
{
    const int64_t begin_ns = s->options->every_perl ? s->start_ns : s->first_ns;
    return s->options->duration_s > 0 && begin_ns > 0
               ? begin_ns + (int64_t)(s->options->duration_s * (double)SAMPLER_SECOND_NS)
               : INT64_MAX;
}

static bool is_over(const session *s, int64_t now)
{
    if (record_signals_end_wanted() || record_family_has_ended(s->family) ||
        (s->options->push != NULL && !record_push_is_alive(s->options->push)))
        return true;
    if (now >= end_ns(s))
        return true;
    if (record_family_count(s->family) > 0 || s->options->every_perl)
        return false;
    if (record_family_total(s->family) == 0)
        return !may_come(s, now) ||
               now - s->start_ns >= (s->is_command ? PATIENCE_NS : record_family_patience_ns(s->family));
    return s->above.pid == 0 || !may_come(s, now);
}

/* Whether processes have been started just now. */
static bool has_new(session *s, int64_t now)
{
    const pid_t newest = sampler_process_newest();
    if (newest != s->newest || newest < 0)
        s->started_ns = now;
    s->newest = newest;
    return now - s->started_ns < EXECUTE_NS;
}

static bool is_look_due(session *s, int64_t now)
{
    const bool has_begun = record_family_total(s->family) > 0, all = s->options->every_perl;
    const int64_t pause = all         ? LOOK_ALL_NS
                          : has_begun ? LOOK_NS
                                      : FIRST_LOOK_NS,
                  since_ns = now - s->looked_ns;
    if (has_begun && !all && !s->options->threads && s->above.pid == 0)
        return false;
    return since_ns >= pause || (s->is_command && has_new(s, now) && since_ns >= LOOK_SHARE * s->look_ns);
}

static void look_for_perls(session *s, int64_t now)
{
    if (!is_look_due(s, now))
        return;
    const size_t before = record_family_total(s->family);
    s->looks++;
    record_family_look(s->family);
    s->looked_ns = now;
    if (before == 0 && record_family_total(s->family) > 0)
        s->first_ns = now;
    s->look_ns = record_family_total(s->family) > before ? 0 : sampler_now_ns() - now;
}

/* What SIGUSR1 asks for. */
static void show_now(const session *s)
{
    if (s->options->push == NULL)
        record_family_each(s->family, record_recorder_conclude);
    else
        record_push_say(s->options->push, record_family_counts(s->family).lost_s);
}

static void push_if_due(const session *s, int64_t now)
{
    if (s->options->push == NULL || !record_push_is_due(s->options->push, now))
        return;
    record_family_each(s->family, record_recorder_next_profile);
    record_push_end_interval(s->options->push, now);
}

/* A process that is traced waits for this one at its next signal, so it is let go before this one stops. */
static void pause_here(const session *s)
{
    record_family_each(s->family, record_recorder_release);
    raise(SIGSTOP);
    record_family_each(s->family, record_recorder_seize_again);
}

/* Waits for the next sample. With a low rate that may be seconds away, so the end of the recording, and of
 * the process, is looked for meanwhile, and so are perls if there are none. */
static void wait_for_sample(session *s)
{
    const int64_t next_ns = sampler_pace_next(&s->pace), end = end_ns(s), at = next_ns < end ? next_ns : end;
    int64_t now = sampler_now_ns();
    const bool lived = at - now > LOOK_NS && root_lives(s);
    for (; at - now > LOOK_NS; now = sampler_now_ns()) {
        if (!sampler_pace_sleep(now + LOOK_NS))
            return;
        if (s->is_command)
            record_command_reap(&s->command);
        if ((lived && !root_lives(s)) || record_family_count(s->family) == 0)
            return;
    }
    sampler_pace_sleep(at);
}

static double children_s(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static void sample_until_over(session *s)
{
    record_progress progress;
    s->start_ns = s->second_ns = sampler_now_ns();
    sampler_pace_begin(&s->pace, s->options->rate_hz);
    sampler_priority_begin();
    record_progress_begin(&progress, s->is_command);
    for (;;) {
        int64_t now = sampler_now_ns();
        if (s->is_command)
            record_command_reap(&s->command);
        look_for_perls(s, now);
        record_family_sample(s->family);
        if (record_signals_take_conclude())
            show_now(s);
        push_if_due(s, now);
        if (record_signals_take_pause())
            pause_here(s);
        if (now - s->second_ns >= SAMPLER_SECOND_NS) {
            s->second_ns = now;
            record_family_each(s->family, record_recorder_each_second);
            record_progress_show(&progress, s->family, (double)(now - s->start_ns) / 1e9);
        }
        sampler_priority_check();
        if (record_family_count(s->family) > 0 || root_lives(s)) {
            s->alone_ns = now;
            s->looks = 0;
        }
        if (is_over(s, now))
            break;
        wait_for_sample(s);
    }
    s->ended_ns = sampler_now_ns();
    s->children_s = s->is_command ? children_s() : 0;
    record_command_pass_on(&s->command);
    sampler_priority_end();
    record_family_each(s->family, record_recorder_release);
    record_signals_end_pause();
    record_progress_end(&progress);
}

/* Why there is no recording, and what to do. */
static void say_nothing_recorded(const session *s)
{
    const char *why = record_family_why(s->family);
    if (record_signals_end_wanted() && !s->options->every_perl)
        nytp_say("ended by a signal before a perl was found: nothing is recorded");
    else if (s->options->every_perl)
        nytp_say("no perl was found that could be sampled%s%s", why[0] != '\0' ? "; for instance, " : "",
                 why);
    else if (!s->is_command)
        nytp_say("%s", why);
    else if (s->command.pid == 0)
        nytp_say("%s ended before a sample was taken, so nothing is recorded%s%s", s->command.name,
                 why[0] != '\0' ? ": " : "", why);
    else
        nytp_say(
            "%s has started no perl within %d seconds, so nothing is recorded (-p PID samples a perl that "
            "runs): %s",
            s->command.name, (int)(PATIENCE_NS / SAMPLER_SECOND_NS), why);
}

static void say_recorded(const session *s, const record_counts *counts)
{
    if (!s->is_command && !s->options->every_perl && !root_lives(s))
        nytp_say("process %ld has ended", (long)s->root.pid);
    record_progress_sum(counts, s->options, record_family_total(s->family), record_family_file(s->family),
                        (double)(s->ended_ns - s->start_ns) / 1e9, s->above.pid != 0);
    if (s->options->every_perl && record_family_hidden(s->family) != NULL)
        nytp_say("perls of other users may be missing: %s", record_family_hidden(s->family));
    if (counts->samples == 0 && counts->idle == 0)
        nytp_say("the program ended before a sample was taken; -r takes more samples per second");
}

static int conclude_push(const session *s, const record_counts *counts)
{
    record_push *push = s->options->push;
    const bool all = record_push_finish(push);
    say_recorded(s, counts);
    record_push_say(push, counts->lost_s);
    return nytp_exit(all);
}

/* Returns the exit status of the recording. */
static int conclude(session *s)
{
    if (record_family_total(s->family) == 0) {
        say_nothing_recorded(s);
        s->is_empty = !record_family_failed(s->family);
        return NYTP_EXIT_FAILED;
    }
    const bool done = record_family_finish(s->family) == 0;
    record_counts counts = record_family_counts(s->family);
    if (!s->options->every_perl)
        counts.unseen_cpu_s = s->children_s + record_family_reaped_s(s->family);
    if (s->options->push != NULL)
        return conclude_push(s, &counts);
    if (!done)
        return NYTP_EXIT_FAILED;
    say_recorded(s, &counts);
    return NYTP_EXIT_DONE;
}

static int record(session *s)
{
    record_signals_begin(s->options->stop);
    s->family = record_family_new(s->root, s->above, s->options);
    sample_until_over(s);
    int status = conclude(s);
    record_family_free(s->family);
    return status;
}

int record_session_everywhere(const record_options *options)
{
    session s = {.options = options};
    record_command_raise_descriptors();
    return record(&s);
}

int record_session_attach(const record_options *options, pid_t pid)
{
    session s = {.options = options, .root = sampler_process_now(pid)};
    if (options->children)
        s.above = s.root;
    record_command_raise_descriptors();
    return record(&s);
}

int record_session_run(const record_options *options, char **command)
{
    session s = {.options = options, .is_command = true};
    record_command_raise_descriptors();
    int status = record_command_start(&s.command, command);
    if (status != 0)
        return status;
    s.root = sampler_process_now(s.command.pid);
    s.above = sampler_process_now(getpid());
    status = record(&s);
    record_command_wait(&s.command); /* after --duration or a signal, it may go on */
    if (s.command.pid != 0 || (status != NYTP_EXIT_DONE && !s.is_empty))
        return status;
    const int of_command = record_command_status(&s.command);
    return of_command != 0 ? of_command : status;
}
