/* Deflating: a zlib stream into a sink, by one of two libraries.
 *
 * Each, with profiles of pod2man (perlfunc.pod, 33 MB of chunks) and json_pp (34 MB),
 * on one core: build/bench/deflate-only PROFILE
 *
 *              pod2man              json_pp
 *     isa-l 1  7.08 MB   559 MB/s   4.57 MB   816 MB/s
 *     isa-l 2  6.93 MB   537 MB/s   4.50 MB   764 MB/s
 *     zlib 1   7.56 MB   134 MB/s   4.84 MB   210 MB/s
 *     zlib 3   6.68 MB   106 MB/s   3.64 MB   159 MB/s
 *     zlib 6   5.29 MB    48 MB/s   2.35 MB    59 MB/s
 *     zlib 9   5.18 MB    10 MB/s   2.14 MB    16 MB/s
 */
#include "wire.h"

#include <stdlib.h>
#include <zlib.h>
#ifdef NYTP_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

typedef struct window {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
} window;

/* step() moves the window on; called again while it fills all of out. NULL, or what is wrong. */
typedef struct deflater {
    void *(*start)(int level);
    const char *(*step)(void *state, window *w, enum nytp_deflate_flush flush);
    void (*stop)(void *state);
} deflater;

struct nytp_deflate {
    nytp_sink *inner;
    const deflater *deflater;
    void *state;
    uint64_t in_bytes, out_bytes;
    unsigned char out[64 << 10];
};

/* ---- zlib ---- */

static void *zlib_start(int level)
{
    z_stream *z = calloc(1, sizeof *z);
    if (z != NULL && deflateInit(z, level) != Z_OK) {
        free(z);
        return NULL;
    }
    return z;
}

static const char *zlib_step(void *state, window *w, enum nytp_deflate_flush flush)
{
    static const int flush_of[] = {
        [NYTP_DEFLATE_MORE] = Z_NO_FLUSH, [NYTP_DEFLATE_SYNC] = Z_SYNC_FLUSH, [NYTP_DEFLATE_END] = Z_FINISH};
    z_stream *z = state;
    z->next_in = (Bytef *)(uintptr_t)w->in; /* zlib does not write there; its type is from before const */
    z->avail_in = (uInt)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uInt)w->out_size;
    int rc = deflate(z, flush_of[flush]);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc != Z_STREAM_ERROR ? NULL : z->msg != NULL ? z->msg : "stream error";
}

static void zlib_stop(void *state)
{
    deflateEnd(state);
    free(state);
}

static const deflater with_zlib = {zlib_start, zlib_step, zlib_stop};

/* ---- isa-l ---- */

#ifdef NYTP_HAVE_ISAL
/* The larger buffers that isa-l proposes make files 0.1 % smaller. */
enum { ISAL_BUFFER_BYTES = ISAL_DEF_LVL2_SMALL };
_Static_assert(ISAL_DEF_LVL1_SMALL <= ISAL_DEF_LVL2_SMALL, "the buffer must do for both levels");

typedef struct isal {
    struct isal_zstream z;
    uint8_t buffer[ISAL_BUFFER_BYTES];
} isal;

static void *isal_start(int level)
{
    isal *i = malloc(sizeof *i);
    if (i != NULL) {
        isal_deflate_init(&i->z);
        i->z.gzip_flag = IGZIP_ZLIB;
        i->z.level = level < 2 ? 1 : 2;
        i->z.level_buf = i->buffer;
        i->z.level_buf_size = level < 2 ? ISAL_DEF_LVL1_SMALL : ISAL_DEF_LVL2_SMALL;
    }
    return i;
}

static const char *isal_step(void *state, window *w, enum nytp_deflate_flush flush)
{
    struct isal_zstream *z = &((isal *)state)->z;
    z->next_in = (uint8_t *)(uintptr_t)w->in; /* not written to */
    z->avail_in = (uint32_t)w->in_size;
    z->next_out = w->out;
    z->avail_out = (uint32_t)w->out_size;
    z->flush = flush == NYTP_DEFLATE_SYNC ? SYNC_FLUSH : NO_FLUSH;
    z->end_of_stream = flush == NYTP_DEFLATE_END;
    int rc = isal_deflate(z);
    w->in = z->next_in;
    w->in_size = z->avail_in;
    w->out = z->next_out;
    w->out_size = z->avail_out;
    return rc == COMP_OK ? NULL : "stream error";
}

static const deflater with_isal = {isal_start, isal_step, free};
#endif

/* Up to level 6 isa-l: its level 1 for 1, its level 2 for the others, which is hardly slower. Its level 3
 * takes three times as long for 4 % less. Who asks for more than 6 has the time for zlib. */
static const deflater *choose(int level, enum nytp_deflate_with with)
{
#ifdef NYTP_HAVE_ISAL
    if (with == NYTP_DEFLATE_ISAL || (with == NYTP_DEFLATE_BEST && level <= 6))
        return &with_isal;
#else
    if (with == NYTP_DEFLATE_ISAL)
        return NULL;
    (void)level;
#endif
    return &with_zlib;
}

bool nytp_deflate_has(enum nytp_deflate_with with)
{
    return choose(6, with) != NULL;
}

/* ---- the stream ---- */

nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level, enum nytp_deflate_with with)
{
    nytp_deflate *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    d->in_bytes = d->out_bytes = 0;
    d->deflater = choose(level, with);
    d->state = d->deflater->start(level);
    if (d->state == NULL) {
        free(d);
        return NULL;
    }
    return d;
}

int nytp_deflate_write(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err)
{
    window w = {.in = data, .in_size = size};
    do {
        w.out = d->out;
        w.out_size = sizeof d->out;
        const char *why = d->deflater->step(d->state, &w, flush);
        if (why != NULL)
            return nytp_fail(err, NYTP_ERR_FORMAT, "%s: cannot compress: %s", d->inner->name, why);
        size_t made = sizeof d->out - w.out_size;
        d->out_bytes += made;
        if (made > 0 && d->inner->write(d->inner, d->out, made, err) != 0)
            return err->code;
    } while (w.out_size == 0);
    d->in_bytes += size;
    return 0;
}

void nytp_deflate_totals(const nytp_deflate *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->in_bytes;
    *out_bytes = d->out_bytes;
}

void nytp_deflate_free(nytp_deflate *d)
{
    if (d == NULL)
        return;
    d->deflater->stop(d->state);
    free(d);
}

const char *nytp_deflate_library(void)
{
    return "zlib " ZLIB_VERSION;
}
