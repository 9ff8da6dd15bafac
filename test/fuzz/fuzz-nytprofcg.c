/* A profile through nytprofcg. The last byte chooses the options. */
#include "nytprofcg/callgrind.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cg_options options = {.keep_evals = size > 0 && data[size - 1] & 1};
    nytp_profile *profile = nytp_profile_new();
    nytp_reader *reader = fuzz_reader(data, size, nytp_profile_tags());
    while (nytp_profile_read(profile, reader) == NYTP_OK)
        continue;
    nytp_reader_free(reader);
    FILE *out = fuzz_results();
    cg_write(profile, &options, out);
    fclose(out);
    nytp_profile_free(profile);
    return 0;
}
