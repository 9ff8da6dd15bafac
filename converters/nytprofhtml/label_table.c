#include "core.h"

#include "base/ticks.h"

#include <string.h>

static const nytp_labelled *label_at(const html_report *r, uint32_t i)
{
    return nytp_by_label_get(r->labels->sums, i);
}

static const html_span_times *span_at(const html_report *r, guint i)
{
    return &g_array_index(r->labels->spans, html_span_times, i);
}

static int64_t report_ticks(const html_report *r, double ticks)
{
    return nytp_whole_ticks(ticks * r->call_scale);
}

/* Empty: it was not cut. OLD knows the text of a label that it alone has. */
static void write_whole_text(html_json *j, const html_report *r, nytp_str text)
{
    nytp_str whole = nytp_label_whole_text(r->profile, text);
    if (whole.bytes == text.bytes && r->difference != NULL)
        whole = nytp_label_whole_text(r->difference->old->profile, text);
    char *shown = nytp_name_clean(whole);
    html_json_text(j, NULL, whole.bytes != text.bytes ? shown : "");
    free(shown);
}

typedef struct labelled_sub {
    guint sub;
    uint32_t label;
    enum nytp_label_runs runs;
} labelled_sub;

/* Returns false if the sub has no label. */
static bool label_of(const html_report *r, guint sub, labelled_sub *of)
{
    const char *name = html_report_sub(r, sub)->name;
    nytp_label label;
    const nytp_str text = {name, strlen(name), true};
    if (!nytp_sub_label(r->profile, text, &label))
        return false;
    *of = (labelled_sub){sub, nytp_by_label_of(r->labels->sums, &label), nytp_label_runs(&label)};
    return of->label < r->labels->spans->len; /* else an eval's name in it has changed */
}

static void write_subs(html_json *j, const html_report *r)
{
    g_autofree labelled_sub *of = g_new(labelled_sub, (gsize)r->subs->len + 1);
    guint count = 0;
    for (guint i = 0; i < r->subs->len; i++)
        count += label_of(r, i, &of[count]);
    HTML_COLUMN(j, "sub", count, i, of[i].sub - (i > 0 ? of[i - 1].sub : 0));
    HTML_COLUMN(j, "of", count, i, of[i].label);
    HTML_COLUMN(j, "runs_as", count, i, of[i].runs);
}

void html_label_table_write(const html_report *report, html_json *json)
{
    const html_report *r = report;
    const uint32_t count = nytp_by_label_count(r->labels->sums);
    html_json_open(json, "labels", '{');
    HTML_COLUMN(json, "kind", count, i, label_at(r, i)->kind);
    HTML_COLUMN_OF(html_json_text, json, "text", count, i, label_at(r, i)->text.bytes);
    html_json_open(json, "whole", '[');
    for (uint32_t i = 0; i < count; i++)
        write_whole_text(json, r, label_at(r, i)->text);
    html_json_close(json, ']');
    html_json_bool(json, "has_calls", r->labels->has_calls);
    HTML_COLUMN(json, "runs", count, i, (int64_t)label_at(r, i)->runs);
    HTML_COLUMN(json, "incl", count, i, report_ticks(r, label_at(r, i)->incl_ticks));
    HTML_COLUMN(json, "median", count, i, report_ticks(r, span_at(r, i)->median));
    HTML_COLUMN(json, "p95", count, i, report_ticks(r, span_at(r, i)->p95));
    HTML_COLUMN(json, "p99", count, i, report_ticks(r, span_at(r, i)->p99));
    HTML_COLUMN(json, "longest", count, i, report_ticks(r, span_at(r, i)->longest));
    if (r->labels->has_traces) {
        HTML_COLUMN_OF(html_json_text, json, "trace_id", count, i, span_at(r, i)->ids.trace);
        HTML_COLUMN_OF(html_json_text, json, "span_id", count, i, span_at(r, i)->ids.span);
    }
    write_subs(json, r);
    html_json_close(json, '}');
}
