#include "base/stringtable.h"

#include "base/hash.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *bytes;
    size_t length;
    uint64_t hash;
} entry;

struct nytp_strings {
    entry *entries;
    uint32_t count, room;
    uint32_t *slots; /* number + 1; 0: free */
    uint32_t mask;   /* at most half of the slots are taken */
};

nytp_strings *nytp_strings_new(void)
{
    enum { FIRST_SLOTS = 64 };
    nytp_strings *s = calloc(1, sizeof *s);
    uint32_t *slots = calloc(FIRST_SLOTS, sizeof *slots);
    if (s == NULL || slots == NULL) {
        free(s);
        free(slots);
        return NULL;
    }
    s->slots = slots;
    s->mask = FIRST_SLOTS - 1;
    return s;
}

void nytp_strings_free(nytp_strings *strings)
{
    if (strings == NULL)
        return;
    for (uint32_t i = 0; i < strings->count; i++)
        free(strings->entries[i].bytes);
    free(strings->entries);
    free(strings->slots);
    free(strings);
}

uint32_t nytp_strings_count(const nytp_strings *strings)
{
    return strings->count;
}

const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length)
{
    *length = strings->entries[number].length;
    return strings->entries[number].bytes;
}

/* The slot that holds the string, or the free one where it would go. */
static uint32_t slot_of(const nytp_strings *s, const void *bytes, size_t length, uint64_t hash)
{
    uint32_t i = (uint32_t)hash & s->mask;
    for (; s->slots[i] != 0; i = (i + 1) & s->mask) {
        const entry *e = &s->entries[s->slots[i] - 1];
        if (e->hash == hash && e->length == length && (length == 0 || memcmp(e->bytes, bytes, length) == 0))
            return i;
    }
    return i;
}

int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length)
{
    uint32_t i = slot_of(strings, bytes, length, nytp_hash_bytes(bytes, length));
    return (int64_t)strings->slots[i] - 1;
}

static bool grow_slots(nytp_strings *s)
{
    uint32_t mask = s->mask * 2 + 1;
    uint32_t *slots = calloc((size_t)mask + 1, sizeof *slots);
    if (slots == NULL)
        return false;
    for (uint32_t n = 0; n < s->count; n++) {
        uint32_t i = (uint32_t)s->entries[n].hash & mask;
        while (slots[i] != 0)
            i = (i + 1) & mask;
        slots[i] = n + 1;
    }
    free(s->slots);
    s->slots = slots;
    s->mask = mask;
    return true;
}

static bool make_room(nytp_strings *s)
{
    if (s->count == s->room) {
        uint32_t room = s->room * 2 + 32;
        entry *entries = realloc(s->entries, room * sizeof *entries);
        if (entries == NULL)
            return false;
        s->entries = entries;
        s->room = room;
    }
    return s->count < s->mask / 2 || grow_slots(s);
}

int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length)
{
    uint64_t hash = nytp_hash_bytes(bytes, length);
    uint32_t i = slot_of(strings, bytes, length, hash);
    if (strings->slots[i] != 0)
        return strings->slots[i] - 1;
    char *copy = malloc(length + 1);
    if (copy == NULL || !make_room(strings)) {
        free(copy);
        return NYTP_STRINGS_NO_MEMORY;
    }
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    entry *added = &strings->entries[strings->count];
    added->bytes = copy;
    added->length = length;
    added->hash = hash;
    strings->slots[slot_of(strings, bytes, length, hash)] = strings->count + 1;
    return strings->count++;
}
