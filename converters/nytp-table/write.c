#include "table.h"

#include "base/closest.h"
#include "base/order.h"
#include "cli/head.h"
#include "cli/say.h"
#include "export/amount.h"
#include "model/display.h"
#include "model/grow.h"
#include "model/source_lines.h"
#include "model/waits.h"

#include <math.h>
#include <string.h>

const char *const table_by_names[] = {[TABLE_SUMMARY] = "summary",
                                      [TABLE_SUBS] = "subs",
                                      [TABLE_LINES] = "lines",
                                      [TABLE_REQUESTS] = "requests",
                                      [TABLE_QUERIES] = "queries",
                                      "regex",
                                      "file",
                                      "command",
                                      "host",
                                      "http",
                                      [TABLE_LAST_LABEL] = "template",
                                      [TABLE_PROCESSES] = "processes",
                                      [TABLE_FINDINGS] = "findings",
                                      NULL};

/* What a column has of a row: shares, counts, amounts, those of a call, and its name. */
enum value {
    SHARE,
    INCL_SHARE,
    COUNT,
    KEPT,
    SAMPLES,
    OWN,
    INCL,
    ERROR,
    WORK,
    QUEUED,
    ASLEEP,
    WAITED,
    EACH,
    P50,
    P95,
    LONGEST,
    NAME
};

typedef struct column {
    enum value value;
    const char *head; /* NULL: head_of() has one for these rows */
    unsigned rank;
} column;

/* The last one is that of the name. */
static const column of_subs[] = {
    {SHARE, "%", 0},    {OWN, "self", 2}, {ERROR, "error", 7}, {INCL, "total", 3},      {COUNT, NULL, 4},
    {EACH, "/call", 5}, {P95, "p95", 6},  {KEPT, "kept", 9},   {SAMPLES, "samples", 9}, {NAME, "sub", 0}};
static const column of_lines[] = {{SHARE, "%", 0},    {OWN, NULL, 1},          {ERROR, "error", 3},
                                  {COUNT, "runs", 2}, {SAMPLES, "samples", 9}, {NAME, "line", 0}};
static const column of_labels[] = {{SHARE, "%", 0}, {OWN, NULL, 1},  {WAITED, "waits", 5}, {COUNT, "runs", 3},
                                   {P50, "p50", 6}, {P95, "p95", 4}, {LONGEST, "max", 7},  {NAME, NULL, 0}};
/* Of Markdown, which has all time, and what it is made of. */
static const column of_pages[] = {{COUNT, NULL, 0},       {OWN, NULL, 0},      {SHARE, "", 0},
                                  {INCL, "inclusive", 0}, {INCL_SHARE, "", 0}, {WORK, "work", 0},
                                  {QUEUED, "queued", 0},  {ASLEEP, NULL, 0},   {NAME, NULL, 0}};

/* A table while it is written. */
typedef struct sheet {
    enum value values[G_N_ELEMENTS(of_pages)];
    nytp_column columns[G_N_ELEMENTS(of_pages)];
    size_t count;
} sheet;

static const char *what_rows_are(const table_view *v)
{
    static const char *const names[] = {[TABLE_SUBS] = "sub",
                                        [TABLE_LINES] = "line",
                                        [TABLE_REQUESTS] = "request",
                                        [TABLE_QUERIES] = "query"};
    return v->by <= TABLE_QUERIES ? names[v->by] : nytp_label_kinds[NYTP_LABEL_SQL + v->by - TABLE_QUERIES];
}

static const char *head_of(const table_view *v, const column *c)
{
    const nytp_measure *measure = &v->measure;
    const bool is_bytes = nytp_measure_is_bytes(measure) && !v->is_page;
    if (is_bytes && (c->value == COUNT || c->value == EACH))
        return c->value == COUNT ? nytp_measure_count(measure) : "/block";
    if (c->head != NULL)
        return c->head;
    switch (c->value) {
    case COUNT:
        return v->by == TABLE_LINES && !nytp_measure_is_sampled(measure) ? "statements"
                                                                         : nytp_measure_count(measure);
    case OWN:
        return is_bytes               ? "size"
               : !v->is_page          ? (v->options->wait ? "time" : "work")
               : v->by == TABLE_SUBS  ? "exclusive"
               : v->by == TABLE_LINES ? measure->noun
                                      : "inclusive";
    case ASLEEP: return v->is_measured ? "asleep" : "asleep (by names)";
    default: return v->is_page && v->by == TABLE_REQUESTS ? "request or other span" : what_rows_are(v);
    }
}

static nytp_column column_of(const table_view *v, const column *c)
{
    return (nytp_column){.head = head_of(v, c),
                         .key = c->value == SHARE  ? "percent"
                                : c->value == EACH ? "each"
                                                   : NULL,
                         .kind = c->value == NAME    ? NYTP_COLUMN_NAME
                                 : c->value >= EACH  ? NYTP_COLUMN_AVERAGE
                                 : c->value >= OWN   ? NYTP_COLUMN_AMOUNT
                                 : c->value >= COUNT ? NYTP_COLUMN_NUMBER
                                                     : NYTP_COLUMN_SHARE,
                         .measure = &v->measure,
                         .rank = c->rank};
}

/* Adds those of what is measured. */
static void add_columns(sheet *s, const table_view *v, const column *columns, size_t count)
{
    const bool is_bytes = nytp_measure_is_bytes(&v->measure);
    for (size_t c = 0; c < count; c++) {
        const enum value value = columns[c].value;
        const bool is_of_memory = value == SAMPLES || value == ERROR;
        if (is_bytes ? (value < P50 && value != KEPT) || value == NAME : !is_of_memory) {
            s->values[s->count] = value;
            s->columns[s->count++] = column_of(v, &columns[c]);
        }
    }
}

static sheet sheet_of(const table_view *v)
{
    sheet s = {.count = 0};
    if (v->is_page)
        add_columns(&s, v, of_pages, G_N_ELEMENTS(of_pages));
    else if (v->by == TABLE_SUBS)
        add_columns(&s, v, of_subs, G_N_ELEMENTS(of_subs));
    else if (v->by == TABLE_LINES)
        add_columns(&s, v, of_lines, G_N_ELEMENTS(of_lines));
    else
        add_columns(&s, v, of_labels, G_N_ELEMENTS(of_labels));
    return s;
}

/* A duration of a row's calls, in ticks of the profile. */
static double duration_of(const table_view *v, const table_row *r, enum nytp_duration which)
{
    const double ticks = r->durations != NULL ? nytp_distribution_get(r->durations, which) : -1;
    return ticks < 0 ? NAN : ticks / v->summary->durations.ticks_per_sec * v->measure.ticks_per_base;
}

/* Ticks, a count or percents; NaN: not known, or not shown. */
static double value_of(const table_view *v, const table_row *r, enum value value)
{
    const nytp_spent spent = nytp_spent_of(r->own.ticks, r->own.waited);
    const double own = table_part_ticks(v, &r->own), incl = table_part_ticks(v, &r->incl), percent = 100;
    const bool is_counted = !nytp_measure_counts_samples(&v->measure),
               has_parts = v->has_parts && v->by != TABLE_SUBS;
    switch (value) {
    case SHARE: return v->base_ticks > 0 ? percent * own / v->base_ticks : 0;
    case INCL_SHARE:
        return v->by != TABLE_SUBS ? NAN : v->base_ticks > 0 ? percent * incl / v->base_ticks : 0;
    case OWN: return own;
    case INCL: return v->by == TABLE_SUBS ? incl : NAN;
    case COUNT: return is_counted || v->is_page ? r->count : NAN;
    case EACH: return is_counted && r->count > 0 ? incl / r->count : NAN;
    case KEPT: return r->kept;
    case SAMPLES: return r->samples > 0 ? r->samples : NAN;
    case ERROR: return r->samples > 0 ? r->error : NAN;
    case WORK: return has_parts ? spent.work_ticks : NAN;
    case QUEUED: return has_parts && v->is_measured ? spent.queued_ticks : NAN;
    case ASLEEP: return has_parts ? spent.asleep_ticks : NAN;
    case WAITED: return v->has_parts ? spent.asleep_ticks + spent.queued_ticks : NAN;
    case P50: return duration_of(v, r, NYTP_P50);
    case P95: return duration_of(v, r, NYTP_P95);
    case LONGEST: return duration_of(v, r, NYTP_LONGEST);
    default: return NAN;
    }
}

static void put(const table_view *v, nytp_table *t, enum value of, const table_row *r)
{
    const double value = value_of(v, r, of);
    if (of == NAME) {
        g_autofree char *name = table_row_name(v, r);
        nytp_table_name(t, name);
    } else if (of == ERROR && nytp_kinds_are_few(r->samples, r->error, r->own.ticks)) {
        nytp_table_number(t, "few", value, 0);
    } else {
        nytp_table_value(t, value);
    }
}

/* Returns what the column has that --sort names; NULL: no column has that name. */
static const enum value *sort_of(const sheet *s, const char *name)
{
    for (size_t c = 0; c < s->count; c++)
        if (strcmp(s->columns[c].head, name + (*name == '-')) == 0)
            return &s->values[c];
    return NULL;
}

typedef struct sorting {
    const table_view *v;
    enum value value;
    int sign;
} sorting;

/* What is not known comes last. */
static gint by_value(gconstpointer a, gconstpointer b, gpointer context)
{
    const sorting *sort = context;
    if (sort->value == NAME) {
        g_autofree char *x = table_row_name(sort->v, a), *y = table_row_name(sort->v, b);
        return sort->sign * strcmp(x, y);
    }
    const double x = value_of(sort->v, a, sort->value), y = value_of(sort->v, b, sort->value);
    return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : sort->sign * NYTP_ORDER(y, x);
}

/* Returns the rows that are shown, and sets *hidden to how many others there are. */
static GArray *rows_of(const table_view *v, const sheet *s, guint most, guint *hidden)
{
    GArray *rows = table_rows_new(v);
    const char *sort = v->options->sort;
    const guint all = rows->len;
    const double least_ticks = nytp_least_ticks(v->options->min, v->base_ticks, v->measure.ticks_per_base);
    guint count = 0;
    while (count < all && value_of(v, &g_array_index(rows, table_row, count), OWN) >= least_ticks)
        count++;
    g_array_set_size(rows, count);
    if (sort != NULL)
        g_array_sort_with_data(rows, by_value, &(sorting){v, *sort_of(s, sort), *sort == '-' ? -1 : 1});
    count = most > 0 ? MIN(most, count) : count;
    *hidden = all - count;
    return g_array_set_size(rows, count);
}

/* Returns the text of a line, for the caller to g_free(), or NULL if it is not known. */
static char *source_of(const table_view *v, const table_row *r)
{
    const nytp_file *file = nytp_profile_file(v->summary->profile, r->number);
    const GArray *lines =
        v->summary->source != NULL ? nytp_source_lines_of(v->summary->source, file->fid) : NULL;
    if (lines == NULL || r->line == 0 || r->line > lines->len)
        return NULL;
    const nytp_str text = g_array_index(lines, nytp_str, r->line - 1);
    g_autofree char *bytes = g_strndup(text.bytes, text.length);
    g_strstrip(g_strdelimit(bytes, "\t\r\n\f", ' '));
    return nytp_name_clean((nytp_str){bytes, strlen(bytes), text.utf8});
}

/* Beside the row of a line, the terminal may have room for its text. */
static void write_source(const table_view *v, const table_row *r, const char *row, const nytp_look *look)
{
    enum { BETWEEN = 2, LEAST = 15 };
    const size_t used = nytp_columns_of(row) + BETWEEN;
    g_autofree char *text = used + LEAST <= look->columns ? source_of(v, r) : NULL;
    if (text == NULL || *text == '\0')
        return;
    g_autofree char *ascii = look->is_ascii ? nytp_text_in_ascii(text) : NULL,
                    *cut = nytp_fit_begin(ascii != NULL ? ascii : text, look->columns - used, look->is_ascii);
    fprintf(v->out, "%*s%s", BETWEEN, "", cut);
}

/* As text, each row may have a line after it. */
static void write_lines(const table_view *v, nytp_table *t, const GArray *rows, const nytp_look *look)
{
    g_auto(GStrv) lines = nytp_table_lines(t, look);
    for (guint i = 0; i <= rows->len; i++) {
        fputs(lines[i], v->out);
        if (v->by == TABLE_LINES && i > 0)
            write_source(v, &g_array_index(rows, table_row, i - 1), lines[i], look);
        fputc('\n', v->out);
        const nytp_finding *f = i > 0 ? table_row_repeated(v, &g_array_index(rows, table_row, i - 1)) : NULL;
        if (f != NULL)
            fprintf(v->out, "! %s\n", f->repeated);
    }
}

static void say_hidden(const table_view *v, const GArray *rows, guint hidden)
{
    const double percent = 100;
    const bool is_by_share = v->options->sort == NULL && rows->len > 0;
    const table_row *last = is_by_share ? &g_array_index(rows, table_row, rows->len - 1) : NULL;
    nytp_head_hidden(hidden, what_rows_are(v), last != NULL ? value_of(v, last, SHARE) / percent : NAN,
                     v->options->min, v->out);
}

/* The command that shows the slowest request, if that fits the terminal. */
static void say_slowest(const table_view *v, const GArray *rows, const nytp_look *look)
{
    const table_row *slowest = NULL;
    NYTP_EACH(const table_row, r, rows)
        if (slowest == NULL || duration_of(v, r, NYTP_LONGEST) > duration_of(v, slowest, NYTP_LONGEST))
            slowest = r;
    if (slowest == NULL || v->options->files.count != 1)
        return;
    g_autofree char *name = table_row_name(v, slowest), *quoted = g_shell_quote(name),
                    *file = g_shell_quote(v->options->files.names[0]);
    g_autofree char *text = g_strdup_printf("slowest: nytp tree --slowest=1 --span=%s %s", quoted, file);
    if (look->columns == 0 || nytp_columns_of(text) <= look->columns)
        fprintf(v->out, "%s\n", text);
}

bool table_rows_write(table_view *v, enum table_by by, uint32_t most, const nytp_look *look)
{
    v->by = by;
    const sheet s = sheet_of(v);
    guint hidden;
    g_autoptr(GArray) rows = rows_of(v, &s, most, &hidden);
    const bool is_summary = v->options->by == TABLE_SUMMARY, is_text = v->options->form == NYTP_TEXT;
    const bool has_table = rows->len > 0 || !(is_text || v->is_page);
    if ((v->is_page || is_summary) && rows->len > 0)
        fputc('\n', v->out);
    nytp_table *t =
        nytp_table_new(s.columns, s.count, v->options->form, is_text || !has_table ? NULL : v->out);
    NYTP_EACH(const table_row, r, rows)
        for (size_t c = 0; c < s.count; c++)
            put(v, t, s.values[c], r);
    if (is_text && rows->len > 0)
        write_lines(v, t, rows, look);
    if (is_text && !is_summary)
        say_hidden(v, rows, hidden);
    if (is_text && by == TABLE_REQUESTS)
        say_slowest(v, rows, look);
    nytp_table_end(t, look);
    return rows->len + hidden > 0;
}

bool table_has_sort(const table_options *o, const nytp_summary *summary)
{
    const table_view v = table_view_of(o, summary);
    const sheet s = sheet_of(&v);
    nytp_closest closest = {.wrong = o->sort};
    if (o->sort == NULL || sort_of(&s, o->sort) != NULL)
        return true;
    for (size_t c = 0; c < s.count; c++)
        nytp_closest_try(&closest, s.columns[c].head, strlen(s.columns[c].head));
    nytp_say("no column '%s' in --by=%s%s", o->sort, table_by_names[o->by], nytp_closest_hint(&closest));
    return false;
}
