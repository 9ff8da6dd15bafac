#include "request_trees.h"

#include "base/ticks.h"
#include "json.h"

/* Returns the row of requests of a span, or -1. */
static int64_t row_of(const GArray *spans, uint64_t number)
{
    for (guint i = 0; i < spans->len; i++)
        if (g_array_index(spans, nytp_kept_span, i).number == number)
            return i;
    return -1;
}

static GByteArray *block_of(const html_report *r, const GArray *nodes, html_pack *pack)
{
    const nytp_span_node *all = &g_array_index(nodes, nytp_span_node, 0);
    const guint count = nodes->len;
    g_autofree html_json *j = g_new(html_json, 1);
    html_json_begin(j, pack);
    html_json_open(j, NULL, '{');
    HTML_COLUMN(j, "sub", count, i, r->call_subs[all[i].sub]);
    HTML_COLUMN(j, "depth", count, i, all[i].depth);
    HTML_COLUMN(j, "calls", count, i, (int64_t)all[i].calls);
    HTML_COLUMN(j, "excl", count, i, nytp_whole_ticks(all[i].excl_ticks * r->call_scale));
    html_json_close(j, '}');
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
        g_autoptr(GByteArray) block = block_of(report, tree->nodes, pack);
        g_snprintf(id, sizeof id, "request-%" G_GINT64_FORMAT, row);
        fits = html_pack_write_if_fits(block, id, &most_bytes, out);
    }
}
