/* Dynamic blocks of deflate (RFC 1951, 3.2.7), from literals and matches to bits. */
#ifndef NYTP_DYNBLOCK_H
#define NYTP_DYNBLOCK_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    NYTP_BLOCK_SYMBOLS = 16 << 10, /* literals and matches in a block at most */
    NYTP_BLOCK_MOST_BYTES = 400 + 6 * NYTP_BLOCK_SYMBOLS,
    NYTP_LITERALS = 286,
    NYTP_DISTANCES = 30,
    NYTP_MATCH_LEAST = 3,
    NYTP_MATCH_MOST = 258
};

typedef struct nytp_dynblock {
    uint32_t symbols[NYTP_BLOCK_SYMBOLS]; /* a literal, or length << 16 | distance */
    uint32_t count;
    uint32_t literals[NYTP_LITERALS], distances[NYTP_DISTANCES]; /* how often each code is needed */
} nytp_dynblock;

/* Bits behind one another, from the lowest of a byte on. Up to seven wait for the byte to be full. */
typedef struct nytp_bits {
    unsigned char *at; /* eight bytes from here on may be written to */
    uint64_t waiting;
    unsigned count;
} nytp_bits;

/* count up to 48. */
static inline void nytp_bits_put(nytp_bits *bits, uint64_t value, unsigned count)
{
    bits->waiting |= value << bits->count;
    bits->count += count;
    const uint64_t bytes = htole64(bits->waiting);
    memcpy(bits->at, &bytes, sizeof bytes);
    bits->at += bits->count >> 3;
    bits->waiting >>= bits->count & ~7U;
    bits->count &= 7;
}

/* Codes of RFC 1951, 3.2.5, by what their extra bits leave of them. */
static inline unsigned nytp_length_code(unsigned length)
{
    const unsigned above = length - NYTP_MATCH_LEAST;
    if (length == NYTP_MATCH_MOST)
        return NYTP_LITERALS - 1;
    if (above < 8)
        return 257 + above;
    const unsigned top = 31 - (unsigned)__builtin_clz(above);
    return 257 + 4 * (top - 1) + (above >> (top - 2) & 3);
}

static inline unsigned nytp_distance_code(unsigned distance)
{
    const unsigned above = distance - 1;
    if (above < 4)
        return above;
    const unsigned top = 31 - (unsigned)__builtin_clz(above);
    return 2 * top + (above >> (top - 1) & 1);
}

static inline void nytp_block_literal(nytp_dynblock *block, unsigned char byte)
{
    block->symbols[block->count++] = byte;
    block->literals[byte]++;
}

static inline void nytp_block_match(nytp_dynblock *block, unsigned length, unsigned distance)
{
    block->symbols[block->count++] = length << 16 | distance;
    block->literals[nytp_length_code(length)]++;
    block->distances[nytp_distance_code(distance)]++;
}

/* Writes the block, at most NYTP_BLOCK_MOST_BYTES, and empties it. last: none follows. */
void nytp_block_write(nytp_dynblock *block, nytp_bits *bits, bool last);

#endif
