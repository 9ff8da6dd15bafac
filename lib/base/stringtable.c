/* Byte strings by number: an array of them, and a hash table that finds them. */
#include "base/stringtable.h"

#include "base/hash.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

enum { MALLOC_BYTES = 16 /* about what malloc() adds to a string */ };

typedef struct entry {
    char *bytes;
    size_t length;
    uint64_t hash;
} entry;

struct nytp_strings {
    entry *entries;
    uint32_t count, capacity;
    size_t text_bytes; /* of all strings, with what malloc() takes for each */
    nytp_slots slots;
};

/* What a string is found by. */
typedef struct key {
    const nytp_strings *strings;
    const void *bytes;
    size_t length;
    uint64_t hash;
} key;

static inline bool is_same(const void *context, uint32_t number)
{
    const key *k = context;
    const entry *e = &k->strings->entries[number];
    return e->hash == k->hash && e->length == k->length &&
           (k->length == 0 || memcmp(e->bytes, k->bytes, k->length) == 0);
}

static inline uint64_t hash_of(const void *entries, uint32_t number)
{
    return ((const entry *)entries)[number].hash;
}

static bool resize_slots(nytp_strings *s, size_t slot_count)
{
    uint32_t *memory = calloc(slot_count, sizeof *memory), *old = s->slots.at;
    if (memory == NULL)
        return false;
    nytp_slots_fill(&s->slots, memory, slot_count, s->count, hash_of, s->entries);
    free(old);
    return true;
}

nytp_strings *nytp_strings_new(void)
{
    enum { FIRST_SLOTS = 64 };
    nytp_strings *s = calloc(1, sizeof *s);
    if (s != NULL && !resize_slots(s, FIRST_SLOTS)) {
        free(s);
        return NULL;
    }
    return s;
}

void nytp_strings_free(nytp_strings *strings)
{
    if (strings == NULL)
        return;
    for (uint32_t i = 0; i < strings->count; i++)
        free(strings->entries[i].bytes);
    free(strings->entries);
    free(strings->slots.at);
    free(strings);
}

uint32_t nytp_strings_count(const nytp_strings *strings)
{
    return strings->count;
}

size_t nytp_strings_bytes(const nytp_strings *s)
{
    return s->text_bytes + s->capacity * sizeof *s->entries + (s->slots.mask + 1) * sizeof *s->slots.at;
}

const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length)
{
    *length = strings->entries[number].length;
    return strings->entries[number].bytes;
}

static key key_of(const nytp_strings *s, const void *bytes, size_t length)
{
    return (key){s, bytes, length, nytp_hash_bytes(bytes, length)};
}

int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length)
{
    const key k = key_of(strings, bytes, length);
    return (int64_t)*nytp_slots_find(&strings->slots, k.hash, is_same, &k) - 1;
}

/* Makes space for one more entry. Returns false when out of memory, which leaves the table as it was. */
static bool reserve(nytp_strings *s)
{
    if (s->count == s->capacity) {
        uint32_t capacity = s->capacity * 2 + 32;
        entry *entries = realloc(s->entries, capacity * sizeof *entries);
        if (entries == NULL)
            return false;
        s->entries = entries;
        s->capacity = capacity;
    }
    return !nytp_slots_full(&s->slots, s->count + 1) || resize_slots(s, (s->slots.mask + 1) * 2);
}

int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length)
{
    const key k = key_of(strings, bytes, length);
    uint32_t slot = *nytp_slots_find(&strings->slots, k.hash, is_same, &k);
    if (slot != 0)
        return slot - 1;
    char *copy = malloc(length + 1);
    if (copy == NULL || !reserve(strings)) {
        free(copy);
        return NYTP_STRINGS_NO_MEMORY;
    }
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    *nytp_slots_find(&strings->slots, k.hash, is_same, &k) = strings->count + 1;
    entry *added = &strings->entries[strings->count];
    added->bytes = copy;
    added->length = length;
    added->hash = k.hash;
    strings->text_bytes += length + MALLOC_BYTES;
    return strings->count++;
}
