/* A profile through nytprofcg. The last byte chooses the options. */
#include "calls/call_statements.h"
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
    both b = {nytp_profile_new(), nytp_calltree_new(NULL, NULL)};
    nytp_call_statements *statements = nytp_call_statements_new(b.calls);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL), read_both, &b);
    nytp_calltree_end_profile(b.calls);
    FILE *out = fuzz_results();
    cg_write(
        b.profile,
        &(cg_calls){b.calls, nytp_call_statements_tree(statements), nytp_call_statements_turns(statements)},
        &options, out);
    nytp_call_statements_free(statements);
    fclose(out);
    nytp_calltree_free(b.calls);
    nytp_profile_free(b.profile);
    return 0;
}
