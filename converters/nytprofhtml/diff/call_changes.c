#include "difference.h"

#include "model/grow.h"

static int64_t number_at(const int64_t *numbers, size_t row)
{
    return row != SIZE_MAX ? numbers[row] : -1;
}

GArray *html_call_changes_new(const html_line_sources *sources, const int64_t *sub_numbers,
                              enum nytp_compared kind)
{
    const html_line_sources *s = sources;
    GArray *all = NYTP_ARRAY(html_call_change);
    const size_t rows = nytp_comparison_count(s->comparison, kind);
    for (size_t row = 0; row < rows; row++) {
        nytp_change incl, calls;
        nytp_comparison_get(s->comparison, kind, row, NYTP_FIGURE_INCL, &incl);
        nytp_comparison_get(s->comparison, kind, row, NYTP_FIGURE_COUNT, &calls);
        const html_call_change change = {
            .caller = number_at(sub_numbers, incl.caller),
            .callee = number_at(sub_numbers, incl.callee),
            .file = number_at(s->file_numbers, incl.file),
            .line = incl.line[NYTP_NEW],
            .old_line = incl.line[NYTP_OLD],
            .incl = {incl.median[NYTP_OLD] * s->unit, incl.median[NYTP_NEW] * s->unit},
            .calls = {calls.median[NYTP_OLD], calls.median[NYTP_NEW]},
            .verdict = incl.verdict};
        g_array_append_val(all, change);
    }
    return all;
}
