/* A profile through nytprofcalls. The last byte tells the options. */
#include "nytprofcalls/collapse.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    collapse_options options = {.count_calls = bits & 1, .reverse = bits & 2, .keep_evals = bits & 4};
    options.unit = (enum collapse_unit)(bits >> 3 & 1);
    options.min_percent = bits & 16 ? 1.5 : 0;
    options.max_depth = bits >> 5;
    collapse *c = collapse_new(&options);
    fuzz_read(data, size, collapse_wanted(), collapse_take, collapse_take_run, c);
    collapse_end_profile(c);
    FILE *out = fuzz_results();
    collapse_write(c, out);
    fclose(out);
    collapse_free(c);
    return 0;
}
