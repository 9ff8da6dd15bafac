/* Memory that the collector cannot do without. If there is none, a reserve is given up first, so that a
 * program that perl ends because of that has a whole profile. After it, each function prints a message and
 * ends the process with the status that perl ends it with, 1. */
#pragma once

#include "base/slots.h"
#include "base/stringtable.h"

#include <stddef.h>
#include <stdint.h>

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

/* Tables of strings (base/stringtable.h). They are not perl hashes, because they must outlive the
 * interpreter's. prof_strings_intern() returns the number of a string, which it adds if it is new. */
nytp_strings *prof_strings_new(void) __attribute__((returns_nonnull));
uint32_t prof_strings_intern(nytp_strings *strings, const void *bytes, size_t length);
