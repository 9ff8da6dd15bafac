/* Deflating on several threads: the stream is cut into pieces, which are compressed each on its own and
 * written in their order.
 *
 * A ring of pieces: the caller fills the one at filled and writes the one at written, once a thread
 * has compressed it. A thread takes the piece at taken. The lock guards the three counters and what is done.
 */
#include "bytes/deflate_mt.h"

#include "base/error.h"
#include "base/thread.h"
#include "bytes/adler.h"
#include "bytes/codec.h"
#include "bytes/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 512 << 10, MOST_THREADS = 64, PIECES_A_THREAD = 2, EMPTY_BLOCK_BYTES = 2 };

typedef struct piece {
    size_t in_size, out_size, out_room;
    unsigned char *out;
    nytp_deflate_mark mark; /* sums over it */
    nytp_error error;
    bool done;
    unsigned char in[PIECE_BYTES];
} piece;

struct nytp_deflate_mt {
    nytp_sink *inner;
    int level;
    enum nytp_deflate_with with;
    pthread_t threads[MOST_THREADS];
    unsigned thread_count;
    pthread_mutex_t lock;
    pthread_cond_t given, done;
    bool stop;
    uint64_t filled, taken, written;
    unsigned piece_count;
    piece **pieces;
    bool began;              /* the header was written */
    nytp_deflate_mark total; /* sums over what was written */
};

/* ---- a thread ---- */

static int keep_output(void *context, const void *data, size_t size)
{
    piece *p = *(piece **)context;
    if (size > p->out_room - p->out_size) {
        size_t room = p->out_room + size + PIECE_BYTES;
        unsigned char *larger = realloc(p->out, room);
        if (larger == NULL)
            return -ENOMEM;
        p->out = larger;
        p->out_room = room;
    }
    memcpy(p->out + p->out_size, data, size);
    p->out_size += size;
    return 0;
}

static void compress_piece(nytp_deflate *deflate, piece *p)
{
    p->out_size = 0;
    nytp_deflate_resume(deflate, &(nytp_deflate_mark){.adler = 1});
    if (nytp_deflate_write(deflate, p->in, p->in_size, NYTP_DEFLATE_SEGMENT, &p->error) == 0)
        nytp_deflate_remember(deflate, &p->mark, &p->error);
}

/* NULL: there will be no more. */
static piece *next_to_compress(nytp_deflate_mt *c)
{
    pthread_mutex_lock(&c->lock);
    while (!c->stop && c->taken == c->filled)
        pthread_cond_wait(&c->given, &c->lock);
    piece *p = c->stop ? NULL : c->pieces[c->taken++ % c->piece_count];
    pthread_mutex_unlock(&c->lock);
    return p;
}

static void *work(void *argument)
{
    nytp_deflate_mt *c = argument;
    piece *p = NULL;
    nytp_sink *sink = nytp_sink_callback(keep_output, &p, c->inner->name);
    nytp_deflate *deflate = sink != NULL ? nytp_deflate_new(sink, c->level, c->with) : NULL;
    while ((p = next_to_compress(c)) != NULL) {
        if (deflate == NULL)
            nytp_fail(&p->error, NYTP_ERR_MEMORY, "%s: out of memory for compressing", c->inner->name);
        else
            compress_piece(deflate, p);
        pthread_mutex_lock(&c->lock);
        p->done = true;
        pthread_cond_signal(&c->done);
        pthread_mutex_unlock(&c->lock);
    }
    nytp_deflate_free(deflate);
    nytp_sink_free(sink);
    return NULL;
}

/* ---- the caller ---- */

static bool allocate_pieces(nytp_deflate_mt *c, unsigned count)
{
    c->pieces = calloc(count, sizeof *c->pieces);
    for (; c->pieces != NULL && c->piece_count < count; c->piece_count++) {
        piece *p = c->pieces[c->piece_count] = malloc(sizeof *p); /* of which in stays untouched until used */
        if (p == NULL)
            return false;
        p->in_size = p->out_size = p->out_room = 0;
        p->out = NULL;
        p->error = (nytp_error){0};
        p->done = false;
    }
    return c->pieces != NULL;
}

nytp_deflate_mt *nytp_deflate_mt_new(nytp_sink *inner, int level, enum nytp_deflate_with with,
                                     unsigned threads)
{
    nytp_deflate_mt *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->inner = inner;
    c->level = level;
    c->with = with;
    c->total.adler = 1;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->given, NULL);
    pthread_cond_init(&c->done, NULL);
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    if (allocate_pieces(c, PIECES_A_THREAD * threads + 1))
        while (c->thread_count < threads && nytp_thread_start(&c->threads[c->thread_count], work, c) == 0)
            c->thread_count++;
    if (c->thread_count == 0) {
        nytp_deflate_mt_free(c);
        return NULL;
    }
    return c;
}

void nytp_deflate_mt_free(nytp_deflate_mt *c)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    pthread_cond_broadcast(&c->given);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->thread_count; i++)
        pthread_join(c->threads[i], NULL);
    for (unsigned i = 0; i < c->piece_count; i++) {
        free(c->pieces[i]->out);
        free(c->pieces[i]);
    }
    free(c->pieces);
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->given);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

static int put_bytes(nytp_deflate_mt *c, const void *data, size_t size, nytp_error *err)
{
    c->total.out_bytes += size;
    return size > 0 ? c->inner->write(c->inner, data, size, err) : 0;
}

/* Writes the oldest piece. 1: it is not done yet; with wait, waits until it is. */
static int write_oldest(nytp_deflate_mt *c, bool wait, nytp_error *err)
{
    piece *p = c->pieces[c->written % c->piece_count];
    pthread_mutex_lock(&c->lock);
    while (wait && !p->done)
        pthread_cond_wait(&c->done, &c->lock);
    bool done = p->done;
    pthread_mutex_unlock(&c->lock);
    if (!done)
        return 1;
    if (p->error.code != NYTP_OK) {
        *err = p->error;
        return p->error.code;
    }
    c->total.adler = nytp_adler_join(c->total.adler, p->mark.adler, p->mark.in_bytes);
    c->total.in_bytes += p->mark.in_bytes;
    int rc = put_bytes(c, p->out, p->out_size, err);
    p->in_size = 0;
    p->done = false;
    c->written++;
    return rc;
}

/* Hands the piece at filled to the threads, and writes what they have done. There is a piece to fill then:
 * where it takes that, it waits for the oldest one. */
static int give(nytp_deflate_mt *c, nytp_error *err)
{
    static const unsigned char header[] = NYTP_ZLIB_HEADER;
    int rc = 0;
    pthread_mutex_lock(&c->lock);
    c->filled++;
    pthread_cond_signal(&c->given);
    pthread_mutex_unlock(&c->lock);
    if (!c->began)
        rc = put_bytes(c, header, sizeof header, err);
    c->began = true;
    while (rc == 0 && c->written < c->filled)
        rc = write_oldest(c, c->filled - c->written == c->piece_count, err);
    return rc < 0 ? rc : 0;
}

int nytp_deflate_mt_write(nytp_deflate_mt *c, const void *data, size_t size, nytp_error *err)
{
    const unsigned char *at = data;
    while (size > 0) {
        piece *p = c->pieces[c->filled % c->piece_count];
        size_t some = size < PIECE_BYTES - p->in_size ? size : PIECE_BYTES - p->in_size;
        memcpy(p->in + p->in_size, at, some);
        p->in_size += some;
        at += some;
        size -= some;
        if (p->in_size == PIECE_BYTES && give(c, err) != 0)
            return err->code;
    }
    return 0;
}

int nytp_deflate_mt_finish(nytp_deflate_mt *c, nytp_error *err)
{
    if (give(c, err) != 0)
        return err->code;
    while (c->written < c->filled)
        if (write_oldest(c, true, err) != 0)
            return err->code;
    unsigned char end[EMPTY_BLOCK_BYTES + NYTP_ZLIB_CHECK_BYTES] = {0x03,
                                                                    0x00}; /* RFC 1951: the last block */
    nytp_put_check(end + EMPTY_BLOCK_BYTES, c->total.adler);
    return put_bytes(c, end, sizeof end, err);
}

void nytp_deflate_mt_totals(const nytp_deflate_mt *c, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = c->total.in_bytes;
    *out_bytes = c->total.out_bytes;
}
