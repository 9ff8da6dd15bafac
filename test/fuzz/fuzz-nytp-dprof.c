/* A profile through nytp-dprof. */
#include "converters/nytp-dprof/dprof.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dprof *d = dprof_new();
    fuzz_read(data, size, nytp_events_tags(dprof_events(d)), nytp_events_read, dprof_events(d));
    FILE *out = fuzz_results();
    dprof_write(d, out);
    fclose(out);
    dprof_free(d);
    return 0;
}
