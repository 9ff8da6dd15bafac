/* Inflating, as inflate.c and segments.c share it. */
#ifndef NYTP_INFLATE_H
#define NYTP_INFLATE_H

#include "wire.h"

/* A place within a zlib stream, between two blocks: what has to be known to go on from there. */
typedef struct nytp_inflate_point {
    uint32_t adler; /* of all before it; 1: of nothing */
    size_t history_size;
    unsigned char history[32 << 10]; /* what data behind it may refer to */
} nytp_inflate_point;

/* Moves on over bytes of which the check is adler. */
void nytp_inflate_point_move(nytp_inflate_point *point, const void *bytes, size_t size, uint32_t adler);

/* One of the two libraries. step() moves the window on as far as it goes: NYTP_OK, NYTP_END, or negative with
 * *why set. */
typedef struct nytp_inflater {
    const char *library;
    void *(*start)(bool raw); /* raw: without zlib's header and check */
    int (*step)(void *state, nytp_window *w, const char **why);
    bool (*between_blocks)(const void *state); /* after a step that used up its input; whole bytes of it */
    void (*stop)(void *state);
} nytp_inflater;

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with); /* NULL: not there */

/* As nytp_inflate_new(), where the prefix begins at a point. Always zlib: isa-l cannot be told of a check. */
nytp_source *nytp_inflate_resume(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 const nytp_inflate_point *from);

#endif
