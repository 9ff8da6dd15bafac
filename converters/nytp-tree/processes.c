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
    nytp_table *table;
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

static const nytp_column columns[] = {{.head = "pid", .width = 8},
                                      {.head = "parent", .width = 8, .rank = 4},
                                      {.head = "began", .width = 9, .rank = 5},
                                      {.head = "lasted", .width = 9, .rank = 1},
                                      {.head = "time", .width = 9, .rank = 6},
                                      {.head = "work", .width = 9},
                                      {.head = "queued", .width = 9, .rank = 2},
                                      {.head = "asleep", .width = 9, .rank = 3},
                                      {.head = "lost", .width = 9, .rank = 7},
                                      {.head = "processor", .width = 9, .rank = 8},
                                      {.head = "end", .kind = NYTP_COLUMN_WORDS, .width = 6, .rank = 9},
                                      {.head = "program", .kind = NYTP_COLUMN_NAME}};

static double first_start_s(const sums *s)
{
    const nytp_process *p;
    double first_s = 0;
    for (size_t i = 0; (p = nytp_profile_process(s->profile, i)) != NULL; i++)
        first_s = i == 0 ? p->start_s : MIN(first_s, p->start_s);
    return first_s;
}

static void put_number(const sums *s, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)number);
    nytp_table_text(s->table, text);
}

/* has_lost: samples of some process came too late. */
static void put_process(const sums *s, size_t index, double first_s, bool has_lost)
{
    const nytp_process *p = nytp_profile_process(s->profile, index);
    const nytp_process_time time = nytp_process_times_get(s->times, index);
    const nytp_amount cells[] = {clock_s(p->start_s - first_s),
                                 clock_s(p->ended ? p->end_s - p->start_s : -1),
                                 amount_s(s, time.whole_s),
                                 amount_s(s, nytp_process_work_s(time)),
                                 amount_s(s, time.is_measured ? time.queued_s : -1),
                                 amount_s(s, time.asleep_s),
                                 has_lost ? clock_s(p->lost_s) : (nytp_amount){""},
                                 clock_s(p->cpu_s)};
    put_number(s, p->pid);
    put_number(s, p->parent);
    for (size_t i = 0; i < G_N_ELEMENTS(cells); i++)
        nytp_table_text(s->table, cells[i].text);
    nytp_table_text(s->table, nytp_process_end(p));
    char *name = nytp_name_clean(p->application);
    nytp_table_name(s->table, name);
    free(name);
}

static void write_processes(sums *s, const nytp_look *look, FILE *out)
{
    const bool has_lost = nytp_processes_lost_any(s->profile);
    const size_t count = nytp_profile_process_count(s->profile);
    const double first_s = first_start_s(s);
    s->table = nytp_table_new(columns, G_N_ELEMENTS(columns));
    for (size_t i = 0; i < count; i++)
        put_process(s, i, first_s, has_lost);
    const nytp_measure measure = nytp_profile_measure(s->profile);
    const nytp_time_parts parts = nytp_time_parts_of_processes(s->times, measure.ticks_per_base);
    g_autofree char *head = nytp_time_parts_text(&parts, nytp_amount_of_part, &measure);
    g_autofree char *lines = nytp_table_lines(s->table, look);
    nytp_table_free(s->table);
    fprintf(out, "%s%s: %s\n", lines, nytp_counted(count, "process").text, head);
}

int tree_processes_write(const tree_command *command)
{
    const nytp_operands *files = &command->files;
    sums s = {.profile = nytp_profile_new(), .times = nytp_process_times_new()};
    int rc = 0;
    for (int i = 0; i < files->count && rc >= 0; i++)
        rc = add_file(&s, files->names[i], &command->common);
    const nytp_look look = nytp_look_of(command->common.output);
    nytp_output *output = rc >= 0 ? nytp_read_open_output(command->common.output) : NULL;
    rc = -1;
    if (output != NULL) {
        write_processes(&s, &look, nytp_output_stream(output));
        rc = nytp_output_commit(output);
    }
    nytp_process_times_free(s.times);
    nytp_profile_free(s.profile);
    return rc;
}
