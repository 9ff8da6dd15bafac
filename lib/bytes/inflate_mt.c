/* Inflating on several threads, where a stream was made for it: nytp_deflate's segments refer to nothing
 * before them, and end with a mark that other data have by chance only.
 *
 * There is a ring of segments. A thread takes the one at taken, reads as far as the next mark, and inflates
 * what it read; reading goes one at a time, inflating at once. The caller empties the one at emptied. While
 * that is not done it does not wait but takes one itself, so there need not be more threads than processors.
 *
 * Whatever is not as it should be is left to an ordinary inflater, rest, which goes on from the last good
 * mark: the last segment, which has no mark; damage; bytes that look like a mark and are none. So errors come
 * from one place.
 */
#include "bytes/inflate_mt.h"

#include "base/error.h"
#include "base/thread.h"
#include "bytes/adler.h"
#include "bytes/deflate.h"
#include "bytes/readahead.h"
#include "bytes/source.h"
#include "bytes/window.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_THREADS = 4, /* with the caller's */
    HEADER_BYTES = 2,
    READ_BYTES = 64 << 10,
    IN_ROOM = NYTP_SEGMENT_BYTES / 2, /* profiles mostly compress better than to the half */
    OUT_ROOM = 2 * NYTP_SEGMENT_BYTES /* what inflates to more is no segment of nytp_deflate's */
};

typedef struct segment {
    size_t in_size, out_size;
    uint32_t adler;
    bool done;
    bool good; /* it ends with a mark, and between two blocks */
    unsigned char in[IN_ROOM];
    unsigned char before[NYTP_LENT_BEFORE];
    unsigned char out[OUT_ROOM];
    unsigned char behind[NYTP_PAD];
} segment;

typedef struct segments_source {
    nytp_source base;
    nytp_source *inner; /* NULL: rest has it */
    enum nytp_inflate_with with;
    pthread_t threads[MOST_THREADS - 1];
    unsigned thread_count;
    unsigned char header[HEADER_BYTES];

    /* For whoever set reading: segments are read one after the other. */
    unsigned char
        *carry; /* what was read behind the last mark: no more than READ_BYTES, or than the prefix */
    size_t carry_size;

    pthread_mutex_t lock; /* guards what follows up to ring, and done of each segment */
    pthread_cond_t moved; /* any of that has changed */
    uint64_t taken, emptied;
    bool reading, all_read, stop;
    unsigned ring_size;
    segment *ring[MOST_THREADS + 1]; /* large, but the system gives only the pages that are used */

    /* the caller's own */
    size_t used;              /* of the segment at emptied */
    nytp_inflate_point point; /* behind what was handed out */
    nytp_source *rest;
} segments_source;

/* ---- inflating a segment: a thread, or the caller while it would wait ---- */

/* Reads as far as a mark. False: there is none within IN_ROOM, or in what the file still has. */
static bool read_segment(segments_source *s, segment *g)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    nytp_error ignored = {0}; /* it stays with inner, and rest meets it again */
    size_t searched = 0;
    ptrdiff_t n = (ptrdiff_t)s->carry_size;
    memcpy(g->in, s->carry, s->carry_size);
    s->carry_size = g->in_size = 0;
    for (;;) {
        g->in_size += (size_t)n;
        unsigned char *found = memmem(g->in + searched, g->in_size - searched, mark, sizeof mark);
        if (found != NULL) {
            size_t size = (size_t)(found - g->in) + sizeof mark;
            s->carry_size = g->in_size - size;
            memcpy(s->carry, g->in + size, s->carry_size);
            g->in_size = size;
            return true;
        }
        searched = g->in_size < sizeof mark ? 0 : g->in_size - sizeof mark + 1;
        if (g->in_size + READ_BYTES > IN_ROOM ||
            (n = s->inner->read(s->inner, g->in + g->in_size, READ_BYTES, &ignored)) <= 0)
            return false;
    }
}

/* False: it does not end between blocks, or not within OUT_ROOM. */
static bool inflate_segment(const nytp_inflater *inflater, segment *g)
{
    const char *why;
    nytp_window w = {.in = g->in, .in_size = g->in_size, .out = g->out, .out_size = OUT_ROOM};
    void *state = inflater->start(true);
    bool good = state != NULL && inflater->step(state, &w, &why) == NYTP_OK && w.in_size == 0 &&
                w.out_size > 0 && inflater->between_blocks(state);
    if (state != NULL)
        inflater->stop(state);
    g->out_size = OUT_ROOM - w.out_size;
    g->adler = nytp_adler(1, g->out, g->out_size);
    return good;
}

/* The lock is held. */
static bool can_take(const segments_source *s)
{
    return !s->reading && !s->all_read && s->taken - s->emptied < s->ring_size;
}

/* The lock is held, and released while it reads and inflates. can_take() has to be true. */
static void take_segment(segments_source *s)
{
    segment *g = s->ring[s->taken++ % s->ring_size];
    s->reading = true;
    pthread_mutex_unlock(&s->lock);
    g->good = read_segment(s, g);
    pthread_mutex_lock(&s->lock);
    s->reading = false;
    s->all_read = !g->good;
    s->base.taken_bytes = s->inner->taken_bytes;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    g->good = g->good && inflate_segment(nytp_inflater_of(s->with), g);
    pthread_mutex_lock(&s->lock);
    g->done = true;
    pthread_cond_broadcast(&s->moved);
}

/* The lock is held, and released meanwhile. */
static void take_or_wait(segments_source *s)
{
    if (can_take(s))
        take_segment(s);
    else
        pthread_cond_wait(&s->moved, &s->lock);
}

static void *work(void *argument)
{
    segments_source *s = argument;
    pthread_mutex_lock(&s->lock);
    while (!s->stop && !s->all_read)
        take_or_wait(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- the caller ---- */

static void end_threads(segments_source *s)
{
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    for (unsigned i = 0; i < s->thread_count; i++)
        pthread_join(s->threads[i], NULL);
    s->thread_count = 0;
}

/* Frees all segments but the first few. */
static void shrink_ring(segments_source *s, unsigned size)
{
    while (s->ring_size > size)
        free(s->ring[--s->ring_size]);
}

/* A copy of what was read and not emptied, as it is in the file; from the header on, where nothing was
 * emptied. Threads have ended. NULL: out of memory. */
static unsigned char *gather(const segments_source *s, size_t *size)
{
    size_t room = sizeof s->header + s->carry_size, used = s->emptied == 0 ? sizeof s->header : 0;
    for (uint64_t i = s->emptied; i < s->taken; i++)
        room += s->ring[i % s->ring_size]->in_size;
    unsigned char *bytes = malloc(room);
    if (bytes == NULL)
        return NULL;
    memcpy(bytes, s->header, used);
    for (uint64_t i = s->emptied; i < s->taken; i++) {
        const segment *g = s->ring[i % s->ring_size];
        memcpy(bytes + used, g->in, g->in_size);
        used += g->in_size;
    }
    memcpy(bytes + used, s->carry, s->carry_size);
    *size = used + s->carry_size;
    return bytes;
}

/* Has an ordinary inflater go on from the last good mark. */
static int leave_to_rest(segments_source *s, nytp_error *err)
{
    size_t size;
    end_threads(s);
    unsigned char *bytes = gather(s, &size);
    nytp_source *inner = s->inner;
    s->inner = NULL;
    if (bytes == NULL)
        nytp_source_free(inner);
    else if (s->emptied == 0)
        s->rest = nytp_inflate_new(inner, bytes, size, s->with);
    else
        s->rest = nytp_inflate_resume(inner, bytes, size, &s->point);
    free(bytes);
    if (s->rest == NULL)
        return nytp_fail(err, NYTP_ERR_MEMORY, "%s: out of memory for inflating", s->base.name);
    shrink_ring(s, 1); /* segments_lend() needs one as a buffer */
    s->rest = nytp_readahead_new(s->rest);
    return 0;
}

static segment *wait_for_oldest(segments_source *s)
{
    pthread_mutex_lock(&s->lock);
    segment *g = s->ring[s->emptied % s->ring_size];
    while (!g->done)
        take_or_wait(s);
    pthread_mutex_unlock(&s->lock);
    return g;
}

static void give_back(segments_source *s, segment *g)
{
    pthread_mutex_lock(&s->lock);
    g->done = false;
    s->emptied++;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->lock);
    s->used = 0;
}

/* The segment that has bytes to hand out; NULL: rest has them, or *rc is negative. */
static segment *current(segments_source *s, int *rc, nytp_error *err)
{
    *rc = 0;
    while (s->rest == NULL) {
        segment *g = wait_for_oldest(s);
        if (!g->good) {
            *rc = s->inner != NULL ? leave_to_rest(s, err) : NYTP_ERR_MEMORY;
            return NULL;
        }
        if (s->used == 0)
            nytp_inflate_point_move(&s->point, g->out, g->out_size, g->adler);
        if (s->used < g->out_size)
            return g;
        give_back(s, g);
    }
    return NULL;
}

static ptrdiff_t end_of(segments_source *s, ptrdiff_t n)
{
    s->base.taken_bytes = s->rest->taken_bytes;
    s->base.cut = s->rest->cut;
    return n;
}

static ptrdiff_t segments_read(nytp_source *self, void *buffer, size_t size, nytp_error *err)
{
    segments_source *s = (segments_source *)self;
    int rc;
    segment *g = current(s, &rc, err);
    if (rc < 0)
        return rc;
    if (g == NULL)
        return end_of(s, s->rest->read(s->rest, buffer, size, err));
    if (size > g->out_size - s->used)
        size = g->out_size - s->used;
    memcpy(buffer, g->out + s->used, size);
    s->used += size;
    return (ptrdiff_t)size;
}

static ptrdiff_t segments_lend(nytp_source *self, unsigned char **bytes, nytp_error *err)
{
    segments_source *s = (segments_source *)self;
    int rc;
    segment *g = current(s, &rc, err);
    if (rc < 0)
        return rc;
    if (g == NULL && s->rest->lend != NULL)
        return end_of(s, s->rest->lend(s->rest, bytes, err));
    if (g == NULL) {
        *bytes = s->ring[0]->out;
        return end_of(s, s->rest->read(s->rest, *bytes, OUT_ROOM, err));
    }
    size_t from = s->used;
    *bytes = g->out + from;
    s->used = g->out_size; /* it is given back by the next call */
    return (ptrdiff_t)(g->out_size - from);
}

static void segments_free(nytp_source *self)
{
    segments_source *s = (segments_source *)self;
    end_threads(s);
    shrink_ring(s, 0);
    nytp_source_free(s->inner);
    nytp_source_free(s->rest);
    pthread_cond_destroy(&s->moved);
    pthread_mutex_destroy(&s->lock);
    free(s->carry);
    free(self->name);
    free(s);
}

/* RFC 1950: deflate, a window of at most 32 KiB, a sum that is a multiple of 31, no dictionary. */
static bool is_header(const unsigned char *bytes, size_t size)
{
    return size >= 2 && (bytes[0] & 0x0F) == 8 && bytes[0] >> 4 <= 7 &&
           (bytes[0] << 8 | bytes[1]) % 31 == 0 && (bytes[1] & 0x20) == 0;
}

static bool start(segments_source *s, const unsigned char *bytes, size_t size, unsigned threads)
{
    s->carry = malloc(size > READ_BYTES ? size : READ_BYTES);
    if (s->carry == NULL)
        return false;
    memcpy(s->carry, bytes, s->carry_size = size);
    for (; s->ring_size <= threads; s->ring_size++)
        if ((s->ring[s->ring_size] = calloc(1, sizeof(segment))) == NULL)
            return false;
    while (s->thread_count + 1 < threads && nytp_thread_start(&s->threads[s->thread_count], work, s) == 0)
        s->thread_count++;
    return true;
}

nytp_source *nytp_inflate_mt_new(nytp_source *inner, const void *prefix, size_t prefix_size,
                                 enum nytp_inflate_with with, unsigned threads)
{
    if (!is_header(prefix, prefix_size) || prefix_size > IN_ROOM)
        return NULL;
    segments_source *s = nytp_source_alloc(sizeof *s, inner->name, segments_read, segments_free);
    if (s == NULL)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->moved, NULL);
    s->with = with;
    memcpy(s->header, prefix, HEADER_BYTES);
    s->point.adler = 1;
    s->base.lend = segments_lend;
    s->base.size_bytes = inner->size_bytes;
    s->base.taken_bytes = inner->taken_bytes;
    s->inner = inner;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    if (start(s, (const unsigned char *)prefix + HEADER_BYTES, prefix_size - HEADER_BYTES, threads))
        return &s->base;
    s->inner = NULL; /* stays the caller's */
    segments_free(&s->base);
    return NULL;
}
