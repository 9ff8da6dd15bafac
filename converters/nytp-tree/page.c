#include "command.h"

#include "base/order.h"
#include "calls/by_label.h"
#include "export/amount.h"
#include "export/markdown.h"
#include "export/time_parts.h"
#include "model/grow.h"
#include "model/subs.h"
#include "model/waits.h"

#include <glib.h>

enum { MOST_ROWS = 10 };

/* A row of a table. */
typedef struct row {
    double ticks, incl_ticks; /* it is sorted by ticks */
    uint64_t count;
    uint32_t number, line; /* of the sub, of the file, or of the label */
    nytp_waited waited;    /* of ticks; not of subs */
} row;

typedef struct page {
    const nytp_profile *profile;
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

static GArray *largest_subs(const page *p)
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
    keep_largest(rows);
    return rows;
}

/* Keeps some rows more than are shown, so that memory does not grow with the lines. */
static GArray *largest_lines(const page *p)
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
                            .count = line.count,
                            .number = i,
                            .line = line.line,
                            .waited = nytp_line_waits_at(&waits, file->fid, line.line, ticks)});
            if (rows->len > KEPT)
                keep_largest(rows);
        }
    nytp_records_clear(&waits);
    keep_largest(rows);
    return rows;
}

static GArray *largest_spans(const nytp_by_label *by, double scale)
{
    GArray *rows = NYTP_ARRAY(row);
    for (uint32_t i = 0; i < nytp_by_label_count(by); i++) {
        const nytp_labelled *label = nytp_by_label_get(by, i);
        if (label->kind == NYTP_LABEL_SPAN)
            add(rows, (row){.ticks = label->incl_ticks * scale,
                            .count = label->calls,
                            .number = i,
                            .waited = nytp_waited_scaled(label->waited, scale)});
    }
    keep_largest(rows);
    return rows;
}

static void write_amount(const page *p, double ticks)
{
    const double whole = (double)p->totals.whole_ticks;
    fprintf(p->out, "| %s | %.1f %% ", nytp_amount_ticks(&p->measure, ticks).text,
            whole > 0 ? 100 * ticks / whole : 0);
}

/* What a table of times has as its last columns but one. */
static void write_parts_head(const page *p, const char *name)
{
    const char *const measured[] = {" work | queued | asleep |", " ---: | ---: | ---: |"},
                      *const by_names[] = {" work | asleep (by names) |", " ---: | ---: |"},
                      *const none[] = {"", ""};
    const char *const *of = !p->has_parts ? none : p->is_measured ? measured : by_names;
    fprintf(p->out, "%s %s |\n| ---: | ---: | ---: |%s --- |\n", of[0], name, of[1]);
}

static void write_part(const page *p, double ticks)
{
    fprintf(p->out, "| %s ", ticks > 0 ? nytp_amount_ticks(&p->measure, ticks).text : "0");
}

static void write_parts(const page *p, const row *r)
{
    const nytp_spent spent = nytp_spent_of(r->ticks, r->waited);
    if (!p->has_parts)
        return;
    write_part(p, spent.work_ticks);
    if (p->is_measured)
        write_part(p, spent.queued_ticks);
    write_part(p, spent.asleep_ticks);
}

static void write_name(const page *p, const char *name)
{
    fputs("| ", p->out);
    nytp_markdown_code_cell(name, p->out);
    fputs(" |\n", p->out);
}

static void write_subs(const page *p)
{
    GArray *rows = largest_subs(p);
    if (rows->len > 0)
        fprintf(p->out,
                "\n| %s | exclusive | | inclusive | | sub |\n| ---: | ---: | ---: | ---: | ---: | --- |\n",
                nytp_measure_count(&p->measure));
    NYTP_EACH(const row, r, rows) {
        nytp_sub sub;
        nytp_profile_sub(p->profile, r->number, &sub);
        g_autofree char *name = nytp_name_clean(sub.name);
        fprintf(p->out, "| %s ", nytp_amount_whole(r->count).text);
        write_amount(p, r->ticks);
        write_amount(p, r->incl_ticks);
        write_name(p, name);
    }
    g_array_free(rows, TRUE);
}

static void write_lines(const page *p)
{
    GArray *rows = largest_lines(p);
    if (rows->len > 0) {
        fprintf(p->out, "\n| %s | %s | |",
                nytp_measure_is_sampled(&p->measure) ? nytp_measure_count(&p->measure) : "statements",
                p->measure.noun);
        write_parts_head(p, "line");
    }
    NYTP_EACH(const row, r, rows) {
        g_autofree char *file = nytp_name_clean(nytp_profile_file(p->profile, r->number)->name);
        g_autofree char *place = g_strdup_printf("%s:%u", file, r->line);
        fprintf(p->out, "| %s ", nytp_amount_whole(r->count).text);
        write_amount(p, r->ticks);
        write_parts(p, r);
        write_name(p, place);
    }
    g_array_free(rows, TRUE);
}

/* Spans are what a program names by NYTProf::Span, such as its requests. */
static void write_spans(const page *p, nytp_calltree *stacks)
{
    nytp_by_label *by = nytp_by_label_new();
    nytp_by_label_add_profile(by, p->profile, stacks);
    const double ticks_per_sec = nytp_by_label_ticks_per_sec(by);
    GArray *rows =
        largest_spans(by, ticks_per_sec > 0 ? nytp_profile_ticks_per_sec(p->profile) / ticks_per_sec : 1);
    if (rows->len > 0) {
        fprintf(p->out, "\n| %s | inclusive | |", nytp_measure_count(&p->measure));
        write_parts_head(p, "request or other span");
    }
    NYTP_EACH(const row, r, rows) {
        const nytp_str text = nytp_by_label_get(by, r->number)->text;
        g_autofree char *name = g_strndup(text.bytes, text.length);
        fprintf(p->out, "| %s ", nytp_amount_whole(r->count).text);
        write_amount(p, r->ticks);
        write_parts(p, r);
        write_name(p, name);
    }
    g_array_free(rows, TRUE);
    nytp_by_label_free(by);
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
                    .measure = nytp_profile_measure(profile),
                    .totals = nytp_profile_totals(profile),
                    .has_parts = nytp_profile_waits(profile),
                    .is_measured = nytp_profile_measures_waits(profile),
                    .out = out};
    write_headline(&p);
    write_subs(&p);
    write_lines(&p);
    write_spans(&p, stacks);
    write_findings(&p, findings);
}
