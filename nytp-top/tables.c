#include "tables.h"

#include "model/package.h"

#include <glib.h>

#define SECOND_NS INT64_C(1000000000)

const char *const top_kinds[] = {
    [TOP_SUBS] = "subs", [TOP_LINES] = "lines", [TOP_PACKAGES] = "packages", [TOP_CALLS] = "calls", NULL};

void top_tables_init(top_tables *t)
{
    for (int n = 0; n < TOP_KINDS; n++)
        t->of[n] = top_counts_new();
    t->stack = NULL;
}

void top_tables_clear(top_tables *t)
{
    for (int n = 0; n < TOP_KINDS; n++)
        top_counts_free(t->of[n]);
    g_free(t->stack);
    *t = (top_tables){0};
}

static void begin_seconds(top_tables *t, int64_t seconds)
{
    for (int64_t second = 0; second < MIN(seconds, TOP_RING); second++)
        for (int n = 0; n < TOP_KINDS; n++)
            top_counts_next_second(t->of[n]);
}

void top_tables_forget_recent(top_tables *t)
{
    begin_seconds(t, TOP_RING);
}

void top_tables_advance(top_tables *t, int64_t *second_ns, int64_t now_ns)
{
    const int64_t passed = (now_ns - *second_ns) / SECOND_NS;
    begin_seconds(t, passed);
    *second_ns += passed * SECOND_NS;
    for (int n = 0; n < TOP_KINDS; n++)
        top_counts_set_part(t->of[n], (double)(now_ns - *second_ns) / (double)SECOND_NS);
}

void top_package_of(const char *sub, char *to, size_t size)
{
    const size_t length = nytp_package_length_of(sub);
    g_strlcpy(to, length > 0 ? sub : "main", length > 0 ? MIN(length + 1, size) : size);
}
