/* Where the open calls were made, going by SUB_ENTRY and SUB_RETURN. Depths are the stream's own, so an entry
 * or a return that is missing does no harm to the calls around it. */
#pragma once

#include "format/runs.h"

#include <glib.h>

typedef struct nytp_open_places {
    GArray *places; /* nytp_place, by depth */
    guint depth;    /* how many calls are open */
} nytp_open_places;

static inline nytp_open_places nytp_open_places_new(void)
{
    return (nytp_open_places){.places = g_array_new(FALSE, FALSE, sizeof(nytp_place))};
}

static inline void nytp_open_places_free(nytp_open_places *open)
{
    g_array_free(open->places, TRUE);
}

static inline void nytp_open_places_enter(nytp_open_places *open, nytp_place place)
{
    enum { MOST_DEPTH = 1 << 22 }; /* only damaged profiles have more calls open */
    if (open->depth >= MOST_DEPTH)
        return;
    if (open->depth >= open->places->len)
        g_array_set_size(open->places, open->depth + 1);
    g_array_index(open->places, nytp_place, open->depth++) = place;
}

/* Returns where the call that returns at depth was made; fid and line are 0 if no entry has said it. */
static inline nytp_place nytp_open_places_leave(nytp_open_places *open, uint32_t depth)
{
    const bool is_known = depth > 0 && depth <= open->depth;
    open->depth = depth > 0 ? MIN(open->depth, depth - 1) : 0;
    return is_known ? g_array_index(open->places, nytp_place, depth - 1) : (nytp_place){0, 0};
}
