#include "overview.h"

#include "text.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <glib.h>
#include <math.h>

enum { MOST_NAMED = 4 /* programs */, MOST_ROWS = 50 };

char *html_process_program(const nytp_process *p)
{
    g_autofree char *name = p->application.length > 0 ? nytp_name_clean(p->application) : NULL;
    return name != NULL ? g_path_get_basename(name) : NULL;
}

char *html_processes_programs(const html_report *r)
{
    const nytp_process *p;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(nytp_hash_of_text, g_str_equal, g_free, NULL);
    g_autoptr(GString) names = g_string_new(NULL);
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++) {
        char *name = html_process_program(p);
        if (name == NULL || g_hash_table_contains(seen, name)) {
            g_free(name);
            continue;
        }
        g_hash_table_add(seen, name);
        if (g_hash_table_size(seen) <= MOST_NAMED)
            g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", name);
    }
    guint count = g_hash_table_size(seen);
    if (count < 2)
        return NULL;
    return g_strdup_printf("%u programs: %s%s", count, names->str, count > MOST_NAMED ? ", …" : "");
}

void html_processes_columns(const html_report *report, html_json *json)
{
    const size_t count = nytp_profile_process_count(report->profile);
    HTML_COLUMN(json, "pid", count, i, nytp_profile_process(report->profile, i)->pid);
    html_json_open(json, "program", '[');
    for (size_t i = 0; i < count; i++) {
        g_autofree char *name = html_process_program(nytp_profile_process(report->profile, i));
        html_json_text(json, NULL, name != NULL ? name : "");
    }
    html_json_close(json, ']');
}

html_process_time html_process_ticks(const html_report *report, size_t process)
{
    const nytp_process_time time = nytp_process_times_get(report->process_times, process);
    const double per_base = report->measure.ticks_per_base;
    return (html_process_time){.whole_ticks = nytp_whole_ticks(round(time.whole_s * per_base)),
                               .asleep_ticks =
                                   time.asleep_s < 0 ? -1 : nytp_whole_ticks(round(time.asleep_s * per_base)),
                               .queued_ticks = nytp_whole_ticks(round(time.queued_s * per_base)),
                               .is_measured = time.is_measured};
}

/* A process as the table has it. */
typedef struct row {
    const nytp_process *of;
    html_process_time time;
    size_t number;
} row;

static gint by_time(gconstpointer x, gconstpointer y)
{
    const row *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->time.whole_ticks, a->time.whole_ticks),
                       NYTP_ORDER(a->number, b->number));
}

typedef struct table {
    const html_report *report;
    GArray *rows;   /* row */
    double first_s; /* when the first one began */
    bool is_time;   /* processes have run times */
    bool has_cpu_time, is_measured, lost_any;
} table;

static table table_of(const html_report *r)
{
    table t = {.report = r, .rows = NYTP_ARRAY(row), .first_s = nytp_processes_begin_s(r->profile)};
    t.is_time = !nytp_measure_is_bytes(&r->measure);
    t.lost_any = nytp_processes_lost_any(r->profile);
    const nytp_process *p;
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++) {
        const row one = {p, html_process_ticks(r, i), i};
        g_array_append_val(t.rows, one);
        t.has_cpu_time |= p->cpu_s >= 0;
        t.is_measured |= one.time.is_measured;
    }
    g_array_sort(t.rows, by_time);
    return t;
}

/* Negative seconds are not known. */
static void put_seconds(double seconds, FILE *out)
{
    fprintf(out, "<td class=\"n\">%s</td>",
            seconds > 0   ? html_seconds(seconds).text
            : seconds < 0 ? ""
                          : "0");
}

/* Negative ticks are not known. */
static void put_ticks(const table *t, int64_t ticks, FILE *out)
{
    fprintf(out, "<td class=\"n\">%s</td>",
            ticks > 0   ? html_amount(t->report, (double)ticks).text
            : ticks < 0 ? ""
                        : "0");
}

static void put_row(const table *t, const row *one, FILE *out)
{
    const nytp_process *p = one->of;
    g_autofree char *name = html_process_program(p);
    html_put(out, "<tr><td>%s</td><td class=\"n\">%u</td><td class=\"n\">%u</td>", name != NULL ? name : "",
             p->pid, p->parent);
    if (t->is_time) {
        put_seconds(p->start_s - t->first_s, out);
        put_seconds(p->ended ? MAX(p->end_s - p->start_s, 0) : -1, out);
    }
    put_ticks(t, one->time.whole_ticks, out);
    if (t->is_time) {
        put_ticks(t, html_process_work_ticks(one->time), out);
        put_ticks(t, one->time.asleep_ticks, out);
        if (t->is_measured)
            put_ticks(t, one->time.is_measured ? one->time.queued_ticks : -1, out);
    }
    if (t->lost_any)
        put_seconds(p->lost_s, out);
    if (t->has_cpu_time)
        put_seconds(p->cpu_s, out);
    fprintf(out, "<td>%s</td></tr>\n", nytp_process_end(p));
}

static void put_heads(const table *t, FILE *out)
{
    static const char *const of_time[] = {"Pid", "Parent", "Began", "Lasted", "Time", "Work", NULL};
    static const char *const of_memory[] = {"Pid", "Parent", "Size", NULL};
    fputs("<tr><th>Program</th>", out);
    for (const char *const *head = t->is_time ? of_time : of_memory; *head != NULL; head++)
        fprintf(out, "<th class=\"n\">%s</th>", *head);
    if (t->is_time)
        fprintf(out, "<th class=\"n\">%s</th>", t->is_measured ? "Asleep" : "Asleep (by names)");
    fprintf(out, "%s%s%s<th>End</th></tr>\n", t->is_measured ? "<th class=\"n\">Queued</th>" : "",
            t->lost_any ? "<th class=\"n\">Lost</th>" : "",
            t->has_cpu_time ? "<th class=\"n\">Processor</th>" : "");
}

void html_processes_write(const html_report *r, FILE *out)
{
    if (nytp_profile_process_count(r->profile) < 2)
        return;
    const table t = table_of(r);
    const guint shown = MIN(t.rows->len, MOST_ROWS);
    fputs("<section id=\"processes\"><h2>Processes</h2>\n<table><thead>", out);
    put_heads(&t, out);
    fputs("</thead><tbody>\n", out);
    for (guint i = 0; i < shown; i++)
        put_row(&t, &g_array_index(t.rows, row, i), out);
    fputs("</tbody></table>\n", out);
    if (shown < t.rows->len)
        fprintf(out, "<p>%s %s.</p>\n", nytp_amount_whole(t.rows->len - shown).text,
                html_words_of(&r->measure)->less);
    fputs(
        "<p class=\"quiet\"><code>nytprofhtml --process=PID FILE</code> makes the report of one process.</p>"
        "</section>\n",
        out);
    g_array_unref(t.rows);
}
