#include "table.h"

#include "alloc.h"

prof_table *prof_table_new(void)
{
    return prof_check_memory(nytp_strings_new());
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
        prof_check_memory(NULL);
    return number;
}
