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

/* A place between two blocks of a zlib stream, with all that is needed to continue from there. */
typedef struct nytp_inflate_point {
    uint32_t adler; /* of all inflated data before it; 1 at the beginning */
    size_t history_size;
    unsigned char history[32 << 10]; /* the data before it that later blocks may refer to */
} nytp_inflate_point;

/* Moves the point past bytes, whose Adler-32 is adler. */
void nytp_inflate_point_move(nytp_inflate_point *point, const void *bytes, size_t size, uint32_t adler);

/* Like nytp_inflate_new(), but starts at that point of a stream: prefix and inner are what follows it. Always
 * uses zlib, since usually only the last segment is left. */
nytp_source *nytp_inflate_resume(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 const nytp_inflate_point *from);
