#include "core.h"

#include "base/ticks.h"
#include "model/grow.h"
#include "overview.h"

typedef struct candidate {
    uint32_t process;
    int64_t ticks;
} candidate;

static gint longest_first(gconstpointer x, gconstpointer y)
{
    const candidate *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(b->ticks, a->ticks), NYTP_ORDER(a->process, b->process));
}

/* Whether no other process has anything of the stack. */
static bool has_all(const html_report *r, const html_process_stack *row)
{
    const html_stack *s = &g_array_index(r->stacks, html_stack, row->stack);
    return s->calls == row->calls && nytp_whole_ticks(s->excl_ticks) == nytp_whole_ticks(row->excl_ticks);
}

/* A process that has all of a stack says so with -1 calls, and no time. */
static GByteArray *block_of(const html_report *r, uint32_t process, html_pack *pack)
{
    uint32_t count;
    const html_process_stack *rows = html_by_process_get(r->by_process, process, &count);
    g_autofree html_json *j = html_json_new(pack);
    HTML_COLUMN(j, "stack", count, i, (int64_t)rows[i].stack - (i > 0 ? rows[i - 1].stack : 0));
    HTML_COLUMN(j, "calls", count, i, has_all(r, &rows[i]) ? -1 : (int64_t)rows[i].calls);
    html_json_open(j, "excl", '[');
    for (uint32_t i = 0; i < count; i++)
        if (!has_all(r, &rows[i]))
            html_json_int(j, NULL, nytp_whole_ticks(rows[i].excl_ticks));
    html_json_close(j, ']');
    HTML_WAITED_COLUMNS(j, count, i, !has_all(r, &rows[i]), rows[i].waited, 1);
    return html_json_take_block(j);
}

void html_process_stacks_write(const html_report *report, html_pack *pack, size_t most_bytes, FILE *out)
{
    if (report->by_process == NULL)
        return;
    g_autoptr(GArray) all = NYTP_ARRAY(candidate);
    for (uint32_t i = 0; i < html_by_process_count(report->by_process); i++) {
        const candidate one = {i, html_process_ticks(report, i).whole_ticks};
        g_array_append_val(all, one);
    }
    g_array_sort(all, longest_first);
    bool fits = true;
    for (guint i = 0; i < all->len && fits; i++) {
        char id[32];
        const uint32_t process = g_array_index(all, candidate, i).process;
        g_autoptr(GByteArray) block = block_of(report, process, pack);
        g_snprintf(id, sizeof id, "process-%u", process);
        fits = html_pack_write_if_fits(block, id, &most_bytes, out);
    }
}
