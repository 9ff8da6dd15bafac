#include "alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void *prof_grow(void *array, uint32_t *cap, uint32_t index, size_t element_size)
{
    if (index < *cap)
        return prof_check_memory(array);
    *cap = index * 2 + 64;
    return prof_realloc(array, *cap * element_size);
}
