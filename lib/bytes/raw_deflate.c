#include "bytes/raw_deflate_mt.h"

#include "bytes/codec.h"

#include <stdlib.h>

struct nytp_raw_deflate {
    nytp_codec codec;
    nytp_write_fn *write;
    void *context;
    int status; /* the first result of write that was not 0 */
    unsigned char out[64 << 10];
};

nytp_raw_deflate *nytp_raw_deflate_new(int level, enum nytp_deflate_with with, nytp_write_fn *write,
                                       void *context)
{
    nytp_raw_deflate *d = malloc(sizeof *d);
    if (d == NULL)
        return NULL;
    if (!nytp_codec_start(&d->codec, level, with)) {
        free(d);
        return NULL;
    }
    d->codec.library->restart(d->codec.state);
    d->write = write;
    d->context = context;
    d->status = 0;
    return d;
}

int nytp_raw_deflate_write(nytp_raw_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush)
{
    nytp_window w = {.in = data, .in_size = size};
    bool more = size > 0 || flush != NYTP_DEFLATE_MORE;
    while (d->status == 0 && more) {
        w.out = d->out;
        w.out_size = sizeof d->out;
        d->codec.library->step(d->codec.state, &w, flush); /* fails only where it is called wrongly */
        size_t made = sizeof d->out - w.out_size;
        if (made > 0)
            d->status = d->write(d->context, d->out, made);
        more = w.out_size == 0 || w.in_size > 0;
    }
    if (flush != NYTP_DEFLATE_MORE)
        d->codec.library->restart(d->codec.state);
    return d->status;
}

void nytp_raw_deflate_free(nytp_raw_deflate *deflate)
{
    if (deflate == NULL)
        return;
    deflate->codec.library->stop(deflate->codec.state);
    free(deflate);
}
