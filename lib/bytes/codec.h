/* The compressors behind nytp_deflate_with. */
#ifndef NYTP_CODEC_H
#define NYTP_CODEC_H

#include "bytes/deflate.h"
#include "bytes/window.h"

#include <endian.h>
#include <string.h>

/* One of the two libraries. It makes bare deflate blocks, without zlib's header and check. */
typedef struct nytp_deflater {
    void *(*start)(int level);    /* returns the state; NULL: out of memory */
    void (*restart)(void *state); /* before each segment */
    /* Moves the window on; to be called again for as long as it fills all of out. NULL, or what is wrong. */
    const char *(*step)(void *state, nytp_window *w, enum nytp_deflate_flush flush);
    void (*stop)(void *state);
} nytp_deflater;

typedef struct nytp_codec {
    const nytp_deflater *library;
    void *state;
} nytp_codec;

/* For a level from 1 to 9. False: out of memory. */
bool nytp_codec_start(nytp_codec *codec, int level, enum nytp_deflate_with with);

/* A zlib stream begins so: deflate, a window of 32 KiB, "default" level, no dictionary (RFC 1950). */
#define NYTP_ZLIB_HEADER                                                                                     \
    {                                                                                                        \
        0x78, 0x9C                                                                                           \
    }

/* And ends with the check of what it holds. */
enum { NYTP_ZLIB_CHECK_BYTES = sizeof(uint32_t) };
static inline void nytp_put_check(unsigned char *to, uint32_t adler)
{
    const uint32_t big_endian = htobe32(adler);
    memcpy(to, &big_endian, sizeof big_endian);
}

#endif
