/* Inflating a zlib stream, by zlib or isa-l. */
#ifndef NYTP_BYTES_INFLATE_H
#define NYTP_BYTES_INFLATE_H

#include "bytes/window.h"
#include "nytprof.h"

enum nytp_inflate_with { NYTP_INFLATE_BEST, NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL };
bool nytp_inflate_has(enum nytp_inflate_with with);

/* A source of the content of the zlib stream that begins with the bytes of prefix and goes on in inner. It
 * ends where that stream does. Copies prefix. Takes ownership of inner, also when it fails: NULL when out of
 * memory. */
nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with);

/* A place between two blocks of a zlib stream, with what is needed to go on from there. */
typedef struct nytp_inflate_point {
    uint32_t adler; /* of all before it; 1 at the begin */
    size_t history_size;
    unsigned char history[32 << 10]; /* the data before it that later blocks may refer to */
} nytp_inflate_point;

/* Moves the point past bytes, whose Adler-32 is adler. */
void nytp_inflate_point_move(nytp_inflate_point *point, const void *bytes, size_t size, uint32_t adler);

/* As nytp_inflate_new(), from that point of a stream on: prefix and inner are what follows it. Always by
 * zlib: usually only the last segment is left. */
nytp_source *nytp_inflate_resume(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 const nytp_inflate_point *from);

enum { NYTP_INFLATE_HELD_MAX = 8 };

/* One of the two libraries. */
typedef struct nytp_inflater {
    const char *library;
    void *(*start)(bool raw); /* returns the state; raw: a stream without zlib's header and check */
    /* Moves the window on as far as it goes. Returns NYTP_OK, NYTP_END, or a negative nytp_status; *why is
     * the reason of an NYTP_ERR_FORMAT. */
    int (*step)(void *state, nytp_window *w, const char **why);
    /* After a step that used up its input: whether that ended between two blocks, and with a whole byte. */
    bool (*between_blocks)(const void *state);
    /* After NYTP_END: copies the bytes past the stream that the library has taken from the window and holds.
     * Returns how many. */
    size_t (*held)(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX]);
    void (*stop)(void *state);
} nytp_inflater;

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with); /* NULL: not in this build */

#endif
