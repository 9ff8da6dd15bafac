#include "files.h"

#include "names.h"

#include <string.h>

/* An input's fids below are looked up in an array; it grows with the largest of them seen. */
enum { NEAR_FIDS = 1 << 16 };

struct merge_files {
    nytp_names *names;  /* of files that are no evals */
    GArray *fid_of;     /* uint32_t, by number of the name */
    GHashTable *places; /* place to fid of the first eval there */
    GArray *written;    /* bool, by fid: the merged profile has its NEW_FID */
    merge_file *near;   /* by the input's fid */
    uint32_t *plain;    /* as well */
    uint32_t near_count;
    GHashTable *far; /* the input's fid to merge_file * */
};

static void clear_file(merge_file *file)
{
    if (file->moved != NULL)
        g_array_free(file->moved, TRUE);
    *file = (merge_file){0};
}

static void free_far(gpointer file)
{
    clear_file(file);
    g_free(file);
}

merge_files *merge_files_new(void)
{
    merge_files *f = g_new0(merge_files, 1);
    f->names = nytp_names_new();
    f->fid_of = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    f->places = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    f->written = g_array_new(FALSE, TRUE, sizeof(bool));
    g_array_set_size(f->written, 1); /* fids begin with 1 */
    f->far = g_hash_table_new_full(NULL, NULL, NULL, free_far);
    return f;
}

void merge_files_free(merge_files *files)
{
    merge_files_begin_input(files);
    nytp_names_free(files->names);
    g_array_free(files->fid_of, TRUE);
    g_hash_table_destroy(files->places);
    g_array_free(files->written, TRUE);
    g_free(files->near);
    g_free(files->plain);
    g_hash_table_destroy(files->far);
    g_free(files);
}

void merge_files_begin_input(merge_files *files)
{
    for (uint32_t i = 0; i < files->near_count; i++)
        clear_file(&files->near[i]);
    if (files->near_count > 0)
        memset(files->plain, 0, files->near_count * sizeof *files->plain);
    g_hash_table_remove_all(files->far);
}

uint32_t merge_files_count(const merge_files *files)
{
    return files->written->len - 1;
}

merge_file *merge_files_find(const merge_files *files, uint32_t fid)
{
    merge_file *f = fid < files->near_count ? &files->near[fid]
                    : fid < NEAR_FIDS       ? NULL
                                            : g_hash_table_lookup(files->far, GUINT_TO_POINTER(fid));
    return f != NULL && f->fid != 0 ? f : NULL;
}

static merge_file *entry_for(merge_files *files, uint32_t fid)
{
    merge_file *f;
    if (fid >= NEAR_FIDS) {
        f = g_hash_table_lookup(files->far, GUINT_TO_POINTER(fid));
        if (f == NULL) {
            f = g_new0(merge_file, 1);
            g_hash_table_insert(files->far, GUINT_TO_POINTER(fid), f);
        }
        return f;
    }
    if (fid >= files->near_count) {
        uint32_t count = MIN(fid * 2 + 16, NEAR_FIDS);
        files->near = g_renew(merge_file, files->near, count);
        files->plain = g_renew(uint32_t, files->plain, count);
        memset(files->near + files->near_count, 0, (count - files->near_count) * sizeof *files->near);
        memset(files->plain + files->near_count, 0, (count - files->near_count) * sizeof *files->plain);
        files->near_count = count;
    }
    return &files->near[fid];
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
    gint64 place = (gint64)((uint64_t)parent_first << 32 | line);
    gpointer first = g_hash_table_lookup(files->places, &place);
    if (first != NULL)
        return GPOINTER_TO_UINT(first);
    g_hash_table_insert(files->places, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(fid));
    return fid;
}

/* An eval whose file is not known is taken for a file: such come before it, and mostly it never comes. */
void merge_files_learn(merge_files *files, const nytp_chunk *new_fid)
{
    merge_file *file = merge_files_find(files, new_fid->new_fid.fid);
    const merge_file *parent = NULL;
    if (file != NULL)
        return;
    if (new_fid->new_fid.eval_fid != 0)
        parent = merge_files_find(files, new_fid->new_fid.eval_fid);
    uint32_t parent_first = parent != NULL ? parent->first : 0;
    file = entry_for(files, new_fid->new_fid.fid);
    file->is_eval = parent_first != 0;
    file->fid = file->is_eval ? next_fid(files) : fid_of_name(files, &new_fid->new_fid.name);
    file->first =
        file->is_eval ? first_at(files, parent_first, new_fid->new_fid.eval_line, file->fid) : file->fid;
    if (file->first == file->fid && new_fid->new_fid.fid < files->near_count)
        files->plain[new_fid->new_fid.fid] = file->fid;
}

const uint32_t *merge_files_plain(const merge_files *files, size_t *count)
{
    *count = files->near_count;
    return files->plain;
}

void merge_files_settle(merge_files *files)
{
    for (uint32_t i = 0; i < files->near_count; i++)
        if (files->near[i].moved == NULL)
            files->plain[i] = files->near[i].fid;
}

bool merge_files_translate(merge_files *files, nytp_chunk *new_fid)
{
    const merge_file *file = merge_files_find(files, new_fid->new_fid.fid);
    const merge_file *parent = file->is_eval ? merge_files_find(files, new_fid->new_fid.eval_fid) : NULL;
    new_fid->new_fid.fid = file->fid;
    new_fid->new_fid.eval_fid = parent != NULL ? parent->fid : 0;
    bool *written = &g_array_index(files->written, bool, file->fid);
    bool is_new = !*written;
    *written = true;
    return is_new;
}

void merge_file_move(merge_file *file, merge_lines lines)
{
    if (file->moved == NULL)
        file->moved = g_array_new(FALSE, FALSE, sizeof(merge_lines));
    g_array_append_val(file->moved, lines);
}

bool merge_file_is_moved(const merge_file *file, uint32_t line)
{
    if (file->moved != NULL)
        for (guint i = 0; i < file->moved->len; i++) {
            const merge_lines *lines = &g_array_index(file->moved, merge_lines, i);
            if (lines->first <= line && line <= lines->last)
                return true;
        }
    return false;
}
