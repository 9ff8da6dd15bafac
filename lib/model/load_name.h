/* Names of require and do FILE, which the collector records with slowops=3: "A::B::CORE:require" loads A::B.
 */
#pragma once

#include "nytprof.h"

#include <string.h>

static inline bool nytp_ends_with(nytp_str s, const char *end)
{
    const size_t length = strlen(end);
    return s.length > length && memcmp(s.bytes + s.length - length, end, length) == 0;
}

/* Whether the built-in of that name runs the statements of a file, in its own exclusive time. */
static inline bool nytp_is_load(nytp_str name)
{
    return nytp_ends_with(name, "::CORE:require") || nytp_ends_with(name, "::CORE:dofile");
}
