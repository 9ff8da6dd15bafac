/* Deflating on several threads: the input is cut into blocks, which are compressed independently and written
 * in order. Each block becomes a segment of the stream (see bytes/deflate.h). */
#include "bytes/deflate_mt.h"

#include "base/error.h"
#include "base/grow.h"
#include "bytes/adler.h"
#include "bytes/codec.h"
#include "bytes/ordered_pool.h"
#include "bytes/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 512 << 10, MOST_THREADS = 64, BLOCKS_PER_THREAD = 2, EMPTY_BLOCK_BYTES = 2 };

typedef struct block {
    size_t in_size, out_size, out_capacity;
    unsigned char *out;
    nytp_deflate_mark total; /* sums over this block */
    nytp_error error;
    unsigned char in[BLOCK_BYTES];
} block;

/* What a thread compresses with. */
typedef struct compressor {
    block *current;
    nytp_sink *sink; /* appends to current->out */
    nytp_deflate *deflate;
} compressor;

struct nytp_deflate_mt {
    nytp_sink *inner;
    int level;
    enum nytp_deflate_with with;
    nytp_ordered_pool *pool;
    compressor compressors[MOST_THREADS]; /* by number of the worker; created when it runs its first job */
    bool began;                           /* the header was written */
    nytp_deflate_mark total;              /* sums over what was written */
};

static int append_to_block(void *context, const void *data, size_t size)
{
    block *b = ((compressor *)context)->current;
    unsigned char *larger = nytp_grow(b->out, &b->out_capacity, b->out_size + size, 1);
    if (larger == NULL)
        return -ENOMEM;
    b->out = larger;
    memcpy(b->out + b->out_size, data, size);
    b->out_size += size;
    return 0;
}

static bool compressor_start(compressor *c, const nytp_deflate_mt *d)
{
    if (c->sink == NULL)
        c->sink = nytp_sink_callback(append_to_block, c, d->inner->name);
    if (c->sink != NULL && c->deflate == NULL)
        c->deflate = nytp_deflate_new(c->sink, d->level, d->with);
    return c->deflate != NULL;
}

static void compress(void *context, void *job, unsigned worker)
{
    nytp_deflate_mt *d = context;
    compressor *c = &d->compressors[worker];
    block *b = c->current = job;
    if (!compressor_start(c, d)) {
        nytp_fail(&b->error, NYTP_ERR_MEMORY, "%s: out of memory for compressing", d->inner->name);
        return;
    }
    b->out_size = 0;
    nytp_deflate_resume(c->deflate, &(nytp_deflate_mark){.adler = 1});
    if (nytp_deflate_write(c->deflate, b->in, b->in_size, NYTP_DEFLATE_SEGMENT, &b->error) == 0)
        nytp_deflate_remember(c->deflate, &b->total, &b->error);
}

static void clear_block(void *job)
{
    free(((block *)job)->out);
}

nytp_deflate_mt *nytp_deflate_mt_new(nytp_sink *inner, int level, enum nytp_deflate_with with,
                                     unsigned threads)
{
    static const nytp_pool_work work = {.run = compress, .clear = clear_block};
    nytp_deflate_mt *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    d->level = level;
    d->with = with;
    d->total.adler = 1;
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    d->pool = nytp_ordered_pool_new(&work, d, BLOCKS_PER_THREAD * threads + 1, sizeof(block), threads);
    if (d->pool == NULL || nytp_ordered_pool_threads(d->pool) == 0) {
        nytp_deflate_mt_free(d);
        return NULL;
    }
    return d;
}

void nytp_deflate_mt_free(nytp_deflate_mt *d)
{
    if (d == NULL)
        return;
    nytp_ordered_pool_free(d->pool);
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        nytp_deflate_free(d->compressors[i].deflate);
        nytp_sink_free(d->compressors[i].sink);
    }
    free(d);
}

static int put_bytes(nytp_deflate_mt *d, const void *data, size_t size, nytp_error *err)
{
    d->total.out_bytes += size;
    return size > 0 ? d->inner->write(d->inner, data, size, err) : 0;
}

static int write_block(nytp_deflate_mt *d, block *b, nytp_error *err)
{
    if (b->error.code != NYTP_OK) {
        *err = b->error;
        return b->error.code;
    }
    d->total.adler = nytp_adler_join(d->total.adler, b->total.adler, b->total.in_bytes);
    d->total.in_bytes += b->total.in_bytes;
    b->in_size = 0;
    return put_bytes(d, b->out, b->out_size, err);
}

/* Writes the blocks that are compressed. Waits for all of them, or only until one block can be filled. */
static int write_blocks(nytp_deflate_mt *d, bool all, nytp_error *err)
{
    int rc = 0;
    while (rc == 0) {
        bool wait = all || nytp_ordered_pool_next(d->pool) == NULL;
        block *b = nytp_ordered_pool_oldest(d->pool, wait ? NYTP_POOL_WAIT : NYTP_POOL_POLL);
        if (b == NULL)
            return 0;
        rc = write_block(d, b, err);
        nytp_ordered_pool_release(d->pool);
    }
    return rc;
}

static int submit(nytp_deflate_mt *d, nytp_error *err)
{
    static const unsigned char header[] = NYTP_ZLIB_HEADER;
    int rc = 0;
    nytp_ordered_pool_submit(d->pool);
    if (!d->began)
        rc = put_bytes(d, header, sizeof header, err);
    d->began = true;
    return rc == 0 ? write_blocks(d, false, err) : rc;
}

int nytp_deflate_mt_write(nytp_deflate_mt *d, const void *data, size_t size, nytp_error *err)
{
    const unsigned char *at = data;
    while (size > 0) {
        block *b = nytp_ordered_pool_next(d->pool); /* not NULL: submit() waits until a block is free */
        size_t some = size < BLOCK_BYTES - b->in_size ? size : BLOCK_BYTES - b->in_size;
        memcpy(b->in + b->in_size, at, some);
        b->in_size += some;
        at += some;
        size -= some;
        if (b->in_size == BLOCK_BYTES && submit(d, err) != 0)
            return err->code;
    }
    return 0;
}

int nytp_deflate_mt_finish(nytp_deflate_mt *d, nytp_error *err)
{
    /* The last block, which is empty (RFC 1951), and the check. */
    unsigned char end[EMPTY_BLOCK_BYTES + NYTP_ZLIB_CHECK_BYTES] = {0x03, 0x00};
    if (submit(d, err) != 0 || write_blocks(d, true, err) != 0)
        return err->code;
    nytp_put_check(end + EMPTY_BLOCK_BYTES, d->total.adler);
    return put_bytes(d, end, sizeof end, err);
}

void nytp_deflate_mt_totals(const nytp_deflate_mt *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->total.in_bytes;
    *out_bytes = d->total.out_bytes;
}
