/* Memory that the collector cannot do without: each function prints a message and aborts the process if there
 * is none, as perl does. */
#ifndef PROF_ALLOC_H
#define PROF_ALLOC_H

#include <stddef.h>
#include <stdint.h>

void *prof_alloc(size_t size) __attribute__((returns_nonnull)); /* zeroed */
void *prof_realloc(void *old, size_t size) __attribute__((returns_nonnull));
char *prof_strdup(const char *text) __attribute__((returns_nonnull));

/* Grows an array so that index is below *cap. Returns the array; what is added is not initialized. */
void *prof_grow(void *array, uint32_t *cap, uint32_t index, size_t element_size)
    __attribute__((returns_nonnull));

/* Prints the message about memory and aborts, if memory is NULL; returns it otherwise. */
void *prof_check_memory(void *memory) __attribute__((returns_nonnull));

#endif
