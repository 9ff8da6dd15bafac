#include "difference.h"

#include "base/order.h"
#include "compare/comparison.h"
#include "model/grow.h"

static gint by_file(gconstpointer x, gconstpointer y)
{
    const html_line_change *a = x, *b = y;
    return nytp_order4(NYTP_ORDER(a->file, b->file), NYTP_ORDER(a->line == 0, b->line == 0),
                       NYTP_ORDER(a->line, b->line), NYTP_ORDER(a->old_line, b->old_line));
}

static void set_numbers(const html_line_sources *s, html_line_change *line)
{
    nytp_change change;
    nytp_comparison_get(s->comparison, NYTP_COMPARE_LINES, line->row, NYTP_FIGURE_EXCL, &change);
    line->line = change.line[NYTP_NEW];
    line->old_line = change.line[NYTP_OLD];
    line->verdict = change.verdict;
    NYTP_EACH_SIDE(side)
        line->value[side] = change.median[side] * s->unit;
}

static int64_t file_of(const html_line_sources *s, enum nytp_side side, uint32_t number)
{
    const size_t row = nytp_comparison_find(s->comparison, NYTP_COMPARE_FILES, side, 0, number, 0);
    return row != SIZE_MAX ? s->file_numbers[row] : -1;
}

int64_t html_file_of_old(const html_line_sources *sources, uint32_t number)
{
    return file_of(sources, NYTP_OLD, number);
}

/* Adds the lines of a side's run that is shown, but for those that were seen before. */
static void add_side(const html_line_sources *s, const nytp_profile *profile, enum nytp_side side, bool *seen,
                     GArray *to)
{
    for (uint32_t i = 0; i < nytp_profile_file_count(profile); i++) {
        const int64_t file = file_of(s, side, i);
        nytp_line line;
        for (uint64_t from = 0;
             file >= 0 &&
             nytp_profile_next_line(profile, nytp_profile_file(profile, i)->fid, &from, &line);) {
            const size_t row = nytp_comparison_find(s->comparison, NYTP_COMPARE_LINES, side, 0, i, line.line);
            if (row == SIZE_MAX || seen[row])
                continue;
            seen[row] = true;
            html_line_change added = {.file = file, .row = row};
            set_numbers(s, &added);
            g_array_append_val(to, added);
        }
    }
}

GArray *html_line_changes_new(const html_line_sources *sources)
{
    GArray *lines = NYTP_ARRAY(html_line_change);
    g_autofree bool *seen = g_new0(bool, nytp_comparison_count(sources->comparison, NYTP_COMPARE_LINES) + 1);
    add_side(sources, sources->report->profile, NYTP_NEW, seen, lines);
    add_side(sources, sources->old, NYTP_OLD, seen, lines);
    g_array_sort(lines, by_file);
    return lines;
}

GArray *html_line_changes_again(const html_line_sources *sources, const GArray *lines)
{
    GArray *again = NYTP_ARRAY(html_line_change);
    g_array_append_vals(again, lines->data, lines->len);
    NYTP_EACH(html_line_change, line, again)
        set_numbers(sources, line);
    return again;
}
