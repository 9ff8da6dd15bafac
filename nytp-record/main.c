/* nytp-record: samples the call stacks of a perl that runs, from outside, into a profile. */
#include "dump.h"
#include "output.h"
#include "sampler/sampler.h"
#include "cli/options.h"
#include "session.h"
#include "processes.h"

#include "cli/output.h"
#include "cli/say.h"
#include "cli/sibling.h"
#include "cli/start.h"

#include <glib.h>
#include <string.h>

static const nytp_program program = {
    .about = "Samples the call stacks of a running Perl program into a profile.\n",
    .examples = "  nytp-record -p 4711 --duration=30 && nytprofhtml --open\n",
    .operands = NYTP_OTHER_OPERANDS,
    .operands_usage = "[COMMAND [ARG ...]]",
    .operands_about = "Without -p, it starts COMMAND and samples each perl that this starts.\n",
    .ends_at_operand = true,
};

typedef struct settings {
    record_options record;
    record_dump_options dump;
    record_push_options push;
    nytp_common_options common;
    uint32_t rate, depth, push_every;
    bool is_dump, is_separate;
    nytp_pid_list pids;
} settings;

/* Whether there is one profile at most. */
static bool is_single(const settings *s)
{
    return s->pids.count > 0 && !s->record.children && !s->record.threads;
}

/* Returns -1 to go on, or the exit status. */
static int check_effects(const settings *s)
{
    const bool pushes = s->push.url != NULL;
    if (s->is_dump)
        return NYTP_REFUSE(
            {true, "output format rate duration wall cpu separate no-source push", "beside --dump"});
    return NYTP_REFUSE(
        {pushes, "output format separate no-source", "with --push, which writes no file"},
        {!pushes, "push-every service label", "without --push"},
        {s->record.every_perl, "children", "beside --every-perl"},
        {is_single(s), "separate", "beside -p, unless --children or --threads is given, too"});
}

/* Standard output takes one profile. Returns -1 to go on, or the exit status. */
static int check_stdout(const settings *s)
{
    if (s->is_dump || s->common.output == NULL || strcmp(s->common.output, "-") != 0)
        return -1;
    if (!is_single(s))
        return nytp_wrong_usage("-o - is for one process: it needs -p PID, without --children or --threads");
    bool refused = s->record.format == RECORD_PROFILE && nytp_output_refuses_terminal(s->common.output);
    return refused ? NYTP_EXIT_FAILED : -1;
}

/* What goes together. Returns -1 to go on, or the exit status. */
static int check(settings *s, const nytp_operands *command)
{
    if (s->is_dump && (s->pids.count == 0 || command->count > 0))
        return nytp_wrong_usage("--dump needs -p PID, and takes no command");
    if (!s->is_dump && (s->dump.arguments || s->dump.json))
        return nytp_wrong_usage("--args and --json go with --dump only");
    if (s->pids.count > 1 && !s->is_dump)
        return nytp_wrong_usage(
            "only --dump takes several -p; --children samples what a process starts, too");
    int status = check_effects(s);
    if (status >= 0)
        return status;
    if (s->record.every_perl && (s->pids.count > 0 || command->count > 0 || s->is_dump))
        return nytp_wrong_usage("--every-perl takes neither -p nor a command, and does not go with --dump");
    if (s->pids.count > 0 && command->count > 0)
        return nytp_wrong_usage("either -p PID or a command, not both");
    if (s->pids.count == 0 && command->count == 0 && !s->record.every_perl)
        return nytp_wrong_usage("which process? give -p PID, or a command");
    const char *wanted = record_converters[s->record.format].program;
    g_autofree char *found = wanted != NULL ? nytp_sibling_find(wanted) : NULL;
    if (wanted != NULL && found == NULL) {
        nytp_say("--format=%s needs %s, which is not installed", record_formats[s->record.format], wanted);
        return NYTP_EXIT_FAILED;
    }
    return -1;
}

static int check_proc(void)
{
    const char *why = sampler_permission_of_proc();
    if (why != NULL)
        nytp_say("%s", why);
    return why != NULL ? NYTP_EXIT_FAILED : -1;
}

static int record(const settings *s, const nytp_operands *command)
{
    if (s->record.every_perl)
        return record_session_everywhere(&s->record);
    if (s->pids.count > 0)
        return record_session_attach(&s->record, s->pids.list[0]);
    g_auto(GStrv) arguments = g_new0(char *, command->count + 1);
    for (int i = 0; i < command->count; i++)
        arguments[i] = g_strdup(command->names[i]);
    return record_session_run(&s->record, arguments);
}

static int push(settings *s, const nytp_operands *command)
{
    s->push.interval_s = s->push_every;
    record_signals_begin(s->record.stop); /* what the process that sends says may bring a signal at once */
    s->record.join = false;
    s->record.push = record_push_new(&s->push, s->record.rate_hz);
    const int status = s->record.push != NULL ? record(s, command) : NYTP_EXIT_FAILED;
    record_push_free(s->record.push);
    return status;
}

static int execute(settings *s, const nytp_operands *command)
{
    s->record.rate_hz = s->rate;
    s->record.max_depth = s->depth;
    s->record.output =
        s->common.output != NULL ? s->common.output : record_converters[s->record.format].output;
    s->record.join = !s->is_separate && !is_single(s) && !record_outfile_is_in_place(s->record.output);
    s->dump.offsets = s->record.offsets;
    s->dump.max_depth = s->depth;
    s->dump.stop = s->record.stop;
    s->dump.children = s->record.children;
    s->dump.threads = s->record.threads;
    if (s->is_dump)
        return record_dump(&s->dump, s->pids.list, s->pids.count);
    if (s->push.url != NULL)
        return push(s, command);
    if (!record_outfile_is_possible(s->record.format, s->record.output))
        return NYTP_EXIT_FAILED;
    return record(s, command);
}

int main(int argc, char **argv)
{
    static settings s = {.rate = 100, .depth = 1000, .push_every = 15};
    const nytp_option table[] = {
        {'p', "pid", "PID", "sample this process; several with --dump", .call = nytp_pid_list_add,
         .context = &s.pids},
        NYTP_OUTPUT_ROW(s.common, "the profile (default nytprof.out, - for stdout)"),
        {0, "format", "FORMAT", "what to write", .word = &s.record.format,
         .words = record_formats},
        {'r', "rate", "N", "samples per second", .count = &s.rate, .least = 1, .most = 10000},
        {'d', "duration", "SECONDS", "stop after this time", .call = nytp_set_seconds,
         .context = &s.record.duration_s},
        {0, "wall", .clear = &s.record.cpu},
        {0, "cpu", NULL, "count all time (default), or only processor time", .flag = &s.record.cpu},
        {0, "children", .flag = &s.record.children},
        {0, "threads", NULL, "also perls that it starts; other interpreters", .flag = &s.record.threads},
        {0, "every-perl", NULL, "sample all perls of this machine", .flag = &s.record.every_perl},
        {0, "separate", NULL, "write a profile for each process: FILE, FILE.PID", .flag = &s.is_separate},
        {0, "stop", NULL, "stop the program while reading it: exact, disturbs it", .flag = &s.record.stop},
        {0, "no-source", NULL, "keep no source in the profile", .flag = &s.record.no_source},
        {0, "depth", "N", "innermost N calls", .count = &s.depth, .least = 1, .most = 1000000},
        {0, "push", "URL", "send profiles to Grafana Pyroscope, write none", .call = record_push_set_url,
         .context = &s.push.url},
        {0, "push-every", "SECONDS", .count = &s.push_every, .least = 1, .most = 600},
        {0, "service", "NAME", .call = record_series_set_service, .context = &s.push.series},
        {0, "label", "NAME=VALUE", "with --push: how often, and as what", .call = record_series_add_label,
         .context = &s.push.series},
        {0, "dump", NULL, "print the stack at this moment, and exit", .flag = &s.is_dump},
        {0, "args", .flag = &s.dump.arguments},
        {0, "json", NULL, "with --dump: what @_ holds, even passwords; as JSON", .flag = &s.dump.json},
        {0, "offsets", "FILE", "layout of the program's perl, or a directory of layouts",
         .path = &s.record.offsets},
        NYTP_TABLE_END,
    };
    nytp_operands command;
    nytp_start("nytp-record", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &command);
    if (status < 0)
        status = check(&s, &command);
    if (status < 0)
        status = check_proc();
    if (status < 0)
        status = check_stdout(&s);
    if (status >= 0)
        return status;
    if (s.record.offsets == NULL)
        s.record.offsets = sampler_offsets_directory();
    return execute(&s, &command);
}
