#include "command.h"

#include "base/order.h"
#include "calls/by_label.h"
#include "export/amount.h"
#include "export/markdown.h"
#include "export/table.h"
#include "export/time_parts.h"
#include "model/grow.h"
#include "model/subs.h"
#include "model/waits.h"

#include <glib.h>
#include <math.h>

enum { MOST_ROWS = 10 };

/* A row of a table. */
typedef struct row {
    double ticks, incl_ticks; /* it is sorted by ticks; NaN: not shown */
    uint64_t count;
    uint32_t number, line; /* of the sub, of the file, or of the label */
    nytp_waited waited;    /* of ticks; not of subs */
} row;

/* What the rows of a table are. */
enum subject { SUBS, LINES, SPANS };

typedef struct page {
    const nytp_profile *profile;
    nytp_by_label *by;
    nytp_measure measure;
    nytp_totals totals;
    bool has_parts;   /* some of the time was not work */
    bool is_measured; /* otherwise subs that wait by their names were asleep */
    FILE *out;
} page;

static gint by_ticks(gconstpointer a, gconstpointer b)
{
    const row *x = a, *y = b;
    return nytp_order3(NYTP_ORDER(y->ticks, x->ticks), NYTP_ORDER(x->number, y->number),
                       NYTP_ORDER(x->line, y->line));
}

/* Sorts rows and leaves those that are shown. */
static void keep_largest(GArray *rows)
{
    g_array_sort(rows, by_ticks);
    if (rows->len > MOST_ROWS)
        g_array_set_size(rows, MOST_ROWS);
}

static void add(GArray *rows, row r)
{
    if (r.ticks > 0)
        g_array_append_val(rows, r);
}

static GArray *subs_of(const page *p)
{
    const size_t count = nytp_profile_sub_count(p->profile);
    g_autofree nytp_arc *sums = nytp_sums_by_callee(p->profile);
    GArray *rows = NYTP_ARRAY(row);
    for (uint32_t i = 0; i < count; i++) {
        row r = {.ticks = (double)sums[i].excl_ticks,
                 .incl_ticks = (double)sums[i].incl_ticks,
                 .count = sums[i].count,
                 .number = i};
        if (nytp_measure_counts_samples(&p->measure))
            r.count = nytp_samples_of(r.ticks, &p->totals);
        add(rows, r);
    }
    return rows;
}

/* Keeps some rows more than are shown, so that memory does not grow with the lines. */
static GArray *lines_of(const page *p)
{
    enum { KEPT = 1000 };
    GArray *rows = NYTP_ARRAY(row);
    const nytp_file *file;
    nytp_line line;
    nytp_records waits = nytp_profile_line_waits(p->profile);
    for (uint32_t i = 0; (file = nytp_profile_file(p->profile, i)) != NULL; i++)
        for (uint64_t from = 0; nytp_profile_next_line(p->profile, file->fid, &from, &line);) {
            const double ticks = (double)line.ticks;
            add(rows, (row){.ticks = ticks,
                            .incl_ticks = NAN,
                            .count = line.count,
                            .number = i,
                            .line = line.line,
                            .waited = nytp_line_waits_at(&waits, file->fid, line.line, ticks)});
            if (rows->len > KEPT)
                keep_largest(rows);
        }
    nytp_records_clear(&waits);
    return rows;
}

/* Spans are what a program names by NYTProf::Span, such as its requests. */
static GArray *spans_of(const page *p)
{
    const double ticks_per_sec = nytp_by_label_ticks_per_sec(p->by);
    const double scale = ticks_per_sec > 0 ? nytp_profile_ticks_per_sec(p->profile) / ticks_per_sec : 1;
    GArray *rows = NYTP_ARRAY(row);
    for (uint32_t i = 0; i < nytp_by_label_count(p->by); i++) {
        const nytp_labelled *label = nytp_by_label_get(p->by, i);
        if (label->kind == NYTP_LABEL_SPAN)
            add(rows, (row){.ticks = label->incl_ticks * scale,
                            .incl_ticks = NAN,
                            .count = label->calls,
                            .number = i,
                            .waited = nytp_waited_scaled(label->waited, scale)});
    }
    return rows;
}

/* The amount and its share; nothing if there is none. */
static void put_amount(const page *p, nytp_table *t, double ticks)
{
    const double whole = (double)p->totals.whole_ticks;
    char share[32];
    snprintf(share, sizeof share, "%.1f %%", whole > 0 ? 100 * ticks / whole : 0);
    nytp_table_text(t, isnan(ticks) ? "" : nytp_amount_ticks(&p->measure, ticks).text);
    nytp_table_text(t, isnan(ticks) ? "" : share);
}

static void put_part(const page *p, nytp_table *t, bool is_known, double ticks)
{
    nytp_table_text(t, !is_known ? "" : ticks > 0 ? nytp_amount_ticks(&p->measure, ticks).text : "0");
}

static char *name_of(const page *p, enum subject subject, const row *r)
{
    if (subject == SPANS) {
        const nytp_str text = nytp_by_label_get(p->by, r->number)->text;
        return g_strndup(text.bytes, text.length);
    }
    nytp_sub sub = {0};
    nytp_profile_sub(p->profile, subject == SUBS ? r->number : UINT32_MAX, &sub);
    g_autofree char *name =
        nytp_name_clean(subject == SUBS ? sub.name : nytp_profile_file(p->profile, r->number)->name);
    return subject == SUBS ? g_steal_pointer(&name) : g_strdup_printf("%s:%u", name, r->line);
}

/* Writes the largest rows, and frees all. */
static void write_rows(const page *p, enum subject subject, GArray *rows)
{
    static const char *const names[] = {[SUBS] = "sub", [LINES] = "line", [SPANS] = "request or other span"};
    const bool are_statements = subject == LINES && !nytp_measure_is_sampled(&p->measure);
    const char *const amounts[] = {[SUBS] = "exclusive", [LINES] = p->measure.noun, [SPANS] = "inclusive"};
    const nytp_column columns[] = {{.head = are_statements ? "statements" : nytp_measure_count(&p->measure)},
                                   {.head = amounts[subject]},
                                   {.head = ""},
                                   {.head = "inclusive"},
                                   {.head = ""},
                                   {.head = "work"},
                                   {.head = "queued"},
                                   {.head = p->is_measured ? "asleep" : "asleep (by names)"},
                                   {.head = names[subject], .kind = NYTP_COLUMN_NAME}};
    nytp_table *t = nytp_table_new(columns, G_N_ELEMENTS(columns));
    keep_largest(rows);
    NYTP_EACH(const row, r, rows) {
        g_autofree char *name = name_of(p, subject, r);
        nytp_table_text(t, nytp_amount_whole(r->count).text);
        put_amount(p, t, r->ticks);
        put_amount(p, t, r->incl_ticks);
        const nytp_spent spent = nytp_spent_of(r->ticks, r->waited);
        const bool has_parts = p->has_parts && subject != SUBS;
        put_part(p, t, has_parts, spent.work_ticks);
        put_part(p, t, has_parts && p->is_measured, spent.queued_ticks);
        put_part(p, t, has_parts, spent.asleep_ticks);
        nytp_table_name(t, name);
    }
    if (rows->len > 0) {
        fputc('\n', p->out);
        nytp_table_write_markdown(t, p->out);
    }
    nytp_table_free(t);
    g_array_free(rows, TRUE);
}

static void write_findings(const page *p, const nytp_findings *findings)
{
    const size_t count = nytp_findings_count(findings);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "\n- " : "- ", p->out);
        nytp_markdown_text(nytp_findings_get(findings, i)->text, p->out);
        fputc('\n', p->out);
    }
}

static void write_headline(const page *p)
{
    const nytp_setting *s = nytp_profile_setting_by_key(p->profile, NYTP_ATTRIBUTE, "application");
    g_autofree char *name = s != NULL ? nytp_name_clean(s->value) : g_strdup("perl");
    const size_t processes = nytp_profile_process_count(p->profile);
    nytp_markdown_code(name, p->out);
    const nytp_time_parts parts = nytp_profile_time_parts(p->profile);
    g_autofree char *made_of = nytp_time_parts_text(&parts, nytp_amount_of_part, &p->measure);
    const nytp_amount whole = nytp_amount_ticks(&p->measure, (double)p->totals.whole_ticks);
    if (p->has_parts)
        fprintf(p->out, ": %s; 100 %% are %s", made_of, whole.text);
    else
        fprintf(p->out, ": %s%s", whole.text, p->totals.whole_ticks > 0 ? " (100 %)" : "");
    if (!nytp_measure_is_sampled(&p->measure))
        fprintf(p->out, ", %s", nytp_amount_of((double)p->totals.calls, "call").text);
    if (p->totals.statements > 0 && !nytp_measure_is_sampled(&p->measure))
        fprintf(p->out, ", %s", nytp_amount_of((double)p->totals.statements, "statement").text);
    if (processes > 1)
        fprintf(p->out, ", in %s processes", nytp_amount_whole(processes).text);
    fputc('\n', p->out);
}

void tree_page_write(const nytp_profile *profile, nytp_calltree *stacks, const nytp_findings *findings,
                     FILE *out)
{
    const page p = {.profile = profile,
                    .by = nytp_by_label_new(),
                    .measure = nytp_profile_measure(profile),
                    .totals = nytp_profile_totals(profile),
                    .has_parts = nytp_profile_waits(profile),
                    .is_measured = nytp_profile_measures_waits(profile),
                    .out = out};
    nytp_by_label_add_profile(p.by, profile, stacks);
    write_headline(&p);
    write_rows(&p, SUBS, subs_of(&p));
    write_rows(&p, LINES, lines_of(&p));
    write_rows(&p, SPANS, spans_of(&p));
    write_findings(&p, findings);
    nytp_by_label_free(p.by);
}
