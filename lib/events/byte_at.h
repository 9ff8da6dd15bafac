/* A byte for each number. */
#pragma once

#include <glib.h>

/* Returns the byte of a number in an array of bytes that grows, and is cleared as it does: 0 if it was not
 * set. Valid until another number is asked for. */
static inline uint8_t *nytp_byte_at(GArray *bytes, uint32_t number)
{
    if (number >= bytes->len)
        g_array_set_size(bytes, number + 1);
    return &g_array_index(bytes, uint8_t, number);
}
