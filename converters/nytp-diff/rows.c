#include "diff.h"

#include "base/order.h"
#include "compare/comparison.h"
#include "export/time_parts.h"
#include "findings/causes.h"
#include "model/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double percent_of(const nytp_change *c)
{
    const double old = c->median[NYTP_OLD];
    return c->difference == 0 ? 0
           : old != 0         ? 100 * c->difference / fabs(old)
                              : copysign(HUGE_VAL, c->difference);
}

static double sort_key(const diff_rows *rows, const diff_row *r)
{
    switch (rows->options->sort) {
    case DIFF_BY_PERCENT: return fabs(r->percent);
    case DIFF_BY_OLD: return r->value.median[NYTP_OLD];
    case DIFF_BY_NEW: return r->value.median[NYTP_NEW];
    case DIFF_BY_P: return -r->value.p;
    default: return fabs(r->value.difference);
    }
}

/* A sum comes after its parts' names would, so that equal ones have a fixed order, too. */
static gint compare_rows(gconstpointer x, gconstpointer y, gpointer context)
{
    const diff_rows *rows = context;
    const diff_row *a = x, *b = y;
    if (rows->options->sort != DIFF_BY_NAME) {
        const double ka = sort_key(rows, a), kb = sort_key(rows, b);
        if (ka != kb)
            return ka < kb ? 1 : -1;
        if (rows->options->sort != DIFF_BY_CHANGE && a->value.difference != b->value.difference)
            return fabs(a->value.difference) < fabs(b->value.difference) ? 1 : -1;
    }
    return strcmp(a->name, b->name);
}

static void clear_row(gpointer row)
{
    g_free(((diff_row *)row)->name);
}

static bool differs(const diff_row *row)
{
    return row->value.difference != 0 || row->calls.difference != 0 ||
           row->value.is_in[NYTP_OLD] != row->value.is_in[NYTP_NEW];
}

static bool varies(const nytp_change *calls)
{
    return calls->spread[NYTP_OLD] > 0 || calls->spread[NYTP_NEW] > 0;
}

static void add_row(diff_rows *rows, nytp_comparison *comparison, size_t index)
{
    const diff_options *o = rows->options;
    diff_row row = {.name = NULL};
    nytp_comparison_get(comparison, o->kind, index, NYTP_FIGURE_COUNT, &row.calls);
    nytp_comparison_get(comparison, o->kind, index, o->figure, &row.value);
    if (o->labels != 0 && (o->labels & 1U << nytp_comparison_label(row.value.name).kind) == 0)
        return;
    rows->counts_vary |= !rows->by_share && varies(&row.calls);
    if (!differs(&row))
        return;
    char *clean = nytp_name_clean(row.value.name);
    row.name = g_strdup(*clean != '\0' ? clean : "(no package)");
    free(clean);
    row.percent = percent_of(&row.value);
    g_array_append_val(rows->all, row);
}

static gint by_time(gconstpointer x, gconstpointer y)
{
    const nytp_run *a = *(const nytp_run *const *)x, *b = *(const nytp_run *const *)y;
    return NYTP_ORDER(a->whole.incl, b->whole.incl);
}

static char *head_new(const GPtrArray *runs)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_sized_new(runs->len);
    g_ptr_array_extend(sorted, (GPtrArray *)(uintptr_t)runs, NULL, NULL);
    g_ptr_array_sort(sorted, by_time);
    const nytp_run *run = sorted->pdata[sorted->len / 2];
    const nytp_time_parts parts = {.time_ticks = run->whole.incl,
                                   .asleep_ticks = run->knows_waits ? run->whole.asleep : -1,
                                   .queued_ticks = run->whole.queued,
                                   .profiler_ticks = run->profiler,
                                   .is_measured = run->measures_waits};
    nytp_measure in_base = run->measure;
    in_base.ticks_per_base = 1;
    return nytp_time_parts_text(&parts, &in_base);
}

diff_rows *diff_rows_new(nytp_comparison *comparison, const diff_options *options)
{
    diff_rows *rows = g_new0(diff_rows, 1);
    rows->comparison = comparison;
    rows->options = options;
    rows->measure = nytp_comparison_measure(comparison);
    rows->by_share = nytp_comparison_is_by_share(comparison);
    rows->by_names = nytp_figure_is_part(options->figure) && !nytp_comparison_measures_waits(comparison);
    NYTP_EACH_SIDE(side) {
        rows->runs[side] = nytp_comparison_runs(comparison, side);
        rows->busy_share[side] = nytp_runs_busy_share(comparison->runs[side]);
        rows->heads[side] = head_new(comparison->runs[side]);
    }
    nytp_comparison_whole(comparison, options->figure, &rows->whole.value);
    nytp_comparison_whole(comparison, NYTP_FIGURE_COUNT, &rows->whole.calls);
    rows->whole.name = g_strdup("whole program");
    rows->whole.percent = percent_of(&rows->whole.value);
    rows->all = NYTP_ARRAY(diff_row);
    g_array_set_clear_func(rows->all, clear_row);
    for (size_t i = 0; i < nytp_comparison_count(comparison, options->kind); i++)
        add_row(rows, comparison, i);
    g_array_sort_with_data(rows->all, compare_rows, rows);
    rows->causes = options->explain ? nytp_causes_new(comparison) : NULL;
    return rows;
}

void diff_rows_free(diff_rows *rows)
{
    g_array_free(rows->all, TRUE);
    g_clear_pointer(&rows->causes, g_array_unref);
    NYTP_EACH_SIDE(side)
        g_free(rows->heads[side]);
    g_free(rows->whole.name);
    g_free(rows);
}

nytp_amount diff_amount(const nytp_measure *measure, double value, enum nytp_figure figure, bool is_share)
{
    nytp_amount a;
    if (nytp_figure_is_count(figure))
        return nytp_amount_count(value);
    if (!is_share)
        return nytp_amount_measured(measure, value);
    snprintf(a.text, sizeof a.text, "%.2f %%", 100 * value);
    return a;
}

guint diff_rows_shown(const diff_rows *rows)
{
    const uint32_t most = rows->options->form == NYTP_CSV ? 0 : rows->options->rows;
    return most > 0 ? MIN(most, rows->all->len) : rows->all->len;
}

const char *diff_presence(const nytp_change *c)
{
    return !c->is_in[NYTP_OLD] ? "new" : !c->is_in[NYTP_NEW] ? "gone" : c->is_sum ? "sum" : "both";
}

const char *diff_verdict(const nytp_change *c)
{
    static const char *const verdicts[] = {[NYTP_VERDICT_NONE] = "same",
                                           [NYTP_VERDICT_EXACT] = "exact",
                                           [NYTP_VERDICT_MORE] = "significant",
                                           [NYTP_VERDICT_CHANCE] = "chance",
                                           [NYTP_VERDICT_UNTESTED] = "untested"};
    return verdicts[c->verdict];
}
