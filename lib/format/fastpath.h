/* The chunks that come most often, recognized and measured with a few instructions: short statements and
 * short returns. runs.h, relay.c and reader.c use them; everything else is decoded by format/chunks.h. */
#pragma once

#include "format/primitives.h"

#include <endian.h>

enum { NYTP_SHORT_STATEMENT_MAX = 5 };

/* Nine of ten statements are short: a TIME_LINE with ticks and fid of one byte each, and a line of one or two
 * bytes. Returns the size of a short statement with its tag, 4 or 5; 0 if it is something else. *bytes
 * receives the eight bytes at `at`, the first one lowest. May read past the end, into the padding. */
static inline size_t nytp_short_statement(const unsigned char *at, uint64_t *bytes)
{
    memcpy(bytes, at, sizeof *bytes);
    *bytes = le64toh(*bytes);
    uint32_t kind = (uint32_t)*bytes & 0xC08080FF; /* the tag, and the bits that give the lengths */
    if (kind == (0x80000000 | NYTP_TIME_LINE))
        return NYTP_SHORT_STATEMENT_MAX;
    return (kind & 0x808080FF) == NYTP_TIME_LINE ? NYTP_SHORT_STATEMENT_MAX - 1 : 0;
}

/* A TIME_BLOCK is short if its ticks and fid have one byte each, and its lines one or two. */
enum { NYTP_SHORT_BLOCK_MAX = 9 };

/* Decodes a number of one or two bytes, and moves *at past it. Returns false if it is longer. */
static inline bool nytp_short_number(const unsigned char **at, uint32_t *number)
{
    const unsigned char *from = *at;
    if (from[0] < 0x80) {
        *number = from[0];
        *at += 1;
    } else {
        *number = (from[0] & 0x3Fu) << 8 | from[1];
        *at += 2;
    }
    return from[0] < 0xC0;
}

/* Where the fields of a short SUB_RETURN lie: its depth has one byte, and so has the length of its name,
 * which is not UTF-8. */
enum {
    NYTP_RETURN_DEPTH = 1,
    NYTP_RETURN_INCL = 2,
    NYTP_RETURN_EXCL = NYTP_RETURN_INCL + NYTP_NV_SIZE,
    NYTP_RETURN_QUOTE = 2 + 2 * NYTP_NV_SIZE,
    NYTP_RETURN_LENGTH,
    NYTP_RETURN_NAME
};

/* Returns the size of the short return at `at`; 0 if it is something else, or incomplete. at may be equal to
 * end, since padding follows. */
static inline size_t nytp_short_return(const unsigned char *at, const unsigned char *end)
{
    if (at[0] != NYTP_SUB_RETURN || at[NYTP_RETURN_DEPTH] >= 0x80 || at[NYTP_RETURN_QUOTE] != '\'' ||
        at[NYTP_RETURN_LENGTH] >= 0x80)
        return 0;
    size_t size = NYTP_RETURN_NAME + (size_t)at[NYTP_RETURN_LENGTH];
    return at + size <= end ? size : 0;
}
