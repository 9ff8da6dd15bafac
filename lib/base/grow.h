/* Growing arrays. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* Returns an array that has space for `needed` items of that size, and sets *capacity: `array` itself, or
 * what realloc() makes of it. It grows by a quarter at least, since there may be millions of items. Returns
 * NULL only when out of memory, or if the size overflows; array and *capacity then stay as they are. */
static inline void *nytp_grow(void *array, size_t *capacity, size_t needed, size_t item_size)
{
    size_t more = *capacity + *capacity / 4 + 16, bytes;
    if (needed <= *capacity && *capacity > 0)
        return array;
    if (more < needed)
        more = needed;
    void *larger = __builtin_mul_overflow(more, item_size, &bytes) ? NULL : realloc(array, bytes);
    if (larger != NULL)
        *capacity = more;
    return larger;
}
