/* The package in the full name of a sub. */
#ifndef NYTP_MODEL_PACKAGE_H
#define NYTP_MODEL_PACKAGE_H

#include "nytprof.h"

#include <string.h>

/* Returns the length of "A::B" in "A::B::c"; 0 if there is no package. The name of an anonymous sub has that
 * of its file, which may have colons: "main::__ANON__[b::c.pl:1]". */
static inline size_t nytp_package_length(nytp_str sub)
{
    const char *bracket = sub.length > 0 ? memchr(sub.bytes, '[', sub.length) : NULL;
    size_t length = bracket != NULL ? (size_t)(bracket - sub.bytes) : sub.length;
    while (length > 1 && (sub.bytes[length - 1] != ':' || sub.bytes[length - 2] != ':'))
        length--;
    return length > 2 ? length - 2 : 0;
}

#endif
