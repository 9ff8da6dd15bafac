/* One line a sub, as dprofpp has them. */
#include "calls.h"

#include <math.h>
#include <stdlib.h>

typedef struct row {
    uint32_t sub;
    uint32_t open; /* calls of it on the stack that is being visited */
    uint64_t calls;
    double excl_ticks, cumul_ticks; /* cumul: of outermost calls */
} row;

typedef struct table {
    const call_stacks *stacks;
    GArray *rows; /* row; while they are summed up, in the order of subs */
    GArray *path; /* uint32_t: subs on the stack */
} table;

static row *row_of(const table *t, uint32_t sub)
{
    return &g_array_index(t->rows, row, sub);
}

static void add_node(void *context, uint32_t n, uint32_t depth)
{
    table *t = context;
    const nytp_node *node = &t->stacks->tree->nodes[n];
    for (; t->path->len > depth; g_array_set_size(t->path, t->path->len - 1))
        row_of(t, g_array_index(t->path, uint32_t, t->path->len - 1))->open--;
    row *r = row_of(t, node->sub);
    r->calls += node->calls;
    r->excl_ticks += node->excl_ticks;
    if (r->open++ == 0)
        r->cumul_ticks += node->incl_ticks;
    g_array_append_val(t->path, node->sub);
}

/* ---- order ---- */

static double sort_key(const call_stacks *s, const row *r)
{
    double ticks = s->options->inclusive ? r->cumul_ticks : r->excl_ticks;
    switch (s->options->sort) {
    case SORT_CALLS: return (double)r->calls;
    case SORT_AVERAGE: return ticks / (double)r->calls;
    default: return ticks;
    }
}

/* Rows that are equal in this stay as the profile has them; turned over they all are. */
static gint compare_rows(gconstpointer x, gconstpointer y, gpointer context)
{
    const call_stacks *s = context;
    const row *a = x, *b = y;
    int order = 0;
    if (s->options->sort == SORT_NAME) {
        order = compare_names(nytp_names_get(s->names, a->sub), nytp_names_get(s->names, b->sub));
    } else if (s->options->sort != SORT_FOUND) {
        double ka = sort_key(s, a), kb = sort_key(s, b);
        order = (ka < kb) - (ka > kb);
    }
    if (order == 0)
        order = (a->sub > b->sub) - (a->sub < b->sub);
    return s->options->reverse ? -order : order;
}

/* Drops subs that are not to be shown, and sorts the others. */
static void arrange(table *t)
{
    const call_stacks *s = t->stacks;
    double min_ticks =
        s->options->min_percent > 0 ? s->total_ticks * s->options->min_percent / 100 : -HUGE_VAL;
    guint kept = 0;
    for (guint i = 0; i < t->rows->len; i++) {
        row r = *row_of(t, i);
        if (r.calls > 0 && !s->hidden[r.sub] && !(r.cumul_ticks < min_ticks))
            *row_of(t, kept++) = r;
    }
    g_array_set_size(t->rows, kept);
    g_array_sort_with_data(t->rows, compare_rows, (gpointer)s);
}

/* ---- numbers ---- */

enum { NUMBER_ROOM = 64 };

/* Rounded to width. What is below zero and does not fit is a dash: nothing but noise. */
static const char *fit(char text[NUMBER_ROOM], double value, int decimals, int width)
{
    int length = snprintf(text, NUMBER_ROOM, "%.*f", decimals, value);
    if (length > width && value < 0)
        return "-";
    while (length > width && decimals > 0) {
        decimals--;
        length = snprintf(text, NUMBER_ROOM, decimals > 0 ? "%.*f" : "%#.*f", decimals, value);
    }
    if (length > width)
        snprintf(text, NUMBER_ROOM, "%.0f", value);
    return text;
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

static void write_row(const table *t, const row *r, const time_format *f, FILE *out)
{
    enum { PERCENT, EXCL, CUMUL, PER_CALL, CUMUL_PER_CALL, NUMBERS };
    static const int widths[NUMBERS] = {4, 5, 6, 6, 6}, decimals[NUMBERS] = {2, 3, 3, 4, 4};
    const call_stacks *s = t->stacks;
    double excl = r->excl_ticks / f->unit_ticks, cumul = r->cumul_ticks / f->unit_ticks;
    const double values[NUMBERS] = {percentage(s, s->options->inclusive ? r->cumul_ticks : r->excl_ticks),
                                    excl, cumul, excl / (double)r->calls, cumul / (double)r->calls};
    char room[NUMBERS][NUMBER_ROOM];
    const char *n[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        n[i] = fit(room[i], values[i], decimals[i], widths[i]);
    nytp_str name = nytp_names_get(s->names, r->sub);
    fprintf(out, " %4s   %5s %6s %6llu   %6s %6s  %.*s\n", n[PERCENT], n[EXCL], n[CUMUL],
            (unsigned long long)r->calls, n[PER_CALL], n[CUMUL_PER_CALL], (int)name.length, name.bytes);
}

/* In 8 columns; as short as the number is. */
static const char *fit_seconds(char text[NUMBER_ROOM], double seconds)
{
    enum { WIDTH = 8 };
    if (isnan(seconds))
        return "-";
    return snprintf(text, NUMBER_ROOM, "%.10g", seconds) <= WIDTH ? text : fit(text, seconds, WIDTH, WIDTH);
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

void table_write(const call_stacks *stacks, FILE *out)
{
    table t = {stacks, g_array_new(FALSE, TRUE, sizeof(row)), g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    const dump_options *o = stacks->options;
    g_array_set_size(t.rows, nytp_names_count(stacks->names));
    for (guint i = 0; i < t.rows->len; i++)
        row_of(&t, i)->sub = i;
    stacks_visit(stacks->tree, add_node, &t);
    arrange(&t);
    time_format f = time_format_of(stacks);
    if (!o->no_headers)
        write_headers(stacks, out);
    guint shown = o->rows > 0 ? (guint)o->rows : o->rows < 0 ? t.rows->len : 15;
    for (guint i = 0; i < MIN(shown, t.rows->len); i++)
        write_row(&t, row_of(&t, i), &f, out);
    g_array_free(t.rows, TRUE);
    g_array_free(t.path, TRUE);
}
