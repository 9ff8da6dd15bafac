#include "events/held.h"

#include "model/grow.h"

/* Only damaged profiles are deeper. */
enum { MOST_DEPTH = 1 << 24 };

nytp_held_entries nytp_held_entries_new(void)
{
    return (nytp_held_entries){.entries = NYTP_ARRAY(nytp_chunk)};
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
