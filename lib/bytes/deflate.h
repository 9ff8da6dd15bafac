/* Compressing into one zlib stream that is made of segments.
 *
 * No segment refers to anything before it, so segments can be made, and inflated, in parallel. Every segment
 * but the last ends with a mark: two empty blocks in a row, which other data have only by chance.
 */
#pragma once

#include "nytprof.h"

#include <stdint.h>
#include <stdio.h>

/* Which library compresses at levels 2 to 6. At the other levels there is no choice.
 *
 *   FAST        isa-l, if it was there at build time, else zlib's level 1
 *   STRONG      zlib at that level
 *   ADAPTABLE   STRONG; at level 6 what nytp_deflate_choose() says, FAST before that; a stream of less than
 *               3 KB is not compressed but one stored block, at any level
 */
enum nytp_deflate_with { NYTP_DEFLATE_FAST, NYTP_DEFLATE_STRONG, NYTP_DEFLATE_ADAPTABLE };

/* Compresses into inner, which stays the caller's. level is 1 to 9, as in zlib. Returns NULL when out of
 * memory. */
typedef struct nytp_deflate nytp_deflate;
nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level, enum nytp_deflate_with with);
void nytp_deflate_free(nytp_deflate *deflate); /* NULL is fine; does not end the stream */

/* How strongly an ADAPTABLE stream of level 6 is compressed. Each takes two to four times as long as the one
 * before; codec.c has figures. libdeflate refers to nothing before a flush, so HIGHEST alone is for small
 * pieces that are flushed.
 *
 *   LOW       FAST
 *   MEDIUM    libdeflate's level 4, if it was there at build time, else FAST
 *   HIGH      libdeflate's level 6, if it was there at build time, else HIGHEST
 *   HIGHEST   zlib's level 6
 */
typedef enum nytp_deflate_effort {
    NYTP_EFFORT_LOW,
    NYTP_EFFORT_MEDIUM,
    NYTP_EFFORT_HIGH,
    NYTP_EFFORT_HIGHEST,
    NYTP_EFFORTS
} nytp_deflate_effort;

/* Allocates what the efforts above LOW need: 3 MB of address space, whose pages become memory when they are
 * used; without libdeflate 260 KB. Returns false when out of memory: it will be LOW all the time. While it
 * runs, another thread may use deflate, but not choose anything else than LOW. */
bool nytp_deflate_prepare(nytp_deflate *deflate);

/* Compresses what is written from here on with that effort, if it was prepared, else with LOW. A change ends
 * the segment. Returns 0, or a negative nytp_status with err filled. */
int nytp_deflate_choose(nytp_deflate *deflate, nytp_deflate_effort effort, nytp_error *err);

/* What must have reached inner when nytp_deflate_write() returns. MORE: nothing in particular. SYNC: all
 * input up to here can be inflated. SEGMENT: the same, and the segment ends. END: the same, and the stream
 * ends.
 *
 * Returns 0, or a negative nytp_status with err filled; so does nytp_deflate_remember(). */
enum nytp_deflate_flush { NYTP_DEFLATE_MORE, NYTP_DEFLATE_SYNC, NYTP_DEFLATE_SEGMENT, NYTP_DEFLATE_END };
int nytp_deflate_write(nytp_deflate *deflate, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err);

/* remember() flushes, and sets *mark to the current position. resume() returns to that position, as if
 * nothing had been written since, not even the end; the caller must take back what inner was given since. */
typedef struct nytp_deflate_mark {
    uint32_t adler;               /* of all input before it */
    uint64_t in_bytes, out_bytes; /* before it */
} nytp_deflate_mark;
int nytp_deflate_remember(nytp_deflate *deflate, nytp_deflate_mark *mark, nytp_error *err);
void nytp_deflate_resume(nytp_deflate *deflate, const nytp_deflate_mark *mark);

/* How many bytes were written, and how many compressed bytes they became. */
void nytp_deflate_totals(const nytp_deflate *deflate, uint64_t *in_bytes, uint64_t *out_bytes);

enum { NYTP_SEGMENT_BYTES = 1 << 20 /* of input; a segment ends with the write that reaches it */ };

/* How a segment ends: with the lengths of the empty block that a sync flush writes, and a second empty block
 * (RFC 1951, 3.2.4). */
/* clang-format off */
#define NYTP_SEGMENT_MARK { 0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0xFF, 0xFF }
/* clang-format on */

/* Like nytp_deflate, on `threads` threads, each of which compresses blocks of 512 KiB. new() returns NULL
 * when out of memory, or if no thread can be started. write() and finish() return 0, or a negative
 * nytp_status with err filled; only free() may follow an error. */
typedef struct nytp_deflate_mt nytp_deflate_mt;
nytp_deflate_mt *nytp_deflate_mt_new(nytp_sink *inner, int level, enum nytp_deflate_with with,
                                     unsigned threads);
int nytp_deflate_mt_write(nytp_deflate_mt *deflate, const void *data, size_t size, nytp_error *err);
int nytp_deflate_mt_finish(nytp_deflate_mt *deflate, nytp_error *err);
void nytp_deflate_mt_totals(const nytp_deflate_mt *deflate, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_deflate_mt_free(nytp_deflate_mt *deflate); /* NULL is fine */

/* Returns a stream whose bytes are compressed into out as one gzip member, without a time, so that the same
 * input gives the same bytes. fclose() ends the member, and fails if out has failed. out stays the caller's,
 * and must stay open until then. Returns NULL with errno set when out of memory. */
FILE *nytp_gzip_open(FILE *out);

/* How strongly a thread compresses beside a program: as strongly as it has the time for, if it has a
 * processor of its own, else with the lowest effort, which is ten times as fast as the highest.
 */

typedef struct nytp_effort {
    /* before the last block that was compressed with more than LOW: of the thread and of the system */
    int64_t run_ns, began_ns;
    double quota;      /* nytp_cgroup_processors() of this process; 0: not yet looked up */
    unsigned low_left; /* how many blocks are compressed with LOW before the next trial */
    unsigned low_next; /* how many there will be if that one must wait, too */
} nytp_effort;

/* Returns the effort for the next block: what there is time for, or LOW if more threads run than there are
 * processors, if a control group may use less than two, or if the last block that had more than LOW waited
 * for one. */
nytp_deflate_effort nytp_effort_begin(nytp_effort *effort, nytp_deflate_effort has_time_for);

/* Call it after a block that was compressed with more than LOW. */
void nytp_effort_end(nytp_effort *effort);
