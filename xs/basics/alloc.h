/* Memory that the collector cannot do without. If there is none, a reserve is given up first, so that a
 * program that perl ends because of that has a whole profile. After it, each function prints a message and
 * ends the process with the status that perl ends it with, 1. */
#pragma once

#include "base/hash.h"
#include "base/slots.h"
#include "base/stringtable.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sets reserves aside, that many for the process: one for a program that runs on, and with heap= another for
 * its records of memory. */
void prof_memory_reserve(int count);

void *prof_alloc(size_t size) __attribute__((returns_nonnull)); /* zeroed */
void *prof_realloc(void *old, size_t size) __attribute__((returns_nonnull));
char *prof_strdup(const char *text) __attribute__((returns_nonnull));

/* Zeroed memory of whole pages, for tables that a forked child empties. prof_clear_pages() replaces the pages
 * by new ones instead of writing to them: the child would copy each page of its parent first. */
void *prof_alloc_pages(size_t size) __attribute__((returns_nonnull));
void prof_clear_pages(void *pages, size_t size);
void prof_free_pages(void *pages, size_t size);

/* Grows an array, if necessary, so that index is below its capacity *cap. Returns the array; new elements are
 * not initialized. Leaves errno alone. */
void *prof_grow(void *array, uint32_t *cap, uint32_t index, size_t element_size)
    __attribute__((returns_nonnull));

/* Grows an array of entries that is full, and the hash table that finds them. Returns the array. Leaves errno
 * alone. */
void *prof_grow_entries(void *entries, uint32_t count, uint32_t *cap, size_t entry_size, nytp_slots *slots,
                        nytp_slots_hash_fn *hash_at) __attribute__((returns_nonnull));

/* A table of entries of one type, each found by its key: its first bytes, which have no padding. Begins as
 * zeros; the owner frees at and slots.at. */
typedef struct prof_entries {
    void *at;
    uint32_t count, cap;
    nytp_slots slots;
} prof_entries;

/* For the functions below: entries, and the key that is looked for. */
typedef struct prof_entry_keys {
    void *at;
    const void *wanted;
    size_t entry_size, key_size;
} prof_entry_keys;

static inline bool prof_entry_has_key(const void *keys, uint32_t number)
{
    const prof_entry_keys *k = keys;
    return memcmp((const char *)k->at + number * k->entry_size, k->wanted, k->key_size) == 0;
}

static inline uint64_t prof_entry_hash(const void *keys, uint32_t number)
{
    const prof_entry_keys *k = keys;
    return nytp_hash_bytes((const char *)k->at + number * k->entry_size, k->key_size);
}

__attribute__((always_inline)) static inline uint32_t *prof_entry_slot(const prof_entries *e, const void *key,
                                                                       size_t entry_size, size_t key_size)
{
    const prof_entry_keys k = {e->at, key, entry_size, key_size};
    return nytp_slots_find(&e->slots, nytp_hash_bytes(key, key_size), prof_entry_has_key, &k);
}

/* Makes room for more entries. Keeps errno. */
void prof_entries_grow(prof_entries *e, size_t entry_size, size_t key_size);

/* Return the number of the entry with that key + 1; 0 if there is none, which the second adds as it is given,
 * as the last one. The sizes are constants. */
static inline uint32_t prof_entries_find(const prof_entries *e, const void *key, size_t entry_size,
                                         size_t key_size)
{
    return e->count > 0 ? *prof_entry_slot(e, key, entry_size, key_size) : 0;
}

__attribute__((always_inline)) static inline uint32_t prof_entries_add(prof_entries *e, const void *entry,
                                                                       size_t entry_size, size_t key_size)
{
    if (e->count == e->cap)
        prof_entries_grow(e, entry_size, key_size);
    uint32_t *slot = prof_entry_slot(e, entry, entry_size, key_size);
    if (*slot != 0)
        return *slot;
    memcpy((char *)e->at + e->count * entry_size, entry, entry_size);
    *slot = ++e->count;
    return 0;
}

/* Empties the table, which keeps its memory. */
void prof_entries_forget(prof_entries *e);

/* Tables of strings (base/stringtable.h). They are not perl hashes, because they must outlive the
 * interpreter's. prof_strings_intern() returns the number of a string, which it adds if it is new. */
nytp_strings *prof_strings_new(void) __attribute__((returns_nonnull));
uint32_t prof_strings_intern(nytp_strings *strings, const void *bytes, size_t length);
