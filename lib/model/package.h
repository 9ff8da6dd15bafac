/* What the name of a sub says: its package, and whether it is a BEGIN block. */
#pragma once

#include "nytprof.h"

#include <string.h>

/* Returns the length of "A::BEGIN" in "A::BEGIN", "A::BEGIN@16" (the line) or "A::BEGIN@16.3" (one of several
 * there); 0 for other names. */
static inline size_t nytp_begin_block_length(nytp_str name)
{
    static const char in_numbers[] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.'};
    const size_t word = strlen("::BEGIN");
    size_t length = name.length, digits = 0;
    while (digits < length && memchr(in_numbers, name.bytes[length - 1 - digits], sizeof in_numbers) != NULL)
        digits++;
    if (digits > 0 && digits < length && name.bytes[length - 1 - digits] == '@')
        length -= digits + 1;
    return length > word && memcmp(name.bytes + length - word, "::BEGIN", word) == 0 ? length : 0;
}

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
