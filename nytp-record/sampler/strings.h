/* Strings by number: the names and files of the stacks of one process. */
#ifndef RECORD_STRINGS_H
#define RECORD_STRINGS_H

#include "base/stringtable.h"

#define RECORD_NO_STRING UINT32_MAX

/* The number of a string, which is added if it is new; RECORD_NO_STRING: out of memory. */
static inline uint32_t record_intern(nytp_strings *strings, const char *bytes, size_t length)
{
    int64_t number = nytp_strings_intern(strings, bytes, length);
    return number < 0 ? RECORD_NO_STRING : (uint32_t)number;
}

#endif
