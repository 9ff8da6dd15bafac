/* Inflating, as inflate.c and segments.c share it. */
#ifndef NYTP_INFLATE_H
#define NYTP_INFLATE_H

#include "wire.h"

/* A place between two blocks of a zlib stream, with what it takes to go on from there. */
typedef struct nytp_inflate_point {
    uint32_t adler; /* of all before it; 1 at the begin */
    size_t history_size;
    unsigned char history[32 << 10]; /* the data before it that later blocks may refer to */
} nytp_inflate_point;

/* Moves the point on over bytes whose adler32 is adler. */
void nytp_inflate_point_move(nytp_inflate_point *point, const void *bytes, size_t size, uint32_t adler);

/* One of the two libraries. */
typedef struct nytp_inflater {
    const char *library;
    void *(*start)(bool raw); /* returns the state; raw: a stream without zlib's header and check */
    /* Moves the window on as far as it goes. NYTP_OK, NYTP_END, or a negative nytp_status; *why tells the
     * reason of NYTP_ERR_FORMAT. */
    int (*step)(void *state, nytp_window *w, const char **why);
    /* After a step that used up its input: whether that ended between two blocks, and with a whole byte. */
    bool (*between_blocks)(const void *state);
    void (*stop)(void *state);
} nytp_inflater;

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with); /* NULL: not there */

/* As nytp_inflate_new(), but from that point of a stream on: prefix and inner are what follows it. Always by
 * zlib: mostly this is no more than the last segment. */
nytp_source *nytp_inflate_resume(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 const nytp_inflate_point *from);

#endif
