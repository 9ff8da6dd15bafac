/* Deflating on several threads: the blocks are pieces of raw deflate. Each becomes a segment of the stream
 * (see bytes/deflate.h). */
#include "bytes/deflate.h"

#include "base/error.h"
#include "bytes/codec.h"
#include "bytes/raw_deflate_mt.h"
#include "bytes/sink.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 512 << 10, MOST_THREADS = 64 };

struct nytp_deflate_mt {
    nytp_sink *inner;
    nytp_raw_deflate_mt *blocks;
    bool began;              /* the header was written */
    nytp_deflate_mark total; /* sums over what was written */
    nytp_error error;        /* the first one of the sink */
};

static void put_bytes(nytp_deflate_mt *d, const void *data, size_t size)
{
    d->total.out_bytes += size;
    if (d->error.code == NYTP_OK)
        d->inner->write(d->inner, data, size, &d->error);
}

static void begin(nytp_deflate_mt *d)
{
    static const unsigned char header[] = NYTP_ZLIB_HEADER;
    if (!d->began)
        put_bytes(d, header, sizeof header);
    d->began = true;
}

static void write_block(void *context, const nytp_deflated *block)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    enum { BY_CUT = 4 };
    nytp_deflate_mt *d = context;
    begin(d);
    d->total.adler = nytp_adler_join(d->total.adler, block->adler, block->in_size);
    d->total.in_bytes += block->in_size;
    put_bytes(d, block->bytes, block->size);
    put_bytes(d, mark + BY_CUT, sizeof mark - BY_CUT);
}

nytp_deflate_mt *nytp_deflate_mt_new(nytp_sink *inner, int level, enum nytp_deflate_with with,
                                     unsigned threads)
{
    nytp_deflate_mt *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    d->total.adler = 1;
    d->blocks = nytp_raw_deflate_mt_new(&(nytp_raw_deflate_mt_options){
        .level = level,
        .with = with,
        .piece_bytes = BLOCK_BYTES,
        .threads = threads < MOST_THREADS ? threads : MOST_THREADS,
        .deflated = write_block,
        .context = d,
    });
    if (d->blocks == NULL || nytp_raw_deflate_mt_threads(d->blocks) == 0) {
        nytp_deflate_mt_free(d);
        return NULL;
    }
    return d;
}

void nytp_deflate_mt_free(nytp_deflate_mt *d)
{
    if (d == NULL)
        return;
    nytp_raw_deflate_mt_free(d->blocks);
    free(d);
}

/* rc: of the last function that was called for blocks. */
static int result(const nytp_deflate_mt *d, int rc, nytp_error *err)
{
    if (rc != 0)
        return nytp_fail(err, NYTP_ERR_MEMORY, "%s: out of memory for compressing", d->inner->name);
    if (d->error.code != NYTP_OK)
        *err = d->error;
    return d->error.code;
}

int nytp_deflate_mt_write(nytp_deflate_mt *d, const void *data, size_t size, nytp_error *err)
{
    return result(d, nytp_raw_deflate_mt_write(d->blocks, data, size), err);
}

int nytp_deflate_mt_finish(nytp_deflate_mt *d, nytp_error *err)
{
    /* The last block, which is empty (RFC 1951), and the check. */
    enum { EMPTY_BLOCK_BYTES = 2 };
    unsigned char end[EMPTY_BLOCK_BYTES + NYTP_ZLIB_CHECK_BYTES] = {0x03, 0x00};
    bool any = true;
    int rc = 0;
    nytp_raw_deflate_mt_cut(d->blocks);
    while (rc == 0 && any)
        rc = nytp_raw_deflate_mt_collect(d->blocks, &any);
    begin(d);
    nytp_put_check(end + EMPTY_BLOCK_BYTES, d->total.adler);
    put_bytes(d, end, sizeof end);
    return result(d, rc, err);
}

void nytp_deflate_mt_totals(const nytp_deflate_mt *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->total.in_bytes;
    *out_bytes = d->total.out_bytes;
}
