/* Characters of SQL, whose names may have any byte of UTF-8. */
#pragma once

#include <stdbool.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool begins_name(char c)
{
    return (unsigned)((c | 0x20) - 'a') < 26 || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool is_in_name(char c)
{
    return begins_name(c) || is_digit(c) || c == '$';
}

static inline bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7F;
}
