/* Inflating on several threads. That is possible if nytp_deflate made the stream: its segments refer to
 * nothing before them, and each ends with a mark, which other streams contain only by chance.
 *
 * A worker of the pool reads a segment, that is, as far as the next mark, and inflates it. Reading is done by
 * one worker at a time, inflating in parallel. A caller that has to wait for the oldest segment works, too,
 * so there need not be more threads than processors.
 *
 * Everything else is left to an ordinary inflater, `rest`, which continues from the last good mark: the last
 * segment, which has no mark; damaged data; bytes that look like a mark and are not. So all errors come from
 * one place.
 */
#include "bytes/inflate_mt.h"

#include "base/error.h"
#include "bytes/adler.h"
#include "bytes/codec.h"
#include "bytes/deflate.h"
#include "bytes/ordered_pool.h"
#include "bytes/readahead.h"
#include "bytes/source.h"
#include "bytes/window.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 4, /* including the caller's */
    HEADER_BYTES = 2,
    READ_BYTES = 64 << 10,
    IN_CAPACITY = NYTP_SEGMENT_BYTES / 2, /* profiles usually compress to less than half */
    OUT_CAPACITY = 2 * NYTP_SEGMENT_BYTES /* nytp_deflate makes no segment that inflates to more */
};

/* Large, but the system provides memory only for the pages that are used. */
typedef struct segment {
    size_t in_size, out_size;
    uint32_t adler;
    bool good; /* it ends with a mark, and between two deflate blocks */
    unsigned char in[IN_CAPACITY];
    unsigned char before[NYTP_LENT_BEFORE];
    unsigned char out[OUT_CAPACITY];
    unsigned char padding[NYTP_PAD];
} segment;

typedef struct mt_source {
    nytp_source base;
    nytp_source *inner; /* NULL: rest owns it */
    enum nytp_inflate_with with;
    nytp_ordered_pool *pool; /* of segments; NULL: rest has taken over */
    unsigned char header[HEADER_BYTES];

    /* Used by the worker that reads: the bytes that were read past the last mark. */
    unsigned char *carry; /* as large as the prefix, and at least READ_BYTES */
    size_t carry_size;

    /* Used by the caller alone. */
    bool began;               /* a segment was handed out */
    size_t used;              /* bytes of the oldest segment that were handed out */
    nytp_inflate_point point; /* after all segments that were handed out */
    nytp_source *rest;
    unsigned char *lent; /* a buffer to lend from if rest cannot lend */
} mt_source;

/* Runs on a worker, or on the caller while it would wait, like inflate_segment(). Reads as far as the next
 * mark. Returns false if there is none within IN_CAPACITY, or before the end of the file. */
static bool read_segment(void *context, void *job)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    mt_source *s = context;
    segment *g = job;
    nytp_error ignored = {0}; /* inner keeps it, and rest will receive it again */
    size_t searched = 0;
    ptrdiff_t n = (ptrdiff_t)s->carry_size;
    memcpy(g->in, s->carry, s->carry_size);
    s->carry_size = g->in_size = 0;
    g->good = false;
    while (!g->good) {
        g->in_size += (size_t)n;
        unsigned char *found = memmem(g->in + searched, g->in_size - searched, mark, sizeof mark);
        if (found != NULL) {
            size_t size = (size_t)(found - g->in) + sizeof mark;
            s->carry_size = g->in_size - size;
            memcpy(s->carry, g->in + size, s->carry_size);
            g->in_size = size;
            g->good = true;
            break;
        }
        searched = g->in_size < sizeof mark ? 0 : g->in_size - sizeof mark + 1;
        if (g->in_size + READ_BYTES > IN_CAPACITY)
            break;
        n = s->inner->read(s->inner, g->in + g->in_size, READ_BYTES, &ignored);
        if (n <= 0)
            break;
    }
    s->base.taken_bytes = s->inner->taken_bytes;
    return g->good;
}

/* Clears good if the segment does not end between blocks, or not within OUT_CAPACITY. */
static void inflate_segment(void *context, void *job, unsigned worker)
{
    const nytp_inflater *inflater = nytp_inflater_of(((const mt_source *)context)->with);
    segment *g = job;
    (void)worker;
    if (!g->good)
        return;
    const char *why;
    nytp_window w = {.in = g->in, .in_size = g->in_size, .out = g->out, .out_size = OUT_CAPACITY};
    void *state = inflater->start(true);
    g->good = state != NULL && inflater->step(state, &w, &why) == NYTP_OK && w.in_size == 0 &&
              w.out_size > 0 && inflater->between_blocks(state);
    if (state != NULL)
        inflater->stop(state);
    g->out_size = OUT_CAPACITY - w.out_size;
    g->adler = nytp_adler(1, g->out, g->out_size);
}

/* Returns a copy of what was read and not handed out, as it is in the file: from the header on, if nothing
 * was handed out. NULL when out of memory. The pool must have been stopped. */
static unsigned char *gather(const mt_source *s, size_t *size)
{
    const segment *g;
    size_t capacity = sizeof s->header + s->carry_size, length = s->began ? 0 : sizeof s->header;
    for (unsigned i = 0; (g = nytp_ordered_pool_taken(s->pool, i)) != NULL; i++)
        capacity += g->in_size;
    unsigned char *bytes = malloc(capacity);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, s->header, length);
    for (unsigned i = 0; (g = nytp_ordered_pool_taken(s->pool, i)) != NULL; i++) {
        memcpy(bytes + length, g->in, g->in_size);
        length += g->in_size;
    }
    memcpy(bytes + length, s->carry, s->carry_size);
    *size = length + s->carry_size;
    return bytes;
}

/* Starts rest, from the last good mark. rest stays NULL when out of memory. */
static void start_rest(mt_source *s)
{
    size_t size;
    nytp_ordered_pool_stop(s->pool);
    unsigned char *bytes = gather(s, &size);
    nytp_source *inner = s->inner;
    s->inner = NULL;
    if (bytes == NULL)
        nytp_source_free(inner);
    else if (!s->began)
        s->rest = nytp_inflate_new(inner, bytes, size, s->with);
    else
        s->rest = nytp_inflate_resume(inner, bytes, size, &s->point);
    free(bytes);
    nytp_ordered_pool_free(s->pool);
    s->pool = NULL;
    if (s->rest == NULL)
        return;
    s->rest = nytp_readahead_new(s->rest);
    if (s->rest->lend != NULL || (s->lent = malloc(NYTP_LENT_BEFORE + READ_BYTES + NYTP_PAD)) != NULL)
        return;
    nytp_source_free(s->rest);
    s->rest = NULL;
}

static void release_oldest(mt_source *s)
{
    nytp_ordered_pool_release(s->pool);
    nytp_ordered_pool_submit(s->pool);
    s->used = 0;
}

/* Returns the segment that has bytes to hand out; NULL if rest has them, or if *rc is an error. */
static segment *current(mt_source *s, int *rc, nytp_error *err)
{
    *rc = 0;
    while (s->pool != NULL) {
        segment *g = nytp_ordered_pool_oldest(s->pool, NYTP_POOL_HELP);
        if (!g->good) {
            start_rest(s);
            break;
        }
        if (s->used == 0)
            nytp_inflate_point_move(&s->point, g->out, g->out_size, g->adler);
        s->began = true;
        if (s->used < g->out_size)
            return g;
        release_oldest(s);
    }
    if (s->rest == NULL) {
        nytp_fail(err, NYTP_ERR_MEMORY, "%s: out of memory for inflating", s->base.name);
        *rc = NYTP_ERR_MEMORY;
    }
    return NULL;
}

/* After a call of rest: copies what it says about the file. Returns n. */
static ptrdiff_t after_rest(mt_source *s, ptrdiff_t n)
{
    s->base.taken_bytes = s->rest->taken_bytes;
    s->base.cut = s->rest->cut;
    return n;
}

static ptrdiff_t mt_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    mt_source *s = (mt_source *)self;
    int rc;
    segment *g = current(s, &rc, err);
    if (rc < 0)
        return rc;
    if (g == NULL)
        return after_rest(s, s->rest->read(s->rest, buffer, size, err));
    if (size > g->out_size - s->used)
        size = g->out_size - s->used;
    memcpy(buffer, g->out + s->used, size);
    s->used += size;
    return (ptrdiff_t)size;
}

static ptrdiff_t mt_lend(nytp_source *self, unsigned char **bytes, nytp_error *err)
{
    mt_source *s = (mt_source *)self;
    int rc;
    segment *g = current(s, &rc, err);
    if (rc < 0)
        return rc;
    if (g == NULL && s->rest->lend != NULL)
        return after_rest(s, s->rest->lend(s->rest, bytes, err));
    if (g == NULL) {
        *bytes = s->lent + NYTP_LENT_BEFORE;
        return after_rest(s, s->rest->read(s->rest, *bytes, READ_BYTES, err));
    }
    size_t from = s->used;
    *bytes = g->out + from;
    s->used = g->out_size; /* the next call releases it */
    return (ptrdiff_t)(g->out_size - from);
}

static void mt_free(nytp_source *self)
{
    mt_source *s = (mt_source *)self;
    nytp_ordered_pool_free(s->pool);
    nytp_source_free(s->inner);
    nytp_source_free(s->rest);
    free(s->carry);
    free(s->lent);
    free(self->name);
    free(s);
}

/* The end of a stream is always read by rest. */
static nytp_source *mt_detach(nytp_source *self)
{
    mt_source *s = (mt_source *)self;
    nytp_source *after = s->rest->detach(s->rest);
    s->rest = NULL;
    mt_free(self);
    return after;
}

/* RFC 1950: deflate, a window of at most 32 KiB, a header that is a multiple of 31, no dictionary. */
static bool is_header(const unsigned char *bytes, size_t size)
{
    return size >= 2 && (bytes[0] & 0x0F) == 8 && bytes[0] >> 4 <= 7 &&
           (bytes[0] << 8 | bytes[1]) % 31 == 0 && (bytes[1] & 0x20) == 0;
}

static bool start(mt_source *s, const unsigned char *bytes, size_t size, unsigned threads)
{
    static const nytp_pool_work work = {.prepare = read_segment, .run = inflate_segment};
    s->carry = malloc(size > READ_BYTES ? size : READ_BYTES);
    if (s->carry == NULL)
        return false;
    memcpy(s->carry, bytes, size);
    s->carry_size = size;
    s->pool = nytp_ordered_pool_new(&work, s, threads + 1, sizeof(segment), threads - 1);
    if (s->pool == NULL)
        return false;
    while (nytp_ordered_pool_next(s->pool) != NULL)
        nytp_ordered_pool_submit(s->pool);
    return true;
}

nytp_source *nytp_inflate_mt_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 enum nytp_inflate_with with, unsigned threads)
{
    if (!is_header(prefix, prefix_size) || prefix_size > IN_CAPACITY)
        return NULL;
    mt_source *s = nytp_source_alloc(sizeof *s, inner->name, mt_read, mt_free);
    if (s == NULL)
        return NULL;
    s->with = with;
    memcpy(s->header, prefix, HEADER_BYTES);
    s->point.adler = 1;
    s->base.lend = mt_lend;
    s->base.detach = mt_detach;
    s->base.size_bytes = inner->size_bytes;
    s->base.taken_bytes = inner->taken_bytes;
    s->inner = inner;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    if (start(s, (const unsigned char *)prefix + HEADER_BYTES, prefix_size - HEADER_BYTES, threads))
        return &s->base;
    s->inner = NULL; /* the caller keeps it */
    mt_free(&s->base);
    return NULL;
}
