/* The primitives of the stream, each with its reader and its writer side by side.
 *
 * Readers do not check bounds: NYTP_PAD readable bytes follow the end of the buffer. After reading a chunk,
 * the caller must check that at <= end, and discard the chunk otherwise. A chunk without the contents of its
 * strings has at most NYTP_FIXED_MAX bytes, so one chunk can be read from anywhere before the end.
 */
#ifndef NYTP_FORMAT_PRIMITIVES_H
#define NYTP_FORMAT_PRIMITIVES_H

#include "bytes/source.h"

#include <string.h>

enum {
    NYTP_U32_MAX = 5,
    NYTP_NV_SIZE = 8,
    NYTP_STR_HEAD_MAX = 1 + NYTP_U32_MAX,
    /* SUB_CALLERS: tag, fid, line, caller, count, three NVs, depth, called */
    NYTP_FIXED_MAX = 1 + 4 * NYTP_U32_MAX + 3 * NYTP_NV_SIZE + 2 * NYTP_STR_HEAD_MAX,
    NYTP_STR_LONGEST = 32 << 20 /* bytes; a longer claim is taken for corruption */
};
_Static_assert((int)NYTP_FIXED_MAX < (int)NYTP_PAD, "a chunk's fixed part must fit in the padding");

/* A place in a padded buffer. at may pass end, by less than NYTP_PAD. */
typedef struct nytp_cursor {
    const unsigned char *at, *end;
    const unsigned char *bad; /* first byte that cannot be what it must be, or NULL */
    const char *expected;     /* there */
} nytp_cursor;

/* ---- u32: 1 to 5 bytes, big-endian, the length in the first byte's high bits ---- */

/* With branches: programs repeat themselves, so lengths are predicted;
 * without branches on them reading takes twice as long. */
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
    if (b < 0xFF) { /* 0xF0..0xFE are never written; as lenient as stock */
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

/* ---- i32: the two's-complement bits as u32 ---- */

static inline int32_t nytp_get_i32(nytp_cursor *c)
{
    return (int32_t)nytp_get_u32(c);
}

static inline unsigned char *nytp_put_i32(unsigned char *p, int32_t value)
{
    return nytp_put_u32(p, (uint32_t)value);
}

/* ---- nv: a perl NV in memory order ---- */

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

/* ---- str: tag ' (bytes) or " (UTF-8), u32 length, the bytes ---- */

__attribute__((always_inline)) static inline nytp_str nytp_get_str(nytp_cursor *c)
{
    nytp_str s = {NULL, 0, false};
    const unsigned char *start = c->at;
    if (start >= c->end) {
        c->at = c->end + 1; /* beyond the end already: stay there, whatever the padding holds */
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

#endif
