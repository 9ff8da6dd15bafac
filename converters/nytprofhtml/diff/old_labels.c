#include "difference.h"

#include "compare/comparison.h"

void html_comparison_add(nytp_comparison *comparison, enum nytp_side side, const html_report *report,
                         const nytp_source_text *text)
{
    nytp_comparison_add(comparison, side, report->profile, NULL, text);
    if (nytp_profile_measures_waits(report->profile))
        NYTP_EACH(const html_stack, s, report->stacks)
            if (s->sub < nytp_profile_sub_count(report->profile)) /* later ones are the report's own */
                nytp_comparison_add_waited(comparison, side, s->sub, s->excl_ticks, s->waited);
    if (report->labels != NULL)
        nytp_comparison_add_labels(comparison, side, report->labels->sums);
}

int64_t *html_label_numbers(nytp_comparison *comparison, html_report *report, const html_report *old)
{
    const size_t rows = nytp_comparison_count(comparison, NYTP_COMPARE_LABELS);
    int64_t *numbers = g_new(int64_t, rows + 1);
    for (size_t row = 0; row < rows; row++)
        numbers[row] = -1;
    for (uint32_t i = 0; report->labels != NULL && i < nytp_by_label_count(report->labels->sums); i++) {
        const size_t row = nytp_comparison_find_label(comparison, NYTP_NEW, 0, i);
        if (row != SIZE_MAX)
            numbers[row] = i;
    }
    for (uint32_t i = 0; old->labels != NULL && i < nytp_by_label_count(old->labels->sums); i++) {
        const size_t row = nytp_comparison_find_label(comparison, NYTP_OLD, 0, i);
        if (row != SIZE_MAX && numbers[row] < 0)
            numbers[row] = html_labels_add(&report->labels, nytp_by_label_get(old->labels->sums, i));
    }
    return numbers;
}
