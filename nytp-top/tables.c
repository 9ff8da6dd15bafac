#include "tables.h"

#include <glib.h>
#include <string.h>

void top_tables_init(top_tables *t)
{
    for (int n = 0; n < TOP_KINDS; n++)
        t->of[n] = top_counts_new();
    t->stack = NULL;
}

void top_tables_copy(top_tables *t, const top_tables *from)
{
    for (int n = 0; n < TOP_KINDS; n++)
        t->of[n] = top_counts_copy(from->of[n]);
    t->stack = g_strdup(from->stack);
}

void top_tables_clear(top_tables *t)
{
    for (int n = 0; n < TOP_KINDS; n++)
        top_counts_free(t->of[n]);
    g_free(t->stack);
    *t = (top_tables){0};
}

void top_tables_next_second(top_tables *t)
{
    for (int n = 0; n < TOP_KINDS; n++)
        top_counts_next_second(t->of[n]);
}

/* Up to the last "::", but for those in the place of an anonymous sub, and in CORE:sleep, which has none. */
void top_package_of(const char *sub, char *to, size_t size)
{
    size_t length = strcspn(sub, "[");
    while (length >= 2 && (sub[length - 1] != ':' || sub[length - 2] != ':'))
        length--;
    length = length >= 2 ? length - 2 : 0;
    if (length == 0)
        g_strlcpy(to, "main", size);
    else
        g_strlcpy(to, sub, MIN(length + 1, size));
}
