#include "events/before_ends.h"

typedef struct before {
    guint end; /* its index */
    double ticks;
} before;

/* The ends follow one another, but for calls of damaged profiles. */
void nytp_before_end_add(GArray **all, guint end, double ticks)
{
    const before added = {end, ticks};
    if (*all == NULL)
        *all = g_array_new(FALSE, FALSE, sizeof(before));
    guint i = (*all)->len;
    while (i > 0 && g_array_index(*all, before, i - 1).end > end)
        i--;
    if (i > 0 && g_array_index(*all, before, i - 1).end == end)
        g_array_index(*all, before, i - 1).ticks += ticks;
    else
        g_array_insert_val(*all, i, added);
}

double nytp_before_end(const GArray *all, guint end, guint *i)
{
    const guint count = all != NULL ? all->len : 0;
    while (*i < count && g_array_index(all, before, *i).end < end)
        ++*i;
    return *i < count && g_array_index(all, before, *i).end == end ? g_array_index(all, before, *i).ticks : 0;
}
