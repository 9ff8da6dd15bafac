/* A profile through nytprofcg. The last byte chooses the options. */
#include "nytprofcg/callgrind.h"
#include "test/fuzz/fuzz.h"

typedef struct both {
    nytp_profile *profile;
    nytp_calltree *calls;
} both;

static int read_both(void *context, nytp_reader *reader)
{
    const both *b = context;
    return nytp_profile_read_with_calls(b->profile, b->calls, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const cg_options options = {.keep_evals = size > 0 && data[size - 1] & 1,
                                .no_split = size > 0 && data[size - 1] & 2,
                                .jumps = CG_JUMPS_ALL};
    const nytp_filter_options filters = fuzz_filters(data, size);
    FILE *out = fuzz_results();
    cg_inputs *inputs = cg_inputs_new();
    for (int n = size > 0 && data[size - 1] & 4 ? 2 : 1; n > 0; n--) {
        both b = {nytp_profile_new(), nytp_calltree_new(NULL, NULL)};
        nytp_call_statements *statements = nytp_call_statements_new(b.calls);
        fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL), read_both,
                           &b);
        nytp_calltree_end_profile(b.calls);
        cg_inputs_add(inputs, NULL, b.profile, b.calls, statements);
    }
    cg_inputs_join(inputs, options.keep_evals);
    cg_write(inputs, &options, out);
    cg_inputs_free(inputs);
    fclose(out);
    return 0;
}
