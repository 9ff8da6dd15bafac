/* Inflates a profile to nowhere, with the library's own inflater: the floor
 * under every program that reads the same file.
 *
 *   inflate-only FILE
 */
#include "wire.h"

#include <stdio.h>
#include <string.h>

static int fail(const nytp_error *err)
{
    fprintf(stderr, "inflate-only: %s\n", err->message);
    return 1;
}

/* Where the compressed data begins within the first bytes of a profile: behind the line that is
 * a START_DEFLATE chunk. 0: it has none there. */
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

/* Takes file. */
static int inflate_all(nytp_source *file)
{
    static char first[16 << 10], inflated[128 << 10];
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
    unsigned long long total_bytes = 0;
    while ((n = source->read(source, inflated, sizeof inflated, &err)) > 0)
        total_bytes += (unsigned long long)n;
    nytp_source_free(source);
    printf("%llu\n", total_bytes);
    return n < 0 ? fail(&err) : 0;
}

int main(int argc, char **argv)
{
    nytp_source *file = argc == 2 ? nytp_source_file(argv[1]) : NULL;
    if (file == NULL) {
        fputs("usage: inflate-only FILE\n", stderr);
        return 2;
    }
    return inflate_all(file);
}
