/* A byte for each name, which a function of the name gives it when the name is first seen. */
#pragma once

#include "model/names.h"

#include <glib.h>

/* Returns the byte of a number in an array of bytes that grows, and is cleared as it does: 0 if it was not
 * set. Valid until another number is asked for. */
static inline uint8_t *nytp_byte_at(GArray *bytes, uint32_t number)
{
    if (number >= bytes->len)
        g_array_set_size(bytes, number + 1);
    return &g_array_index(bytes, uint8_t, number);
}

typedef uint8_t nytp_byte_of_name(nytp_str name);

typedef struct nytp_name_bytes {
    nytp_names *names;
    GByteArray *bytes; /* by number of name */
    nytp_byte_of_name *first;
} nytp_name_bytes;

nytp_name_bytes nytp_name_bytes_new(nytp_byte_of_name *first);
void nytp_name_bytes_clear(nytp_name_bytes *all);

/* Use nytp_name_bytes_number(). Gives a new name its first byte. */
void nytp_name_bytes_begin(const nytp_name_bytes *all, const nytp_str *name);

/* Returns the number of a name. */
static inline uint32_t nytp_name_bytes_number(const nytp_name_bytes *all, const nytp_str *name)
{
    bool is_new;
    const uint32_t number = nytp_names_intern(all->names, name, &is_new);
    if (is_new)
        nytp_name_bytes_begin(all, name);
    return number;
}

/* Gives all names their first bytes again. */
void nytp_name_bytes_reset(const nytp_name_bytes *all);

/* Returns the byte of the name with that number, which may be set. Valid until a name is added. */
static inline uint8_t *nytp_name_byte(const nytp_name_bytes *all, uint32_t number)
{
    return &all->bytes->data[number];
}
