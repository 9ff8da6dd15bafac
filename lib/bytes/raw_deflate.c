#include "bytes/raw_deflate.h"

#include "bytes/codec.h"

#include <stdlib.h>

struct nytp_raw_deflate {
    nytp_codec codec;
    nytp_write_fn *write;
    void *context;
    int status; /* the first result of write that was not 0 */
    unsigned char out[32 << 10];
};

nytp_raw_deflate *nytp_raw_deflate_new(int level, nytp_write_fn *write, void *context)
{
    nytp_raw_deflate *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    if (!nytp_codec_start(&d->codec, level, NYTP_DEFLATE_STRONG)) {
        free(d);
        return NULL;
    }
    d->codec.library->restart(d->codec.state);
    d->write = write;
    d->context = context;
    d->status = 0;
    return d;
}

static int compress(nytp_raw_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush)
{
    nytp_window w = {.in = data, .in_size = size};
    bool more = true;
    while (d->status == 0 && more) {
        w.out = d->out;
        w.out_size = sizeof d->out;
        d->codec.library->step(d->codec.state, &w, flush); /* fails only where it is called wrongly */
        size_t made = sizeof d->out - w.out_size;
        if (made > 0)
            d->status = d->write(d->context, d->out, made);
        more = w.out_size == 0 || w.in_size > 0;
    }
    return d->status;
}

int nytp_raw_deflate_write(nytp_raw_deflate *deflate, const void *data, size_t size)
{
    return size > 0 ? compress(deflate, data, size, NYTP_DEFLATE_MORE) : deflate->status;
}

static int end(nytp_raw_deflate *d, enum nytp_deflate_flush flush)
{
    compress(d, NULL, 0, flush);
    d->codec.library->restart(d->codec.state);
    return d->status;
}

int nytp_raw_deflate_finish(nytp_raw_deflate *deflate)
{
    return end(deflate, NYTP_DEFLATE_END);
}

int nytp_raw_deflate_cut(nytp_raw_deflate *deflate)
{
    return end(deflate, NYTP_DEFLATE_SYNC);
}

void nytp_raw_deflate_free(nytp_raw_deflate *deflate)
{
    if (deflate == NULL)
        return;
    deflate->codec.library->stop(deflate->codec.state);
    free(deflate);
}
