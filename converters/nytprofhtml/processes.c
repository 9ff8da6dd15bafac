#include "processes.h"

#include "text.h"

#include "model/hashes.h"

#include <glib.h>

enum { MOST_NAMED = 4 /* programs */ };

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

static double first_start_s(const html_report *r)
{
    const nytp_process *p = nytp_profile_process(r->profile, 0);
    double first_s = p->start_s;
    for (size_t i = 1; (p = nytp_profile_process(r->profile, i)) != NULL; i++)
        first_s = MIN(first_s, p->start_s);
    return first_s;
}

static bool knows_cpu_time(const html_report *r)
{
    const nytp_process *p;
    bool knows = false;
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++)
        knows = knows || p->cpu_s >= 0;
    return knows;
}

static void put_process(const nytp_process *p, double first_s, bool with_cpu_time, FILE *out)
{
    g_autofree char *name = html_process_program(p);
    html_put(out,
             "<tr><td>%s</td><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%s</td>"
             "<td class=\"n\">%s%s",
             name != NULL ? name : "", p->pid, p->parent,
             p->start_s > first_s ? html_seconds(p->start_s - first_s).text : "0",
             p->is_cut ? "at least " : "", p->ended ? html_seconds(p->end_s - p->start_s).text : "no end");
    if (with_cpu_time)
        fprintf(out, "</td><td class=\"n\">%s",
                p->cpu_s > 0    ? html_seconds(p->cpu_s).text
                : p->cpu_s == 0 ? "0"
                                : "");
    fputs("</td></tr>\n", out);
}

void html_processes_write(const html_report *r, FILE *out)
{
    const nytp_process *p;
    if (nytp_profile_process_count(r->profile) < 2)
        return;
    fputs("<details><summary>Processes</summary><table><thead><tr><th>program</th><th class=\"n\">pid</th>"
          "<th class=\"n\">parent</th><th class=\"n\" title=\"after the first one\">began after</th>"
          "<th class=\"n\">ran for</th>",
          out);
    const bool with_cpu_time = knows_cpu_time(r);
    if (with_cpu_time)
        fputs("<th class=\"n\" title=\"while it was sampled\">processor time</th>", out);
    fputs("</tr></thead>\n", out);
    double first_s = first_start_s(r);
    for (size_t i = 0; (p = nytp_profile_process(r->profile, i)) != NULL; i++)
        put_process(p, first_s, with_cpu_time, out);
    fputs("</table></details>\n", out);
}
