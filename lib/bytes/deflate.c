/* Deflating: one zlib stream into a sink.
 *
 * The stream consists of segments. Each is a sequence of deflate blocks that ends with a sync flush, so that
 * the next one begins with a whole byte, and that refers to nothing before it, so that it may be made
 * by another library or thread. The mark at its end lets a reader find it; it costs 0.3 to 1 % of the size.
 * The header and the check are written here, whichever library makes the blocks.
 *
 * ADAPTABLE: a short stream is one stored block. Compressing would not save a block of the file system, and
 * isa-l first clears 80 KiB, 20 page faults of the 143 that a profile cost a forked child.
 */
#include "bytes/deflate.h"

#include "base/error.h"
#include "bytes/codec.h"
#include "bytes/sink.h"

#include <stdlib.h>

enum { SHORT_BYTES = 3000 /* of input; with the header of a profile less than 4 KiB */ };

struct nytp_deflate {
    nytp_sink *inner;
    int level;
    nytp_codec
        codecs[NYTP_EFFORTS]; /* a stream that is not ADAPTABLE has the first; no state: not prepared */
    const nytp_codec *in_use; /* one of them */
    bool begins;              /* the next byte of input begins a segment */
    bool pending;             /* there is input since the last flush */
    nytp_deflate_mark total;
    uint64_t segment_from; /* in_bytes at the last mark */
    bool is_short;         /* nothing was compressed yet: all input is in held */
    size_t held_length;    /* of held; not counted in total */
    unsigned char held[SHORT_BYTES];
    size_t length; /* of out */
    unsigned char out[64 << 10];
};

/* There must be space for them in out. */
static void put_bytes(nytp_deflate *d, const unsigned char *bytes, size_t size)
{
    memcpy(d->out + d->length, bytes, size);
    d->length += size;
    d->total.out_bytes += size;
}

nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level, enum nytp_deflate_with with)
{
    static const unsigned char header[] = NYTP_ZLIB_HEADER;
    nytp_deflate *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    d->level = level;
    memset(d->codecs, 0, sizeof d->codecs);
    d->in_use = &d->codecs[NYTP_EFFORT_LOW];
    if (!nytp_codec_start(&d->codecs[NYTP_EFFORT_LOW], level, with)) {
        free(d);
        return NULL;
    }
    d->begins = true;
    d->pending = false;
    d->is_short = with == NYTP_DEFLATE_ADAPTABLE;
    d->held_length = 0;
    d->length = 0;
    d->total = (nytp_deflate_mark){.adler = 1};
    d->segment_from = 0;
    put_bytes(d, header, sizeof header);
    return d;
}

static int drain(nytp_deflate *d, nytp_error *err)
{
    size_t size = d->length;
    d->length = 0;
    return size > 0 ? d->inner->write(d->inner, d->out, size, err) : 0;
}

static int compress_some(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                         nytp_error *err)
{
    enum { LEAST = 64 /* bytes that a step gets; a flush needs fewer */ };
    nytp_window w = {.in = data, .in_size = size};
    if (d->begins)
        d->in_use->library->restart(d->in_use->state);
    d->begins = false;
    do {
        if (sizeof d->out - d->length < LEAST && drain(d, err) != 0)
            return err->code;
        size_t space = sizeof d->out - d->length;
        w.out = d->out + d->length;
        w.out_size = space;
        const char *why = d->in_use->library->step(d->in_use->state, &w, flush);
        if (why != NULL)
            return nytp_fail(err, NYTP_ERR_FORMAT, "%s: cannot compress: %s", d->inner->name, why);
        d->length += space - w.out_size;
        d->total.out_bytes += space - w.out_size;
    } while (w.out_size == 0 || w.in_size > 0);
    if (size > 0)
        d->total.adler = nytp_adler(d->total.adler, data, size);
    d->total.in_bytes += size;
    d->pending = flush == NYTP_DEFLATE_MORE;
    return 0;
}

/* Makes space for put_bytes(). */
static int make_space(nytp_deflate *d, size_t size, nytp_error *err)
{
    return sizeof d->out - d->length < size ? drain(d, err) : 0;
}

static int end_segment(nytp_deflate *d, nytp_error *err)
{
    static const unsigned char mark[] = NYTP_SEGMENT_MARK;
    enum { BY_FLUSH = 4 };
    if ((d->pending && compress_some(d, NULL, 0, NYTP_DEFLATE_SYNC, err) != 0) ||
        make_space(d, sizeof mark, err) != 0)
        return err->code;
    if (d->begins)
        return 0;
    put_bytes(d, mark + BY_FLUSH, sizeof mark - BY_FLUSH);
    d->begins = true;
    d->segment_from = d->total.in_bytes;
    return 0;
}

static int end_stream(nytp_deflate *d, nytp_error *err)
{
    unsigned char check[NYTP_ZLIB_CHECK_BYTES];
    if (make_space(d, sizeof check, err) != 0)
        return err->code;
    nytp_put_check(check, d->total.adler);
    put_bytes(d, check, sizeof check);
    return 0;
}

static bool stays_short(const nytp_deflate *d, size_t size, enum nytp_deflate_flush flush)
{
    const bool can_wait = flush == NYTP_DEFLATE_MORE || flush == NYTP_DEFLATE_END;
    return d->is_short && can_wait && size <= SHORT_BYTES - d->held_length;
}

/* One stored block, the last one (RFC 1951, 3.2.4). out holds at most the header of the stream. */
static int end_short(nytp_deflate *d, nytp_error *err)
{
    const uint16_t length = (uint16_t)d->held_length, inverted = (uint16_t)~length;
    const unsigned char head[] = {0x01, length & 0xFF, length >> 8, inverted & 0xFF, inverted >> 8};
    put_bytes(d, head, sizeof head);
    put_bytes(d, d->held, d->held_length);
    d->total.adler = nytp_adler(d->total.adler, d->held, d->held_length);
    d->total.in_bytes += d->held_length;
    d->held_length = 0;
    d->is_short = false;
    return end_stream(d, err) == 0 ? drain(d, err) : err->code;
}

static int write_short(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err)
{
    if (size > 0)
        memcpy(d->held + d->held_length, data, size);
    d->held_length += size;
    return flush == NYTP_DEFLATE_END ? end_short(d, err) : 0;
}

static int compress_held(nytp_deflate *d, nytp_error *err)
{
    const size_t length = d->held_length;
    d->is_short = false;
    d->held_length = 0;
    return length > 0 ? compress_some(d, d->held, length, NYTP_DEFLATE_MORE, err) : 0;
}

int nytp_deflate_write(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err)
{
    if (stays_short(d, size, flush))
        return write_short(d, data, size, flush, err);
    if (d->is_short && compress_held(d, err) != 0)
        return err->code;
    enum nytp_deflate_flush now = flush == NYTP_DEFLATE_SEGMENT ? NYTP_DEFLATE_SYNC : flush;
    int rc = 0;
    if (size > 0 || flush == NYTP_DEFLATE_END || (now == NYTP_DEFLATE_SYNC && d->pending))
        rc = compress_some(d, data, size, now, err);
    bool full = d->total.in_bytes - d->segment_from >= NYTP_SEGMENT_BYTES;
    if (rc == 0 && flush == NYTP_DEFLATE_END)
        rc = end_stream(d, err);
    else if (rc == 0 && (flush == NYTP_DEFLATE_SEGMENT || full))
        rc = end_segment(d, err);
    return rc == 0 && flush != NYTP_DEFLATE_MORE ? drain(d, err) : rc;
}

bool nytp_deflate_prepare(nytp_deflate *d)
{
    for (nytp_deflate_effort effort = NYTP_EFFORT_MEDIUM; effort < NYTP_EFFORTS; effort++)
        if (d->codecs[effort].state == NULL && !nytp_codec_start_beside(&d->codecs[effort], effort))
            return false;
    return true;
}

int nytp_deflate_choose(nytp_deflate *d, nytp_deflate_effort effort, nytp_error *err)
{
    const nytp_codec *codec = &d->codecs[effort];
    if (codec->state == NULL && effort == NYTP_EFFORT_HIGH)
        codec = &d->codecs[NYTP_EFFORT_HIGHEST];
    if (codec->state == NULL)
        codec = &d->codecs[NYTP_EFFORT_LOW];
    if (codec != d->in_use && end_segment(d, err) != 0)
        return err->code;
    d->in_use = codec;
    return 0;
}

int nytp_deflate_remember(nytp_deflate *d, nytp_deflate_mark *mark, nytp_error *err)
{
    int rc = nytp_deflate_write(d, NULL, 0, NYTP_DEFLATE_SYNC, err);
    *mark = d->total;
    return rc;
}

void nytp_deflate_resume(nytp_deflate *d, const nytp_deflate_mark *mark)
{
    d->total = *mark;
    d->held_length = 0;
    d->length = 0;
    d->pending = false;
    d->begins = true;
    if (d->segment_from > mark->in_bytes)
        d->segment_from = mark->in_bytes;
}

void nytp_deflate_totals(const nytp_deflate *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->total.in_bytes;
    *out_bytes = d->total.out_bytes;
}

void nytp_deflate_free(nytp_deflate *d)
{
    if (d == NULL)
        return;
    for (nytp_deflate_effort effort = NYTP_EFFORT_LOW; effort < NYTP_EFFORTS; effort++)
        if (d->codecs[effort].state != NULL)
            d->codecs[effort].library->stop(d->codecs[effort].state);
    free(d);
}
