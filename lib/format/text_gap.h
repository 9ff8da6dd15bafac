/* Where a chunk of text may stand in a compressed stream.
 *
 * Stock's reader inflates into a buffer of NYTP_STOCK_BUFFER_BYTES, and loses an attribute or option whose
 * line begins in one buffer and ends in the next ("attribute malformed"). It skips a comment that does
 * without a word. (Observed with Devel::NYTProf 6.12.) So a line that would lie in two buffers comes after a
 * comment that takes the rest of the first buffer and one byte of the second.
 */
#pragma once

#include "nytprof.h"

enum { NYTP_STOCK_BUFFER_BYTES = 163840 };

/* Returns the length in bytes of the comment, with its tag and newline, that must come before a chunk at
 * offset; 0 if none is needed, as for a chunk that is not an attribute or option. The offset counts inflated
 * bytes since START_DEFLATE. */
static inline size_t nytp_text_gap(uint64_t offset, const nytp_chunk *chunk)
{
    const size_t left = NYTP_STOCK_BUFFER_BYTES - (size_t)(offset % NYTP_STOCK_BUFFER_BYTES);
    if (chunk->tag != NYTP_ATTRIBUTE && chunk->tag != NYTP_OPTION)
        return 0;
    const size_t line_bytes = chunk->attribute.key.length + chunk->attribute.value.length + 3; /* ":=\n" */
    return line_bytes > left && line_bytes <= NYTP_STOCK_BUFFER_BYTES ? left + 1 : 0;
}
