#include "diff.h"

#include "compare/comparison.h"
#include "export/amount.h"
#include "export/markdown.h"
#include "findings/causes.h"
#include "model/grow.h"
#include "model/states.h"

#include <math.h>
#include <string.h>

static nytp_amount amount_of(const diff_rows *rows, const diff_row *row, double value)
{
    return diff_amount(rows->measure, value, rows->options->figure, rows->by_share && row != &rows->whole);
}

/* amount_of() with a + if it is more than 0. */
static nytp_amount amount_signed(const diff_rows *rows, const diff_row *row, double value)
{
    const nytp_amount plain = amount_of(rows, row, value);
    nytp_amount a;
    snprintf(a.text, sizeof a.text, "%s%.40s", value > 0 ? "+" : "", plain.text);
    return a;
}

/* The spread as a share of the median: "+-2%"; empty if it is 0. */
static nytp_amount amount_spread(const nytp_change *change, enum nytp_side side)
{
    nytp_amount a = {""};
    if (change->spread[side] > 0 && change->median[side] != 0)
        snprintf(a.text, sizeof a.text, "±%.0f%%",
                 fmin(100 * change->spread[side] / fabs(change->median[side]), 999));
    return a;
}

/* "-12.3 %", "~" if chance can explain it, "new", "gone", "same". */
static nytp_amount amount_percent(const diff_row *row)
{
    nytp_amount a;
    const bool *is_in = row->value.is_in;
    const char *word = !is_in[NYTP_OLD]                            ? "new"
                       : !is_in[NYTP_NEW]                          ? "gone"
                       : row->value.verdict == NYTP_VERDICT_CHANCE ? "~"
                       : row->value.difference == 0                ? "same"
                       : isinf(row->percent)                       ? "from 0"
                                                                   : NULL;
    if (word != NULL)
        snprintf(a.text, sizeof a.text, "%s", word);
    else
        snprintf(a.text, sizeof a.text, "%+.1f %%", fmin(row->percent, 99999));
    return a;
}

/* "1,200 -> 800", or empty if they are the same. */
static nytp_amount amount_calls(const diff_row *row)
{
    nytp_amount a = {""};
    if (row->calls.difference == 0)
        return a;
    const nytp_amount old = nytp_amount_count(row->calls.median[NYTP_OLD]);
    const nytp_amount new = nytp_amount_count(row->calls.median[NYTP_NEW]);
    snprintf(a.text, sizeof a.text, "%.20s -> %.20s", old.text, new.text);
    return a;
}

static void add_number(nytp_table *t, const char *shown, double number)
{
    enum { DIGITS = 9 };
    nytp_table_number(t, shown, number, -DIGITS);
}

static void add_change(nytp_table *t, const nytp_change *c, char *const sides[NYTP_SIDES],
                       const char *difference)
{
    NYTP_EACH_SIDE(side) {
        add_number(t, sides[side], c->median[side]);
        add_number(t, "", c->spread[side]);
    }
    add_number(t, difference, c->difference);
    add_number(t, "", c->p);
    nytp_table_text(t, diff_verdict(c));
}

/* "1.23 s +-2%", for the caller to g_free(). */
static char *side_of(const diff_rows *rows, const diff_row *row, enum nytp_side side)
{
    const nytp_amount amount = amount_of(rows, row, row->value.median[side]);
    const nytp_amount spread = amount_spread(&row->value, side);
    return !row->value.is_in[side]
               ? g_strdup("-")
               : g_strdup_printf("%s%s%s", amount.text, *spread.text != '\0' ? " " : "", spread.text);
}

static void add_row(nytp_table *t, const diff_rows *rows, const diff_row *row)
{
    static char none[] = "", *const nones[NYTP_SIDES] = {none, none};
    g_autofree char *old = side_of(rows, row, NYTP_OLD), *new = side_of(rows, row, NYTP_NEW),
                    *name = g_strconcat(row->name, row->value.is_sum ? " (sum)" : "", NULL);
    char p[16] = "";
    if (row->value.verdict == NYTP_VERDICT_MORE || row->value.verdict == NYTP_VERDICT_CHANCE)
        snprintf(p, sizeof p, "%.3f", row->value.p);
    nytp_table_text(t, row->name);
    nytp_table_text(t, diff_presence(&row->value));
    add_change(t, &row->value, (char *[NYTP_SIDES]){old, new},
               amount_signed(rows, row, row->value.difference).text);
    add_number(t, amount_percent(row).text, row->percent);
    nytp_table_text(t, p);
    nytp_table_text(t, rows->options->figure != NYTP_FIGURE_COUNT ? amount_calls(row).text : "");
    add_change(t, &row->calls, nones, "");
    (row == &rows->whole ? nytp_table_text : nytp_table_name)(t, name);
}

static void write_table(const diff_rows *rows, const nytp_look *look, FILE *out)
{
    const diff_options *o = rows->options;
    const char *kinds = diff_kinds[o->kind];
    g_autofree char *kind = g_strndup(kinds, strlen(kinds) - 1);
    const bool has_statements = o->kind == NYTP_COMPARE_LINES || o->kind == NYTP_COMPARE_FILES;
    const bool is_of_labels = o->kind == NYTP_COMPARE_LABELS;
    const char *counts = nytp_measure_is_bytes(rows->measure) ? "blocks"
                         : has_statements                     ? "statements"
                         : is_of_labels && !rows->by_share    ? "runs"
                         : rows->by_share                     ? "samples"
                                                              : "calls";
    const nytp_column columns[] = {{.key = "name"},
                                   {.key = "presence"},
                                   {.head = "old", .rank = 2},
                                   {.key = "old_spread"},
                                   {.head = "new", .rank = 1},
                                   {.key = "new_spread"},
                                   {.head = "change", .key = "difference"},
                                   {.key = "p"},
                                   {.key = "verdict"},
                                   {.head = "%", .key = "percent", .rank = 3},
                                   {.head = "p", .key = "", .rank = 5},
                                   {.head = counts, .key = "", .kind = NYTP_COLUMN_WORDS, .rank = 4},
                                   {.key = "old_calls"},
                                   {.key = "old_calls_spread"},
                                   {.key = "new_calls"},
                                   {.key = "new_calls_spread"},
                                   {.key = "calls_difference"},
                                   {.key = "calls_p"},
                                   {.key = "calls_verdict"},
                                   {.head = kind, .key = "", .kind = NYTP_COLUMN_NAME}};
    nytp_table *t = nytp_table_new(columns, G_N_ELEMENTS(columns), o->form, out);
    add_row(t, rows, &rows->whole);
    for (guint i = 0; i < diff_rows_shown(rows); i++)
        add_row(t, rows, &g_array_index(rows->all, diff_row, i));
    nytp_table_end(t, look);
}

static void write_notes(const diff_rows *rows, const char *before, FILE *out)
{
    const guint count = rows->all->len, left_out = count - diff_rows_shown(rows);
    const bool few = nytp_runs_are_few(rows->runs[NYTP_OLD], rows->runs[NYTP_NEW]);
    if (count == 0)
        fprintf(out, "%sNothing changed.\n", before);
    if (left_out > 0)
        fprintf(out, "%s%u more rows changed; --rows=0 shows them.\n", before, left_out);
    const bool is_of_memory = nytp_measure_is_bytes(rows->measure);
    if (is_of_memory && few && count > 0)
        fprintf(out, "%s± is the error of sampling.\n", before);
    else if (few && !rows->by_share && count > 0)
        fprintf(out, "%sToo few runs to test times: %zu old, %zu new; four of each are needed.\n", before,
                rows->runs[NYTP_OLD], rows->runs[NYTP_NEW]);
    if (rows->by_names)
        fprintf(out, "%sNot all profiles measure waiting: asleep are subs that wait by their names.\n",
                before);
    if (rows->by_share)
        fprintf(out, "%sTimes are shares of each recording; ± is the error of sampling.\n", before);
    if (fmax(rows->busy_share[NYTP_OLD], rows->busy_share[NYTP_NEW]) >= NYTP_BUSY_SHARE)
        fprintf(out, "%sThe machine was busy: for %.0f %% of the time in OLD, %.0f %% in NEW.\n", before,
                100 * rows->busy_share[NYTP_OLD], 100 * rows->busy_share[NYTP_NEW]);
    if (rows->counts_vary && !is_of_memory) /* blocks are estimates */
        fprintf(
            out,
            "%sNumbers of calls vary between runs of one side. PERL_HASH_SEED=0 keeps the order of hashes.\n",
            before);
}

/* As lines of text, or as a list in Markdown, after a heading, and a blank line. */
static void write_causes(const diff_rows *rows, FILE *out)
{
    const bool markdown = rows->options->form == NYTP_MARKDOWN;
    if (rows->causes == NULL)
        return;
    g_autofree char *heading = nytp_causes_heading(rows->comparison);
    if (rows->causes->len == 0)
        fprintf(out, "No single cause explains 1 %% of the %s.\n", rows->measure->noun);
    else
        fprintf(out, "%s:\n%s", heading, markdown ? "\n" : "");
    NYTP_EACH(const nytp_cause, cause, rows->causes) {
        g_autoptr(GString) sentence = nytp_cause_say(rows->comparison, cause).sentence;
        const nytp_amount amount =
            diff_amount(rows->measure, cause->amount, NYTP_FIGURE_EXCL, rows->by_share);
        char text[NYTP_AMOUNT_MAX + 1];
        snprintf(text, sizeof text, "%s%s", cause->amount > 0 ? "+" : "", amount.text);
        fprintf(out, markdown ? "- %s: " : "%9s  ", text);
        if (markdown)
            nytp_markdown_text(sentence->str, out);
        else
            fputs(sentence->str, out);
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* What times are made of, unless all of it is work. Of samples, shares are compared. */
static void write_heads(const diff_rows *rows, FILE *out)
{
    const bool has_parts =
        strchr(rows->heads[NYTP_OLD], '=') != NULL || strchr(rows->heads[NYTP_NEW], '=') != NULL;
    const char *list = rows->options->form == NYTP_MARKDOWN ? "- " : "";
    if (!nytp_measure_is_time(rows->measure) || !has_parts)
        return;
    fprintf(out, "%sold: %s\n%snew: %s\n\n", list, rows->heads[NYTP_OLD], list, rows->heads[NYTP_NEW]);
}

void diff_table_write(const diff_rows *rows, const nytp_look *look, FILE *out)
{
    if (rows->options->form == NYTP_CSV) {
        write_table(rows, look, out);
        return;
    }
    write_heads(rows, out);
    write_causes(rows, out);
    write_table(rows, look, out);
    write_notes(rows, rows->options->form == NYTP_MARKDOWN ? "\n" : "", out);
}
