#include "overview.h"

#include "base/ticks.h"
#include "export/amount.h"
#include "packages.h"
#include "text.h"

#include <string.h>

enum { ROWS = 15 };

/* A row of any of the tables. */
typedef struct row {
    int64_t self_ticks, incl_ticks;
    uint64_t count;  /* calls or statements, as shown */
    uint32_t number; /* of the sub or file */
    uint32_t line;
    const char *name; /* of a package */
} row;

static gint by_self(gconstpointer x, gconstpointer y)
{
    const row *a = x, *b = y;
    if (a->self_ticks != b->self_ticks)
        return a->self_ticks < b->self_ticks ? 1 : -1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* Keeps the first rows, and returns the array. */
static GArray *top(GArray *rows)
{
    g_array_sort(rows, by_self);
    guint used = 0;
    while (used < rows->len && used < ROWS && g_array_index(rows, row, used).self_ticks > 0)
        used++;
    g_array_set_size(rows, used);
    return rows;
}

static void put_ticks(const html_report *r, int64_t ticks, html_unit unit, FILE *out)
{
    double seconds = (double)ticks / r->ticks_per_s;
    int heat = html_heat_of(r->ticks > 0 ? (double)ticks / (double)r->ticks : 0);
    fprintf(out, "<td class=\"n t h%d\" data-t=\"%lld\">%s</td>", heat, (long long)ticks,
            html_in_unit(unit, seconds).text);
}

typedef struct table {
    const char *id, *title;
    const char *all;         /* the view that has more */
    const char *self, *incl; /* headings; incl NULL: no such column */
    const char *count, *name;
    void (*put_name)(const html_report *r, const row *one, FILE *out);
    const char *nothing; /* what stands below a table without rows */
} table;

/* The unit of the one or two columns of times. */
static html_unit unit_of(const html_report *r, const GArray *rows)
{
    int64_t self = 0, incl = 0;
    for (guint i = 0; i < rows->len; i++) {
        self = MAX(self, g_array_index(rows, row, i).self_ticks);
        incl = MAX(incl, g_array_index(rows, row, i).incl_ticks);
    }
    return html_unit_for_columns((double)self / r->ticks_per_s, (double)incl / r->ticks_per_s,
                                 html_step_s(r->sampled_hz));
}

static void put_time_head(const char *title, html_unit unit, FILE *out)
{
    fprintf(out, "<th scope=\"col\" class=\"n t\">%s, <span class=\"unit\">%s</span></th>", title, unit.name);
}

/* The times of a table are in one unit, which its heads name. */
static html_unit put_head(const html_report *r, const GArray *rows, const table *t, FILE *out)
{
    html_unit unit = unit_of(r, rows);
    fprintf(
        out,
        "<section><h2><span data-to=\"#/%s\">%s</span></h2>\n<table id=\"top-%s\" class=\"top\"><thead><tr>",
        t->all, t->title, t->id);
    put_time_head(t->self, unit, out);
    if (t->incl != NULL)
        put_time_head(t->incl, unit, out);
    fprintf(out, "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\">%s</th></tr></thead>\n<tbody>\n",
            r->sampled_hz > 0 ? "Samples" : t->count, t->name);
    return unit;
}

/* A line with time of which no statement ran is one where perl compiled. */
static void put_count(const html_report *r, const row *one, FILE *out)
{
    const bool compiles = one->line > 0 && one->count == 0 && r->sampled_hz == 0;
    fprintf(out, "<td class=\"n\">%s</td>",
            compiles
                ? "<span class=\"quiet\" title=\"No statement of it ran: perl compiled\">compiling</span>"
                : nytp_amount_whole(one->count).text);
}

static GArray *new_rows(void)
{
    return g_array_new(FALSE, TRUE, sizeof(row));
}

/* Writes a table with the first of the rows, which it frees. The page's script makes links of what has
 * data-to, data-sub or data-file: no address leads anywhere without it. */
static void put_table(const html_report *r, GArray *rows, const table *t, FILE *out)
{
    html_unit unit = put_head(r, top(rows), t, out);
    for (guint i = 0; i < rows->len; i++) {
        const row *one = &g_array_index(rows, row, i);
        fputs("<tr>", out);
        put_ticks(r, one->self_ticks, unit, out);
        if (t->incl != NULL)
            put_ticks(r, one->incl_ticks, unit, out);
        put_count(r, one, out);
        fputs("<td class=\"name\"><span ", out);
        t->put_name(r, one, out);
        fputs("</span></td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
    if (rows->len == 0)
        fprintf(out, "<p class=\"quiet\">%s</p>\n", t->nothing);
    fputs("</section>\n", out);
    g_array_free(rows, TRUE);
}

static void put_sub(const html_report *r, const row *one, FILE *out)
{
    html_put(out, "data-sub=\"%u\">%s", one->number, html_report_sub(r, one->number)->name);
}

static void put_subs(const html_report *r, FILE *out)
{
    static const table subs = {"subs",
                               "Subs by self time",
                               "subs",
                               "Self",
                               "Incl.",
                               "Calls",
                               "Sub",
                               put_sub,
                               "No calls were recorded (subs=0?)."};
    GArray *rows = new_rows();
    for (guint i = 0; i < r->subs->len; i++) {
        const html_sub *s = html_report_sub(r, i);
        row one = {s->excl_ticks, s->incl_ticks, html_report_count(r, s->calls, (double)s->incl_ticks), i, 0,
                   NULL};
        g_array_append_val(rows, one);
    }
    put_table(r, rows, &subs, out);
}

static void put_place(const html_report *r, const row *one, FILE *out)
{
    const char *name = html_report_file(r, one->number)->name;
    fprintf(out, "data-file=\"%u\"", one->number);
    if (one->line > 0)
        fprintf(out, " data-line=\"%u\"", one->line);
    html_put(out, " title=\"%s\">%s", name, html_short_path(name));
    if (one->line > 0)
        fprintf(out, ":%u", one->line);
}

static void put_lines(const html_report *r, FILE *out)
{
    const table lines = {"lines",
                         "Hottest lines",
                         "files",
                         "Time",
                         NULL,
                         "Runs",
                         "Line",
                         put_place,
                         r->is_tmon ? "A tmon.out has no lines." : "No statements were recorded (stmts=0?)."};
    GArray *rows = new_rows();
    for (guint i = 0; i < r->files->len; i++) {
        nytp_line line;
        for (uint64_t from = 0;
             nytp_profile_next_line(r->profile, html_report_file(r, i)->of->fid, &from, &line);) {
            row one = {line.ticks, 0, line.count, i, line.line, NULL};
            g_array_append_val(rows, one);
        }
    }
    put_table(r, rows, &lines, out);
}

static void put_files(const html_report *r, FILE *out)
{
    static const table files = {"files", "Files",   "files",
                                "Self",  NULL,      "Statements",
                                "File",  put_place, "No statements were recorded."};
    GArray *rows = new_rows();
    for (guint i = 0; i < r->files->len; i++) {
        row one = {html_report_file(r, i)->ticks, 0, html_report_file(r, i)->statements, i, 0, NULL};
        g_array_append_val(rows, one);
    }
    put_table(r, rows, &files, out);
}

static void put_package(const html_report *r, const row *one, FILE *out)
{
    (void)r;
    g_autofree char *query = g_strdup_printf("pkg:%s", one->name),
                    *escaped = g_uri_escape_string(query, ":", FALSE);
    html_put(out, "data-to=\"#/subs?q=%s\">%s", escaped, *one->name != '\0' ? one->name : "(none)");
}

static void put_packages(const html_report *r, FILE *out)
{
    static const table all = {"packages", "Packages",  "map",
                              "Self",     NULL,        "Calls",
                              "Package",  put_package, "No calls were recorded."};
    html_packages *packages = html_packages_new(r);
    GArray *rows = new_rows();
    g_array_set_size(rows, packages->names->len);
    for (guint i = 0; i < r->subs->len; i++) {
        row *of = &g_array_index(rows, row, packages->of[i]);
        of->self_ticks = nytp_add_ticks(of->self_ticks, html_report_sub(r, i)->excl_ticks);
        of->count += html_report_sub(r, i)->calls;
    }
    for (guint i = 0; i < rows->len; i++) {
        row *one = &g_array_index(rows, row, i);
        one->name = packages->names->pdata[i];
        one->number = i;
        one->count = html_report_count(r, one->count, (double)one->self_ticks);
    }
    put_table(r, rows, &all, out);
    html_packages_free(packages);
}

void html_tops_write(const html_report *report, FILE *out)
{
    fputs("<div class=\"columns\">\n", out);
    put_subs(report, out);
    put_lines(report, out);
    fputs("</div>\n<div class=\"columns\">\n", out);
    put_files(report, out);
    put_packages(report, out);
    fputs("</div>\n", out);
}
