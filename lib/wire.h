/* What the wire tier's files share and nobody outside lib/ and xs/ sees. */
#ifndef NYTP_WIRE_H
#define NYTP_WIRE_H

#include "nytprof.h"

#include <pthread.h>

/* ---- errors ---- */

/* Fills err, unless it already holds one: the first error is the one to tell. Returns code. */
int nytp_fail(nytp_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- threads ---- */

/* As pthread_create(); signals are for the program's own threads. */
int nytp_thread_start(pthread_t *thread, void *(*work_of)(void *), void *argument);

/* ---- compression: both directions move such a window on ---- */

typedef struct nytp_window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} nytp_window;

/* ---- sources: filters stack, so a source may be over a source ---- */

enum { NYTP_LENT_BEFORE = 1024 };

struct nytp_source {
    /* Up to size bytes; 0 at the end; a negative nytp_status with err filled. */
    ptrdiff_t (*read)(nytp_source *self, void *buffer, size_t size, nytp_error *err);
    /* NULL, or the same without copying: bytes that are the caller's until the next call of either. The
     * NYTP_LENT_BEFORE bytes before them and the NYTP_PAD behind can be written to as well. */
    ptrdiff_t (*lend)(nytp_source *self, unsigned char **bytes, nytp_error *err);
    void (*free)(nytp_source *self); /* what it owns, and itself; name too */
    char *name;
    bool cancellable;    /* a thread may be cancelled in read(): it only waits for the system there */
    uint64_t size_bytes; /* of the file; 0: unknown (pipe, callback) */
    _Atomic uint64_t taken_bytes; /* of the file; another thread may look */
    const char *cut;              /* set at the end by a filter whose input stopped early: what is missing */
};

/* size bytes of zeros with name, read and free set; NULL when out of memory. */
void *nytp_source_alloc(size_t size, const char *name,
                        ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                        void (*release)(nytp_source *));

/* What the zlib stream holds that begins with the prefix and goes on in inner.
 * Takes inner, copies prefix. Ends where the zlib stream does. */
enum nytp_inflate_with { NYTP_INFLATE_BEST, NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL };
bool nytp_inflate_has(enum nytp_inflate_with with);
nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with);

/* The same, of a stream with segments on at most that many threads, the caller's among them, and no more than
 * 4; of others as nytp_inflate_new() and nytp_ahead_new(). (Of a stream that was cut the libraries may give
 * some bytes more or less.) inner's errors must be lasting, and it must not make its reader wait. Takes
 * inner; NULL: not to be had, and inner stays the caller's. */
nytp_source *nytp_segments_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                               enum nytp_inflate_with with, unsigned threads);

/* The same bytes as inner's, read by a thread that works ahead. Takes inner;
 * gives inner itself when there can be no thread. */
nytp_source *nytp_ahead_new(nytp_source *inner);

/* Which inflater a reader uses; for the tests. */
void nytp_reader_set_inflater(nytp_reader *reader, enum nytp_inflate_with with);

/* ---- sinks ---- */

struct nytp_sink {
    int (*write)(nytp_sink *self, const void *data, size_t size, nytp_error *err);
    char *name;
};

/* A zlib stream into inner, which stays the caller's. level is zlib's, 1 to 9. For 2 to 6 there are ways to
 * compress: FAST, which it begins with (isa-l, if it was there at build time); STRONG, zlib's level; and
 * BALANCED: fast where that makes it nearly as small, else half of zlib 6's time for half as much again.
 * The stream is made of segments, each of one library and on its own. A mark ends each but the last: two
 * empty blocks, of which other data has only one in a row. */
enum { NYTP_SEGMENT_BYTES = 1 << 20 /* of data, and what the last write() has over */ };
#define NYTP_SEGMENT_MARK                                                                                    \
    {                                                                                                        \
        0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0xFF, 0xFF                                                 \
    }
typedef struct nytp_deflate nytp_deflate;
enum nytp_deflate_with { NYTP_DEFLATE_FAST, NYTP_DEFLATE_BALANCED, NYTP_DEFLATE_STRONG };
nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level);
/* SYNC: all of it can be inflated; SEGMENT: and ends a segment; END: the stream. */
enum nytp_deflate_flush { NYTP_DEFLATE_MORE, NYTP_DEFLATE_SYNC, NYTP_DEFLATE_SEGMENT, NYTP_DEFLATE_END };
int nytp_deflate_write(nytp_deflate *deflate, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err);

/* From here on; another library, or level, begins a segment. */
int nytp_deflate_choose(nytp_deflate *deflate, enum nytp_deflate_with with, nytp_error *err);

/* A place to come back to: flushes. resume() goes on from there as if nothing had been written since, not
 * even the end; what inner got since is the caller's to take back. */
typedef struct nytp_deflate_mark {
    uint32_t adler;
    uint64_t in_bytes, out_bytes;
} nytp_deflate_mark;
int nytp_deflate_remember(nytp_deflate *deflate, nytp_deflate_mark *mark, nytp_error *err);
void nytp_deflate_resume(nytp_deflate *deflate, const nytp_deflate_mark *mark);

void nytp_deflate_totals(const nytp_deflate *deflate, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_deflate_free(nytp_deflate *deflate);

/* The check, adler32, of bytes behind others of which it is sum; it begins with 1. */
uint32_t nytp_adler(uint32_t sum, const void *data, size_t size);

/* The check of two runs of bytes together, of which the second has that size. */
uint32_t nytp_adler_join(uint32_t first, uint32_t second, uint64_t second_size);

/* The same stream, made by that many threads in pieces of 512 KiB. NULL: out of memory or threads. After an
 * error there is nothing to be done but to free it. */
typedef struct nytp_crew nytp_crew;
nytp_crew *nytp_crew_new(nytp_sink *inner, int level, enum nytp_deflate_with with, unsigned threads);
int nytp_crew_write(nytp_crew *crew, const void *data, size_t size, nytp_error *err);
int nytp_crew_finish(nytp_crew *crew, nytp_error *err);
void nytp_crew_totals(const nytp_crew *crew, uint64_t *in_bytes, uint64_t *out_bytes);
void nytp_crew_free(nytp_crew *crew); /* NULL is fine */

/* Appends bytes that are whole chunks already, or will be with what is appended next; they are not looked at,
 * nor copied. Writing straight into a buffer is for the collector, which does it for every statement. */
int nytp_writer_encoded(nytp_writer *writer, const void *data, size_t size);

/* The way to compress from here on, and from START_DEFLATE on. */
int nytp_writer_choose(nytp_writer *writer, enum nytp_deflate_with with);

/* Compress with that many threads, from START_DEFLATE on: then the way is what was chosen before it, and
 * nothing reaches the sink by a flush, nor can be taken back. */
void nytp_writer_set_threads(nytp_writer *writer, unsigned threads);

/* As nytp_deflate_remember() and nytp_deflate_resume(), with or without compression. */
int nytp_writer_remember(nytp_writer *writer, nytp_deflate_mark *mark);
void nytp_writer_resume(nytp_writer *writer, const nytp_deflate_mark *mark);

/* ---- from a reader to a writer ---- */

typedef struct nytp_relay {
    const uint32_t *fids; /* by the reader's fid the writer's; 0: none */
    size_t fid_count;
    bool no_calls; /* leave out SUB_ENTRY and SUB_RETURN */
    bool discount; /* a DISCOUNT was taken, before and now, that is of the next statement */
    int64_t ticks; /* sum of the statements handed on so far */
} nytp_relay;

/* Hands the statements and calls that follow next on to the writer, with its fids; each
 * DISCOUNT right before its statement. Leaves to nytp_reader_next() what is something else, is not at hand,
 * or is of a fid that the writer has none for. 0, or the writer's error. */
int nytp_reader_relay(nytp_reader *reader, nytp_writer *writer, nytp_relay *relay);

#endif
