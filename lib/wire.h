/* What the files of the wire tier share. Nothing outside lib/ and xs/ sees it. */
#ifndef NYTP_WIRE_H
#define NYTP_WIRE_H

#include "nytprof.h"

#include <pthread.h>

/* ---- errors ---- */

/* Fills err, unless it already holds one: the first error is the one to tell. Returns code. */
int nytp_fail(nytp_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- threads ---- */

/* As pthread_create(), with all signals blocked: they are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);

/* ---- compression ---- */

/* Input that is left, and room that is left for output. A step, of inflating or deflating, moves the pointers
 * on and lowers the sizes. */
typedef struct nytp_window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} nytp_window;

/* ---- sources ---- */

enum { NYTP_LENT_BEFORE = 1024 };

/* A filter is a source that reads from another one. */
struct nytp_source {
    /* Reads up to size bytes. Returns how many; 0 at the end; a negative nytp_status with err filled. */
    ptrdiff_t (*read)(nytp_source *self, void *buffer, size_t size, nytp_error *err);
    /* NULL, or the same without copying: *bytes are valid until the next call of either function. The caller
     * may write to them, and to the NYTP_LENT_BEFORE bytes before and the NYTP_PAD bytes behind them. */
    ptrdiff_t (*lend)(nytp_source *self, unsigned char **bytes, nytp_error *err);
    void (*free)(nytp_source *self); /* itself and what it owns, name too */
    char *name;                      /* begins every error message */
    bool cancellable; /* pthread_cancel() may end read(), which does no more than wait for the system then */
    uint64_t size_bytes;          /* of the file; 0: unknown (pipe, callback) */
    _Atomic uint64_t taken_bytes; /* of the file; other threads look at it */
    const char *cut;              /* at the end of an input that stopped early: what is missing; else NULL */
};

/* Allocates size bytes, all zero but name (a copy), read and free. NULL when out of memory. */
void *nytp_source_alloc(size_t size, const char *name,
                        ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                        void (*release)(nytp_source *));

/* The content of the zlib stream that begins with the bytes of prefix and goes on in inner. It ends where
 * that stream does. Copies prefix; takes inner, also when it fails (NULL: out of memory). */
enum nytp_inflate_with { NYTP_INFLATE_BEST, NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL };
bool nytp_inflate_has(enum nytp_inflate_with with);
nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with);

/* The same, inflated by up to that many threads, the caller's among them, and 4 at most, where the stream is
 * made of segments (see nytp_deflate_new()); any other is read as by nytp_inflate_new() and nytp_ahead_new().
 * (Of a stream that was cut, the libraries may yield a few bytes more or less.) inner must fail again once it
 * has failed, and must not wait for input, as a pipe does. Takes inner, but not when it fails: NULL. */
nytp_source *nytp_segments_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                               enum nytp_inflate_with with, unsigned threads);

/* The same bytes as inner's, read ahead by a thread. Takes inner; returns inner itself when no thread can be
 * started. */
nytp_source *nytp_ahead_new(nytp_source *inner);

/* Which library a reader inflates with. For tests. */
void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with);

/* ---- sinks ---- */

struct nytp_sink {
    /* Writes all of it. 0, or a negative nytp_status with err filled. */
    int (*write)(nytp_sink *self, const void *data, size_t size, nytp_error *err);
    char *name;
};

/* Compresses into inner, which stays the caller's, as one zlib stream. level is zlib's, 1 to 9; at levels 2
 * to 6 there is a choice:
 *
 *   FAST      isa-l, if it was there at build time, else zlib's level 1
 *   STRONG    zlib at that level
 *
 * The stream is made of segments. None refers to anything before it. Every segment but the last ends with a
 * mark: two empty blocks in a row, which other data have by chance only. */
typedef struct nytp_deflate nytp_deflate;
enum nytp_deflate_with { NYTP_DEFLATE_FAST, NYTP_DEFLATE_STRONG };
nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level, enum nytp_deflate_with with);

enum { NYTP_SEGMENT_BYTES = 1 << 20 /* of input; a segment ends with the write that reaches it */ };
#define NYTP_SEGMENT_MARK                                                                                    \
    {                                                                                                        \
        0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0xFF, 0xFF                                                 \
    }

/* MORE: some output may be held back; SYNC: all input so far can be inflated; SEGMENT: and the segment ends;
 * END: and the stream ends. 0, or a negative nytp_status with err filled; so below. */
enum nytp_deflate_flush { NYTP_DEFLATE_MORE, NYTP_DEFLATE_SYNC, NYTP_DEFLATE_SEGMENT, NYTP_DEFLATE_END };
int nytp_deflate_write(nytp_deflate *deflate, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err);

/* remember() flushes, and notes the place in *mark. resume() goes on from there as if nothing had been
 * written since, not even the end; the caller has to take back what inner was given since. */
typedef struct nytp_deflate_mark {
    uint32_t adler;
    uint64_t in_bytes, out_bytes;
} nytp_deflate_mark;
int nytp_deflate_remember(nytp_deflate *deflate, nytp_deflate_mark *mark, nytp_error *err);
void nytp_deflate_resume(nytp_deflate *deflate, const nytp_deflate_mark *mark);

void nytp_deflate_totals(const nytp_deflate *deflate, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_deflate_free(nytp_deflate *deflate);

/* The adler32 of bytes that follow others, whose adler32 is sum; 1 where there are none. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size);

/* The adler32 of two runs of bytes together, from that of each and the size of the second. */
uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size);

/* As nytp_deflate, on that many threads, each at a piece of 512 KiB. NULL: out of memory or threads. After an
 * error the only thing left to do is to free it. */
typedef struct nytp_crew nytp_crew;
nytp_crew *nytp_crew_new(nytp_sink *inner, int level, enum nytp_deflate_with with, unsigned threads);
int nytp_crew_write(nytp_crew *crew, const void *data, size_t size, nytp_error *err);
int nytp_crew_finish(nytp_crew *crew, nytp_error *err);
void nytp_crew_totals(const nytp_crew *crew, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_crew_free(nytp_crew *crew); /* NULL is fine */

/* Appends bytes that are encoded already: whole chunks, be it over several calls. They are not looked at. For
 * the collector, which encodes each statement straight into a buffer of its own. */
int nytp_writer_encoded(nytp_writer *writer, const void *data, size_t size);

/* How to compress from START_DEFLATE on; FAST if it is not told. */
void nytp_writer_set_deflate(nytp_writer *writer, enum nytp_deflate_with with);

/* Compress on that many threads from START_DEFLATE on: a flush does not reach the sink, and remember() and
 * resume() cannot be used. */
void nytp_writer_set_threads(nytp_writer *writer, unsigned threads);

/* As nytp_deflate_remember() and nytp_deflate_resume(), with or without compression. */
int nytp_writer_remember(nytp_writer *writer, nytp_deflate_mark *mark);
void nytp_writer_resume(nytp_writer *writer, const nytp_deflate_mark *mark);

/* ---- from a reader to a writer ---- */

typedef struct nytp_relay {
    const uint32_t *fids; /* the writer's fids, by those of the reader; 0: there is none */
    size_t fid_count;
    bool no_calls; /* leave out SUB_ENTRY and SUB_RETURN */
    bool discount; /* in and out: a DISCOUNT was taken whose statement is still to come */
    int64_t ticks; /* in and out: sum of the statements handed on */
} nytp_relay;

/* Hands statements and calls on to the writer, with its fids and each DISCOUNT right before its statement,
 * for as long as they come and are buffered. Anything else, and what is of a fid that the writer has none
 * for, it leaves to nytp_reader_next(). 0, or the writer's error. */
int nytp_reader_relay(nytp_reader *reader, nytp_writer *writer, nytp_relay *relay);

#endif
