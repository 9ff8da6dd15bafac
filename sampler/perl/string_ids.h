/* Strings by number: the names and files of the stacks of one process. */
#pragma once

#include "base/stringtable.h"

#include <glib.h>
#include <stdbool.h>

#define SAMPLER_NO_STRING UINT32_MAX

/* A name, and whether it is UTF-8. */
typedef struct sampler_label {
    uint32_t name; /* may be SAMPLER_NO_STRING */
    bool utf8;
} sampler_label;

/* The number of a string, which is added if it is new. Ends the program when out of memory. */
static inline uint32_t sampler_intern(nytp_strings *strings, const char *bytes, size_t length)
{
    int64_t number = nytp_strings_intern(strings, bytes, length);
    if (number < 0)
        g_error("out of memory");
    return (uint32_t)number;
}
