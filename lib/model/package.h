/* The package in the full name of a sub. */
#pragma once

#include "nytprof.h"

#include <string.h>

/* Returns the last "::" of the name, or NULL. Those after a bracket do not count: the name of a file may have
 * colons, as in "main::__ANON__[b::c.pl:1]". */
static inline const char *nytp_last_colons(nytp_str sub)
{
    const char *bracket = sub.length > 0 ? memchr(sub.bytes, '[', sub.length) : NULL;
    size_t length = bracket != NULL ? (size_t)(bracket - sub.bytes) : sub.length;
    while (length > 1 && (sub.bytes[length - 1] != ':' || sub.bytes[length - 2] != ':'))
        length--;
    return length > 1 ? sub.bytes + length - 2 : NULL;
}

/* Returns the length of the package's name, "A::B" in "A::B::c", or 0 if the name has no package. */
static inline size_t nytp_package_length(nytp_str sub)
{
    const char *colons = nytp_last_colons(sub);
    return colons != NULL ? (size_t)(colons - sub.bytes) : 0;
}

/* nytp_package_length() of a name that ends with a NUL. */
static inline size_t nytp_package_length_of(const char *sub)
{
    return nytp_package_length((nytp_str){sub, strlen(sub), false});
}
