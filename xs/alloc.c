#include "alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *prof_check_memory(void *memory)
{
    if (memory == NULL) {
        fputs("Devel::NYTProf: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void *prof_alloc(size_t size)
{
    return prof_check_memory(calloc(1, size > 0 ? size : 1));
}

void *prof_realloc(void *old, size_t size)
{
    return prof_check_memory(realloc(old, size));
}

char *prof_strdup(const char *text)
{
    return prof_check_memory(strdup(text));
}

static void *map_pages(void *at, size_t size, int flags)
{
    void *pages = mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return pages != MAP_FAILED ? pages : NULL;
}

void *prof_alloc_pages(size_t size)
{
    return prof_check_memory(map_pages(NULL, size, 0));
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
        return prof_check_memory(array);
    *cap = index * 2 + 64;
    return prof_realloc(array, *cap * element_size);
}

void *prof_grow_entries(void *entries, uint32_t count, uint32_t *cap, size_t entry_size, nytp_slots *slots,
                        nytp_slots_hash_fn *hash_at)
{
    size_t slot_count = 256;
    *cap = *cap * 2 + 128;
    while (slot_count < (size_t)*cap * 2)
        slot_count *= 2;
    entries = prof_realloc(entries, *cap * entry_size);
    free(slots->at);
    nytp_slots_fill(slots, prof_alloc(slot_count * sizeof *slots->at), slot_count, count, hash_at, entries);
    return entries;
}

nytp_strings *prof_strings_new(void)
{
    return prof_check_memory(nytp_strings_new());
}

uint32_t prof_strings_intern(nytp_strings *strings, const void *bytes, size_t length)
{
    const int64_t number = nytp_strings_intern(strings, bytes, length);
    if (number < 0)
        prof_check_memory(NULL);
    return (uint32_t)number;
}
