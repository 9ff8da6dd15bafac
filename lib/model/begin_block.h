/* Names of BEGIN blocks, which `use` makes, too. */
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
