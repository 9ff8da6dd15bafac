#include "fit.h"

#include <glib.h>
#include <stdlib.h>

#define FIRST_PERCENT 0.001

/* Writes all to memory. Returns the bytes, which the caller must free. */
static char *write_to_memory(nytp_process_calls *calls, const pprof_options *options, pprof_written *written,
                             size_t *size)
{
    char *bytes = NULL;
    FILE *memory = open_memstream(&bytes, size);
    if (memory == NULL)
        g_error("out of memory");
    const uint32_t cut = written->cut;
    *written = pprof_write_stacks(calls, options, memory);
    written->cut = MAX(written->cut, cut); /* deeper levels are there the first time only */
    if (fclose(memory) != 0)
        g_error("out of memory");
    return bytes;
}

/* Folded stacks do not come back, so the share below which they fold grows until the rest fits. */
pprof_written pprof_write_fitting(nytp_process_calls *calls, const pprof_options *options, FILE *out)
{
    const double all = 100;
    pprof_options now = *options;
    pprof_written written = {0};
    size_t size;
    char *bytes = write_to_memory(calls, &now, &written, &size);
    while ((written.samples > PPROF_FIT_SAMPLES || size > PPROF_FIT_BYTES) && now.min_percent < all) {
        free(bytes);
        now.min_percent = CLAMP(now.min_percent * 2, FIRST_PERCENT, all);
        bytes = write_to_memory(calls, &now, &written, &size);
    }
    fwrite(bytes, 1, size, out);
    free(bytes);
    return written;
}
