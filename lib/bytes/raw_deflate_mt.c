#include "bytes/raw_deflate_mt.h"

#include "base/grow.h"
#include "bytes/codec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_PER_THREAD = 2 };

typedef struct piece {
    nytp_deflated result;
    size_t out_capacity;
    unsigned char *out;
    int status;
    unsigned char in[];
} piece;

/* What a thread compresses with. */
typedef struct compressor {
    nytp_raw_deflate *deflate;
    piece *current;
} compressor;

struct nytp_raw_deflate_mt {
    nytp_raw_deflate_mt_options with;
    nytp_ordered_pool *pool;
    compressor compressors[]; /* by number of the worker; the caller is one, too */
};

static int append(void *context, const void *data, size_t size)
{
    piece *p = ((compressor *)context)->current;
    unsigned char *larger = nytp_grow(p->out, &p->out_capacity, p->result.size + size, 1);
    if (larger == NULL)
        return -ENOMEM;
    p->out = larger;
    memcpy(p->out + p->result.size, data, size);
    p->result.size += size;
    return 0;
}

/* An error of append() stays with the compressor, so each piece after it has it, too. */
static void compress(void *context, void *job, unsigned worker)
{
    nytp_raw_deflate_mt *d = context;
    compressor *c = &d->compressors[worker];
    piece *p = c->current = job;
    p->result.size = 0;
    if (c->deflate == NULL)
        c->deflate = nytp_raw_deflate_new(d->with.level, d->with.with, append, c);
    if (c->deflate == NULL) {
        p->status = -ENOMEM;
        return;
    }
    p->status = nytp_raw_deflate_write(c->deflate, p->in, p->result.in_size,
                                       p->result.ends ? NYTP_DEFLATE_END : NYTP_DEFLATE_SYNC);
    p->result.adler = nytp_adler(1, p->in, p->result.in_size);
    p->result.bytes = p->out;
}

static void clear_piece(void *job)
{
    free(((piece *)job)->out);
}

nytp_raw_deflate_mt *nytp_raw_deflate_mt_new(const nytp_raw_deflate_mt_options *options)
{
    static const nytp_pool_work work = {.run = compress, .clear = clear_piece};
    const unsigned threads = options->threads;
    nytp_raw_deflate_mt *d = calloc(1, sizeof *d + (threads + 1) * sizeof *d->compressors);
    if (d == NULL)
        return NULL;
    d->with = *options;
    d->pool = nytp_ordered_pool_new(&work, d, PIECES_PER_THREAD * threads + 1,
                                    sizeof(piece) + options->piece_bytes, threads);
    if (d->pool == NULL) {
        free(d);
        return NULL;
    }
    return d;
}

void nytp_raw_deflate_mt_free(nytp_raw_deflate_mt *d)
{
    if (d == NULL)
        return;
    nytp_ordered_pool_free(d->pool);
    for (unsigned i = 0; i <= d->with.threads; i++)
        nytp_raw_deflate_free(d->compressors[i].deflate);
    free(d);
}

unsigned nytp_raw_deflate_mt_threads(const nytp_raw_deflate_mt *d)
{
    return nytp_ordered_pool_threads(d->pool);
}

int nytp_raw_deflate_mt_collect(nytp_raw_deflate_mt *d, bool *any)
{
    piece *p = nytp_ordered_pool_oldest(d->pool, NYTP_POOL_HELP);
    *any = p != NULL;
    if (p == NULL)
        return 0;
    if (p->status != 0)
        return NYTP_ERR_MEMORY;
    d->with.deflated(d->with.context, &p->result);
    p->result = (nytp_deflated){0};
    nytp_ordered_pool_release(d->pool);
    return 0;
}

/* Sets *p to the piece to fill. */
static int next_piece(nytp_raw_deflate_mt *d, piece **p)
{
    bool any;
    while ((*p = nytp_ordered_pool_next(d->pool)) == NULL)
        if (nytp_raw_deflate_mt_collect(d, &any) != 0)
            return NYTP_ERR_MEMORY;
    return 0;
}

int nytp_raw_deflate_mt_write(nytp_raw_deflate_mt *d, const void *data, size_t size)
{
    const unsigned char *at = data;
    while (size > 0) {
        piece *p;
        if (next_piece(d, &p) != 0)
            return NYTP_ERR_MEMORY;
        const size_t room = d->with.piece_bytes - p->result.in_size, some = size < room ? size : room;
        if (some == 0) { /* only now: a full piece may have been the last of its stream */
            nytp_ordered_pool_submit(d->pool);
            continue;
        }
        memcpy(p->in + p->result.in_size, at, some);
        p->result.in_size += some;
        at += some;
        size -= some;
    }
    return 0;
}

void nytp_raw_deflate_mt_cut(nytp_raw_deflate_mt *d)
{
    const piece *p = nytp_ordered_pool_next(d->pool);
    if (p != NULL && p->result.in_size > 0)
        nytp_ordered_pool_submit(d->pool);
}

int nytp_raw_deflate_mt_end(nytp_raw_deflate_mt *d)
{
    piece *p;
    if (next_piece(d, &p) != 0)
        return NYTP_ERR_MEMORY;
    p->result.ends = true;
    nytp_ordered_pool_submit(d->pool);
    return 0;
}
