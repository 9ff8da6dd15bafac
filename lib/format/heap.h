/* The records of samples of memory: the values of attributes `heap_records` (doc/format.md). A record is
 * numbers; a number is characters from '0' on that have 5 bits each, the lowest first, and one more bit that
 * says that another one follows. The lowest bits of a record's first number say what it is. */
#pragma once

#include "nytprof.h"

#define NYTP_HEAP_RECORDS "heap_records"
#define NYTP_HEAP_FILE    "heap_file"
#define NYTP_HEAP_MARK    "heap_mark"
#define NYTP_HEAP_END     "end" /* the mark before perl clears the variables of a program that ends */

/* Numbers with a sign are in the form of nytp_heap_of_signed(). LIVE is how many more bytes are live than at
 * the record before that has it. */
typedef enum nytp_heap_record {
    NYTP_HEAP_ALLOC,  /* site; size that was asked for, bytes more (signed), LIVE with it */
    NYTP_HEAP_FREE,   /* slot; LIVE before it */
    NYTP_HEAP_OTHERS, /* 0; how much more samples without records have (signed): bytes, blocks, variance, how
                         many; bytes and variance of all that were ever taken */
    NYTP_HEAP_TIME,   /* how much later, in NYTP_HEAP_TIME_NS */
    NYTP_HEAP_NODE,   /* parent; names of the sub, file and line of the call */
    NYTP_HEAP_SITE,   /* node; names of the kind, file, line */
    NYTP_HEAP_NAME,   /* 2 * length, + 1 if it is UTF-8; the bytes */
    NYTP_HEAP_TOTALS, /* bytes allocated since the begin; LIVE */
    NYTP_HEAP_BEGIN,  /* live bytes (signed) */
    NYTP_HEAP_WALK,   /* what was said of holders is over; 1: what follows is whole, 0: none follows */
    NYTP_HEAP_HOLDER, /* the holder that leads to it, 0: none; name of the step */
    NYTP_HEAP_HELD,   /* slot; its holder */
    NYTP_HEAP_SPARSER /* N: samples from here on are one in 2^N as many bytes as the profile says */
} nytp_heap_record;

enum {
    NYTP_HEAP_RECORD_BITS = 4,
    NYTP_HEAP_BITS = 5, /* of a character */
    NYTP_HEAP_ZERO = '0',
    NYTP_HEAP_SPARSEST = 16,    /* the largest N of that */
    NYTP_HEAP_LONGEST = 14,     /* characters of a number */
    NYTP_HEAP_TIME_NS = 100000, /* of a unit of time */
};

static inline uint64_t nytp_heap_of_signed(int64_t number)
{
    return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

static inline int64_t nytp_heap_signed(uint64_t number)
{
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

/* Writes a number to text, and returns its length. */
static inline size_t nytp_heap_put(char text[NYTP_HEAP_LONGEST], uint64_t number)
{
    enum { MORE = 1 << NYTP_HEAP_BITS };
    size_t length = 0;
    for (; number >= MORE; number >>= NYTP_HEAP_BITS)
        text[length++] = (char)(NYTP_HEAP_ZERO + MORE + (number & (MORE - 1)));
    text[length++] = (char)(NYTP_HEAP_ZERO + number);
    return length;
}

/* A record as it is read: its numbers after the first one, without what that says of the kind; the bytes of a
 * name. */
typedef struct nytp_heap_fields {
    nytp_heap_record kind;
    uint64_t first, more[6];
    nytp_str text;
} nytp_heap_fields;

/* Takes the next record off the text. Returns false if what is left is none. */
bool nytp_heap_take(nytp_str *left, nytp_heap_fields *fields);
