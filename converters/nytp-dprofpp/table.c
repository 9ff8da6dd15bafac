#include "view.h"

#include "base/order.h"
#include "base/str.h"
#include "export/time_parts.h"
#include "model/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A statement may have been prepared only, and a call go on after the end of a range. */
static double divisor_of(const dprofpp_subtime *r)
{
    return (double)MAX(r->calls, 1);
}

static double sort_key(const dprofpp_view *v, const dprofpp_subtime *r)
{
    double ticks = v->options->inclusive ? r->cumul_ticks : r->excl_ticks;
    switch (v->options->sort) {
    case DPROFPP_SORT_CALLS: return (double)r->calls;
    case DPROFPP_SORT_AVERAGE: return ticks / divisor_of(r);
    default: return ticks;
    }
}

/* Rows with equal keys keep the order of the profile, reversed or not. */
static gint compare_rows(gconstpointer x, gconstpointer y, gpointer context)
{
    const dprofpp_view *v = context;
    const dprofpp_subtime *a = x, *b = y;
    int order = 0;
    if (v->options->sort == DPROFPP_SORT_NAME) {
        order = nytp_str_order(nytp_names_get(v->names, a->sub), nytp_names_get(v->names, b->sub));
    } else if (v->options->sort != DPROFPP_SORT_FOUND) {
        double ka = sort_key(v, a), kb = sort_key(v, b);
        order = NYTP_ORDER(kb, ka);
    }
    if (order == 0)
        return NYTP_ORDER(a->found, b->found);
    return v->options->reverse ? -order : order;
}

/* Returns the subs that are shown, sorted. */
static GArray *sorted_rows(const dprofpp_view *v, const dprofpp_subtimes *times)
{
    const double min_ticks = nytp_least_ticks(v->options->min, v->whole_ticks, v->measure.ticks_per_base);
    GArray *shown = NYTP_ARRAY(dprofpp_subtime);
    NYTP_EACH(const dprofpp_subtime, r, times->rows) {
        const bool has_any = r->calls > 0 || r->excl_ticks != 0 || r->cumul_ticks != 0;
        if ((has_any || v->options->labels != NYTP_LABEL_NONE) && !v->hidden[r->sub] &&
            !(r->cumul_ticks < min_ticks))
            g_array_append_vals(shown, r, 1);
    }
    g_array_sort_with_data(shown, compare_rows, (gpointer)v);
    return shown;
}

enum { NUMBER_MAX = 64 };

/* Formats a number with that many decimals, or with fewer if it would be wider than width. */
static const char *fit(char text[NUMBER_MAX], double value, int decimals, int width)
{
    int length = snprintf(text, NUMBER_MAX, "%.*f", decimals, value);
    while (length > width && decimals > 0) {
        decimals--;
        length = snprintf(text, NUMBER_MAX, decimals > 0 ? "%.*f" : "%#.*f", decimals, value);
    }
    if (length > width)
        snprintf(text, NUMBER_MAX, "%.0f", value);
    return text;
}

/* Like fit(), for a cell of a row. A negative value that does not fit is noise, and becomes a dash. */
static const char *fit_cell(char text[NUMBER_MAX], double value, int decimals, int width)
{
    bool noise = value < 0 && snprintf(text, NUMBER_MAX, "%.*f", decimals, value) > width;
    return noise ? "-" : fit(text, value, decimals, width);
}

/* dprofpp computes percentages from the rounded seconds that it prints next to them. */
static double percentage(const dprofpp_view *v, double ticks)
{
    char text[NUMBER_MAX];
    double seconds = ticks / v->measure.ticks_per_base, total_s = v->total_ticks / v->measure.ticks_per_base;
    if (!(total_s > 0))
        return 0;
    if (v->as_dprofpp) {
        snprintf(text, sizeof text, "%.3f", seconds);
        seconds = strtod(text, NULL);
    }
    return 100 * seconds / total_s + 0.0; /* makes -0 positive */
}

static double part_of(const dprofpp_view *v, const dprofpp_subtime *r, unsigned column)
{
    const nytp_sub_wait of = g_array_index(v->sub_waits, nytp_sub_wait, r->sub);
    return dprofpp_part_ticks(
        v, r->excl_ticks,
        nytp_waited_scaled((nytp_waited){of.asleep_s, of.queued_s}, v->measure.ticks_per_base), column);
}

/* Not known if not all of its calls say it. */
static const char *kept_cell(char text[NUMBER_MAX], const dprofpp_view *v, const dprofpp_subtime *r)
{
    const dprofpp_kept *kept = r->sub < v->kept->len ? &g_array_index(v->kept, dprofpp_kept, r->sub) : NULL;
    if (kept == NULL || kept->calls < r->calls)
        return "-";
    snprintf(text, NUMBER_MAX, "%lld", (long long)kept->values);
    return text;
}

/* A profile made of samples does not have the durations of calls. */
static const char *time_cell(char text[NUMBER_MAX], const dprofpp_view *v, const dprofpp_subtime *r,
                             unsigned column, double unit_ticks, int width)
{
    enum { DECIMALS = 4 };
    const double ticks =
        column >= DPROFPP_WORK
            ? part_of(v, r, column)
            : nytp_distribution_get(&g_array_index(v->distributions, nytp_distribution, r->sub), column);
    return ticks < 0 ? "-" : fit(text, ticks / unit_ticks, DECIMALS, width);
}

/* The cells of --columns. */
static void write_columns(const dprofpp_view *v, const dprofpp_subtime *r, const dprofpp_time_format *f,
                          FILE *out)
{
    enum { WIDTH = 6 };
    const dprofpp_columns *columns = &v->options->columns;
    for (unsigned i = 0; i < columns->count; i++) {
        char text[NUMBER_MAX];
        const unsigned column = columns->of[i];
        fprintf(out, " %*s", WIDTH,
                column == DPROFPP_KEPT ? kept_cell(text, v, r)
                                       : time_cell(text, v, r, column, f->unit_ticks, WIDTH));
    }
}

static void write_row(const dprofpp_view *v, const dprofpp_subtime *r, const dprofpp_time_format *f,
                      FILE *out)
{
    enum { PERCENT, EXCL, CUMUL, PER_CALL, CUMUL_PER_CALL, NUMBERS };
    static const int widths[NUMBERS] = {4, 5, 6, 6, 6}, decimals[NUMBERS] = {2, 3, 3, 4, 4};
    double excl = r->excl_ticks / f->unit_ticks, cumul = r->cumul_ticks / f->unit_ticks;
    const double divisor = divisor_of(r), unit = nytp_measure_is_bytes(&v->measure) ? f->unit_ticks : 1;
    const double values[NUMBERS] = {percentage(v, v->options->inclusive ? r->cumul_ticks : r->excl_ticks),
                                    excl, cumul, excl * unit / divisor, cumul * unit / divisor};
    char texts[NUMBERS][NUMBER_MAX];
    const char *n[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        n[i] = fit_cell(texts[i], values[i], decimals[i], widths[i]);
    nytp_str name = nytp_names_get(v->names, r->sub);
    fprintf(out, " %4s   %5s %6s %6llu   %6s %6s", n[PERCENT], n[EXCL], n[CUMUL],
            (unsigned long long)r->calls, n[PER_CALL], n[CUMUL_PER_CALL]);
    write_columns(v, r, f, out);
    fprintf(out, "  %.*s\n", (int)name.length, name.bytes);
}

/* Formats seconds in 8 columns. Like dprofpp it truncates, but never within an exponent. */
static const char *fit_seconds(char text[NUMBER_MAX], double seconds)
{
    enum { WIDTH = 8 };
    if (snprintf(text, NUMBER_MAX, "%.15g", seconds) > WIDTH && strchr(text, 'e') != NULL)
        return fit(text, seconds, WIDTH, WIDTH);
    text[WIDTH] = '\0';
    return text;
}

static double blocks_of(const dprofpp_view *v)
{
    double sum = 0;
    for (uint32_t n = nytp_stacktree_first(v->tree, 0); n != 0; n = nytp_stacktree_next(v->tree, 0, n))
        sum += (double)v->tree->nodes[n].calls;
    return sum;
}

static void write_last_headers(const dprofpp_view *v, FILE *out)
{
    for (unsigned i = 0; i < v->options->columns.count; i++)
        fprintf(out, " %6s", dprofpp_column_names[v->options->columns.of[i]]);
    fputs("  Name\n", out);
}

/* The columns of memory, and what the profile says of itself. */
static void write_headers_of_memory(const dprofpp_view *v, FILE *out)
{
    const nytp_memory_about *about = v->memory;
    const char *of = nytp_memory_in_words(about->of);
    const char *unit = nytp_units[v->options->unit];
    char excl[NUMBER_MAX], cumul[NUMBER_MAX];
    fprintf(out, "%c%s: %s", g_ascii_toupper(*of), of + 1,
            nytp_amount_ticks(&v->measure, v->whole_ticks).text);
    if (about->samples > 0)
        fprintf(out, ", by %s", nytp_amount_of(about->samples, "sample").text);
    if (about->peak_bytes > 0 && strcmp(about->of, "peak") != 0)
        fprintf(out, "; %s: %s", v->processes > 1 ? "sum of the peaks of processes" : "peak of the process",
                nytp_amount_ticks(&v->measure, about->peak_bytes).text);
    fputc('\n', out);
    fprintf(out, "Shown: %s, %s\n", nytp_amount_ticks(&v->measure, v->total_ticks).text,
            nytp_amount_of(blocks_of(v), "block").text);
    fprintf(out, "%s Bytes, sampled; %%Size of those shown\n",
            v->options->inclusive ? "Inclusive" : "Exclusive");
    snprintf(excl, sizeof excl, "Excl%s", unit);
    snprintf(cumul, sizeof cumul, "Cum%s", unit);
    fprintf(out, "%%Size %7s %6s Blocks    B/blk Cum./b", excl, cumul);
    write_last_headers(v, out);
}

static void write_heads_of_times(const dprofpp_view *v, FILE *out)
{
    const dprofpp_options *o = v->options;
    const bool is_sampled = nytp_measure_is_sampled(&v->measure), is_of_runs = o->labels != NYTP_LABEL_NONE,
               is_s = o->unit == NYTP_UNIT_S, is_ticks = o->unit == NYTP_UNIT_TICKS;
    const char *unit = nytp_units[o->unit], *each = is_of_runs ? "run" : "call";
    const char *named = is_s || is_ticks ? "" : unit;
    char excl[NUMBER_MAX], cumul[NUMBER_MAX], per[NUMBER_MAX] = "/sample";
    snprintf(excl, sizeof excl, "%s%s", is_s ? "ExclSec" : is_ticks ? "Excl." : "Excl ", named);
    snprintf(cumul, sizeof cumul, "%s%s", is_s ? "CumulS" : is_ticks ? "Cumul." : "Cum.", named);
    if (!is_sampled)
        snprintf(per, sizeof per, "%s%s%s",
                 is_s       ? "sec"
                 : is_ticks ? "per"
                            : unit,
                 is_ticks ? " " : "/", each);
    fprintf(out, "%%Time %7s %6s %6s %8s %s/%c", excl, cumul,
            is_sampled   ? "Sampls"
            : is_of_runs ? "#Runs"
                         : "#Calls",
            per, is_s && !is_sampled ? "Csec" : "Cum.", is_sampled ? 's' : *each);
}

static void write_headers(const dprofpp_view *v, FILE *out)
{
    if (nytp_measure_is_bytes(&v->measure)) {
        write_headers_of_memory(v, out);
        return;
    }
    char text[NUMBER_MAX];
    if (!isnan(v->elapsed_s))
        fprintf(out, "Total Elapsed Time = %8s Seconds\n", fit_seconds(text, v->elapsed_s));
    fprintf(out, "%18s = %8s Seconds\n", v->clock,
            fit_seconds(text, v->total_ticks / v->measure.ticks_per_base));
    if (!v->as_dprofpp) {
        const nytp_time_parts parts = nytp_time_parts_of_processes(v->times, v->measure.ticks_per_base);
        g_autofree char *made_of = nytp_time_parts_text(&parts, &v->measure);
        fprintf(out, "%s\n", made_of);
    }
    fprintf(out, "%s Times%s%s\n", v->options->inclusive ? "Inclusive" : "Exclusive",
            nytp_measure_is_sampled(&v->measure) ? ", sampled" : "",
            v->as_dprofpp ? "" : "; %Time of those in subs");
    write_heads_of_times(v, out);
    write_last_headers(v, out);
}

/* What dprofpp says of -G, with -q, too. Times are ticks. */
static void write_group(const dprofpp_view *v, const dprofpp_subtimes *times, FILE *out)
{
    g_autofree char *group = dprofpp_group_name(v->options);
    dprofpp_subtime sum = {0};
    NYTP_EACH(const dprofpp_subtime, r, times->rows)
        if (nytp_str_is(nytp_names_get(v->names, r->sub), group))
            sum = *r;
    fprintf(out,
            "Option G Grouping: [%s]\nGrouping [%s] Calls: [%llu]\nGrouping [%s] Times: [%.15g]\n"
            "Grouping [%s] IncTimes: [%.15g]\n",
            group, group, (unsigned long long)sum.calls, group, sum.excl_ticks, group, sum.cumul_ticks);
}

void dprofpp_table_write(const dprofpp_view *view, const dprofpp_subtimes *times, FILE *out)
{
    const dprofpp_options *o = view->options;
    g_autoptr(GArray) shown = sorted_rows(view, times);
    dprofpp_time_format f = dprofpp_time_format_of(view);
    const guint rows = o->rows > 0 ? MIN((guint)o->rows, shown->len) : shown->len;
    if (o->group != NULL && nytp_measure_is_time(&view->measure))
        write_group(view, times, out);
    if (!o->no_headers)
        write_headers(view, out);
    for (guint i = 0; i < rows; i++)
        write_row(view, &g_array_index(shown, dprofpp_subtime, i), &f, out);
}
