/* The statements of all files, by line. */
#include "model/lines.h"

#include "base/ticks.h"

nytp_lines *nytp_lines_new(void)
{
    nytp_lines *lines = g_new0(nytp_lines, 1);
    nytp_records_init(&lines->sums, sizeof(line_sum), offsetof(line_sum, count));
    return lines;
}

void nytp_lines_free(nytp_lines *lines)
{
    nytp_records_clear(&lines->sums);
    g_free(lines->order);
    g_free(lines);
}

uint32_t nytp_lines_at(nytp_lines *lines, uint32_t fid, uint32_t line, bool *added)
{
    return nytp_records_number(&lines->sums, &(line_sum){.fid = fid, .line = line}, added);
}

static void join_lines(void *into, const void *record)
{
    line_sum *sum = into;
    const line_sum *more = record;
    sum->count += more->count;
    sum->ticks = nytp_add_ticks(sum->ticks, more->ticks);
}

void nytp_lines_change(nytp_lines *lines, nytp_record_change_fn *change, void *context)
{
    nytp_records_change(&lines->sums, change, context, join_lines);
    lines->ordered = 0;
}

/* ---- in order ---- */

static int compare_places(const line_sum *a, uint32_t fid, uint64_t line)
{
    if (a->fid != fid)
        return a->fid < fid ? -1 : 1;
    return (a->line > line) - (a->line < line);
}

static gint compare_lines(gconstpointer a, gconstpointer b, gpointer lines)
{
    const line_sum *y = nytp_lines_sum(lines, *(const uint32_t *)b);
    return compare_places(nytp_lines_sum(lines, *(const uint32_t *)a), y->fid, y->line);
}

static void put_in_order(nytp_lines *lines)
{
    uint32_t count = lines->sums.count;
    lines->order = g_renew(uint32_t, lines->order, count);
    for (uint32_t i = 0; i < count; i++)
        lines->order[i] = i;
    g_qsort_with_data(lines->order, (gint)count, sizeof *lines->order, compare_lines, lines);
    lines->ordered = count;
}

bool nytp_lines_next(nytp_lines *lines, uint32_t fid, uint64_t *from, nytp_line *line)
{
    if (lines->ordered != lines->sums.count)
        put_in_order(lines);
    uint32_t low = 0, high = lines->ordered;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_places(nytp_lines_sum(lines, lines->order[middle]), fid, *from) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < lines->ordered; low++) {
        const line_sum *sum = nytp_lines_sum(lines, lines->order[low]);
        if (sum->fid != fid)
            return false;
        *from = (uint64_t)sum->line + 1;
        if (sum->count != 0 || sum->ticks != 0) {
            *line = (nytp_line){sum->line, sum->count, sum->ticks};
            return true;
        }
    }
    return false;
}
