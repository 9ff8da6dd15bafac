/* A profile through nytprofcg. The last byte tells the options. */
#include "nytprofcg/callgrind.h"
#include "test/fuzz/fuzz.h"

static void take(void *profile, nytp_reader *reader, const nytp_chunk *chunk)
{
    (void)reader;
    nytp_profile_add(profile, chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    callgrind_options options = {.keep_evals = size > 0 && data[size - 1] & 1};
    nytp_profile *profile = nytp_profile_new();
    fuzz_read(data, size, nytp_profile_wanted(), take, profile);
    FILE *out = fuzz_results();
    callgrind_write(profile, &options, out);
    fclose(out);
    nytp_profile_free(profile);
    return 0;
}
