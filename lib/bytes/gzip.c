#include "bytes/deflate.h"

#include "bytes/codec.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

typedef struct gzip {
    z_stream z;
    FILE *out;
} gzip;

/* Compresses all input. Returns 0, or -1 with errno set. */
static int compress_input(gzip *g, int flush)
{
    unsigned char buffer[16 << 10];
    int rc;
    do {
        g->z.next_out = buffer;
        g->z.avail_out = sizeof buffer;
        rc = deflate(&g->z, flush);
        size_t size = sizeof buffer - g->z.avail_out;
        /* cppcheck-suppress uninitvar ; deflate() wrote it */
        if (fwrite(buffer, 1, size, g->out) != size)
            return -1;
    } while (rc == Z_OK && g->z.avail_out == 0);
    return 0;
}

static ssize_t gzip_write(void *cookie, const char *bytes, size_t size)
{
    gzip *g = cookie;
    size_t left = size;
    g->z.next_in = (Bytef *)(uintptr_t)bytes; /* zlib does not write there; its type is from before const */
    while (left > 0) {
        const uint32_t step = nytp_step_bytes(left);
        g->z.avail_in = step;
        if (compress_input(g, Z_NO_FLUSH) != 0)
            return 0;
        left -= step;
    }
    return (ssize_t)size;
}

static int gzip_close(void *cookie)
{
    gzip *g = cookie;
    int rc = ferror(g->out) ? EOF : compress_input(g, Z_FINISH);
    deflateEnd(&g->z);
    free(g);
    return rc;
}

FILE *nytp_gzip_open(FILE *out)
{
    enum { LEVEL = 6, GZIP = 16 + MAX_WBITS, MEMORY = 8 };
    gzip *g = calloc(1, sizeof *g);
    if (g == NULL || deflateInit2(&g->z, LEVEL, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(g);
        errno = ENOMEM;
        return NULL;
    }
    g->out = out;
    FILE *stream = fopencookie(g, "w", (cookie_io_functions_t){.write = gzip_write, .close = gzip_close});
    if (stream == NULL) {
        deflateEnd(&g->z);
        free(g);
    }
    return stream;
}
