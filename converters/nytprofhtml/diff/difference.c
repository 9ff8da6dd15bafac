#include "difference.h"

#include "compare/comparison.h"
#include "findings/causes.h"
#include "model/grow.h"

#include <string.h>

static void clear_change(gpointer change)
{
    g_free(((html_change *)change)->name);
}

/* Its lists may be NULL. */
static void clear_changes(html_changes *changes)
{
    GArray **lists[] = {&changes->subs,   &changes->files, &changes->packages, &changes->labels,
                        &changes->causes, &changes->lines, &changes->pairs,    &changes->places};
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
        g_clear_pointer(lists[i], g_array_unref);
}

void html_difference_free(html_difference *difference)
{
    if (difference == NULL)
        return;
    clear_changes(&difference->all);
    clear_changes(&difference->work);
    g_free(difference->causes_heading);
    html_text_changes_free(difference->texts);
    html_old_subs_free(difference->old_subs);
    html_report_free(difference->old);
    g_free(difference);
}

static void set_value(html_change *to, enum html_changed what, const nytp_change *from, double unit)
{
    to->verdict[what] = from->verdict;
    NYTP_EACH_SIDE(side)
        to->value[what][side] = from->median[side] * unit;
}

/* Ticks of the report for a second or, of samples, for the whole time. */
static double unit_of(const html_compared *c)
{
    return nytp_comparison_is_by_share(c->comparison) ? (double)c->report->ticks
                                                      : c->report->measure.ticks_per_base;
}

static html_change change_of(const html_compared *c, enum nytp_compared kind, size_t row, nytp_change *last)
{
    html_change change = {.number = -1};
    nytp_comparison_get(c->comparison, kind, row, NYTP_FIGURE_EXCL, last);
    set_value(&change, HTML_SELF, last, unit_of(c));
    if (kind == NYTP_COMPARE_SUBS || kind == NYTP_COMPARE_LABELS) {
        nytp_comparison_get(c->comparison, kind, row, NYTP_FIGURE_INCL, last);
        set_value(&change, HTML_INCL, last, unit_of(c));
    }
    nytp_comparison_get(c->comparison, kind, row, NYTP_FIGURE_COUNT, last);
    set_value(&change, HTML_COUNT, last, 1);
    return change;
}

/* Returns the numbers that rows have in the report; -1: none. Two subs of the profile may be one row: the
 * first counts. */
static int64_t *number_rows(const html_compared *c, enum nytp_compared kind)
{
    const html_report *report = c->report;
    const size_t rows = nytp_comparison_count(c->comparison, kind);
    const size_t count = kind == NYTP_COMPARE_SUBS ? nytp_profile_sub_count(report->profile)
                                                   : nytp_profile_file_count(report->profile);
    int64_t *numbers = g_new(int64_t, rows + 1);
    memset(numbers, 0xff, (rows + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < count; i++) {
        const size_t row = nytp_comparison_find(c->comparison, kind, NYTP_NEW, 0, i, 0);
        if (row != SIZE_MAX && numbers[row] < 0)
            numbers[row] = kind == NYTP_COMPARE_SUBS ? (int64_t)i : report->file_numbers[i];
    }
    return numbers;
}

/* Returns a new array of html_change. Sets the numbers of subs that only OLD has. numbers: by row; NULL:
 * none. */
static GArray *changes_of(const html_compared *c, enum nytp_compared kind, int64_t *numbers)
{
    GArray *all = NYTP_ZEROED_ARRAY(html_change);
    const size_t rows = nytp_comparison_count(c->comparison, kind);
    g_array_set_clear_func(all, clear_change);
    for (size_t row = 0; row < rows; row++) {
        nytp_change last;
        html_change change = change_of(c, kind, row, &last);
        if (last.is_sum)
            continue;
        change.number = numbers != NULL ? numbers[row] : -1;
        if (change.number < 0 && numbers != NULL && kind == NYTP_COMPARE_SUBS)
            change.number = numbers[row] = html_report_number_of(c->report, last.name);
        else if (change.number < 0)
            change.name = nytp_name_clean(last.name);
        g_array_append_val(all, change);
    }
    return all;
}

static void find_whole(const html_compared *c, html_changes *changes)
{
    nytp_change whole;
    nytp_comparison_whole(c->comparison, NYTP_FIGURE_EXCL, &whole);
    changes->verdict = whole.verdict;
    NYTP_EACH_SIDE(side)
        changes->whole[side] = whole.median[side] * c->report->measure.ticks_per_base;
}

/* Samples are compared as shares; where they are on the time line is no share. */
static void find_scales(const html_compared *c, html_difference *d)
{
    d->call_scale = d->stack_scale = c->report->measure.ticks_per_base / c->old->measure.ticks_per_base;
    if (d->by_share)
        d->stack_scale = c->old->ticks > 0 ? (double)c->report->ticks / (double)c->old->ticks : 0;
}

/* Numbers in the report, by row of the comparison. */
typedef struct row_numbers {
    int64_t *subs, *files, *labels;
} row_numbers;

/* Finds all but lines with the numbers that the comparison has now. */
static void find_changes(const html_compared *c, const html_line_sources *sources, const row_numbers *numbers,
                         html_changes *changes)
{
    find_whole(c, changes);
    changes->subs = changes_of(c, NYTP_COMPARE_SUBS, numbers->subs);
    changes->files = changes_of(c, NYTP_COMPARE_FILES, numbers->files);
    changes->packages = changes_of(c, NYTP_COMPARE_PACKAGES, NULL);
    changes->labels = changes_of(c, NYTP_COMPARE_LABELS, numbers->labels);
    changes->causes = html_causes_new(c->comparison, numbers->subs, numbers->labels, sources->unit);
    changes->pairs = html_call_changes_new(sources, numbers->subs, NYTP_COMPARE_CALLS);
    changes->places = html_call_changes_new(sources, numbers->subs, NYTP_COMPARE_PLACES);
}

html_difference *html_difference_new(const html_compared *compared)
{
    const html_compared *c = compared;
    html_difference *d = g_new0(html_difference, 1);
    g_autofree int64_t *subs = number_rows(c, NYTP_COMPARE_SUBS);
    g_autofree int64_t *files = number_rows(c, NYTP_COMPARE_FILES);
    g_autofree int64_t *labels = html_label_numbers(c->comparison, c->report, c->old);
    const row_numbers numbers = {subs, files, labels};
    const html_line_sources sources = {c->report, c->comparison, c->old->profile, files, unit_of(c)};
    d->sides = c->sides;
    memcpy(d->shown, c->shown, sizeof d->shown);
    d->by_share = nytp_comparison_is_by_share(c->comparison);
    d->has_work = c->has_work;
    find_scales(c, d);
    find_changes(c, &sources, &numbers, &d->all);
    d->all.lines = html_line_changes_new(&sources);
    if (d->has_work) {
        nytp_comparison_switch(c->comparison);
        find_changes(c, &sources, &numbers, &d->work);
        d->work.lines = html_line_changes_again(&sources, d->all.lines);
        nytp_comparison_switch(c->comparison);
    }
    d->causes_heading = nytp_causes_heading(c->comparison);
    d->texts = html_text_changes_new(&sources, c->new_text, c->old_text);
    d->old = c->old;
    d->old_subs = html_old_subs_new(&sources, c->old, subs);
    return d;
}
