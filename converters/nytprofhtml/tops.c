#include "overview.h"

#include "base/order.h"
#include "export/amount.h"
#include "model/grow.h"
#include "text.h"

enum { ROWS = 15 };

/* A row of any of the tables. */
typedef struct row {
    int64_t self_ticks, incl_ticks;
    uint64_t count;  /* calls or statements, as shown */
    uint32_t number; /* of the sub or file */
    uint32_t line;   /* 0: none */
} row;

typedef struct table {
    const char *title;
    const char *self, *incl; /* headings; incl NULL: no such column */
    const char *count, *name;
    char *(*name_of)(const html_report *r, const row *one); /* g_free() it */
    bool is_of_files;                                       /* names begin with paths */
} table;

static gint by_self(gconstpointer x, gconstpointer y)
{
    const row *a = x, *b = y;
    return nytp_order3(NYTP_ORDER(b->self_ticks, a->self_ticks), NYTP_ORDER(a->number, b->number),
                       NYTP_ORDER(a->line, b->line));
}

/* Returns a name with the last two parts of its path, also in "(eval 5)[/srv/shop.pl:26]". */
static char *shortened(const char *name)
{
    const char *bracket = strstr(name, ")[/"), *path = bracket != NULL ? bracket + strlen(")[") : name;
    return g_strdup_printf("%.*s%s", (int)(path - name), name, html_short_path(path));
}

static void put_row(const html_report *r, const row *one, const table *t, FILE *out)
{
    g_autofree char *name = t->name_of(r, one), *shown = t->is_of_files ? shortened(name) : g_strdup(name);
    html_put(out, "<tr><td class=\"n\">%s</td>", html_amount(r, (double)one->self_ticks).text);
    if (t->incl != NULL)
        html_put(out, "<td class=\"n\">%s</td>", html_amount(r, (double)one->incl_ticks).text);
    html_put(out, "<td class=\"n\">%s</td><td class=\"name\" title=\"%s\">%s</td></tr>\n",
             nytp_amount_whole(one->count).text, name, shown);
}

/* Writes a table of the first rows, if any, and frees the array. */
static void put_table(const html_report *r, GArray *rows, const table *t, FILE *out)
{
    g_array_sort(rows, by_self);
    if (rows->len > 0 && g_array_index(rows, row, 0).self_ticks > 0) {
        html_put(out, "<section><h2>%s</h2>\n<table class=\"top\"><thead><tr><th class=\"n\">%s</th>",
                 t->title, t->self);
        if (t->incl != NULL)
            html_put(out, "<th class=\"n\">%s</th>", t->incl);
        html_put(out, "<th class=\"n\">%s</th><th>%s</th></tr></thead>\n<tbody>\n", t->count, t->name);
        for (guint i = 0; i < MIN(rows->len, ROWS) && g_array_index(rows, row, i).self_ticks > 0; i++)
            put_row(r, &g_array_index(rows, row, i), t, out);
        fputs("</tbody></table></section>\n", out);
    }
    g_array_free(rows, TRUE);
}

static GArray *new_rows(void)
{
    return NYTP_ZEROED_ARRAY(row);
}

static char *sub_name(const html_report *r, const row *one)
{
    return g_strdup(html_report_sub(r, one->number)->name);
}

static void put_subs(const html_report *r, FILE *out)
{
    const html_words *words = html_words_of(&r->measure);
    const table subs = {words->subs, "Self", "Incl.", words->calls, "Sub", sub_name, false};
    GArray *rows = new_rows();
    for (guint i = 0; i < r->subs->len; i++) {
        const html_sub *s = html_report_sub(r, i);
        row one = {s->excl_ticks, s->incl_ticks, html_report_count(r, s->calls, (double)s->incl_ticks), i, 0};
        g_array_append_val(rows, one);
    }
    put_table(r, rows, &subs, out);
}

static char *place_name(const html_report *r, const row *one)
{
    const char *name = html_report_file(r, one->number)->name;
    return one->line > 0 ? g_strdup_printf("%s:%u", name, one->line) : g_strdup(name);
}

static void put_lines(const html_report *r, FILE *out)
{
    const html_words *words = html_words_of(&r->measure);
    const table lines = {words->lines, words->amount, NULL, words->runs, "Line", place_name, true};
    GArray *rows = new_rows();
    for (guint i = 0; i < r->files->len; i++) {
        nytp_line line;
        for (uint64_t from = 0;
             nytp_profile_next_line(r->profile, html_report_file(r, i)->of->fid, &from, &line);) {
            row one = {line.ticks, 0, line.count, i, line.line};
            g_array_append_val(rows, one);
        }
    }
    put_table(r, rows, &lines, out);
}

void html_tops_write(const html_report *report, FILE *out)
{
    fputs("<div id=\"hottest\">\n", out);
    put_subs(report, out);
    put_lines(report, out);
    fputs("</div></div>\n<figure id=\"overview-flame\"></figure>\n", out);
}
