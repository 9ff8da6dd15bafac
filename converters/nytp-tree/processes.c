#include "command.h"

#include "cli/output.h"
#include "cli/read.h"
#include "cli/say.h"
#include "calls/calltree.h"
#include "calls/process_times.h"
#include "export/time_parts.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

typedef struct sums {
    nytp_profile *profile;
    nytp_process_times *times;
    bool has_lost; /* samples of a process came too late */
} sums;

/* Calls are read into a tree, which is not used here. */
static int add_file(const sums *s, const char *path, const nytp_common_options *common)
{
    nytp_profile *one = nytp_profile_new();
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    nytp_process_times_take(s->times, nytp_calltree_events(tree));
    const int rc = nytp_read_profile_with_calls(path, common, one, tree);
    if (rc >= 0)
        nytp_profile_add_profile(s->profile, one, NULL);
    nytp_calltree_free(tree);
    nytp_profile_free(one);
    return rc;
}

/* Seconds by the clock; "-" if they are not known. */
static nytp_amount clock_s(double seconds)
{
    const nytp_measure time = nytp_measure_new();
    if (seconds > 0)
        return nytp_amount_measured(&time, seconds);
    return (nytp_amount){{seconds < 0 ? '-' : '0'}};
}

/* What was measured; "-" if it is not known. */
static nytp_amount amount_s(const sums *s, double seconds)
{
    const nytp_measure measure = nytp_profile_measure(s->profile);
    return seconds > 0 ? nytp_amount_ticks(&measure, seconds * measure.ticks_per_base)
                       : (nytp_amount){{seconds < 0 ? '-' : '0'}};
}

/* -1: not measured. */
static double queued_s(nytp_process_time time)
{
    return time.is_measured ? time.queued_s : -1;
}

static const char format[] = "%8s %8s %9s %9s  %9s %9s %9s %9s%s  %9s  %-6s  %s\n";

/* A cell of the column of what was lost, which most profiles lack. */
static char *lost_cell(const sums *s, const char *text)
{
    return s->has_lost ? g_strdup_printf(" %9s", text) : g_strdup("");
}

static void put_times(const sums *s, const char *pid, const char *parent, const nytp_process *p,
                      double first_s, nytp_process_time time, const char *end, const char *name, FILE *out)
{
    g_autofree char *lost = lost_cell(s, clock_s(p->lost_s).text);
    fprintf(out, format, pid, parent, clock_s(p->start_s - first_s).text,
            clock_s(p->ended ? p->end_s - p->start_s : -1).text, amount_s(s, time.whole_s).text,
            amount_s(s, nytp_process_work_s(time)).text, amount_s(s, queued_s(time)).text,
            amount_s(s, time.asleep_s).text, lost, clock_s(p->cpu_s).text, end, name);
}

static double first_start_s(const sums *s)
{
    const nytp_process *p;
    double first_s = 0;
    for (size_t i = 0; (p = nytp_profile_process(s->profile, i)) != NULL; i++)
        first_s = i == 0 ? p->start_s : MIN(first_s, p->start_s);
    return first_s;
}

static void put_process(const sums *s, size_t index, double first_s, FILE *out)
{
    const nytp_process *p = nytp_profile_process(s->profile, index);
    g_autofree char *pid = g_strdup_printf("%u", p->pid);
    g_autofree char *parent = g_strdup_printf("%u", p->parent);
    char *name = nytp_name_clean(p->application);
    put_times(s, pid, parent, p, first_s, nytp_process_times_get(s->times, index), nytp_process_end(p), name,
              out);
    free(name);
}

static void write_processes(const sums *s, FILE *out)
{
    const size_t count = nytp_profile_process_count(s->profile);
    const double first_s = first_start_s(s);
    g_autofree char *lost = lost_cell(s, "lost");
    fprintf(out, format, "pid", "parent", "began", "lasted", "time", "work", "queued", "asleep", lost,
            "processor", "end", "program");
    for (size_t i = 0; i < count; i++)
        put_process(s, i, first_s, out);
    const nytp_measure measure = nytp_profile_measure(s->profile);
    const nytp_time_parts parts = nytp_time_parts_of_processes(s->times, measure.ticks_per_base);
    g_autofree char *head = nytp_time_parts_text(&parts, nytp_amount_of_part, &measure);
    fprintf(out, "%s: %s\n", nytp_counted(count, "process").text, head);
}

int tree_processes_write(const tree_command *command)
{
    const nytp_operands *files = &command->files;
    sums s = {.profile = nytp_profile_new(), .times = nytp_process_times_new()};
    int rc = 0;
    for (int i = 0; i < files->count && rc >= 0; i++)
        rc = add_file(&s, files->names[i], &command->common);
    s.has_lost = nytp_processes_lost_any(s.profile);
    nytp_output *output = rc >= 0 ? nytp_read_open_output(command->common.output) : NULL;
    rc = -1;
    if (output != NULL) {
        write_processes(&s, nytp_output_stream(output));
        rc = nytp_output_commit(output);
    }
    nytp_process_times_free(s.times);
    nytp_profile_free(s.profile);
    return rc;
}
