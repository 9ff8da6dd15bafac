#include "folds.h"

#include "model/names.h"
#include "model/records.h"

#include <string.h>

/* A sub at a line range of a file. */
typedef struct sub_range {
    uint32_t fid, name;
    uint32_t first_line, last_line;
    uint32_t last_definer; /* number + 1 of one in the ring of its definers; 0: the file alone defines it */
} sub_range;

/* The definers of a range are linked in a ring. */
typedef struct definer {
    uint32_t fid;
    uint32_t next; /* number of the next one */
} definer;

/* A SUB_INFO with the input's fids. */
typedef struct taken_sub {
    uint32_t fid, name;
    uint32_t first_line, last_line;
    uint32_t
        definers_end; /* its definers are in taken_definers, from the end of the sub's before up to here */
} taken_sub;

struct merge_folds {
    nytp_names *names;
    nytp_records ranges; /* sub_range */
    nytp_records
        first_of; /* sub_range: where a sub was seen first in evals of one place, by first's fid and name */
    GArray *definers;       /* definer */
    GArray *taken;          /* taken_sub: those of this input, not settled */
    GArray *taken_definers; /* uint32_t: fids */
};

static bool same_lines(const sub_range *a, const sub_range *b)
{
    return a->first_line == b->first_line && a->last_line == b->last_line;
}

merge_folds *merge_folds_new(nytp_names *names)
{
    merge_folds *f = g_new0(merge_folds, 1);
    f->names = names;
    nytp_records_init(&f->ranges, sizeof(sub_range), offsetof(sub_range, last_definer));
    nytp_records_init(&f->first_of, sizeof(sub_range), offsetof(sub_range, first_line));
    f->definers = g_array_new(FALSE, FALSE, sizeof(definer));
    f->taken = g_array_new(FALSE, FALSE, sizeof(taken_sub));
    f->taken_definers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    return f;
}

void merge_folds_free(merge_folds *folds)
{
    nytp_records_clear(&folds->ranges);
    nytp_records_clear(&folds->first_of);
    g_array_free(folds->definers, TRUE);
    g_array_free(folds->taken, TRUE);
    g_array_free(folds->taken_definers, TRUE);
    g_free(folds);
}

void merge_folds_take(merge_folds *folds, const nytp_chunk *sub_info, const uint32_t *definers, size_t count)
{
    g_array_append_vals(folds->taken_definers, definers, (guint)count);
    const taken_sub taken = {.fid = sub_info->sub_info.fid,
                             .name = nytp_names_intern(folds->names, &sub_info->sub_info.name, NULL),
                             .first_line = sub_info->sub_info.first_line,
                             .last_line = sub_info->sub_info.last_line,
                             .definers_end = folds->taken_definers->len};
    g_array_append_val(folds->taken, taken);
}

void merge_folds_drop(merge_folds *folds)
{
    g_array_set_size(folds->taken, 0);
    g_array_set_size(folds->taken_definers, 0);
}

/* The name tells the eval: __ANON__[(eval 7)[...]:1]. */
static bool is_of_one_eval(nytp_str name)
{
    static const char mark[] = "__ANON__[(eval";
    return memmem(name.bytes, name.length, mark, sizeof mark - 1) != NULL;
}

static void add_definer(merge_folds *folds, sub_range *range, uint32_t fid)
{
    definer *all = (definer *)(void *)folds->definers->data, added = {fid, folds->definers->len};
    if (range->last_definer != 0) {
        definer *last = &all[range->last_definer - 1];
        if (last->fid == fid)
            return;
        added.next = last->next;
        last->next = folds->definers->len;
    }
    g_array_append_val(folds->definers, added);
    range->last_definer = folds->definers->len;
}

static void remember(merge_folds *folds, const sub_range *key, uint32_t fid)
{
    bool is_new;
    uint32_t number = nytp_records_number(&folds->ranges, key, &is_new);
    sub_range *range = nytp_records_at(&folds->ranges, number);
    if (range->last_definer == 0 && fid == range->fid)
        return;
    if (range->last_definer == 0 && !is_new)
        add_definer(folds, range, range->fid);
    add_definer(folds, range, fid);
}

/* The fid of the eval where a sub of this one is shown: the first of the place, if who had the sub first had
 * it at the same lines. */
static uint32_t shown_in(merge_folds *folds, merge_files *files, merge_file *file, const sub_range *range)
{
    sub_range in_first = *range;
    in_first.fid = file->first;
    uint32_t number = nytp_records_number(&folds->first_of, &in_first, NULL);
    if (!same_lines(nytp_records_at(&folds->first_of, number), range))
        return file->fid;
    if (file->first != file->fid)
        merge_files_move(files, file, range->first_line, range->last_line);
    return file->first;
}

static void settle_one(merge_folds *folds, merge_files *files, const taken_sub *taken, uint32_t definer_fid)
{
    merge_file *file = merge_files_find(files, definer_fid);
    sub_range range = {0, taken->name, taken->first_line, taken->last_line, 0};
    if (file == NULL && definer_fid != 0)
        return;
    uint32_t fid = file != NULL ? file->fid : 0;
    bool may_move =
        file != NULL && file->is_eval && !is_of_one_eval(nytp_names_get(folds->names, taken->name));
    range.fid = may_move ? shown_in(folds, files, file, &range) : fid;
    remember(folds, &range, fid);
}

void merge_folds_settle(merge_folds *folds, merge_files *files)
{
    guint d = 0;
    for (guint i = 0; i < folds->taken->len; i++) {
        const taken_sub *taken = &g_array_index(folds->taken, taken_sub, i);
        if (d == taken->definers_end)
            settle_one(folds, files, taken, taken->fid);
        for (; d < taken->definers_end; d++)
            settle_one(folds, files, taken, g_array_index(folds->taken_definers, uint32_t, d));
    }
    merge_folds_drop(folds);
}

/* The ring's fids, from the first on. */
static void list_definers(const merge_folds *folds, const sub_range *range, GArray *fids)
{
    const definer *all = (const definer *)(const void *)folds->definers->data;
    g_array_set_size(fids, 0);
    if (range->last_definer == 0)
        return;
    uint32_t number = range->last_definer - 1;
    do {
        number = all[number].next;
        g_array_append_val(fids, all[number].fid);
    } while (number != range->last_definer - 1);
}

void merge_folds_each(const merge_folds *folds, merge_fold_fn *take, void *context)
{
    GArray *fids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (uint32_t i = 0; i < folds->ranges.count; i++) {
        const sub_range *r = nytp_records_at(&folds->ranges, i);
        const nytp_chunk chunk = {.tag = NYTP_SUB_INFO,
                                  .sub_info = {.fid = r->fid,
                                               .name = nytp_names_get(folds->names, r->name),
                                               .first_line = r->first_line,
                                               .last_line = r->last_line}};
        list_definers(folds, r, fids);
        take(context, &chunk, (const uint32_t *)(void *)fids->data, fids->len);
    }
    g_array_free(fids, TRUE);
}
