/* What the unit tests share: streams made in memory, and reading them in awkward ways. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bytes/deflate.h"
#include "bytes/inflate.h"

#define COUNT(array)  (sizeof(array) / sizeof *(array))
#define STR(literal)  ((nytp_str){.bytes = (literal), .length = sizeof(literal) - 1})
#define UTF8(literal) ((nytp_str){.bytes = (literal), .length = sizeof(literal) - 1, .utf8 = true})

/* ---- bytes in memory; all zeros is an empty one ---- */

typedef struct memory {
    unsigned char *data;
    size_t size, room;
    size_t refuse_from; /* ENOSPC when size would pass it; 0: never */
} memory;

int memory_write(void *context, const void *data, size_t size); /* a nytp_write_fn */
void memory_add(memory *m, const char *bytes, size_t size);
void memory_free(memory *m);

/* The bytes as a zlib stream (without an end, if flush is not NYTP_DEFLATE_END), at the end of m. */
void memory_deflate(memory *m, const void *data, size_t size, enum nytp_deflate_flush flush);

/* ---- files ---- */

void file_write(const char *path, const char *text);
void assert_file_holds(const char *path,
                       const char *text); /* that it holds the text, of less than 256 bytes */

/* ---- streams ---- */

/* What the writer makes of the chunks; finished, and none may be refused. */
memory stream_of(const nytp_chunk *chunks, size_t count);

/* The shortest complete profile: header, and process 7 that begins; for tests to append to. */
memory stream_begin(void);

/* A complete profile with every kind of chunk; with START_DEFLATE in the middle or without. */
memory sample_stream(bool compressed);
size_t sample_count(bool compressed);

/* ---- awkward sources ---- */

uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t limit);

/* Hands out 1 to most bytes a time; fails with error_number at the end, if it is not 0. */
typedef struct nasty {
    const unsigned char *data;
    size_t left, most;
    uint64_t random;
    int error_number;
} nasty;

ptrdiff_t nasty_read(void *context, void *buffer, size_t size); /* a nytp_read_fn */

/* ---- reading ---- */

typedef struct way {
    size_t most; /* a nasty source of so many bytes a time; 0: a memory source */
    enum nytp_threads threads;
    enum nytp_inflate_with with;
} way;

/* Every way of threads and inflaters there is; whole blocks only, or small pieces too. */
const way *ways(size_t *count);
extern const way plainly; /* memory, no threads, the best inflater */

typedef struct reading {
    char *text; /* chunks by chunk_print() */
    size_t length, chunks;
    int end;
    nytp_error error;
    uint32_t warnings;
    char warning[256];
    double ticks_per_sec;
} reading;

reading read_to_end(nytp_reader *reader); /* and frees it */
reading read_bytes(const void *data, size_t size, way how);
void reading_free(reading *r);

/* That r's chunks are the first ones of whole. */
void assert_prefix(const reading *r, const reading *whole);

#endif
