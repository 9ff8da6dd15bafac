/* nytp-top: what a perl that runs does now: subs, lines and packages by their shares of the time. */
#include "sampler/sampler.h"
#include "cli/options.h"
#include "watch.h"

#include "cli/say.h"
#include "cli/start.h"

#include <glib.h>

static const nytp_program program = {
    .about = "Shows what a running Perl program spends its time on, as top(1) shows processes.\n",
    .examples = "  nytp-top -p 4711\n",
    .operands = NYTP_OTHER_OPERANDS,
    .operands_usage = "[FILE]",
    .operands_about = "It watches the processes given with -p, or FILE, a profile that still grows.\n",
};

typedef struct settings {
    top_options top;
    nytp_pid_list pids;
    uint32_t rate;
    unsigned by, sort;
} settings;

/* What goes together. Returns -1 to go on, or the exit status. */
static int check(const settings *s, const nytp_operands *files)
{
    const int status = NYTP_REFUSE(
        {files->count != (s->pids.count == 0), NULL, "which process? give -p PID, or one profile"},
        {files->count > 0, "children threads cpu rate offsets", "on a profile: it goes with -p"},
        {s->top.batch == 0, "rows", "on a terminal: it goes with --batch"});
    const char *why = status < 0 && s->pids.count > 0 ? sampler_permission_of_proc() : NULL;
    if (why == NULL)
        return status;
    nytp_say("%s", why);
    return NYTP_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    static const char *const sorts[] = {"recent-self", "recent-inclusive", "self", "inclusive", "name", NULL};
    static settings s = {
        .top = {.delay_s = 1, .rows = 20}, .rate = 100, .by = TOP_SUBS, .sort = TOP_RECENT_SELF};
    top_options *options = &s.top;
    const nytp_option table[] = {
        {'p', "pid", "PID", "watch this process; may be repeated", .call = nytp_pid_list_add,
         .context = &s.pids},
        {0, "children", NULL, "also watch the perls that it starts, in the same table",
         .flag = &options->live.children},
        {0, "threads", NULL, "also watch the other interpreters of a process with threads",
         .flag = &options->live.threads},
        {0, "cpu", NULL, "count only processor time: leave out waiting", .flag = &options->live.cpu},
        {'r', "rate", "N", "samples per second", .count = &s.rate, .least = 1, .most = 1000},
        {'d', "delay", "SECONDS", "redraw after this time (default 1)", .call = nytp_set_seconds,
         .context = &options->delay_s},
        {0, "by", "WHAT", "what the rows are", .word = &s.by, .words = top_kinds},
        {0, "sort", "COLUMN", "column to sort by", .word = &s.sort, .words = sorts},
        {'b', "batch", "N", "print the table N times and exit; needs no terminal", .count = &options->batch,
         .least = 1},
        {'n', "rows", "N", "with --batch: print N rows, 0: all", .count = &options->rows, .least = 0},
        {0, "offsets", "FILE", "layout of the program's perl, or a directory of layouts",
         .path = &options->live.offsets},
        NYTP_TABLE_END,
    };
    nytp_operands files;
    nytp_start("nytp-top", argv);
    int status = nytp_options_parse(&program, table, argc, argv, &files);
    if (status < 0)
        status = check(&s, &files);
    if (status >= 0)
        return status;
    options->pids = s.pids.list;
    options->pid_count = s.pids.count;
    options->file = files.count > 0 ? files.names[0] : NULL;
    options->live.rate_hz = s.rate;
    options->view.by = (enum top_by)s.by;
    options->view.sort = (enum top_sort)s.sort;
    if (options->live.offsets == NULL)
        options->live.offsets = sampler_offsets_directory();
    return top_watch(options);
}
