/* The libraries for deflating and inflating, and the first and last bytes of a zlib stream. */
#pragma once

#include "bytes/deflate.h"
#include "bytes/source.h"

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Input that is left, and space that is left for output. A step, of inflating or deflating, advances the
 * pointers and lowers the sizes. It may leave input and space when there is more than 1 GiB of either. */
typedef struct nytp_window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} nytp_window;

/* Returns how many of size bytes a step gives the library, which counts in 32 bits. */
enum { NYTP_STEP_BYTES_MAX = 1 << 30 };
static inline uint32_t nytp_step_bytes(size_t size)
{
    return size < NYTP_STEP_BYTES_MAX ? (uint32_t)size : NYTP_STEP_BYTES_MAX;
}

/* Advances the window to where the library has stopped. */
static inline void nytp_window_advance(nytp_window *w, const unsigned char *in, unsigned char *out)
{
    w->in_size -= (size_t)(in - w->in);
    w->out_size -= (size_t)(out - w->out);
    w->in = in;
    w->out = out;
}

/* Memory that a compression library asks for, in pages of its own: so it does not move what a profiled
 * program allocates, and is not in a profile of its memory. */

/* Returns memory that is all 0, or NULL when there is none. */
void *nytp_mapped_new(size_t size);

void nytp_mapped_free(void *memory); /* NULL is fine */

/* The zalloc and zfree of a z_stream, with that memory. */
void *nytp_mapped_table(void *unused, unsigned count, unsigned size);
void nytp_mapped_table_free(void *unused, void *table);

/* Returns the Adler-32 of data that follows other data, whose Adler-32 is sum. The sum of no data is 1. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size);

/* Returns the Adler-32 of two runs of bytes together, given that of each and the size of the second. */
uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size);

/* A library that deflates: blocks without the header and the check of a zlib stream. */
typedef struct nytp_deflater {
    void *(*start)(int level);    /* returns the state; NULL when out of memory */
    void (*restart)(void *state); /* before each segment */
    /* Advances the window. Must be called again while it fills all of the output or leaves input. Returns
     * NULL, or a message that says what is wrong. */
    const char *(*step)(void *state, nytp_window *w, enum nytp_deflate_flush flush);
    void (*stop)(void *state);
} nytp_deflater;

typedef struct nytp_codec {
    const nytp_deflater *library;
    void *state;
} nytp_codec;

/* Starts the codec for a level from 1 to 9. Returns false when out of memory. */
bool nytp_codec_start(nytp_codec *codec, int level, enum nytp_deflate_with with);

/* Starts the codec for an effort but LOW. Returns false when out of memory. Without libdeflate MEDIUM and
 * HIGH are not there: the codec has no state then. */
bool nytp_codec_start_beside(nytp_codec *codec, nytp_deflate_effort effort);

enum { NYTP_INFLATE_HELD_MAX = 8 };

/* A library that inflates. */
typedef struct nytp_inflater {
    const char *library;  /* its name, for messages */
    void *(*start)(void); /* returns the state; NULL when out of memory */
    /* Advances the window as far as possible. Returns NYTP_OK, NYTP_END, or a negative nytp_status; *why is
     * then the reason for an NYTP_ERR_FORMAT. */
    int (*step)(void *state, nytp_window *w, const char **why);
    /* After NYTP_END: copies the bytes past the stream that the library has taken from the window and holds.
     * Returns how many. */
    size_t (*held)(const void *state, unsigned char bytes[NYTP_INFLATE_HELD_MAX]);
    void (*stop)(void *state);
} nytp_inflater;

const nytp_inflater *nytp_inflater_of(enum nytp_inflate_with with); /* NULL if this build lacks it */

/* How a zlib stream begins: deflate, a window of 32 KiB, "default" level, no dictionary (RFC 1950). */
/* clang-format off */
#define NYTP_ZLIB_HEADER { 0x78, 0x9C }
/* clang-format on */

/* How a zlib stream ends: with the Adler-32 of its contents, the high byte first. */
enum { NYTP_ZLIB_CHECK_BYTES = sizeof(uint32_t) };
static inline void nytp_put_check(unsigned char *to, uint32_t adler)
{
    const uint32_t big_endian = htobe32(adler);
    memcpy(to, &big_endian, sizeof big_endian);
}

/* zlib_codec.c */

extern const nytp_deflater nytp_zlib_deflater;
extern const nytp_inflater nytp_zlib_inflater;

/* libdeflate_codec.c: libdeflate is twice as fast as zlib at a level, and its files are a little larger. NULL
 * in a build without it */

extern const nytp_deflater *const nytp_libdeflate_deflater; /* has levels 1 to 12 */

/* isal_codec.c: isa-l is faster than zlib. NULL in a build without it; on arm64, the last two */

extern const nytp_deflater *const nytp_isal_deflater; /* has levels 1 and 2 */
extern const nytp_inflater *const nytp_isal_inflater;
extern uint32_t (*const nytp_isal_adler)(uint32_t sum, const unsigned char *data, uint64_t size);
