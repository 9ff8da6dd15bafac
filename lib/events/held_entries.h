/* The SUB_ENTRYs of open calls, of which a filter passes on those of calls that something is left of: what
 * comes of a call is known only later. */
#pragma once

#include "events/filter.h"

#include <glib.h>

typedef struct nytp_held_entries {
    GArray *entries; /* nytp_chunk: of the open calls, the outermost first */
    guint passed;    /* how many of them were passed on */
} nytp_held_entries;

nytp_held_entries nytp_held_entries_new(void);
void nytp_held_entries_free(nytp_held_entries *held);

/* A call begins. */
void nytp_held_entries_add(nytp_held_entries *held, const nytp_chunk *entry);

/* Passes on the entries of the calls down to that depth, the outermost first. */
static inline void nytp_held_entries_pass(nytp_held_entries *held, const nytp_filter *filter, guint depth)
{
    for (; held->passed < MIN(depth, held->entries->len); held->passed++)
        nytp_filter_pass(filter, &g_array_index(held->entries, nytp_chunk, held->passed));
}

/* Returns whether the entry of the call of that depth, which goes on, was passed on. */
static inline bool nytp_held_entries_has_passed(const nytp_held_entries *held, guint depth)
{
    return held->passed > (depth > 0 ? depth - 1 : 0);
}

/* The call of that depth returns, so it and the calls within it are no longer open. Returns whether its entry
 * was passed on. */
static inline bool nytp_held_entries_leave(nytp_held_entries *held, guint depth)
{
    const guint left = depth > 0 ? depth - 1 : 0;
    if (left >= held->entries->len)
        return false;
    const bool was_passed = nytp_held_entries_has_passed(held, depth);
    g_array_set_size(held->entries, left);
    held->passed = MIN(held->passed, left);
    return was_passed;
}
