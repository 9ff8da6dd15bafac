#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    char *bytes;
    size_t length;
    uint64_t hash;
} entry;

struct prof_table {
    entry *entries;
    uint32_t count, room;
    uint32_t *slots; /* number + 1; 0: free */
    uint32_t mask;
};

static void *or_die(void *memory)
{
    if (memory == NULL) {
        fputs("Devel::NYTProf: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *prof_alloc(size_t size)
{
    return or_die(calloc(1, size > 0 ? size : 1));
}

void *prof_realloc(void *old, size_t size)
{
    return or_die(realloc(old, size));
}

char *prof_strdup(const char *text)
{
    return or_die(strdup(text));
}

prof_table *prof_table_new(void)
{
    prof_table *t = prof_alloc(sizeof *t);
    t->mask = 63;
    t->slots = prof_alloc((t->mask + 1) * sizeof *t->slots);
    return t;
}

void prof_table_free(prof_table *table)
{
    if (table == NULL)
        return;
    for (uint32_t i = 0; i < table->count; i++)
        free(table->entries[i].bytes);
    free(table->entries);
    free(table->slots);
    free(table);
}

uint32_t prof_table_count(const prof_table *table)
{
    return table->count;
}

const char *prof_table_get(const prof_table *table, uint32_t number, size_t *length)
{
    *length = table->entries[number].length;
    return table->entries[number].bytes;
}

/* FNV-1a */
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static void grow(prof_table *t)
{
    t->mask = t->mask * 2 + 1;
    free(t->slots);
    t->slots = prof_alloc(((size_t)t->mask + 1) * sizeof *t->slots);
    for (uint32_t n = 0; n < t->count; n++) {
        uint32_t i = (uint32_t)t->entries[n].hash & t->mask;
        while (t->slots[i] != 0)
            i = (i + 1) & t->mask;
        t->slots[i] = n + 1;
    }
}

static uint32_t append(prof_table *t, const char *bytes, size_t length, uint64_t hash)
{
    if (t->count == t->room) {
        t->room = t->room * 2 + 32;
        t->entries = prof_realloc(t->entries, t->room * sizeof *t->entries);
    }
    entry *e = &t->entries[t->count];
    e->bytes = prof_alloc(length);
    memcpy(e->bytes, bytes, length);
    e->length = length;
    e->hash = hash;
    return t->count++;
}

int64_t prof_table_find(prof_table *table, const char *bytes, size_t length, bool add)
{
    uint64_t hash = hash_of(bytes, length);
    uint32_t i = (uint32_t)hash & table->mask;
    for (; table->slots[i] != 0; i = (i + 1) & table->mask) {
        const entry *e = &table->entries[table->slots[i] - 1];
        if (e->hash == hash && e->length == length && memcmp(e->bytes, bytes, length) == 0)
            return table->slots[i] - 1;
    }
    if (!add)
        return -1;
    uint32_t number = append(table, bytes, length, hash);
    table->slots[i] = number + 1;
    if (table->count > table->mask / 2)
        grow(table);
    return number;
}
