#include "cli/large.h"

#include "cli/say.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct large {
    FILE *to;
    uint64_t bytes;
    uint32_t most_mb;
    const char *advice;
} large;

/* Returns how many bytes were written: fewer than size after an error, whose errno it leaves. */
static ssize_t write_on(void *cookie, const char *data, size_t size)
{
    const uint64_t mb = 1000000;
    large *l = cookie;
    const bool was_large = l->bytes > l->most_mb * mb;
    l->bytes += size;
    if (!was_large && l->bytes > l->most_mb * mb)
        nytp_say("warning: the output is larger than %" PRIu32 " MB; %s", l->most_mb, l->advice);
    return (ssize_t)fwrite(data, 1, size, l->to);
}

static int close_it(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *nytp_large_open(FILE *to, uint32_t most_mb, const char *advice)
{
    enum { BUFFER_BYTES = 64 << 10 };
    large *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    *l = (large){.to = to, .most_mb = most_mb, .advice = advice};
    FILE *stream = fopencookie(l, "wb", (cookie_io_functions_t){.write = write_on, .close = close_it});
    if (stream == NULL)
        free(l);
    else
        setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
    return stream;
}
