#include "core.h"

#include "base/order.h"
#include "base/ticks.h"
#include "model/grow.h"

static gint compare_rows(gconstpointer x, gconstpointer y)
{
    const html_line_row *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(a->file, b->file), NYTP_ORDER(a->at.line, b->at.line),
                       NYTP_ORDER(a->at.block_line, b->at.block_line),
                       NYTP_ORDER(a->at.sub_line, b->at.sub_line));
}

static GArray *sorted_levels(const html_report *r)
{
    GArray *levels = NYTP_ARRAY(html_line_row);
    for (size_t i = 0; i < nytp_profile_level_count(r->profile); i++) {
        const nytp_level *level = nytp_profile_level(r->profile, i);
        html_line_row one = {html_report_file_number(r, level->fid), *level, {0, 0}};
        if (one.at.block_line == 0)
            one.at.block_line = one.at.line;
        if (one.at.sub_line == 0)
            one.at.sub_line = one.at.line;
        g_array_append_val(levels, one);
    }
    g_array_sort(levels, compare_rows);
    return levels;
}

/* Divides how long a line waited among its rows, which are those from that one on. */
static void add_waits(GArray *rows, guint from, const nytp_line *line, nytp_waited waited)
{
    for (guint i = from; i < rows->len && line->ticks > 0; i++) {
        html_line_row *row = &g_array_index(rows, html_line_row, i);
        row->waited = nytp_waited_scaled(waited, (double)row->at.ticks / (double)line->ticks);
    }
}

/* Adds a line as the rows that it has among levels, from *next on, and as one for what is not in them:
 * statements that were recorded without blocks. */
static void add_line(GArray *rows, const GArray *levels, guint *next, int64_t file, const nytp_line *line)
{
    html_line_row rest = {file, {0, line->line, line->line, line->line, line->count, line->ticks}, {0, 0}};
    for (; *next < levels->len; ++*next) {
        const html_line_row *level = &g_array_index(levels, html_line_row, *next);
        if (level->file > file || (level->file == file && level->at.line > line->line))
            break;
        if (level->file < file || level->at.line < line->line)
            continue;
        g_array_append_val(rows, *level);
        rest.at.count -= level->at.count;
        rest.at.ticks = nytp_add_ticks(rest.at.ticks, -level->at.ticks);
    }
    if (rest.at.count != 0 || rest.at.ticks != 0)
        g_array_append_val(rows, rest);
}

static const nytp_level *at(const GArray *rows, guint i)
{
    return &g_array_index(rows, html_line_row, i).at;
}

GArray *html_line_rows(const html_report *report)
{
    guint next = 0;
    g_autoptr(GArray) levels = sorted_levels(report);
    GArray *rows = NYTP_ARRAY(html_line_row);
    nytp_records waits = nytp_profile_line_waits(report->profile);
    for (guint i = 0; i < report->files->len; i++) {
        nytp_line line;
        const uint32_t fid = html_report_file(report, i)->of->fid;
        for (uint64_t from = 0; nytp_profile_next_line(report->profile, fid, &from, &line);) {
            const guint first = rows->len;
            add_line(rows, levels, &next, i, &line);
            add_waits(rows, first, &line, nytp_line_waits_at(&waits, fid, line.line, (double)line.ticks));
        }
    }
    nytp_records_clear(&waits);
    return rows;
}

uint32_t html_line_row_of(const html_report *report, nytp_slice_place place)
{
    const int64_t file = html_report_file_number(report, place.fid);
    const html_line_row *rows = (const html_line_row *)(const void *)report->line_rows->data;
    const guint count = report->line_rows->len;
    guint i;
    NYTP_SEARCH(i, count, rows[i].file < file || (rows[i].file == file && rows[i].at.line < place.line));
    return i < count && rows[i].file == file && rows[i].at.line == place.line ? i : HTML_NO_ROW;
}

void html_lines_write(const html_report *report, html_json *json)
{
    const guint count = report->files->len;
    const GArray *rows = report->line_rows;
    g_autofree guint *counts = g_new0(guint, count);
    NYTP_EACH(html_line_row, row, rows)
        counts[row->file]++;
    html_json_open(json, "lines", '{');
    HTML_COLUMN(json, "count", count, i, counts[i]);
    HTML_COLUMN(json, "line", rows->len, i, (int64_t)at(rows, i)->line - (i > 0 ? at(rows, i - 1)->line : 0));
    HTML_COLUMN(json, "calls", rows->len, i, (int64_t)at(rows, i)->count);
    HTML_COLUMN(json, "ticks", rows->len, i, at(rows, i)->ticks);
    if (nytp_profile_waits(report->profile))
        HTML_WAITED_COLUMNS(json, rows->len, i, true, g_array_index(rows, html_line_row, i).waited, 1);
    if (nytp_profile_level_count(report->profile) > 0) {
        HTML_COLUMN(json, "block", rows->len, i, at(rows, i)->block_line);
        HTML_COLUMN(json, "sub", rows->len, i, at(rows, i)->sub_line);
    }
    html_json_close(json, '}');
}
