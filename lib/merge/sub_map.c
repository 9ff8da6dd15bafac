#include "merge/sub_map.h"

#include "model/grow.h"
#include "model/records.h"

#include <string.h>

/* A sub at a line range of a file. */
typedef struct sub_range {
    uint32_t fid, name;
    uint32_t first_line, last_line;
    uint32_t last_definer; /* the last in the ring of its definers: number + 1; 0: only fid defines it */
    uint32_t put_number;   /* how many ranges had been put with it; 0: it was not put */
    uint32_t put_definer;  /* last_definer then */
} sub_range;

/* An eval that defines a range. The definers of a range are linked in a ring. */
typedef struct definer {
    uint32_t fid;
    uint32_t next; /* number of the next one */
} definer;

/* A SUB_INFO with the input's fids. */
typedef struct added_sub {
    uint32_t fid, name;
    uint32_t first_line, last_line;
    uint32_t ranges_end; /* index in added_ranges past its own, which follow those of the one before */
} added_sub;

struct nytp_sub_map {
    nytp_names *names;
    nytp_records ranges;   /* sub_range */
    nytp_records first_of; /* sub_range, by first_fid and name: where evals of one place had a sub first */
    GArray *definers;      /* definer */
    GArray *added;         /* added_sub: those of the current input */
    GArray *added_ranges;  /* uint32_t: numbers */
    uint32_t put_count;    /* how many ranges were put */
};

static bool same_lines(const sub_range *a, const sub_range *b)
{
    return a->first_line == b->first_line && a->last_line == b->last_line;
}

nytp_sub_map *nytp_sub_map_new(nytp_names *names)
{
    nytp_sub_map *map = g_new0(nytp_sub_map, 1);
    map->names = names;
    nytp_records_init(&map->ranges, sizeof(sub_range), offsetof(sub_range, last_definer));
    nytp_records_init(&map->first_of, sizeof(sub_range), offsetof(sub_range, first_line));
    map->definers = NYTP_ARRAY(definer);
    map->added = NYTP_ARRAY(added_sub);
    map->added_ranges = NYTP_ARRAY(uint32_t);
    return map;
}

void nytp_sub_map_free(nytp_sub_map *map)
{
    if (map == NULL)
        return;
    nytp_records_clear(&map->ranges);
    nytp_records_clear(&map->first_of);
    g_array_free(map->definers, TRUE);
    g_array_free(map->added, TRUE);
    g_array_free(map->added_ranges, TRUE);
    g_free(map);
}

/* Whether the name of a sub contains that of its eval: __ANON__[(eval 7)[...]:1]. */
static bool names_its_eval(nytp_str name)
{
    static const char mark[] = "__ANON__[(eval";
    return memmem(name.bytes, name.length, mark, sizeof mark - 1) != NULL;
}

static void add_definer(nytp_sub_map *map, sub_range *range, uint32_t fid)
{
    definer *all = (definer *)(void *)map->definers->data, added = {fid, map->definers->len};
    if (range->last_definer != 0) {
        definer *last = &all[range->last_definer - 1];
        if (last->fid == fid)
            return;
        added.next = last->next;
        last->next = map->definers->len;
    }
    g_array_append_val(map->definers, added);
    range->last_definer = map->definers->len;
}

/* Adds the range, which the file with that fid defines, to those of the current addition. */
static void add_range(nytp_sub_map *map, const sub_range *key, uint32_t fid)
{
    bool is_new;
    uint32_t number = nytp_records_number(&map->ranges, key, &is_new);
    sub_range *range = nytp_records_at(&map->ranges, number);
    g_array_append_val(map->added_ranges, number);
    if (range->last_definer == 0 && fid == range->fid)
        return;
    if (range->last_definer == 0 && !is_new)
        add_definer(map, range, range->fid);
    add_definer(map, range, fid);
}

/* Returns the fid of the eval in which a sub of this eval is shown: the first one of the place, to which the
 * lines then move, if the sub is at the lines where it was seen first; otherwise this eval. */
static uint32_t shown_in(nytp_sub_map *map, nytp_fid_map *fids, nytp_mapped_file *file,
                         const sub_range *range)
{
    sub_range in_first = *range;
    in_first.fid = file->first_fid;
    uint32_t number = nytp_records_number(&map->first_of, &in_first, NULL);
    if (!same_lines(nytp_records_at(&map->first_of, number), range))
        return file->fid;
    if (file->first_fid != file->fid)
        nytp_fid_map_move_lines(fids, file, range->first_line, range->last_line);
    return file->first_fid;
}

static void place_one(nytp_sub_map *map, nytp_fid_map *fids, const added_sub *added, uint32_t definer_fid)
{
    nytp_mapped_file *file = nytp_fid_map_find(fids, definer_fid);
    sub_range range = {.name = added->name, .first_line = added->first_line, .last_line = added->last_line};
    if (file == NULL && definer_fid != 0)
        return;
    uint32_t fid = file != NULL ? file->fid : 0;
    bool may_move = file != NULL && file->is_eval && !names_its_eval(nytp_names_get(map->names, added->name));
    range.fid = may_move ? shown_in(map, fids, file, &range) : fid;
    add_range(map, &range, fid);
}

/* Without definers, the file of the sub defines it. */
static void add(nytp_sub_map *map, nytp_fid_map *fids, added_sub added, const uint32_t *definers,
                size_t count)
{
    if (count == 0)
        place_one(map, fids, &added, added.fid);
    for (size_t i = 0; i < count; i++)
        place_one(map, fids, &added, definers[i]);
    added.ranges_end = map->added_ranges->len;
    g_array_append_val(map->added, added);
}

void nytp_sub_map_add(nytp_sub_map *map, nytp_fid_map *fids, const nytp_chunk *sub_info,
                      const uint32_t *definers, size_t count)
{
    const added_sub added = {.fid = sub_info->sub_info.fid,
                             .name = nytp_names_intern(map->names, &sub_info->sub_info.name, NULL),
                             .first_line = sub_info->sub_info.first_line,
                             .last_line = sub_info->sub_info.last_line};
    add(map, fids, added, definers, count);
}

void nytp_sub_map_add_definers(nytp_sub_map *map, nytp_fid_map *fids, uint32_t added,
                               const uint32_t *definers, size_t count)
{
    static const added_sub none = {.fid = UINT32_MAX};
    const bool is_known = added < map->added->len;
    add(map, fids, is_known ? g_array_index(map->added, added_sub, added) : none, definers,
        is_known ? count : 0);
}

void nytp_sub_map_begin_input(nytp_sub_map *map)
{
    g_array_set_size(map->added, 0);
    g_array_set_size(map->added_ranges, 0);
}

uint32_t nytp_sub_map_added(const nytp_sub_map *map)
{
    return map->added->len;
}

const uint32_t *nytp_sub_map_ranges_of(const nytp_sub_map *map, uint32_t added, size_t *count)
{
    const uint32_t begin = added > 0 ? g_array_index(map->added, added_sub, added - 1).ranges_end : 0;
    *count = g_array_index(map->added, added_sub, added).ranges_end - begin;
    return (const uint32_t *)(void *)map->added_ranges->data + begin;
}

uint32_t nytp_sub_map_count(const nytp_sub_map *map)
{
    return map->ranges.count;
}

uint32_t nytp_sub_map_name(const nytp_sub_map *map, uint32_t range)
{
    return ((const sub_range *)nytp_records_at(&map->ranges, range))->name;
}

bool nytp_sub_map_is_perl(const nytp_sub_map *map, uint32_t range)
{
    return ((const sub_range *)nytp_records_at(&map->ranges, range))->first_line > 0;
}

bool nytp_sub_map_was_put(const nytp_sub_map *map, uint32_t range)
{
    return ((const sub_range *)nytp_records_at(&map->ranges, range))->put_number != 0;
}

/* Lists the fids of a range's definers that follow the one with the number after - 1, in order of first
 * sight. after: 0 for all. */
static void list_definers(const nytp_sub_map *map, const sub_range *range, uint32_t after, GArray *fids)
{
    const definer *all = (const definer *)(const void *)map->definers->data;
    g_array_set_size(fids, 0);
    if (range->last_definer == after)
        return;
    uint32_t number = (after != 0 ? after : range->last_definer) - 1;
    do {
        number = all[number].next;
        g_array_append_val(fids, all[number].fid);
    } while (number != range->last_definer - 1);
}

void nytp_sub_map_put(nytp_sub_map *map, uint32_t range, nytp_sub_map_fn *put, void *context)
{
    g_autoptr(GArray) fids = NYTP_ARRAY(uint32_t);
    sub_range *r = nytp_records_at(&map->ranges, range);
    const nytp_chunk chunk = {.tag = NYTP_SUB_INFO,
                              .sub_info = {.fid = r->fid,
                                           .name = nytp_names_get(map->names, r->name),
                                           .first_line = r->first_line,
                                           .last_line = r->last_line}};
    list_definers(map, r, 0, fids);
    r->put_number = ++map->put_count;
    r->put_definer = r->last_definer;
    put(context, &chunk, (const uint32_t *)(void *)fids->data, fids->len);
}

void nytp_sub_map_put_rest(nytp_sub_map *map, nytp_sub_map_fn *put, nytp_sub_map_later_fn *put_later,
                           void *context)
{
    g_autoptr(GArray) fids = NYTP_ARRAY(uint32_t);
    for (uint32_t i = 0; i < map->ranges.count; i++)
        if (!nytp_sub_map_was_put(map, i))
            nytp_sub_map_put(map, i, put, context);
    NYTP_EACH_RECORD(const sub_range, r, &map->ranges) {
        list_definers(map, r, r->put_definer, fids);
        if (fids->len > 0)
            put_later(context, r->put_number, (const uint32_t *)(void *)fids->data, fids->len);
    }
}
