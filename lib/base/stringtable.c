/* Byte strings by number: an array of them, and a hash table that finds them. The bytes are in blocks, one
 * string after another, since there may be millions. */
#include "base/stringtable.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const char *bytes;
    uint32_t hash;
    uint32_t length : 31;
    uint32_t utf8 : 1;
} entry;

typedef struct block {
    struct block *before;
    char bytes[];
} block;

struct nytp_strings {
    entry *entries;
    uint32_t count;
    size_t capacity;
    nytp_slots slots;
    block *last;
    char *free; /* in the last block */
    size_t free_bytes;
    size_t block_bytes; /* of all blocks */
};

/* What a string is found by. */
typedef struct key {
    const nytp_strings *strings;
    const char *bytes;
    size_t length;
    uint32_t hash;
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
    for (block *b = strings->last, *before; b != NULL; b = before) {
        before = b->before;
        free(b);
    }
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
    return s->block_bytes + s->capacity * sizeof *s->entries + (s->slots.mask + 1) * sizeof *s->slots.at;
}

nytp_str nytp_strings_str(const nytp_strings *strings, uint32_t number)
{
    const entry *e = &strings->entries[number];
    return (nytp_str){e->bytes, e->length, e->utf8};
}

const char *nytp_strings_get(const nytp_strings *strings, uint32_t number, size_t *length)
{
    *length = strings->entries[number].length;
    return strings->entries[number].bytes;
}

static inline key key_of(const nytp_strings *s, const char *bytes, size_t length)
{
    return (key){s, bytes, length, (uint32_t)nytp_hash_bytes(bytes, length)};
}

int64_t nytp_strings_find(const nytp_strings *strings, const void *bytes, size_t length)
{
    const key k = key_of(strings, bytes, length);
    return (int64_t)*nytp_slots_find(&strings->slots, k.hash, is_same, &k) - 1;
}

/* Returns space for that many bytes, which stays where it is; NULL when out of memory. Blocks grow with what
 * there is. */
static char *take_bytes(nytp_strings *s, size_t size)
{
    enum { LEAST = 1 << 9, MOST = 1 << 20 };
    if (size > s->free_bytes) {
        size_t usual = s->block_bytes / 4 < LEAST  ? LEAST
                       : s->block_bytes / 4 > MOST ? MOST
                                                   : s->block_bytes / 4;
        size_t block_size = size > usual ? size : usual;
        block *b = malloc(sizeof *b + block_size);
        if (b == NULL)
            return NULL;
        b->before = s->last;
        s->last = b;
        s->free = b->bytes;
        s->free_bytes = block_size;
        s->block_bytes += sizeof *b + block_size;
    }
    char *taken = s->free;
    s->free += size;
    s->free_bytes -= size;
    return taken;
}

/* Makes space for one more entry. Returns false when out of memory, which leaves the table as it was. */
static bool reserve(nytp_strings *s)
{
    entry *entries = nytp_grow(s->entries, &s->capacity, (size_t)s->count + 1, sizeof *entries);
    if (entries == NULL)
        return false;
    s->entries = entries;
    return !nytp_slots_full(&s->slots, s->count + 1) || resize_slots(s, (s->slots.mask + 1) * 2);
}

static int64_t add(nytp_strings *s, const key *k, bool utf8)
{
    char *copy = k->length <= INT32_MAX && reserve(s) ? take_bytes(s, k->length + 1) : NULL;
    if (copy == NULL)
        return NYTP_STRINGS_NO_MEMORY;
    if (k->length > 0)
        memcpy(copy, k->bytes, k->length);
    copy[k->length] = '\0';
    *nytp_slots_find(&s->slots, k->hash, is_same, k) = s->count + 1;
    s->entries[s->count] = (entry){copy, k->hash, (uint32_t)k->length & INT32_MAX, utf8};
    return s->count++;
}

int64_t nytp_strings_intern_str(nytp_strings *strings, const nytp_str *string)
{
    const key k = key_of(strings, string->bytes, string->length);
    uint32_t slot = *nytp_slots_find(&strings->slots, k.hash, is_same, &k);
    return slot != 0 ? (int64_t)slot - 1 : add(strings, &k, string->utf8);
}

int64_t nytp_strings_intern(nytp_strings *strings, const void *bytes, size_t length)
{
    return nytp_strings_intern_str(strings, &(nytp_str){bytes, length, false});
}
