#include "basics/alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *map_pages(void *at, size_t size, int flags)
{
    void *pages = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

/* For the sums and names of a large program; untouched pages take no memory. */
enum { RESERVE_BYTES = 8 << 20, RESERVES_MAX = 2 };
static _Atomic(void *) reserves[RESERVES_MAX];

void prof_memory_reserve(int count)
{
    for (int n = 0; n < count; n++)
        if (reserves[n] == NULL)
            reserves[n] = map_pages(NULL, RESERVE_BYTES, MAP_NORESERVE);
}

/* Gives a reserve back to the system. Returns whether there was one. */
static bool release(int number)
{
    void *pages = atomic_exchange(&reserves[number], NULL);
    return pages != NULL && munmap(pages, RESERVE_BYTES) == 0;
}

/* Gives a reserve back to the system. If there is none, does not return. */
static bool release_reserve(void)
{
    static const char message[] = "Devel::NYTProf: out of memory\n";
    for (int n = 0; n < RESERVES_MAX; n++)
        if (release(n))
            return true;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(EXIT_FAILURE);
}

void *prof_alloc(size_t size)
{
    void *memory;
    do
        memory = calloc(1, size > 0 ? size : 1);
    while (memory == NULL && release_reserve());
    return memory;
}

void *prof_realloc(void *old, size_t size)
{
    void *memory;
    do
        memory = realloc(old, size);
    while (memory == NULL && release_reserve());
    return memory;
}

char *prof_strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(prof_alloc(size), text, size);
}

void *prof_alloc_pages(size_t size)
{
    void *pages;
    do
        pages = map_pages(NULL, size, 0);
    while (pages == NULL && release_reserve());
    return pages;
}

void prof_clear_pages(void *pages, size_t size)
{
    if (map_pages(pages, size, MAP_FIXED) == NULL)
        memset(pages, 0, size);
}

void prof_free_pages(void *pages, size_t size)
{
    if (pages != NULL)
        munmap(pages, size);
}

void *prof_grow(void *array, uint32_t *cap, uint32_t index, size_t element_size)
{
    if (index < *cap)
        return array;
    const int error_number = errno;
    *cap = index * 2 + 64;
    array = prof_realloc(array, *cap * element_size);
    errno = error_number;
    return array;
}

/* of: what hash_at is called with; NULL: the entries. */
static void grow_table(void **entries, uint32_t count, uint32_t *cap, size_t entry_size, nytp_slots *slots,
                       nytp_slots_hash_fn *hash_at, const void *of)
{
    const int error_number = errno;
    size_t slot_count = 256;
    *cap = *cap * 2 + 128;
    while (slot_count < (size_t)*cap * 2)
        slot_count *= 2;
    *entries = prof_realloc(*entries, *cap * entry_size);
    free(slots->at);
    nytp_slots_fill(slots, prof_alloc(slot_count * sizeof *slots->at), slot_count, count, hash_at,
                    of != NULL ? of : *entries);
    errno = error_number;
}

void *prof_grow_entries(void *entries, uint32_t count, uint32_t *cap, size_t entry_size, nytp_slots *slots,
                        nytp_slots_hash_fn *hash_at)
{
    grow_table(&entries, count, cap, entry_size, slots, hash_at, NULL);
    return entries;
}

void prof_entries_grow(prof_entries *e, size_t entry_size, size_t key_size)
{
    prof_entry_keys k = {e->at, NULL, entry_size, key_size};
    grow_table(&k.at, e->count, &e->cap, entry_size, &e->slots, prof_entry_hash, &k);
    e->at = k.at;
}

void prof_entries_forget(prof_entries *e)
{
    e->count = 0;
    if (e->cap > 0)
        memset(e->slots.at, 0, (e->slots.mask + 1) * sizeof *e->slots.at);
}

nytp_strings *prof_strings_new(void)
{
    nytp_strings *strings;
    do
        strings = nytp_strings_new();
    while (strings == NULL && release_reserve());
    return strings;
}

uint32_t prof_strings_intern(nytp_strings *strings, const void *bytes, size_t length)
{
    int64_t number;
    do
        number = nytp_strings_intern(strings, bytes, length);
    while (number < 0 && release_reserve());
    return (uint32_t)number;
}
