#include "merge/fid_map.h"

#include "base/order.h"
#include "model/grow.h"
#include "model/names.h"
#include "model/records.h"

#include <glib.h>

/* Fids of an input below this have an entry in direct, which grows with the largest of them. */
enum { DIRECT_FIDS = 1 << 16 };

/* A place where evals are executed: a line of a file, or of evals that are of one place. */
typedef struct eval_place {
    uint32_t parent_first_fid, line;
    uint32_t first_fid; /* of the first eval there */
} eval_place;

/* Lines of the eval with that fid that are shown in the first eval of its place. */
typedef struct moved_lines {
    uint32_t fid, first, last;
} moved_lines;

struct nytp_fid_map {
    nytp_names *names;   /* of files that are not evals */
    GArray *fid_of;      /* uint32_t, by number of the name */
    nytp_records places; /* eval_place */
    GArray *translated;  /* bool, by merged fid: nytp_fid_map_translate() has returned its NEW_FID */

    /* of the current input */
    nytp_records input; /* nytp_mapped_file */
    GArray *direct;     /* uint32_t: merged fids by the input's */
    GArray *moved;      /* moved_lines; after nytp_fid_map_end_moves() sorted and without overlaps */
};

nytp_fid_map *nytp_fid_map_new(void)
{
    nytp_fid_map *map = g_new0(nytp_fid_map, 1);
    map->names = nytp_names_new();
    map->fid_of = NYTP_ARRAY(uint32_t);
    nytp_records_init(&map->places, sizeof(eval_place), offsetof(eval_place, first_fid));
    map->translated = NYTP_ZEROED_ARRAY(bool);
    g_array_set_size(map->translated, 1); /* fids begin with 1 */
    nytp_records_init(&map->input, sizeof(nytp_mapped_file), offsetof(nytp_mapped_file, fid));
    map->direct = NYTP_ZEROED_ARRAY(uint32_t);
    map->moved = NYTP_ARRAY(moved_lines);
    return map;
}

void nytp_fid_map_free(nytp_fid_map *map)
{
    if (map == NULL)
        return;
    nytp_names_free(map->names);
    g_array_free(map->fid_of, TRUE);
    nytp_records_clear(&map->places);
    g_array_free(map->translated, TRUE);
    nytp_records_clear(&map->input);
    g_array_free(map->direct, TRUE);
    g_array_free(map->moved, TRUE);
    g_free(map);
}

void nytp_fid_map_begin_input(nytp_fid_map *map)
{
    nytp_records_clear(&map->input);
    nytp_records_init(&map->input, sizeof(nytp_mapped_file), offsetof(nytp_mapped_file, fid));
    g_array_set_size(map->direct, 0);
    g_array_set_size(map->moved, 0);
}

uint32_t nytp_fid_map_count(const nytp_fid_map *map)
{
    return map->translated->len - 1;
}

nytp_mapped_file *nytp_fid_map_find(const nytp_fid_map *map, uint32_t fid)
{
    return nytp_records_find(&map->input, &(nytp_mapped_file){.input_fid = fid});
}

static void set_direct(nytp_fid_map *map, const nytp_mapped_file *file)
{
    uint32_t fid = file->input_fid;
    if (fid >= DIRECT_FIDS)
        return;
    if (fid >= map->direct->len)
        g_array_set_size(map->direct, fid + 1);
    g_array_index(map->direct, uint32_t, fid) = file->fid;
}

static uint32_t next_fid(nytp_fid_map *map)
{
    g_array_set_size(map->translated, map->translated->len + 1);
    return map->translated->len - 1;
}

static uint32_t fid_of_name(nytp_fid_map *map, const nytp_str *name)
{
    bool added;
    uint32_t number = nytp_names_intern(map->names, name, &added);
    if (added) {
        uint32_t fid = next_fid(map);
        g_array_append_val(map->fid_of, fid);
    }
    return g_array_index(map->fid_of, uint32_t, number);
}

/* Returns the fid of the first eval of that place. If the place has none, that is fid. */
static uint32_t first_at(nytp_fid_map *map, uint32_t parent_first_fid, uint32_t line, uint32_t fid)
{
    const eval_place place = {parent_first_fid, line, fid};
    uint32_t number = nytp_records_number(&map->places, &place, NULL);
    return ((const eval_place *)nytp_records_at(&map->places, number))->first_fid;
}

bool nytp_fid_map_add(nytp_fid_map *map, const nytp_chunk *new_fid)
{
    nytp_mapped_file file = {.input_fid = new_fid->new_fid.fid};
    const nytp_mapped_file *known = nytp_fid_map_find(map, file.input_fid), *parent = NULL;
    if (known != NULL)
        return known->is_eval || known->fid == fid_of_name(map, &new_fid->new_fid.name);
    if (new_fid->new_fid.eval_fid != 0)
        parent = nytp_fid_map_find(map, new_fid->new_fid.eval_fid);
    file.is_eval = parent != NULL;
    file.fid = file.is_eval ? next_fid(map) : fid_of_name(map, &new_fid->new_fid.name);
    file.first_fid =
        file.is_eval ? first_at(map, parent->first_fid, new_fid->new_fid.eval_line, file.fid) : file.fid;
    nytp_records_number(&map->input, &file, NULL);
    if (file.first_fid == file.fid)
        set_direct(map, &file);
    return true;
}

const uint32_t *nytp_fid_map_direct(const nytp_fid_map *map, size_t *count)
{
    *count = map->direct->len;
    return (const uint32_t *)(const void *)map->direct->data;
}

bool nytp_fid_map_translate(nytp_fid_map *map, nytp_chunk *new_fid)
{
    const nytp_mapped_file *file = nytp_fid_map_find(map, new_fid->new_fid.fid);
    const nytp_mapped_file *parent = file->is_eval ? nytp_fid_map_find(map, new_fid->new_fid.eval_fid) : NULL;
    new_fid->new_fid.fid = file->fid;
    new_fid->new_fid.eval_fid = parent != NULL ? parent->fid : 0;
    bool *written = &g_array_index(map->translated, bool, file->fid);
    bool is_new = !*written || file->is_eval;
    *written = true;
    return is_new;
}

void nytp_fid_map_move_lines(nytp_fid_map *map, nytp_mapped_file *file, uint32_t first_line,
                             uint32_t last_line)
{
    const moved_lines lines = {file->fid, first_line, last_line};
    if (first_line > last_line)
        return;
    file->has_moved = true;
    g_array_append_val(map->moved, lines);
}

static gint compare_moved(gconstpointer x, gconstpointer y)
{
    const moved_lines *a = x, *b = y;
    return nytp_order2(NYTP_ORDER(a->fid, b->fid), NYTP_ORDER(a->first, b->first));
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

void nytp_fid_map_end_moves(nytp_fid_map *map)
{
    sort_moved(map->moved);
    NYTP_EACH_RECORD(const nytp_mapped_file, file, &map->input)
        if (!file->has_moved)
            set_direct(map, file);
}

static bool has_moved(const nytp_fid_map *map, const nytp_mapped_file *file, uint32_t line)
{
    const moved_lines *all = (const moved_lines *)(const void *)map->moved->data;
    guint after; /* the last one that begins at the line or before it */
    NYTP_SEARCH(after, map->moved->len,
                all[after].fid < file->fid || (all[after].fid == file->fid && all[after].first <= line));
    return after > 0 && all[after - 1].fid == file->fid && line <= all[after - 1].last;
}

uint32_t nytp_fid_map_place(const nytp_fid_map *map, const nytp_mapped_file *file, uint32_t line)
{
    return file->has_moved && has_moved(map, file, line) ? file->first_fid : file->fid;
}
