#include "folds.h"

#include "names.h"

#include <string.h>

/* A sub at a line range of a file. */
typedef struct sub_range {
    uint32_t fid, name;
    uint32_t first_line, last_line;
    GArray *definers; /* uint32_t: fids */
} sub_range;

struct merge_folds {
    nytp_names *names;
    GPtrArray *ranges;     /* sub_range *, in order of first sight */
    GHashTable *range_of;  /* itself, equal by all but the definers */
    GHashTable *first_of;  /* the first range with that fid and name */
    GArray *of_this_input; /* sub_range with the input's fids, not settled */
};

static guint hash_name(gconstpointer key)
{
    const sub_range *r = key;
    return (r->fid * 0x9E3779B9U) ^ r->name;
}

static gboolean equal_names(gconstpointer x, gconstpointer y)
{
    const sub_range *a = x, *b = y;
    return a->fid == b->fid && a->name == b->name;
}

static bool equal_lines(const sub_range *a, const sub_range *b)
{
    return a->first_line == b->first_line && a->last_line == b->last_line;
}

static gboolean equal_ranges(gconstpointer x, gconstpointer y)
{
    return equal_names(x, y) && equal_lines(x, y);
}

static void clear_range(gpointer p)
{
    g_array_free(((sub_range *)p)->definers, TRUE);
}

static void free_range(gpointer p)
{
    clear_range(p);
    g_free(p);
}

merge_folds *merge_folds_new(void)
{
    merge_folds *f = g_new0(merge_folds, 1);
    f->names = nytp_names_new();
    f->ranges = g_ptr_array_new_with_free_func(free_range);
    f->range_of = g_hash_table_new(hash_name, equal_ranges);
    f->first_of = g_hash_table_new(hash_name, equal_names);
    f->of_this_input = g_array_new(FALSE, FALSE, sizeof(sub_range));
    g_array_set_clear_func(f->of_this_input, clear_range);
    return f;
}

void merge_folds_free(merge_folds *folds)
{
    g_hash_table_destroy(folds->range_of);
    g_hash_table_destroy(folds->first_of);
    g_ptr_array_free(folds->ranges, TRUE);
    g_array_free(folds->of_this_input, TRUE);
    nytp_names_free(folds->names);
    g_free(folds);
}

void merge_folds_take(merge_folds *folds, const nytp_chunk *sub_info, const uint32_t *definers, size_t count)
{
    sub_range r = {.fid = sub_info->sub_info.fid,
                   .name = nytp_names_intern(folds->names, &sub_info->sub_info.name, NULL),
                   .first_line = sub_info->sub_info.first_line,
                   .last_line = sub_info->sub_info.last_line,
                   .definers = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    g_array_append_vals(r.definers, definers, (guint)count);
    g_array_append_val(folds->of_this_input, r);
}

void merge_folds_drop(merge_folds *folds)
{
    g_array_set_size(folds->of_this_input, 0);
}

/* __ANON__[(eval 7)[...]:1] is of that eval and no other. */
static bool is_of_one_eval(nytp_str name)
{
    static const char mark[] = "__ANON__[(eval";
    return memmem(name.bytes, name.length, mark, sizeof mark - 1) != NULL;
}

static void remember(merge_folds *folds, const sub_range *key, uint32_t definer)
{
    sub_range *r = g_hash_table_lookup(folds->range_of, key);
    if (r == NULL) {
        r = g_memdup2(key, sizeof *key);
        r->definers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
        g_ptr_array_add(folds->ranges, r);
        g_hash_table_add(folds->range_of, r);
        if (g_hash_table_lookup(folds->first_of, r) == NULL)
            g_hash_table_add(folds->first_of, r);
    }
    if (r->definers->len == 0 || g_array_index(r->definers, uint32_t, r->definers->len - 1) != definer)
        g_array_append_val(r->definers, definer);
}

static void settle_one(merge_folds *folds, merge_file *file, const sub_range *taken)
{
    sub_range key = *taken;
    key.fid = file->fid;
    if (file->is_eval && !is_of_one_eval(nytp_names_get(folds->names, taken->name))) {
        key.fid = file->first;
        const sub_range *known = g_hash_table_lookup(folds->first_of, &key);
        if (known != NULL && !equal_lines(known, taken))
            key.fid = file->fid;
        else if (file->first != file->fid)
            merge_file_move(file, (merge_lines){taken->first_line, taken->last_line});
    }
    remember(folds, &key, file->fid);
}

void merge_folds_settle(merge_folds *folds, merge_files *files)
{
    for (guint i = 0; i < folds->of_this_input->len; i++) {
        const sub_range *taken = &g_array_index(folds->of_this_input, sub_range, i);
        for (guint d = 0; d < taken->definers->len; d++) {
            uint32_t definer = g_array_index(taken->definers, uint32_t, d);
            merge_file *file = merge_files_find(files, definer);
            if (file != NULL)
                settle_one(folds, file, taken);
            else if (definer == 0)
                remember(folds, taken, 0);
        }
    }
    merge_folds_drop(folds);
}

void merge_folds_each(const merge_folds *folds, merge_fold_fn *take, void *context)
{
    for (guint i = 0; i < folds->ranges->len; i++) {
        const sub_range *r = g_ptr_array_index(folds->ranges, i);
        const nytp_chunk chunk = {.tag = NYTP_SUB_INFO,
                                  .sub_info = {.fid = r->fid,
                                               .name = nytp_names_get(folds->names, r->name),
                                               .first_line = r->first_line,
                                               .last_line = r->last_line}};
        take(context, &chunk, (const uint32_t *)(const void *)r->definers->data, r->definers->len);
    }
}
