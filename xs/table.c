#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return or_die(nytp_strings_new());
}

void prof_table_free(prof_table *table)
{
    nytp_strings_free(table);
}

uint32_t prof_table_count(const prof_table *table)
{
    return nytp_strings_count(table);
}

const char *prof_table_get(const prof_table *table, uint32_t number, size_t *length)
{
    return nytp_strings_get(table, number, length);
}

int64_t prof_table_find(prof_table *table, const char *bytes, size_t length, bool add)
{
    if (!add)
        return nytp_strings_find(table, bytes, length);
    int64_t number = nytp_strings_intern(table, bytes, length);
    if (number < 0)
        or_die(NULL);
    return number;
}
