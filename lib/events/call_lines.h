/* Where the open calls were made, going by SUB_ENTRY and SUB_RETURN. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct nytp_call_lines {
    GArray *lines; /* uint32_t, by depth */
    guint depth;   /* how many calls are open */
} nytp_call_lines;

static inline void nytp_call_lines_enter(nytp_call_lines *l, uint32_t line)
{
    if (l->depth >= l->lines->len)
        g_array_set_size(l->lines, l->depth + 1);
    g_array_index(l->lines, uint32_t, l->depth++) = line;
}

/* Where the call that returns at depth was made. Depths are the stream's own, so an entry or a return that is
 * missing does no harm to the calls around it. */
static inline uint32_t nytp_call_lines_leave(nytp_call_lines *l, uint32_t depth)
{
    const bool is_known = depth > 0 && depth <= l->depth;
    l->depth = depth > 0 ? MIN(l->depth, depth - 1) : 0;
    return is_known ? g_array_index(l->lines, uint32_t, depth - 1) : 0;
}
