#include "difference.h"

#include "cli/read.h"
#include "cli/say.h"
#include "model/portable.h"

#include <string.h>

static void clear_change(gpointer change)
{
    g_free(((html_change *)change)->name);
}

static GArray *new_changes(void)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(html_change));
    g_array_set_clear_func(all, clear_change);
    return all;
}

void html_difference_free(html_difference *difference)
{
    if (difference == NULL)
        return;
    g_array_unref(difference->subs);
    g_array_unref(difference->files);
    g_array_unref(difference->lines);
    g_hash_table_destroy(difference->old_text);
    if (difference->old_stacks != NULL)
        g_array_unref(difference->old_stacks);
    g_free(difference);
}

/* ---- reading ---- */

typedef struct reading {
    html_report *report;
    nytp_comparison *comparison;
    const nytp_common_options *common;
    nytp_profile *old; /* the first one */
    nytp_calltree *old_tree;
    const html_options *options;
    nytp_source_text *hashes;              /* of OLD's first profile */
    GHashTable *old_text;                  /* as in html_difference */
    int64_t *numbers[NYTP_COMPARED_KINDS]; /* of subs and files in the report, by row; -1: none */
} reading;

static void free_reading(reading *r)
{
    for (int kind = 0; kind < NYTP_COMPARED_KINDS; kind++)
        g_free(r->numbers[kind]);
    nytp_calltree_free(r->old_tree);
    nytp_profile_free(r->old);
    nytp_source_text_free(r->hashes);
    if (r->old_text != NULL)
        g_hash_table_destroy(r->old_text);
    nytp_comparison_free(r->comparison);
}

/* nytp_source_line_fn: lines of OLD's first profile, which come in order. */
static void keep_text(void *context, uint32_t fid, uint32_t line, nytp_str text)
{
    enum { WIDEST_GAP = 1 << 16 }; /* lines; only a damaged profile has more without text */
    reading *r = context;
    nytp_source_text_add(r->hashes, fid, line, text);
    GPtrArray *lines = g_hash_table_lookup(r->old_text, GUINT_TO_POINTER(fid));
    if (r->options->no_source || line > (lines != NULL ? lines->len : 0) + WIDEST_GAP)
        return;
    if (lines == NULL)
        g_hash_table_insert(r->old_text, GUINT_TO_POINTER(fid),
                            lines = g_ptr_array_new_with_free_func(g_free));
    if (line >= lines->len)
        g_ptr_array_set_size(lines, (gint)line + 1);
    while (text.length > 0 && (text.bytes[text.length - 1] == '\n' || text.bytes[text.length - 1] == '\r'))
        text.length--;
    g_free(lines->pdata[line]);
    lines->pdata[line] = g_utf8_make_valid(text.bytes, (gssize)text.length);
}

const char *html_difference_old_text(const html_difference *difference, const html_line_change *line)
{
    const GPtrArray *lines = g_hash_table_lookup(difference->old_text, GUINT_TO_POINTER(line->old_fid));
    const char *text = lines != NULL && line->old_line < lines->len ? lines->pdata[line->old_line] : NULL;
    return text != NULL ? text : "";
}

static int read_one(reading *r, enum nytp_side side, const char *name)
{
    nytp_profile *profile = nytp_profile_new();
    const bool first = side == NYTP_OLD && r->old == NULL;
    if (first)
        nytp_profile_on_source(profile, keep_text, r);
    const int rc = first ? nytp_read_profile_with_calls(name, r->common, profile, r->old_tree)
                         : nytp_read_profile(name, r->common, profile);
    if (rc >= 0) {
        nytp_profile_merge_evals(profile);
        nytp_comparison_add(r->comparison, side, profile, NULL, first ? r->hashes : NULL);
    }
    if (first)
        r->old = profile;
    else
        nytp_profile_free(profile);
    return rc;
}

static bool read_all(reading *r, const nytp_operands sides[NYTP_SIDES])
{
    nytp_comparison_add(r->comparison, NYTP_NEW, r->report->profile, NULL, r->options->hashes);
    for (int i = 0; i < sides[NYTP_OLD].count; i++)
        if (read_one(r, NYTP_OLD, sides[NYTP_OLD].names[i]) < 0)
            return false;
    for (int i = 1; i < sides[NYTP_NEW].count; i++)
        if (read_one(r, NYTP_NEW, sides[NYTP_NEW].names[i]) < 0)
            return false;
    if (nytp_comparison_is_mixed(r->comparison))
        nytp_say("--diff: some profiles are made of samples, others are the collector's");
    return !nytp_comparison_is_mixed(r->comparison);
}

/* ---- numbers ---- */

static void set_value(html_change *to, enum html_changed what, const nytp_change *from, double unit)
{
    to->verdict[what] = from->verdict;
    for (int side = 0; side < NYTP_SIDES; side++)
        to->value[what][side] = from->median[side] * unit;
}

/* Ticks of the report for a second or, of samples, for the whole time. */
static double unit_of(const reading *r)
{
    return nytp_comparison_is_by_share(r->comparison) ? (double)r->report->ticks : r->report->ticks_per_s;
}

static html_change change_of(const reading *r, enum nytp_compared kind, size_t row, nytp_change *last)
{
    html_change change = {.number = -1};
    nytp_comparison_get(r->comparison, kind, row, NYTP_MEASURE_EXCL, last);
    set_value(&change, HTML_SELF, last, unit_of(r));
    if (kind == NYTP_COMPARE_SUBS) {
        nytp_comparison_get(r->comparison, kind, row, NYTP_MEASURE_INCL, last);
        set_value(&change, HTML_INCL, last, unit_of(r));
    }
    nytp_comparison_get(r->comparison, kind, row, NYTP_MEASURE_COUNT, last);
    set_value(&change, HTML_COUNT, last, 1);
    return change;
}

/* The numbers that rows have in the report. Two subs of the profile may be one row: the first counts. */
static void number_rows(reading *r, enum nytp_compared kind)
{
    const size_t rows = nytp_comparison_count(r->comparison, kind);
    const size_t count = kind == NYTP_COMPARE_SUBS ? nytp_profile_sub_count(r->report->profile)
                                                   : nytp_profile_file_count(r->report->profile);
    int64_t *numbers = r->numbers[kind] = g_new(int64_t, rows + 1);
    for (size_t row = 0; row < rows; row++)
        numbers[row] = -1;
    for (uint32_t i = 0; i < count; i++) {
        const size_t row = nytp_comparison_find(r->comparison, kind, NYTP_NEW, 0, i, 0);
        if (row != SIZE_MAX && numbers[row] < 0)
            numbers[row] = kind == NYTP_COMPARE_SUBS ? (int64_t)i : r->report->file_numbers[i];
    }
}

static void add_changes(reading *r, enum nytp_compared kind, GArray *to)
{
    const size_t rows = nytp_comparison_count(r->comparison, kind);
    number_rows(r, kind);
    for (size_t row = 0; row < rows; row++) {
        nytp_change last;
        html_change change = change_of(r, kind, row, &last);
        if (last.is_sum)
            continue;
        change.number = r->numbers[kind][row];
        if (change.number < 0 && kind == NYTP_COMPARE_SUBS)
            change.number = r->numbers[kind][row] = html_report_number_of(r->report, last.name);
        else if (change.number < 0)
            change.name = nytp_name_clean(last.name);
        g_array_append_val(to, change);
    }
}

/* ---- OLD's stacks ---- */

/* By the portable name of a sub of OLD, its number in the report and 1. */
static GHashTable *old_names(const reading *r, const nytp_portable *portable)
{
    GHashTable *numbers =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    nytp_sub sub;
    for (uint32_t i = 0; nytp_profile_sub(r->old, i, &sub); i++) {
        const size_t row = nytp_comparison_find(r->comparison, NYTP_COMPARE_SUBS, NYTP_OLD, 0, i, 0);
        const int64_t number = row != SIZE_MAX ? r->numbers[NYTP_COMPARE_SUBS][row] : -1;
        if (number >= 0)
            g_hash_table_insert(numbers, g_string_free_to_bytes(nytp_portable_name(portable, sub.name)),
                                GUINT_TO_POINTER((guint)number + 1));
    }
    return numbers;
}

typedef struct renaming {
    html_report *report;
    nytp_portable *portable;
    GHashTable *numbers;
} renaming;

/* html_number_fn */
static uint32_t number_in_report(void *context, nytp_str name)
{
    const renaming *n = context;
    GString *portable = nytp_portable_name(n->portable, name);
    const nytp_str shown = {portable->str, portable->len, name.utf8};
    GBytes *key = g_bytes_new(portable->str, portable->len);
    const uint32_t known = GPOINTER_TO_UINT(g_hash_table_lookup(n->numbers, key));
    const uint32_t number = known > 0 ? known - 1 : html_report_number_of(n->report, shown);
    g_bytes_unref(key);
    g_string_free(portable, TRUE);
    return number;
}

static GArray *stacks_of_old(reading *r)
{
    renaming n = {r->report, nytp_portable_new(r->old), NULL};
    n.numbers = old_names(r, n.portable);
    double scale = r->report->ticks_per_s / nytp_calltree_ticks_per_sec(r->old_tree);
    if (nytp_comparison_is_by_share(r->comparison)) {
        const nytp_totals old = nytp_profile_totals(r->old);
        scale = old.statement_ticks > 0 ? (double)r->report->ticks / (double)old.statement_ticks : 0;
    }
    uint32_t *numbers = html_stacks_numbers(r->old_tree, number_in_report, &n);
    GArray *stacks = html_stacks_new(r->old_tree, numbers, scale, NULL);
    g_free(numbers);
    g_hash_table_destroy(n.numbers);
    nytp_portable_free(n.portable);
    return stacks;
}

/* ---- all of it ---- */

static html_difference *difference_of(reading *r, const nytp_operands *sides)
{
    html_difference *d = g_new0(html_difference, 1);
    nytp_change whole;
    d->sides = sides;
    d->by_share = nytp_comparison_is_by_share(r->comparison);
    nytp_comparison_whole(r->comparison, NYTP_MEASURE_EXCL, &whole);
    d->verdict = whole.verdict;
    for (enum nytp_side side = NYTP_OLD; side < NYTP_SIDES; side++) {
        d->runs[side] = nytp_comparison_runs(r->comparison, side);
        d->whole[side] = whole.median[side] * r->report->ticks_per_s;
    }
    d->subs = new_changes();
    d->files = new_changes();
    add_changes(r, NYTP_COMPARE_SUBS, d->subs);
    add_changes(r, NYTP_COMPARE_FILES, d->files);
    const html_line_sources sources = {r->report, r->comparison, r->old, r->numbers[NYTP_COMPARE_FILES],
                                       unit_of(r)};
    d->lines = html_line_changes_new(&sources);
    d->old_stacks = stacks_of_old(r);
    d->old_text = g_steal_pointer(&r->old_text);
    return d;
}

html_difference *html_difference_read(html_report *report, const nytp_operands sides[NYTP_SIDES],
                                      const nytp_common_options *common, const html_options *options)
{
    reading r = {.report = report,
                 .comparison = nytp_comparison_new(),
                 .common = common,
                 .options = options,
                 .hashes = nytp_source_text_new(),
                 .old_text = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref),
                 .old_tree = nytp_calltree_new(NULL, NULL)};
    html_difference *difference = read_all(&r, sides) ? difference_of(&r, sides) : NULL;
    free_reading(&r);
    return difference;
}
