#include "events/held_entries.h"

/* Only damaged profiles are deeper. */
enum { MOST_DEPTH = 1 << 24 };

nytp_held_entries nytp_held_entries_new(void)
{
    return (nytp_held_entries){.entries = g_array_new(FALSE, FALSE, sizeof(nytp_chunk))};
}

void nytp_held_entries_free(nytp_held_entries *held)
{
    g_array_free(held->entries, TRUE);
}

void nytp_held_entries_add(nytp_held_entries *held, const nytp_chunk *entry)
{
    if (held->entries->len < MOST_DEPTH)
        g_array_append_vals(held->entries, entry, 1);
}

void nytp_held_entries_pass(nytp_held_entries *held, const nytp_filter *filter, guint depth)
{
    for (; held->passed < MIN(depth, held->entries->len); held->passed++)
        nytp_filter_pass(filter, &g_array_index(held->entries, nytp_chunk, held->passed));
}

bool nytp_held_entries_leave(nytp_held_entries *held, guint depth)
{
    const guint left = depth > 0 ? depth - 1 : 0;
    if (left >= held->entries->len)
        return false;
    const bool was_passed = held->passed > left;
    g_array_set_size(held->entries, left);
    held->passed = MIN(held->passed, left);
    return was_passed;
}
