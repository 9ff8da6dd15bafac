/* The slow path of format/runs.h. */
#include "format/runs.h"

#include "format/primitives.h"

const unsigned char *nytp_run_event(const unsigned char *at, const unsigned char *end, uint32_t tags,
                                    nytp_chunk *chunk)
{
    if (at >= end || (nytp_tag_bits[*at] & tags) == 0)
        return NULL;
    nytp_cursor c = {.at = at + 1, .end = end};
    chunk->tag = *at;
    nytp_get_event(&c, chunk);
    return c.bad == NULL && c.at <= end ? c.at : NULL;
}
