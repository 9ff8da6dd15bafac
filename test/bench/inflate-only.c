/* Inflates a profile with the library's own inflater and drops the result: the floor of every program that
 * reads the file. With THREADS, so many threads deflate it again, fast, while another one inflates: the floor
 * of nytprofmerge.
 *
 *   inflate-only FILE [THREADS]
 */
#include "base/error.h"
#include "bytes/deflate.h"
#include "bytes/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const nytp_error *err)
{
    fprintf(stderr, "inflate-only: %s\n", err->message);
    return 1;
}

/* Returns where the compressed data begins: after the START_DEFLATE chunk. 0 if there is none in these bytes.
 */
static size_t compressed_from(const char *bytes, size_t size)
{
    const char *line = bytes, *end = bytes + size, *newline;
    while (line < end && *line != NYTP_START_DEFLATE) {
        newline = memchr(line, '\n', (size_t)(end - line));
        if (newline == NULL)
            return 0;
        line = newline + 1;
    }
    return line < end ? (size_t)(line - bytes) + 1 : 0;
}

static int to_nowhere(void *context, const void *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return 0;
}

/* Reads the source to its end, into deflate_mt if that is not NULL. Returns 0 or a negative error. */
static int pump(nytp_source *source, nytp_deflate_mt *deflate_mt, nytp_error *err)
{
    static char inflated[128 << 10];
    unsigned long long total_bytes = 0;
    ptrdiff_t n;
    while ((n = source->read(source, inflated, sizeof inflated, err)) > 0) {
        total_bytes += (unsigned long long)n;
        if (deflate_mt != NULL && nytp_deflate_mt_write(deflate_mt, inflated, (size_t)n, err) != 0)
            return err->code;
    }
    printf("%llu\n", total_bytes);
    return n < 0 ? (int)n : deflate_mt != NULL ? nytp_deflate_mt_finish(deflate_mt, err) : 0;
}

/* Takes file. */
static int inflate_all(nytp_source *file, unsigned threads)
{
    static char first[16 << 10];
    nytp_error err = {0};
    ptrdiff_t n = file->read(file, first, sizeof first, &err);
    size_t from = n > 0 ? compressed_from(first, (size_t)n) : 0;
    if (from == 0) {
        nytp_fail(&err, NYTP_ERR_FORMAT, "no compressed data");
        nytp_source_free(file);
        return fail(&err);
    }
    nytp_source *source = nytp_inflate_new(file, first + from, (size_t)n - from, NYTP_INFLATE_BEST);
    if (source == NULL)
        return 1;
    size_t out_bytes = 0;
    nytp_sink *nowhere = nytp_sink_callback(to_nowhere, &out_bytes, "nowhere");
    nytp_deflate_mt *deflate_mt = NULL;
    if (threads > 0) {
        source = nytp_readahead_new(source);
        deflate_mt = nytp_deflate_mt_new(nowhere, 2, NYTP_DEFLATE_FAST, threads);
    }
    int rc = pump(source, deflate_mt, &err);
    nytp_deflate_mt_free(deflate_mt);
    nytp_sink_free(nowhere);
    nytp_source_free(source);
    return rc < 0 ? fail(&err) : 0;
}

int main(int argc, char **argv)
{
    nytp_source *file = argc == 2 || argc == 3 ? nytp_source_file(argv[1]) : NULL;
    if (file == NULL) {
        fputs("usage: inflate-only FILE [THREADS]\n", stderr);
        return 2;
    }
    return inflate_all(file, argc == 3 ? (unsigned)atoi(argv[2]) : 0);
}
