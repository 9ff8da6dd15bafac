#include "cover/units.h"

#include "base/dirlist.h"
#include "base/str.h"
#include "format/tags.h"
#include "model/grow.h"
#include "model/hashes.h"

#include <string.h>

static void clear_source(gpointer source)
{
    cover_source *s = source;
    g_free(s->name);
    g_free(s->path);
}

static void clear_unit(gpointer unit)
{
    cover_unit *u = unit;
    g_array_unref(u->points);
    g_free(u->seen);
}

nytp_cover *nytp_cover_new(void)
{
    nytp_cover *cover = g_new0(nytp_cover, 1);
    cover->sources = NYTP_ARRAY(cover_source);
    cover->units = NYTP_ARRAY(cover_unit);
    g_array_set_clear_func(cover->sources, clear_source);
    g_array_set_clear_func(cover->units, clear_unit);
    cover->path_states = NYTP_ARRAY(cover_state);
    cover->source_names = nytp_names_new();
    cover->paths = nytp_names_new();
    cover->unit_keys = nytp_names_new();
    cover->fids = g_hash_table_new(nytp_hash_of_number, NULL);
    cover->numbers = g_hash_table_new(nytp_hash_of_number, NULL);
    return cover;
}

void nytp_cover_free(nytp_cover *cover)
{
    if (cover == NULL)
        return;
    if (cover->files != NULL)
        g_ptr_array_unref(cover->files);
    g_array_unref(cover->sources);
    g_array_unref(cover->units);
    g_array_unref(cover->path_states);
    nytp_names_free(cover->source_names);
    nytp_names_free(cover->paths);
    nytp_names_free(cover->unit_keys);
    g_hash_table_unref(cover->fids);
    g_hash_table_unref(cover->numbers);
    g_free(cover->directory);
    g_free(cover->program);
    g_free(cover->error);
    g_free(cover);
}

uint32_t nytp_cover_tags(void)
{
    return NYTP_BIT(ATTRIBUTE) | NYTP_BIT(NEW_FID) | NYTP_BIT(COVER_UNIT) | NYTP_BIT(COVER_HIT);
}

static void set_directory(nytp_cover *cover, nytp_str list)
{
    nytp_str part;
    g_clear_pointer(&cover->directory, g_free);
    if (!nytp_dirlist_next(&list, &part))
        return;
    cover->directory = g_malloc(part.length + 1);
    *nytp_dirlist_get(cover->directory, part) = '\0';
}

static void set_text(char **to, nytp_str value)
{
    g_free(*to);
    *to = g_strndup(value.bytes, value.length);
}

static void add_attribute(nytp_cover *cover, const nytp_chunk *chunk)
{
    if (nytp_str_is(chunk->attribute.key, "cover_dir"))
        set_directory(cover, chunk->attribute.value);
    else if (nytp_str_is(chunk->attribute.key, "cover"))
        cover->is_cover = true;
    else if (nytp_str_is(chunk->attribute.key, "application"))
        set_text(&cover->program, chunk->attribute.value);
}

static void add_file(nytp_cover *cover, const nytp_chunk *chunk)
{
    const int64_t number = nytp_cover_source(cover, chunk);
    if (number >= 0)
        g_hash_table_insert(cover->fids, GUINT_TO_POINTER(chunk->new_fid.fid),
                            GUINT_TO_POINTER((guint)number + 1));
}

/* Returns whether the point refers to none, or as it must: a statement to what is seen by itself, an operator
 * to one before it. */
static bool is_reference(const GArray *points, guint i)
{
    const nytp_cover_point *p = &g_array_index(points, nytp_cover_point, i);
    if (p->of < 0)
        return true;
    if (p->op != NYTP_COVER_STATEMENT)
        return p->of < i && g_array_index(points, nytp_cover_point, p->of).op != NYTP_COVER_STATEMENT;
    const nytp_cover_point *of = p->of < points->len ? &g_array_index(points, nytp_cover_point, p->of) : NULL;
    return of != NULL && of != p && (of->op != NYTP_COVER_STATEMENT || of->of < 0);
}

/* Returns the points of a list; NULL if it makes no sense. */
static GArray *points_of(nytp_str list, uint32_t count, uint32_t line)
{
    g_autoptr(GArray) points = NYTP_ARRAY(nytp_cover_point);
    nytp_cover_point point;
    while (points->len < count && nytp_cover_point_get(&list, &point, line)) {
        g_array_append_val(points, point);
        line = point.line;
    }
    if (points->len != count || list.length > 0 || count == 0)
        return NULL;
    for (guint i = 0; i < count; i++)
        if (!is_reference(points, i))
            return NULL;
    return g_steal_pointer(&points);
}

/* Returns the number of the unit, which all recordings have in common. Sets *added to whether it is new. */
static uint32_t number_of(nytp_cover *cover, const nytp_chunk *chunk, uint32_t source, bool *added)
{
    g_autoptr(GByteArray) key = g_byte_array_new();
    const uint32_t head[] = {source, chunk->cover_unit.kind, chunk->cover_unit.twin, chunk->cover_unit.line,
                             (uint32_t)chunk->cover_unit.name.length};
    g_byte_array_append(key, (const guint8 *)head, sizeof head);
    g_byte_array_append(key, (const guint8 *)chunk->cover_unit.name.bytes,
                        (guint)chunk->cover_unit.name.length);
    g_byte_array_append(key, (const guint8 *)chunk->cover_unit.list.bytes,
                        (guint)chunk->cover_unit.list.length);
    return nytp_names_intern(cover->unit_keys, &(nytp_str){(const char *)key->data, key->len, false}, added);
}

static bool add_unit(nytp_cover *cover, const nytp_chunk *chunk)
{
    const uint32_t source =
        GPOINTER_TO_UINT(g_hash_table_lookup(cover->fids, GUINT_TO_POINTER(chunk->cover_unit.fid)));
    GArray *points = source != 0
                         ? points_of(chunk->cover_unit.list, chunk->cover_unit.points, chunk->cover_unit.line)
                         : NULL;
    if (points == NULL)
        return false;
    bool is_new;
    const uint32_t number = number_of(cover, chunk, source - 1, &is_new);
    g_hash_table_insert(cover->numbers, GUINT_TO_POINTER(chunk->cover_unit.unit),
                        GUINT_TO_POINTER(number + 1));
    if (!is_new) {
        g_array_unref(points);
        return true;
    }
    const char *name = nytp_names_get(cover->unit_keys, number).bytes + 5 * sizeof(uint32_t);
    const nytp_str *of = &chunk->cover_unit.name;
    const cover_unit u = {.source = source - 1,
                          .kind = chunk->cover_unit.kind,
                          .twin = chunk->cover_unit.twin,
                          .line = chunk->cover_unit.line,
                          .name = {name, of->length, of->utf8},
                          .list = {name + of->length, chunk->cover_unit.list.length, false},
                          .points = points,
                          .seen = g_malloc0(points->len)};
    g_array_append_val(cover->units, u);
    return true;
}

static bool add_hit(nytp_cover *cover, const nytp_chunk *chunk)
{
    const uint32_t number =
        GPOINTER_TO_UINT(g_hash_table_lookup(cover->numbers, GUINT_TO_POINTER(chunk->cover_hit.unit)));
    const cover_unit *u = number != 0 ? &g_array_index(cover->units, cover_unit, number - 1) : NULL;
    if (u == NULL || chunk->cover_hit.point >= u->points->len)
        return false;
    u->seen[chunk->cover_hit.point] |=
        chunk->cover_hit.outcomes & (NYTP_COVER_BOTH_WAYS | NYTP_COVER_BOTH_VALUES);
    return true;
}

static bool add_chunk(nytp_cover *cover, const nytp_chunk *chunk)
{
    switch (chunk->tag) {
    case NYTP_ATTRIBUTE: add_attribute(cover, chunk); return true;
    case NYTP_NEW_FID: add_file(cover, chunk); return true;
    case NYTP_COVER_UNIT: return add_unit(cover, chunk);
    case NYTP_COVER_HIT: return add_hit(cover, chunk);
    default: return true;
    }
}

void nytp_cover_add(nytp_cover *cover, const nytp_chunk *chunk)
{
    if (!add_chunk(cover, chunk) && cover->error == NULL)
        cover->error = g_strdup_printf("offset %llu: %s makes no sense", (unsigned long long)chunk->offset,
                                       nytp_tag_phrase((int)chunk->tag));
}

void nytp_cover_end_recording(nytp_cover *cover)
{
    cover->recordings += cover->is_cover;
    cover->is_cover = false;
    g_clear_pointer(&cover->directory, g_free);
    g_hash_table_remove_all(cover->fids);
    g_hash_table_remove_all(cover->numbers);
}

const char *nytp_cover_error(const nytp_cover *cover)
{
    return cover->error;
}

const char *nytp_cover_program(const nytp_cover *cover)
{
    return cover->program;
}

uint32_t nytp_cover_recordings(const nytp_cover *cover)
{
    return cover->recordings;
}
