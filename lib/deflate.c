/* Deflating: a zlib stream into a sink. */
#include "wire.h"

#include <stdlib.h>
#include <zlib.h>

struct nytp_deflate {
    nytp_sink *inner;
    z_stream z;
    unsigned char out[64 << 10];
};

nytp_deflate *nytp_deflate_new(nytp_sink *inner, int level)
{
    nytp_deflate *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->inner = inner;
    if (deflateInit(&d->z, level) != Z_OK) {
        free(d);
        return NULL;
    }
    return d;
}

int nytp_deflate_write(nytp_deflate *d, const void *data, size_t size, enum nytp_deflate_flush flush,
                       nytp_error *err)
{
    static const int flush_of[] = {
        [NYTP_DEFLATE_MORE] = Z_NO_FLUSH, [NYTP_DEFLATE_SYNC] = Z_SYNC_FLUSH, [NYTP_DEFLATE_END] = Z_FINISH};
    d->z.next_in = (Bytef *)(uintptr_t)data; /* zlib does not write there; its type is from before const */
    d->z.avail_in = (uInt)size;
    do {
        d->z.next_out = d->out;
        d->z.avail_out = sizeof d->out;
        if (deflate(&d->z, flush_of[flush]) == Z_STREAM_ERROR)
            return nytp_fail(err, NYTP_ERR_FORMAT, "%s: cannot compress: %s", d->inner->name,
                             d->z.msg != NULL ? d->z.msg : "stream error");
        size_t made = sizeof d->out - d->z.avail_out;
        if (made > 0 && d->inner->write(d->inner, d->out, made, err) != 0)
            return err->code;
    } while (d->z.avail_out == 0);
    return 0;
}

void nytp_deflate_totals(const nytp_deflate *d, uint64_t *in_bytes, uint64_t *out_bytes)
{
    *in_bytes = d->z.total_in;
    *out_bytes = d->z.total_out;
}

void nytp_deflate_free(nytp_deflate *d)
{
    if (d == NULL)
        return;
    deflateEnd(&d->z);
    free(d);
}

const char *nytp_deflate_library(void)
{
    return "zlib " ZLIB_VERSION;
}
