/* Arrays in code that uses GLib. */
#pragma once

#include "base/grow.h"

#include <glib.h>

/* Like nytp_grow(), but ends the program when out of memory, as GLib does. */
static inline void *nytp_grown(void *array, size_t *capacity, size_t needed, size_t item_size)
{
    void *grown = nytp_grow(array, capacity, needed, item_size);
    if (grown == NULL)
        g_error("out of memory for %zu items of %zu bytes", needed, item_size);
    return grown;
}

/* A new GArray of items of a type. ZEROED: those that g_array_set_size() adds are 0. */
#define NYTP_ARRAY(type)        g_array_new(FALSE, FALSE, sizeof(type))
#define NYTP_ZEROED_ARRAY(type) g_array_new(FALSE, TRUE, sizeof(type))

/* A loop over what is in a GArray, first to last: item points to each. The body must not change how many
 * there are. Nothing may be added to the NULL that an empty one may have as its data, not even 0. */
#define NYTP_EACH(type, item, array)                                                                         \
    for (type *item = (type *)(void *)(array)->data,                                                         \
              *item##_end = (array)->len > 0 ? item + (array)->len : item;                                   \
         item < item##_end; item++)
