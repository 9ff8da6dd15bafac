/* What the unit tests share: streams in memory, and sources that make reading them difficult. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bytes/deflate.h"
#include "bytes/source.h"

#define COUNT(array)  (sizeof(array) / sizeof *(array))
#define STR(literal)  ((nytp_str){.bytes = (literal), .length = sizeof(literal) - 1})
#define UTF8(literal) ((nytp_str){.bytes = (literal), .length = sizeof(literal) - 1, .utf8 = true})

/* Says why a test is skipped, for test/tools/unit. CI=true lets only some reasons pass:
 * test/lib/NYTPHarness.pm. */
#define skip_because(reason) (print_message("skipped: %s\n", (reason)), skip())

/* ---- bytes in memory; all zeros: there are none ---- */

typedef struct memory {
    unsigned char *data;
    size_t size, capacity;
    size_t refuse_from; /* ENOSPC if size would exceed it; 0: never */
} memory;

int memory_write(void *context, const void *data, size_t size); /* a nytp_write_fn */
void memory_add(memory *m, const char *bytes, size_t size);
void memory_free(memory *m);

/* Appends the bytes to m as a zlib stream, which has an end only if flush is NYTP_DEFLATE_END. */
void memory_deflate(memory *m, const void *data, size_t size, enum nytp_deflate_flush flush);

/* ---- files ---- */

void file_write(const char *path, const char *text);
/* Expects the file to hold that text, of less than 256 bytes. */
#define assert_file_holds(path, text) file_must_hold((path), (text), __FILE__, __LINE__)
void file_must_hold(const char *path, const char *text, const char *file, int line);

/* For cmocka_unit_test_setup_teardown(): the test begins in an empty directory, with umask 022. Afterwards
 * the directory is removed, and the one before is the current one again. */
int enter_empty_directory(void **state);
int leave_directory(void **state);

/* ---- texts ---- */

/* Expects text to contain words. A failure shows both. */
#define assert_contains(text, words) must_contain((text), (words), __FILE__, __LINE__)
void must_contain(const char *text, const char *words, const char *file, int line);

/* ---- streams ---- */

/* Returns the stream that a writer makes of the chunks, none of which it may refuse. */
memory stream_of(const nytp_chunk *chunks, size_t count);

/* The start of a profile, for tests to append to: the header, and process 7 begins. */
memory stream_begin(void);

/* A complete profile with every kind of chunk; if compressed, with a START_DEFLATE in the middle. */
memory sample_stream(bool compressed);
size_t sample_count(bool compressed);

/* ---- awkward sources ---- */

uint64_t random_next(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t limit);

/* A source that gives 1 to `most` bytes at a time, and fails at the end with error_number, if it is not 0. */
typedef struct nasty {
    const unsigned char *data;
    size_t left, most;
    uint64_t random;
    int error_number;
} nasty;

ptrdiff_t nasty_read(void *context, void *buffer, size_t size); /* a nytp_read_fn */

/* ---- reading ---- */

typedef struct way {
    size_t most; /* a nasty source of up to that many bytes at a time; 0: a memory source */
    enum nytp_threads threads;
    enum nytp_inflate_with with;
} way;

/* Returns every combination of threads and inflaters, with large and small pieces. */
const way *ways(size_t *count);
extern const way plainly; /* memory, no threads, the best inflater */

typedef struct reading {
    char *text; /* chunks by chunk_print() */
    size_t length, chunks;
    int end;
    nytp_error error;
    size_t warnings;
    char warning[256];
    double ticks_per_sec;
} reading;

reading read_to_end(nytp_reader *reader); /* and frees it */
reading read_bytes(const void *data, size_t size, way how);
void reading_free(reading *r);

/* Expects the chunks of r to be the first ones of whole. */
void assert_prefix(const reading *r, const reading *whole);
