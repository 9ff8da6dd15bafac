/* A profile through nytprofcalls. The last byte chooses the options. */
#include "nytprofcalls/collapse.h"
#include "test/fuzz/fuzz.h"

static int read_some(void *c, nytp_reader *reader)
{
    return nytp_calltree_read(calls_collapse_tree(c), reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    calls_options options = {.count_calls = bits & 1, .reverse = bits & 2, .keep_evals = bits & 4};
    const nytp_filter_options filters = fuzz_filters(data, size);
    options.unit = (bits >> 3 & 1) != 0 ? NYTP_UNIT_NS : NYTP_UNIT_TICKS;
    options.min.percent = bits & 16 ? 1.5 : 0;
    options.max_depth = bits >> 5;
    calls_collapse *c = calls_collapse_new(&options);
    fuzz_read_filtered(data, size, &filters, nytp_calltree_tags(NULL), read_some, c);
    nytp_calltree_end_profile(calls_collapse_tree(c));
    FILE *out = fuzz_results();
    calls_collapse_write(c, out);
    fclose(out);
    calls_collapse_free(c);
    return 0;
}
