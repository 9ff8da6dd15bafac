/* One line a sub, as dprofpp has them. */
#include "calls.h"
#include "base/str.h"
#include "model/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static double sort_key(const call_stacks *s, const sub_time *r)
{
    double ticks = s->options->inclusive ? r->cumul_ticks : r->excl_ticks;
    switch (s->options->sort) {
    case SORT_CALLS: return (double)r->calls;
    case SORT_AVERAGE: return ticks / (double)r->calls;
    default: return ticks;
    }
}

/* Rows that are equal in this stay as the profile has them, turned over or not. */
static gint compare_rows(gconstpointer x, gconstpointer y, gpointer context)
{
    const call_stacks *s = context;
    const sub_time *a = x, *b = y;
    int order = 0;
    if (s->options->sort == SORT_NAME) {
        order = nytp_str_order(nytp_names_get(s->names, a->sub), nytp_names_get(s->names, b->sub));
    } else if (s->options->sort != SORT_FOUND) {
        double ka = sort_key(s, a), kb = sort_key(s, b);
        order = (ka < kb) - (ka > kb);
    }
    if (order == 0)
        return (a->found > b->found) - (a->found < b->found);
    return s->options->reverse ? -order : order;
}

/* The subs that are to be shown, sorted. */
static GArray *arrange(const call_stacks *s, const subtimes *times)
{
    double min_ticks =
        s->options->min_percent > 0 ? s->total_ticks * s->options->min_percent / 100 : -HUGE_VAL;
    GArray *shown = g_array_new(FALSE, FALSE, sizeof(sub_time));
    for (guint i = 0; i < times->rows->len; i++) {
        const sub_time *r = &g_array_index(times->rows, sub_time, i);
        if (r->calls > 0 && !s->hidden[r->sub] && !(r->cumul_ticks < min_ticks))
            g_array_append_vals(shown, r, 1);
    }
    g_array_sort_with_data(shown, compare_rows, (gpointer)s);
    return shown;
}

/* ---- numbers ---- */

enum { NUMBER_ROOM = 64 };

/* Rounded to width, with at most so many decimals. */
static const char *fit(char text[NUMBER_ROOM], double value, int decimals, int width)
{
    int length = snprintf(text, NUMBER_ROOM, "%.*f", decimals, value);
    while (length > width && decimals > 0) {
        decimals--;
        length = snprintf(text, NUMBER_ROOM, decimals > 0 ? "%.*f" : "%#.*f", decimals, value);
    }
    if (length > width)
        snprintf(text, NUMBER_ROOM, "%.0f", value);
    return text;
}

/* Of a row, what is below zero and does not fit is a dash: nothing but noise. */
static const char *fit_cell(char text[NUMBER_ROOM], double value, int decimals, int width)
{
    bool noise = value < 0 && snprintf(text, NUMBER_ROOM, "%.*f", decimals, value) > width;
    return noise ? "-" : fit(text, value, decimals, width);
}

/* dprofpp's percentages are of seconds that have been rounded, as printed beside them. */
static double percentage(const call_stacks *s, double ticks)
{
    char text[NUMBER_ROOM];
    double seconds = ticks / s->ticks_per_s, total_s = s->total_ticks / s->ticks_per_s;
    if (!(total_s > 0))
        return 0;
    if (s->rounds_first) {
        snprintf(text, sizeof text, "%.3f", seconds);
        seconds = strtod(text, NULL);
    }
    return 100 * seconds / total_s + 0.0; /* takes the sign off -0 */
}

static void write_row(const call_stacks *s, const sub_time *r, const time_format *f, FILE *out)
{
    enum { PERCENT, EXCL, CUMUL, PER_CALL, CUMUL_PER_CALL, NUMBERS };
    static const int widths[NUMBERS] = {4, 5, 6, 6, 6}, decimals[NUMBERS] = {2, 3, 3, 4, 4};
    double excl = r->excl_ticks / f->unit_ticks, cumul = r->cumul_ticks / f->unit_ticks;
    const double values[NUMBERS] = {percentage(s, s->options->inclusive ? r->cumul_ticks : r->excl_ticks),
                                    excl, cumul, excl / (double)r->calls, cumul / (double)r->calls};
    char room[NUMBERS][NUMBER_ROOM];
    const char *n[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        n[i] = fit_cell(room[i], values[i], decimals[i], widths[i]);
    nytp_str name = nytp_names_get(s->names, r->sub);
    fprintf(out, " %4s   %5s %6s %6llu   %6s %6s  %.*s\n", n[PERCENT], n[EXCL], n[CUMUL],
            (unsigned long long)r->calls, n[PER_CALL], n[CUMUL_PER_CALL], (int)name.length, name.bytes);
}

/* In 8 columns, cut off there as dprofpp does; but that cuts exponents off too. */
static const char *fit_seconds(char text[NUMBER_ROOM], double seconds)
{
    enum { WIDTH = 8 };
    if (isnan(seconds))
        return "-";
    if (snprintf(text, NUMBER_ROOM, "%.15g", seconds) > WIDTH && strchr(text, 'e') != NULL)
        return fit(text, seconds, WIDTH, WIDTH);
    text[WIDTH] = '\0';
    return text;
}

static void write_headers(const call_stacks *s, FILE *out)
{
    static const char *const columns[][4] = {[UNIT_S] = {"ExclSec", "CumulS", "sec/call", "Csec/c"},
                                             [UNIT_MS] = {"Excl ms", "Cum.ms", "ms/call", "Cum./c"},
                                             [UNIT_US] = {"Excl us", "Cum.us", "us/call", "Cum./c"},
                                             [UNIT_NS] = {"Excl ns", "Cum.ns", "ns/call", "Cum./c"},
                                             [UNIT_TICKS] = {"Excl.", "Cumul.", "per call", "Cum./c"}};
    const char *const *c = columns[s->options->unit];
    char room[NUMBER_ROOM];
    fprintf(out, "Total Elapsed Time = %8s Seconds\n", fit_seconds(room, s->elapsed_s));
    fprintf(out, "%18s = %8s Seconds\n", s->clock, fit_seconds(room, s->total_ticks / s->ticks_per_s));
    fprintf(out, "%s Times\n", s->options->inclusive ? "Inclusive" : "Exclusive");
    fprintf(out, "%%Time %7s %6s #Calls %8s %6s  Name\n", c[0], c[1], c[2], c[3]);
}

void table_write(const call_stacks *stacks, const subtimes *times, FILE *out)
{
    enum { DEFAULT_ROWS = 15 };
    const dump_options *o = stacks->options;
    GArray *shown = arrange(stacks, times);
    time_format f = time_format_of(stacks);
    guint rows = o->rows > 0 ? (guint)o->rows : o->rows < 0 ? shown->len : DEFAULT_ROWS;
    if (!o->no_headers)
        write_headers(stacks, out);
    for (guint i = 0; i < MIN(rows, shown->len); i++)
        write_row(stacks, &g_array_index(shown, sub_time, i), &f, out);
    g_array_free(shown, TRUE);
}
