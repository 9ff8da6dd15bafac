#include "table.h"

#include "cli/say.h"
#include "export/amount.h"
#include "export/time_parts.h"

#include <math.h>

static const nytp_column columns[] = {{.head = "pid", .width = 8},
                                      {.head = "parent", .width = 8, .rank = 4},
                                      {.head = "began", .key = "begin_s", .width = 9, .rank = 5},
                                      {.head = "lasted", .key = "lasted_s", .width = 9, .rank = 1},
                                      {.head = "time", .key = "time_s", .width = 9, .rank = 6},
                                      {.head = "work", .key = "work_s", .width = 9},
                                      {.head = "queued", .key = "queued_s", .width = 9, .rank = 2},
                                      {.head = "asleep", .key = "asleep_s", .width = 9, .rank = 3},
                                      {.head = "lost", .key = "lost_s", .width = 9, .rank = 7},
                                      {.head = "processor", .key = "processor_s", .width = 9, .rank = 8},
                                      {.head = "end", .kind = NYTP_COLUMN_WORDS, .width = 6, .rank = 8},
                                      {.head = "program", .kind = NYTP_COLUMN_NAME}};

/* Seconds by the clock, or of what was measured. "-": not known. */
static void put_s(nytp_table *t, const nytp_measure *measure, double seconds)
{
    enum { NANOSECONDS = 9 };
    const nytp_measure time = nytp_measure_new();
    const nytp_amount shown = measure != NULL ? nytp_amount_ticks(measure, seconds * measure->ticks_per_base)
                                              : nytp_amount_measured(&time, seconds);
    nytp_table_number(t,
                      seconds > 0   ? shown.text
                      : seconds < 0 ? "-"
                                    : "0",
                      seconds < 0 ? NAN : seconds, NANOSECONDS);
}

/* has_lost: samples of some process came too late. */
static void put_process(const table_view *v, nytp_table *t, size_t index, double first_s, bool has_lost)
{
    const nytp_process *p = nytp_profile_process(v->summary->profile, index);
    const nytp_process_time time = nytp_process_times_get(v->summary->processes, index);
    nytp_table_number(t, NULL, p->pid, 0);
    nytp_table_number(t, NULL, p->parent, 0);
    put_s(t, NULL, p->start_s - first_s);
    put_s(t, NULL, p->ended ? p->end_s - p->start_s : -1);
    put_s(t, &v->measure, time.whole_s);
    put_s(t, &v->measure, nytp_process_work_s(time));
    put_s(t, &v->measure, time.is_measured ? time.queued_s : -1);
    put_s(t, &v->measure, time.asleep_s);
    if (has_lost)
        put_s(t, NULL, p->lost_s);
    else
        nytp_table_number(t, "", NAN, 0);
    put_s(t, NULL, p->cpu_s);
    nytp_table_text(t, nytp_process_end(p));
    g_autofree char *name = nytp_name_clean(p->application);
    nytp_table_name(t, name);
}

void table_processes_write(const table_view *v, const nytp_look *look)
{
    const nytp_profile *profile = v->summary->profile;
    const bool has_lost = nytp_processes_lost_any(profile);
    const double first_s = nytp_processes_begin_s(profile);
    const size_t count = nytp_profile_process_count(profile);
    nytp_table *t = nytp_table_new(columns, G_N_ELEMENTS(columns), v->options->form, v->out);
    for (size_t i = 0; i < count; i++)
        put_process(v, t, i, first_s, has_lost);
    nytp_table_end(t, look);
    if (v->options->form != NYTP_TEXT)
        return;
    const nytp_time_parts parts =
        nytp_time_parts_of_processes(v->summary->processes, v->measure.ticks_per_base);
    g_autofree char *head = nytp_time_parts_text(&parts, &v->measure);
    fprintf(v->out, "%s: %s\n", nytp_counted(count, "process").text, head);
}
