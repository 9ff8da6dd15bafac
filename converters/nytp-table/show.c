#include "table.h"

#include "cli/head.h"

/* One sentence in the place of rows. */
static void write_none(const table_view *v)
{
    const enum table_by by = v->options->by;
    if (nytp_measure_is_bytes(&v->measure))
        fputs("There is no such memory.\n", v->out);
    else if (by == TABLE_SUBS)
        fputs("The profile has no calls: NYTPROF=subs=1 records them.\n", v->out);
    else if (by == TABLE_LINES)
        fputs("The profile has no statements: NYTPROF=stmts=1 records them.\n", v->out);
    else if (by == TABLE_REQUESTS)
        fputs("The profile has no requests: NYTProf::Span names them.\n", v->out);
    else
        fprintf(v->out, "The profile has no labels of that kind: NYTPROF=labels=%s records them.\n",
                nytp_label_kinds[NYTP_LABEL_SQL + by - TABLE_QUERIES]);
}

static void write_rows(table_view *v, const nytp_look *look)
{
    enum { ROWS = 10, REQUESTS = 5 };
    const table_options *o = v->options;
    const bool is_summary = o->by == TABLE_SUMMARY;
    if (v->is_page)
        table_page_head_write(v);
    else if (o->form == NYTP_TEXT)
        nytp_head_write(v->summary, v->findings, &o->files, o->wait, v->out);
    if (is_summary) {
        table_rows_write(v, TABLE_SUBS, ROWS, look);
        table_rows_write(v, TABLE_LINES, ROWS, look);
        table_rows_write(v, TABLE_REQUESTS, v->is_page ? ROWS : REQUESTS, look);
        if (v->is_page)
            table_page_findings_write(v);
    } else if (!table_rows_write(v, o->by, o->rows, look) && o->form == NYTP_TEXT) {
        write_none(v);
    }
}

bool table_show(void *options, const nytp_summary *s, const nytp_look *look, FILE *out)
{
    const table_options *o = options;
    if (nytp_profile_attribute(s->profile, "dprof_XS_VERSION").length == 0)
        nytp_options_warn("real system user", "on a nytprof.out");
    if (!table_has_sort(o, s))
        return false;
    table_view v = table_view_of(o, s);
    v.findings = nytp_head_findings(s, &o->common.filters);
    v.out = out;
    if (o->by == TABLE_PROCESSES)
        table_processes_write(&v, look);
    else if (o->by == TABLE_FINDINGS)
        table_findings_write(&v);
    else
        write_rows(&v, look);
    nytp_findings_free(v.findings);
    return true;
}
