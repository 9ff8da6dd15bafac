#include "stock.h"

#include "base/order.h"
#include "model/grow.h"

#include <string.h>

enum { MOST_TEXTS = 200 /* at a line that stay apart */ };

struct csv_stock_evals {
    const nytp_profile *profile;
    csv_source *source;
    GPtrArray *within;              /* by number of the file: GArray of csv_file */
    GPtrArray *merged;              /* the same */
    const nytp_file **merged_files; /* by number */
    bool *has_subs;                 /* by number; only while evals are merged */
};

/* Evals with equal keys count as the same text. */
typedef struct keyed_eval {
    const nytp_file *f;
    csv_digest text;
    bool has_evals, has_subs; /* false if there is text */
} keyed_eval;

static GPtrArray *new_lists(guint count)
{
    GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint i = 0; i < count; i++)
        g_ptr_array_add(lists, NYTP_ARRAY(csv_file));
    return lists;
}

static void append(GPtrArray *lists, uint32_t number, const nytp_file *f)
{
    g_array_append_val((GArray *)lists->pdata[number], f);
}

static bool has_evals(const csv_stock_evals *e, const nytp_file *f)
{
    return csv_stock_evals_within(e, f)->len > 0;
}

bool csv_stock_evals_is_eval(const csv_stock_evals *evals, const nytp_file *f)
{
    const nytp_file *parent = f->eval_fid != 0 ? nytp_profile_file_by_fid(evals->profile, f->eval_fid) : NULL;
    return parent != NULL && parent->number < f->number;
}

static void find_subs(csv_stock_evals *e)
{
    nytp_sub sub;
    const nytp_file *f;
    for (uint32_t i = 0; nytp_profile_sub(e->profile, i, &sub); i++)
        for (size_t r = 0; r < sub.range_count; r++)
            if ((f = nytp_profile_file_by_fid(e->profile, sub.ranges[r].fid)) != NULL)
                e->has_subs[f->number] = true;
}

static keyed_eval key_of(const csv_stock_evals *e, const nytp_file *f)
{
    keyed_eval key = {.f = f, .text = csv_source_digest(e->source, f)};
    if (key.text.length == 0) {
        key.has_evals = has_evals(e, f);
        key.has_subs = e->has_subs[f->number];
    }
    return key;
}

static int compare_keys(const keyed_eval *a, const keyed_eval *b)
{
    return nytp_order4(NYTP_ORDER(a->text.lines, b->text.lines), NYTP_ORDER(a->text.length, b->text.length),
                       NYTP_ORDER(a->text.sum, b->text.sum),
                       nytp_order2(a->has_evals - b->has_evals, a->has_subs - b->has_subs));
}

static int by_line_and_key(const void *x, const void *y)
{
    const keyed_eval *a = x, *b = y;
    return nytp_order3(NYTP_ORDER(a->f->eval_line, b->f->eval_line), compare_keys(a, b),
                       NYTP_ORDER(a->f->number, b->f->number));
}

static void merge_into_first(csv_stock_evals *e, const keyed_eval *all, size_t count)
{
    const nytp_file *first = all[0].f;
    for (size_t i = 1; i < count; i++)
        if (all[i].f->number < first->number)
            first = all[i].f;
    for (size_t i = 0; i < count; i++) {
        if (all[i].f == first)
            continue;
        e->merged_files[all[i].f->number] = first;
        append(e->merged, first->number, all[i].f);
    }
}

static bool any_has_evals(const csv_stock_evals *e, const keyed_eval *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_evals(e, all[i].f))
            return true;
    return false;
}

/* Merges the evals of one line, which are sorted by key. */
static void merge_line(csv_stock_evals *e, const keyed_eval *all, size_t count)
{
    size_t texts = 1;
    for (size_t i = 1; i < count; i++)
        texts += compare_keys(&all[i - 1], &all[i]) != 0;
    if (texts > MOST_TEXTS) {
        merge_into_first(e, all, count);
        return;
    }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_keys(&all[i], &all[end]) == 0;)
            end++;
        if (!any_has_evals(e, all + i, end - i))
            merge_into_first(e, all + i, end - i);
    }
}

static void merge_within(csv_stock_evals *e, const GArray *files)
{
    g_autofree keyed_eval *all = g_new(keyed_eval, (size_t)files->len + 1); /* + 1: never NULL */
    for (guint i = 0; i < files->len; i++)
        all[i] = key_of(e, g_array_index(files, csv_file, i));
    qsort(all, files->len, sizeof *all, by_line_and_key);
    for (size_t i = 0, end; i < files->len; i = end) {
        for (end = i + 1; end < files->len && all[end].f->eval_line == all[i].f->eval_line;)
            end++;
        merge_line(e, all + i, end - i);
    }
}

csv_stock_evals *csv_stock_evals_new(const nytp_profile *profile, csv_source *source, bool merge)
{
    csv_stock_evals *e = g_new0(csv_stock_evals, 1);
    const guint count = (guint)nytp_profile_file_count(profile);
    *e = (csv_stock_evals){profile,
                           source,
                           new_lists(count),
                           new_lists(count),
                           g_new0(const nytp_file *, count),
                           g_new0(bool, count)};
    for (guint i = 0; i < count; i++) {
        const nytp_file *f = nytp_profile_file(profile, i);
        e->merged_files[i] = f;
        if (csv_stock_evals_is_eval(e, f))
            append(e->within, nytp_profile_file_by_fid(profile, f->eval_fid)->number, f);
    }
    find_subs(e);
    for (guint i = 0; merge && i < count; i++)
        merge_within(e, e->within->pdata[i]);
    return e;
}

void csv_stock_evals_free(csv_stock_evals *evals)
{
    g_ptr_array_free(evals->within, TRUE);
    g_ptr_array_free(evals->merged, TRUE);
    g_free(evals->merged_files);
    g_free(evals->has_subs);
    g_free(evals);
}

const nytp_file *csv_stock_evals_merged_file(const csv_stock_evals *evals, const nytp_file *f)
{
    return evals->merged_files[f->number];
}

const GArray *csv_stock_evals_merged(const csv_stock_evals *evals, const nytp_file *f)
{
    return evals->merged->pdata[f->number];
}

const GArray *csv_stock_evals_within(const csv_stock_evals *evals, const nytp_file *f)
{
    return evals->within->pdata[f->number];
}
