/* The attribute `parts`: how many of the next returns are of parts of calls, which go on. */
#pragma once

#include "base/str.h"
#include "nytprof.h"

/* Returns whether the chunk is that attribute, and sets *parts to its value. */
static inline bool nytp_call_parts_read(const nytp_chunk *chunk, double *parts)
{
    if (chunk->tag != NYTP_ATTRIBUTE || !nytp_str_is(chunk->attribute.key, "parts"))
        return false;
    *parts = nytp_str_number(chunk->attribute.value);
    return true;
}

/* Returns whether the call that returns is a part, and counts it. */
static inline bool nytp_call_parts_take(double *parts)
{
    const bool is_part = *parts > 0;
    *parts -= is_part;
    return is_part;
}
