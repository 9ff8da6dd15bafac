/* Inflating a zlib stream, by zlib or isa-l. */
#pragma once

#include "nytprof.h"

enum nytp_inflate_with { NYTP_INFLATE_BEST, NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL };

/* Returns whether the library is in this build. */
bool nytp_inflate_has(enum nytp_inflate_with with);

/* Returns a source of the contents of a zlib stream, which begins with the bytes of prefix and continues with
 * those of inner; NULL when out of memory. The source ends where the stream does. Copies prefix. Takes
 * ownership of inner, also when it fails. */
nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with);
