#include "texts.h"

#include <glib.h>

enum { FIRST_ROOM = 1 << 10 };

typedef struct text {
    uint64_t place; /* fid and line; 0: a free entry, for no fid is 0 */
    uint64_t hash;
} text;

/* Open addressing; at most half of it is in use. */
struct merge_texts {
    text *table;
    size_t room, count;
};

merge_texts *merge_texts_new(void)
{
    merge_texts *t = g_new0(merge_texts, 1);
    t->room = FIRST_ROOM;
    t->table = g_new0(text, t->room);
    return t;
}

void merge_texts_free(merge_texts *texts)
{
    g_free(texts->table);
    g_free(texts);
}

static text *slot_for(text *table, size_t room, uint64_t place)
{
    size_t at = (size_t)(place * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (room - 1);
    while (table[at].place != 0 && table[at].place != place)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static void grow(merge_texts *t)
{
    size_t room = t->room * 2;
    text *table = g_new0(text, room);
    for (size_t i = 0; i < t->room; i++)
        if (t->table[i].place != 0)
            *slot_for(table, room, t->table[i].place) = t->table[i];
    g_free(t->table);
    t->table = table;
    t->room = room;
}

/* FNV-1a */
static uint64_t hash_of(nytp_str s)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s.length; i++)
        hash = (hash ^ (unsigned char)s.bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool merge_texts_is_new(merge_texts *texts, uint32_t fid, uint32_t line, nytp_str s)
{
    if (texts->count * 2 >= texts->room)
        grow(texts);
    uint64_t place = (uint64_t)fid << 32 | line, hash = hash_of(s);
    text *t = slot_for(texts->table, texts->room, place);
    if (t->place == place && t->hash == hash)
        return false;
    texts->count += t->place == 0;
    *t = (text){place, hash};
    return true;
}
