/* Sources: where bytes come from. A filter is a source that reads from another one. */
#pragma once

#include "nytprof.h"

/* Returns a source of the same bytes as inner, which a thread reads ahead. Takes ownership of inner. Returns
 * inner itself if memory is lacking or no thread can be started. */
nytp_source *nytp_readahead_new(nytp_source *inner);

enum nytp_inflate_with { NYTP_INFLATE_BEST, NYTP_INFLATE_ZLIB, NYTP_INFLATE_ISAL };

/* Returns whether the library is in this build. */
bool nytp_inflate_has(enum nytp_inflate_with with);

/* Returns a source of the contents of a zlib stream, which begins with the bytes of prefix and continues with
 * those of inner; NULL when out of memory. The source ends where the stream does. Copies prefix. Takes
 * ownership of inner, also when it fails. */
nytp_source *nytp_inflate_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                              enum nytp_inflate_with with);

enum {
    NYTP_LENT_BEFORE = 1024,
    NYTP_PAD = 64 /* bytes after the end of a buffer that may be read; format/primitives.h says why */
};

/* A source may lend its bytes instead of copying them, and the reader decodes them in place. Bytes that were
 * left of the previous loan, such as half a chunk, the reader copies right in front of them, and it writes
 * padding after them:
 *
 *     | NYTP_LENT_BEFORE bytes | bytes that are lent (n) | NYTP_PAD bytes |
 *                              ^ *bytes
 */
struct nytp_source {
    /* Reads up to size bytes. Returns how many; 0 at the end; a negative nytp_status with err filled. */
    ptrdiff_t (*read)(nytp_source *self, void *buffer, size_t size, nytp_error *err);
    /* Like read, without copying: *bytes are valid until the next call of either function. The caller may
     * write to all that the figure above shows. NULL: this source cannot lend. */
    ptrdiff_t (*lend)(nytp_source *self, unsigned char **bytes, nytp_error *err);
    void (*free)(nytp_source *self); /* frees the source and all that it owns, its name too */
    /* Only filters have it, and it is called only after read() has returned 0: frees the filter and returns a
     * source of the bytes that follow its stream, or NULL when out of memory. */
    nytp_source *(*detach)(nytp_source *self);
    /* Reads from the first byte again. Returns false if that is not possible. NULL for a source that never
     * can. */
    bool (*rewind)(nytp_source *self);
    char *name;                   /* begins every error message */
    bool cancellable;             /* while true, read() is blocked in a system call and may be cancelled */
    uint64_t size_bytes;          /* of the file; 0: unknown (pipe, callback) */
    _Atomic uint64_t taken_bytes; /* bytes of the file that were read; other threads look at it */
    const char *cut;              /* at the end of an input that stopped early: what is missing; else NULL */
};

/* Allocates a source of size bytes, all zero except name (a copy), read and free. Returns NULL when out of
 * memory. */
void *nytp_source_alloc(size_t size, const char *name,
                        ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                        void (*release)(nytp_source *));

/* Like nytp_source_alloc(), for a source that reads from inner: it begins with the name and the size of
 * inner, and with what inner has read so far. */
void *nytp_source_alloc_over(size_t size, const nytp_source *inner,
                             ptrdiff_t (*read)(nytp_source *, void *, size_t, nytp_error *),
                             void (*release)(nytp_source *));

/* Returns a source of no more than that many bytes of inner, of which it takes ownership. Returns NULL when
 * out of memory, also if inner is NULL for that reason. */
nytp_source *nytp_source_first(nytp_source *inner, uint64_t bytes);

/* Returns a source that reads from inner, and leaves it to the caller. Returns NULL when out of memory. */
nytp_source *nytp_source_borrow(nytp_source *inner);

/* Returns a source of the same bytes that can be read again: source itself, or a copy of what it has in an
 * unnamed file, and source is freed. Where reading fails, the copy ends; a source that fails at once is
 * returned, and fails again. Returns NULL with err filled if there is no place for the copy. */
nytp_source *nytp_source_rewindable(nytp_source *source, nytp_error *err);

/* Returns a source of those bytes, which it copies, and then of inner, of which it takes ownership. Returns
 * NULL when out of memory. */
nytp_source *nytp_source_prepend(nytp_source *inner, const void *bytes, size_t size);
