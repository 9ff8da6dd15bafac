#include "bytes/codec.h"

#ifdef NYTP_HAVE_LIBDEFLATE

#include <libdeflate.h>
#include <pthread.h>
#include <zlib.h>

/* libdeflate compresses a whole stream at once. So the input is gathered, and its stream becomes blocks of a
 * longer one: the last block is marked as not the last one, and an empty block makes the end that of a byte.
 * libdeflate does not say where that block begins and ends; zlib's inflate() does. */
enum { GATHERED_BYTES = 256 << 10, END_BYTES = 5 };

typedef struct deflating {
    struct libdeflate_compressor *compressor;
    z_stream reading; /* finds the blocks */
    size_t in_length, out_at, out_length, out_size;
    bool has_ended;
    unsigned char in[GATHERED_BYTES];
    unsigned char out[]; /* out_size, and END_BYTES */
} deflating;

static void deflate_stop(void *state)
{
    deflating *d = state;
    inflateEnd(&d->reading);
    libdeflate_free_compressor(d->compressor);
    nytp_mapped_free(d);
}

/* The library is linked statically: this copy of it has no other user. */
static void set_allocator(void)
{
    libdeflate_set_memory_allocator(nytp_mapped_new, nytp_mapped_free);
}

/* Otherwise inflate() would allocate it, in a thread that must not. */
static int allocate_window(z_stream *z)
{
    static const unsigned char byte;
    return inflateSetDictionary(z, &byte, 1);
}

static void *deflate_start(int level)
{
    enum { RAW_32K_WINDOW = -15 };
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const size_t out_size = libdeflate_deflate_compress_bound(NULL, GATHERED_BYTES);
    deflating *d = nytp_mapped_new(sizeof *d + out_size + END_BYTES);
    if (d == NULL)
        return NULL;
    d->reading = (z_stream){.zalloc = nytp_mapped_table, .zfree = nytp_mapped_table_free};
    d->out_size = out_size;
    pthread_once(&once, set_allocator);
    d->compressor = libdeflate_alloc_compressor(level);
    if (d->compressor != NULL && inflateInit2(&d->reading, RAW_32K_WINDOW) == Z_OK &&
        allocate_window(&d->reading) == Z_OK)
        return d;
    deflate_stop(d);
    return NULL;
}

static void deflate_restart(void *state)
{
    deflating *d = state;
    d->in_length = d->out_at = d->out_length = 0;
    d->has_ended = false;
}

/* Sets where the last block of a stream begins, and how many bits of its last byte come after it. Writes what
 * is in the stream over the same in d->in. */
static bool find_last_block(deflating *d, uint64_t *begin_bit, int *unused_bits)
{
    enum { UNUSED = 7, IS_LAST = 64, AT_END = 128 };
    z_stream *z = &d->reading;
    inflateReset(z);
    z->next_in = d->out;
    z->avail_in = (uInt)d->out_length;
    z->next_out = d->in;
    z->avail_out = sizeof d->in;
    *begin_bit = 0;
    for (int rc = Z_OK; rc == Z_OK;) {
        rc = inflate(z, Z_BLOCK);
        *unused_bits = z->data_type & UNUSED;
        if (rc == Z_OK && (z->data_type & AT_END) != 0 && (z->data_type & IS_LAST) != 0)
            return true;
        if ((z->data_type & AT_END) != 0)
            *begin_bit = (uint64_t)z->total_in * 8 - (uint64_t)*unused_bits;
    }
    return false;
}

/* The unused bits are 0, and so is the head of an empty stored block, which has three bits: what follows it
 * begins with a whole byte (RFC 1951, 3.2.4). */
static bool continue_stream(deflating *d)
{
    static const unsigned char lengths[] = {0x00, 0x00, 0xFF, 0xFF};
    enum { HEAD_BITS = 3 };
    uint64_t bit;
    int unused_bits;
    if (!find_last_block(d, &bit, &unused_bits))
        return false;
    d->out[bit / 8] &= (unsigned char)~(1U << bit % 8);
    if (unused_bits < HEAD_BITS)
        d->out[d->out_length++] = 0;
    memcpy(d->out + d->out_length, lengths, sizeof lengths);
    d->out_length += sizeof lengths;
    return true;
}

static bool compress_gathered(deflating *d, bool is_end)
{
    d->out_length = libdeflate_deflate_compress(d->compressor, d->in, d->in_length, d->out, d->out_size);
    d->out_at = d->in_length = 0;
    d->has_ended = is_end;
    return d->out_length > 0 && (is_end || continue_stream(d));
}

static size_t move(unsigned char *to, const unsigned char *from, size_t size, size_t most)
{
    const size_t moved = size < most ? size : most;
    memcpy(to, from, moved);
    return moved;
}

static void give(deflating *d, nytp_window *w)
{
    const size_t given = move(w->out, d->out + d->out_at, d->out_length - d->out_at, w->out_size);
    d->out_at += given;
    w->out += given;
    w->out_size -= given;
}

static void gather(deflating *d, nytp_window *w)
{
    const size_t taken = move(d->in + d->in_length, w->in, w->in_size, GATHERED_BYTES - d->in_length);
    d->in_length += taken;
    w->in += taken;
    w->in_size -= taken;
}

static const char *deflate_step(void *state, nytp_window *w, enum nytp_deflate_flush flush)
{
    deflating *d = state;
    for (;;) {
        give(d, w);
        if (d->out_at < d->out_length)
            return NULL;
        if (w->in_size > 0)
            gather(d, w);
        const bool is_end = flush == NYTP_DEFLATE_END && w->in_size == 0 && !d->has_ended;
        const bool is_flushed = flush != NYTP_DEFLATE_MORE && d->in_length > 0;
        if (!is_end && !is_flushed && d->in_length < GATHERED_BYTES)
            return NULL;
        if (!compress_gathered(d, is_end))
            return "stream error";
    }
}

static const nytp_deflater deflater = {deflate_start, deflate_restart, deflate_step, deflate_stop};
const nytp_deflater *const nytp_libdeflate_deflater = &deflater;
#else
const nytp_deflater *const nytp_libdeflate_deflater = NULL;
#endif
