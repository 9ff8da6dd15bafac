#include "files.h"

#include "model/names.h"
#include "model/records.h"

#include <glib.h>
#include <string.h>

/* An input's fids below have a place in plain; it grows with the largest of them seen. */
enum { NEAR_FIDS = 1 << 16 };

/* Where evals are: a line of a file, or of the evals that are shown with a first one. */
typedef struct eval_place {
    uint32_t parent_first, line;
    uint32_t first; /* fid of the first eval there */
} eval_place;

/* Lines of the eval with that fid that are shown in the first of its place. */
typedef struct moved_lines {
    uint32_t fid, first, last;
} moved_lines;

struct merge_files {
    nytp_names *names;   /* of files that are no evals */
    GArray *fid_of;      /* uint32_t, by number of the name */
    nytp_records places; /* eval_place */
    GArray *written;     /* bool, by fid: the merged profile has its NEW_FID */

    /* of the input at hand */
    nytp_records input; /* merge_file */
    uint32_t *plain;    /* by the input's fid */
    uint32_t near_count;
    GArray *moved; /* moved_lines; sorted and without overlaps, when settled */
};

merge_files *merge_files_new(void)
{
    merge_files *f = g_new0(merge_files, 1);
    f->names = nytp_names_new();
    f->fid_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    nytp_records_init(&f->places, sizeof(eval_place), offsetof(eval_place, first));
    f->written = g_array_new(FALSE, TRUE, sizeof(bool));
    g_array_set_size(f->written, 1); /* fids begin with 1 */
    nytp_records_init(&f->input, sizeof(merge_file), offsetof(merge_file, fid));
    f->moved = g_array_new(FALSE, FALSE, sizeof(moved_lines));
    return f;
}

void merge_files_free(merge_files *files)
{
    nytp_names_free(files->names);
    g_array_free(files->fid_of, TRUE);
    nytp_records_clear(&files->places);
    g_array_free(files->written, TRUE);
    nytp_records_clear(&files->input);
    g_free(files->plain);
    g_array_free(files->moved, TRUE);
    g_free(files);
}

void merge_files_begin_input(merge_files *files)
{
    nytp_records_clear(&files->input);
    nytp_records_init(&files->input, sizeof(merge_file), offsetof(merge_file, fid));
    if (files->near_count > 0)
        memset(files->plain, 0, files->near_count * sizeof *files->plain);
    g_array_set_size(files->moved, 0);
}

uint32_t merge_files_count(const merge_files *files)
{
    return files->written->len - 1;
}

merge_file *merge_files_find(const merge_files *files, uint32_t fid)
{
    return nytp_records_find(&files->input, &(merge_file){.input_fid = fid});
}

static void set_plain(merge_files *files, const merge_file *file)
{
    uint32_t fid = file->input_fid;
    if (fid >= NEAR_FIDS)
        return;
    if (fid >= files->near_count) {
        uint32_t count = MIN(fid * 2 + 16, NEAR_FIDS);
        files->plain = g_renew(uint32_t, files->plain, count);
        memset(files->plain + files->near_count, 0, (count - files->near_count) * sizeof *files->plain);
        files->near_count = count;
    }
    files->plain[fid] = file->fid;
}

static uint32_t next_fid(merge_files *files)
{
    g_array_set_size(files->written, files->written->len + 1);
    return files->written->len - 1;
}

static uint32_t fid_of_name(merge_files *files, const nytp_str *name)
{
    bool added;
    uint32_t number = nytp_names_intern(files->names, name, &added);
    if (added) {
        uint32_t fid = next_fid(files);
        g_array_append_val(files->fid_of, fid);
    }
    return g_array_index(files->fid_of, uint32_t, number);
}

/* The first eval at that line of the file, or of those that are shown with it; fid, if there was none. */
static uint32_t first_at(merge_files *files, uint32_t parent_first, uint32_t line, uint32_t fid)
{
    const eval_place place = {parent_first, line, fid};
    uint32_t number = nytp_records_number(&files->places, &place, NULL);
    return ((const eval_place *)nytp_records_at(&files->places, number))->first;
}

/* An eval whose file is not known is taken for a file: such come before it, and mostly it never comes. */
bool merge_files_learn(merge_files *files, const nytp_chunk *new_fid)
{
    merge_file file = {.input_fid = new_fid->new_fid.fid};
    const merge_file *known = merge_files_find(files, file.input_fid), *parent = NULL;
    if (known != NULL)
        return known->is_eval || known->fid == fid_of_name(files, &new_fid->new_fid.name);
    if (new_fid->new_fid.eval_fid != 0)
        parent = merge_files_find(files, new_fid->new_fid.eval_fid);
    file.is_eval = parent != NULL;
    file.fid = file.is_eval ? next_fid(files) : fid_of_name(files, &new_fid->new_fid.name);
    file.first =
        file.is_eval ? first_at(files, parent->first, new_fid->new_fid.eval_line, file.fid) : file.fid;
    nytp_records_number(&files->input, &file, NULL);
    if (file.first == file.fid)
        set_plain(files, &file);
    return true;
}

const uint32_t *merge_files_plain(const merge_files *files, size_t *count)
{
    *count = files->near_count;
    return files->plain;
}

bool merge_files_translate(merge_files *files, nytp_chunk *new_fid)
{
    const merge_file *file = merge_files_find(files, new_fid->new_fid.fid);
    const merge_file *parent = file->is_eval ? merge_files_find(files, new_fid->new_fid.eval_fid) : NULL;
    new_fid->new_fid.fid = file->fid;
    new_fid->new_fid.eval_fid = parent != NULL ? parent->fid : 0;
    bool *written = &g_array_index(files->written, bool, file->fid);
    bool is_new = !*written || file->is_eval;
    *written = true;
    return is_new;
}

/* ---- moved lines ---- */

void merge_files_move(merge_files *files, merge_file *file, uint32_t first_line, uint32_t last_line)
{
    const moved_lines lines = {file->fid, first_line, last_line};
    if (first_line > last_line)
        return;
    file->has_moved = true;
    g_array_append_val(files->moved, lines);
}

static gint compare_moved(gconstpointer x, gconstpointer y)
{
    const moved_lines *a = x, *b = y;
    if (a->fid != b->fid)
        return a->fid < b->fid ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static void sort_moved(GArray *moved)
{
    moved_lines *all = (moved_lines *)(void *)moved->data;
    guint count = 0;
    g_array_sort(moved, compare_moved);
    for (guint i = 0; i < moved->len; i++) {
        if (count > 0 && all[count - 1].fid == all[i].fid && all[i].first <= all[count - 1].last)
            all[count - 1].last = MAX(all[count - 1].last, all[i].last);
        else
            all[count++] = all[i];
    }
    g_array_set_size(moved, count);
}

void merge_files_settle(merge_files *files)
{
    sort_moved(files->moved);
    for (uint32_t i = 0; i < files->input.count; i++) {
        const merge_file *file = nytp_records_at(&files->input, i);
        if (!file->has_moved)
            set_plain(files, file);
    }
}

bool merge_files_has_moved(const merge_files *files, const merge_file *file, uint32_t line)
{
    const moved_lines *all = (const moved_lines *)(const void *)files->moved->data;
    guint low = 0, high = files->moved->len; /* the last that begins at or before the line is below high */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].fid < file->fid || (all[middle].fid == file->fid && all[middle].first <= line))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && all[low - 1].fid == file->fid && line <= all[low - 1].last;
}
