/* Memory that the collector cannot do without: each function prints a message and aborts the process if there
 * is none, as perl does. */
#ifndef PROF_ALLOC_H
#define PROF_ALLOC_H

#include <stddef.h>
#include <stdint.h>

void *prof_alloc(size_t size) __attribute__((returns_nonnull)); /* zeroed */
void *prof_realloc(void *old, size_t size) __attribute__((returns_nonnull));
char *prof_strdup(const char *text) __attribute__((returns_nonnull));

/* Grows an array, if necessary, so that index is below its capacity *cap. Returns the array; new elements are
 * not initialized. */
void *prof_grow(void *array, uint32_t *cap, uint32_t index, size_t element_size)
    __attribute__((returns_nonnull));

/* Returns memory. If that is NULL, prints the message and aborts. */
void *prof_check_memory(void *memory) __attribute__((returns_nonnull));

#endif
