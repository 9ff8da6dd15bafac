#include "report.h"

#include "json.h"

#include "base/order.h"
#include "base/str.h"
#include "model/hashes.h"

#include <string.h>

enum { BLOCK_BYTES = 256 << 10, NO_FILE = -1 };

typedef struct place {
    uint64_t from, bytes;
} place;

struct html_source {
    GHashTable *places;         /* fid of the report: place */
    GHashTable *current_places; /* fid of the input: place */
    int64_t file;               /* the one that is being added; NO_FILE */
    place *current;             /* NULL: lines of file are left out */
    uint32_t next_line;
    html_pack *pack;
    guint blocks;      /* how many have begun */
    uint64_t size;     /* of the whole stream */
    size_t block_left; /* bytes; 0: the next one has not begun */
};

html_source *html_source_new(void)
{
    html_source *s = g_new0(html_source, 1);
    s->places = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    s->current_places = g_hash_table_new_full(nytp_hash_of_number, NULL, NULL, g_free);
    s->file = NO_FILE;
    s->pack = html_pack_new();
    return s;
}

void html_source_free(html_source *source)
{
    if (source == NULL)
        return;
    html_pack_free(source->pack);
    g_hash_table_destroy(source->places);
    g_hash_table_destroy(source->current_places);
    g_free(source);
}

static void append(html_source *s, const char *bytes, size_t length)
{
    s->current->bytes += length;
    s->size += length;
    while (length > 0) {
        if (s->block_left == 0) {
            s->blocks++;
            s->block_left = BLOCK_BYTES;
        }
        size_t part = MIN(length, s->block_left);
        html_pack_add(s->pack, bytes, part);
        bytes += part;
        length -= part;
        if ((s->block_left -= part) == 0)
            html_pack_end(s->pack);
    }
}

/* As it is where it is UTF-8, else as Latin-1: so perl reads source. */
static void append_text(html_source *s, nytp_str text)
{
    if (text.length == 0)
        return;
    if (g_utf8_validate_len(text.bytes, text.length, NULL)) {
        append(s, text.bytes, text.length);
        return;
    }
    g_autoptr(GString) made = g_string_sized_new(text.length + text.length / 2);
    for (size_t i = 0; i < text.length; i++)
        g_string_append_unichar(made, text.bytes[i] != '\0' ? (unsigned char)text.bytes[i] : 0x2400);
    append(s, made->str, made->len);
}

static void begin_file(html_source *s, uint32_t fid)
{
    gpointer key = GUINT_TO_POINTER(fid);
    s->file = fid;
    s->next_line = 1;
    s->current = NULL;
    if (g_hash_table_contains(s->current_places, key))
        return;
    s->current = g_new0(place, 1);
    s->current->from = s->size;
    g_hash_table_insert(s->current_places, key, s->current);
}

void html_source_add(html_source *source, uint32_t fid, uint32_t line, nytp_str text)
{
    enum { WIDEST_GAP = 1 << 16 }; /* lines; only a damaged profile has more without text */
    if (source->file != fid)
        begin_file(source, fid);
    if (source->current == NULL || line < source->next_line || line - source->next_line > WIDEST_GAP)
        return;
    for (; source->next_line < line; source->next_line++)
        append(source, "\n", 1);
    source->next_line++;
    while (text.length > 0 && (text.bytes[text.length - 1] == '\n' || text.bytes[text.length - 1] == '\r'))
        text.length--;
    for (const char *end; text.length > 0 && (end = memchr(text.bytes, '\n', text.length)) != NULL;) {
        nytp_str part = {text.bytes, (size_t)(end - text.bytes), text.utf8};
        append_text(source, part);
        append(source, " ", 1); /* a line of the profile is one line here */
        text.length -= part.length + 1;
        text.bytes = end + 1;
    }
    append_text(source, text);
    append(source, "\n", 1);
}

static int by_number(const void *a, const void *b)
{
    const guint x = GPOINTER_TO_UINT(*(const gpointer *)a), y = GPOINTER_TO_UINT(*(const gpointer *)b);
    return NYTP_ORDER(x, y);
}

/* Of files that become one, the first with text counts. */
void html_source_end_input(html_source *source, html_source_map_fn *to, const void *context)
{
    guint count;
    g_autofree gpointer *fids = g_hash_table_get_keys_as_array(source->current_places, &count);
    qsort(fids, count, sizeof *fids, by_number);
    for (guint i = 0; i < count; i++) {
        const place *found = g_hash_table_lookup(source->current_places, fids[i]);
        gpointer key = to == NULL ? fids[i] : GUINT_TO_POINTER(to(context, GPOINTER_TO_UINT(fids[i])));
        if (key != NULL && found->bytes > 0 && !g_hash_table_contains(source->places, key))
            g_hash_table_insert(source->places, key, g_memdup2(found, sizeof(place)));
    }
    g_hash_table_remove_all(source->current_places);
    source->file = NO_FILE;
}

void html_source_add_text(html_source *source, uint32_t fid, const char *text, size_t size)
{
    nytp_str rest = {text, size, false};
    for (uint32_t line = 1; rest.length > 0; line++)
        html_source_add(source, fid, line, nytp_str_take_line(&rest));
}

bool html_source_place(const html_source *source, uint32_t fid, uint64_t *from, uint64_t *bytes)
{
    const place *p = g_hash_table_lookup(source->places, GUINT_TO_POINTER(fid));
    if (p == NULL)
        return false;
    *from = p->from;
    *bytes = p->bytes;
    return true;
}

html_pack *html_source_end(html_source *source)
{
    if (source->block_left > 0)
        html_pack_end(source->pack);
    source->block_left = 0;
    return source->pack;
}

size_t html_source_write(html_source *source, FILE *out)
{
    size_t bytes = 0;
    for (guint i = 0; i < source->blocks; i++) {
        char id[32];
        g_snprintf(id, sizeof id, "source-%u", i);
        bytes += html_pack_write(source->pack, id, out);
    }
    return bytes;
}
