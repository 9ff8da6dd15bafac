#include "core.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/grow.h"

enum { MOST_LINES = 20 };

/* Lines with less of the time of a request are not worth the bytes. */
static const double least_share = 0.001;

/* Returns the row of requests of a span, or -1. */
static int64_t row_of(const GArray *spans, uint64_t number)
{
    for (guint i = 0; i < spans->len; i++)
        if (g_array_index(spans, nytp_kept_span, i).number == number)
            return i;
    return -1;
}

/* ---- lines ---- */

typedef struct line_row {
    uint32_t row;
    uint64_t runs;
    double ticks;
} line_row;

static line_row *row_at(const GArray *rows, guint i)
{
    return &g_array_index(rows, line_row, i);
}

static gint by_row(gconstpointer x, gconstpointer y)
{
    return NYTP_ORDER(((const line_row *)x)->row, ((const line_row *)y)->row);
}

static gint most_first(gconstpointer x, gconstpointer y)
{
    const line_row *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->ticks, a->ticks), NYTP_ORDER(a->row, b->row));
}

/* Lines of evals that were merged are one. */
static void join_rows(GArray *rows)
{
    guint left = 0;
    g_array_sort(rows, by_row);
    for (guint i = 0; i < rows->len; i++) {
        const line_row row = *row_at(rows, i);
        if (left > 0 && row_at(rows, left - 1)->row == row.row) {
            row_at(rows, left - 1)->runs += row.runs;
            row_at(rows, left - 1)->ticks += row.ticks;
        } else {
            *row_at(rows, left++) = row;
        }
    }
    g_array_set_size(rows, left);
}

/* Returns the rows of lines, those with most time first. */
static GArray *rows_of(const html_report *r, const nytp_lines_of_span *lines)
{
    GArray *rows = NYTP_ARRAY(line_row);
    NYTP_EACH(const nytp_span_line, line, lines->most) {
        const line_row row = {html_line_row_of(r, nytp_span_lines_place(r->request_lines, line->place)),
                              line->runs, line->ticks * r->call_scale};
        g_array_append_val(rows, row);
    }
    join_rows(rows);
    g_array_sort(rows, most_first);
    return rows;
}

static double ticks_of(const nytp_span_tree *tree)
{
    double ticks = 0;
    NYTP_EACH(const nytp_span_node, node, tree->nodes)
        ticks += node->excl_ticks;
    return ticks;
}

/* Lines that the report does not have are among the others. */
static void write_lines(const html_report *r, const nytp_span_tree *tree, html_json *j)
{
    const nytp_lines_of_span *lines = tree->lines;
    const double least_ticks = ticks_of(tree) * r->call_scale * least_share;
    g_autoptr(GArray) rows = rows_of(r, lines);
    double other_ticks = lines->other_ticks * r->call_scale;
    uint32_t others = lines->others;
    guint left = 0;
    for (guint i = 0; i < rows->len; i++) {
        const line_row row = *row_at(rows, i);
        if (row.row != HTML_NO_ROW && left < MOST_LINES && row.ticks >= least_ticks) {
            *row_at(rows, left++) = row;
            continue;
        }
        other_ticks += row.ticks;
        others++;
    }
    HTML_COLUMN(j, "row", left, i, row_at(rows, i)->row);
    HTML_COLUMN(j, "runs", left, i, (int64_t)row_at(rows, i)->runs);
    HTML_COLUMN(j, "ticks", left, i, nytp_whole_ticks(row_at(rows, i)->ticks));
    html_json_open(j, "others", '[');
    html_json_int(j, NULL, others);
    html_json_int(j, NULL, nytp_whole_ticks(other_ticks));
    html_json_close(j, ']');
}

/* ---- blocks ---- */

static GByteArray *block_of(const html_report *r, const nytp_span_tree *tree, html_pack *pack)
{
    const GArray *nodes = tree->nodes;
    const nytp_span_node *all = &g_array_index(nodes, nytp_span_node, 0);
    const guint count = nodes->len;
    g_autofree html_json *j = html_json_new(pack);
    HTML_COLUMN(j, "sub", count, i, r->call_subs[all[i].sub]);
    HTML_COLUMN(j, "depth", count, i, all[i].depth);
    HTML_COLUMN(j, "calls", count, i, (int64_t)all[i].calls);
    HTML_COLUMN(j, "excl", count, i, nytp_whole_ticks(all[i].excl_ticks * r->call_scale));
    if (tree->lines->known == NYTP_LINES_KNOWN)
        write_lines(r, tree, j);
    else
        html_json_int(j, "unknown", tree->lines->known);
    return html_json_take_block(j);
}

void html_request_trees_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out)
{
    if (report->request_trees == NULL)
        return;
    const GArray *spans = nytp_span_sample_get(report->requests);
    const GArray *trees = nytp_span_trees_get(report->request_trees);
    bool fits = true;
    for (guint i = 0; i < trees->len && fits; i++) {
        const nytp_span_tree *tree = &g_array_index(trees, nytp_span_tree, i);
        const int64_t row = row_of(spans, tree->number);
        if (row < 0)
            continue;
        char id[32];
        g_autoptr(GByteArray) block = block_of(report, tree, pack);
        g_snprintf(id, sizeof id, "request-%" G_GINT64_FORMAT, row);
        fits = html_pack_write_if_fits(block, id, &most_bytes, out);
    }
}
