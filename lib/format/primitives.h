/* The primitives of the stream, each with its decoder and encoder side by side.
 *
 * Decoders do not check bounds: NYTP_PAD readable bytes follow the end of the buffer. After decoding a chunk,
 * the caller must check that at <= end, and discard the chunk otherwise. A chunk without the contents of its
 * strings has fewer than NYTP_PAD bytes (format/chunks.h asserts it), so a chunk may be decoded from any byte
 * before the end.
 */
#pragma once

#include "bytes/source.h"

#include <string.h>

enum {
    NYTP_U32_MAX = 5,
    NYTP_NV_SIZE = 8,
    NYTP_STR_HEAD_MAX = 1 + NYTP_U32_MAX,
    NYTP_STR_LONGEST = 32 << 20 /* bytes; a longer claim is taken for corruption */
};

/* The most bytes that a primitive takes, by its type; for a string, without its contents. */
enum {
    NYTP_MAX_u32 = NYTP_U32_MAX,
    NYTP_MAX_i32 = NYTP_U32_MAX,
    NYTP_MAX_nv = NYTP_NV_SIZE,
    NYTP_MAX_str = NYTP_STR_HEAD_MAX,
    NYTP_MAX_absent = 0
};

/* A position in a padded buffer. at may pass end, by less than NYTP_PAD bytes. */
typedef struct nytp_cursor {
    const unsigned char *at, *end;
    const unsigned char *bad; /* first invalid byte; NULL if none so far */
    const char *expected;     /* what should be there instead */
} nytp_cursor;

/* u32: 1 to 5 bytes, big-endian, the length in the first byte's high bits */

/* Branches on the length, which the processor predicts, because programs repeat themselves. Without branches,
 * reading took twice as long. */
static inline uint32_t nytp_get_u32(nytp_cursor *c)
{
    const unsigned char *p = c->at;
    uint32_t b = p[0];
    if (b < 0x80) {
        c->at = p + 1;
        return b;
    }
    if (b < 0xC0) {
        c->at = p + 2;
        return (b & 0x7F) << 8 | p[1];
    }
    if (b < 0xE0) {
        c->at = p + 3;
        return (b & 0x1F) << 16 | (uint32_t)p[1] << 8 | p[2];
    }
    if (b < 0xFF) { /* writers do not use 0xF0..0xFE; as lenient as stock's reader */
        c->at = p + 4;
        return (b & 0x0F) << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    c->at = p + 5;
    return (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 8 | p[4];
}

static inline unsigned char *nytp_put_u32(unsigned char *p, uint32_t value)
{
    if (value < 0x80) {
        *p++ = (unsigned char)value;
        return p;
    }
    if (value < 0x4000) {
        *p++ = (unsigned char)(0x80 | value >> 8);
    } else {
        if (value < 0x200000) {
            *p++ = (unsigned char)(0xC0 | value >> 16);
        } else {
            if (value < 0x10000000) {
                *p++ = (unsigned char)(0xE0 | value >> 24);
            } else {
                *p++ = 0xFF;
                *p++ = (unsigned char)(value >> 24);
            }
            *p++ = (unsigned char)(value >> 16);
        }
        *p++ = (unsigned char)(value >> 8);
    }
    *p++ = (unsigned char)value;
    return p;
}

/* i32: its two's-complement bits as a u32 */

static inline int32_t nytp_get_i32(nytp_cursor *c)
{
    return (int32_t)nytp_get_u32(c);
}

static inline unsigned char *nytp_put_i32(unsigned char *p, int32_t value)
{
    return nytp_put_u32(p, (uint32_t)value);
}

/* nv: a perl NV, as it lies in memory */

static inline double nytp_get_nv(nytp_cursor *c)
{
    double value;
    memcpy(&value, c->at, sizeof value);
    c->at += sizeof value;
    return value;
}

static inline unsigned char *nytp_put_nv(unsigned char *p, double value)
{
    memcpy(p, &value, sizeof value);
    return p + sizeof value;
}

/* str: the byte ' (bytes) or " (UTF-8), the length as u32, the bytes */

__attribute__((always_inline)) static inline nytp_str nytp_get_str(nytp_cursor *c)
{
    nytp_str s = {NULL, 0, false};
    const unsigned char *start = c->at;
    if (start >= c->end) {
        c->at = c->end + 1; /* already past the end: the padding must not be decoded as a string */
        return s;
    }
    if (*start != '\'' && *start != '"') {
        if (c->bad == NULL) {
            c->bad = start;
            c->expected = "a string (' or \")";
        }
        return s;
    }
    c->at++;
    s.utf8 = *start == '"';
    s.length = nytp_get_u32(c);
    s.bytes = (const char *)c->at;
    if (c->at > c->end)
        return s;
    if (s.length > NYTP_STR_LONGEST && c->bad == NULL) {
        c->bad = start;
        c->expected = "a string of at most 32 MiB";
    }
    c->at = s.length <= (size_t)(c->end - c->at) ? c->at + s.length : c->end + 1;
    return s;
}

static inline unsigned char *nytp_put_str(unsigned char *p, nytp_str s)
{
    *p++ = s.utf8 ? '"' : '\'';
    p = nytp_put_u32(p, (uint32_t)s.length);
    if (s.length > 0)
        memcpy(p, s.bytes, s.length);
    return p + s.length;
}

/* absent: a string that nytp_chunk has and the stream has not */

static inline nytp_str nytp_get_absent(nytp_cursor *c)
{
    (void)c;
    return (nytp_str){NULL, 0, false};
}

static inline unsigned char *nytp_put_absent(unsigned char *p, nytp_str s)
{
    (void)s;
    return p;
}

/* nytp_content_TYPE(): the length of a string's contents; 0 for all other types. */
#define NYTP_NO_CONTENT(name, type)                                                                          \
    static inline size_t nytp_content_##name(type value)                                                     \
    {                                                                                                        \
        (void)value;                                                                                         \
        return 0;                                                                                            \
    }
NYTP_NO_CONTENT(u32, uint32_t)
NYTP_NO_CONTENT(i32, int32_t)
NYTP_NO_CONTENT(nv, double)
NYTP_NO_CONTENT(absent, nytp_str)
#undef NYTP_NO_CONTENT

static inline size_t nytp_content_str(nytp_str s)
{
    return s.length;
}
