/* A profile through nytp-tree. The last byte chooses the options. */
#include "converters/nytp-tree/tree.h"
#include "test/fuzz/fuzz.h"

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned bits = size > 0 ? data[size - 1] : 0;
    const tree_options options = {.from = bits % 4 == 1 ? "Shop::row" : NULL,
                                  .to = bits % 4 == 2 ? "Shop::deep" : NULL,
                                  .rows = bits / 4 % 8,
                                  .max_depth = bits & 32 ? 3 : 0,
                                  .wait = bits & 64};
    const nytp_summary_options all = {.wants_stacks = true};
    const nytp_filter_options filters = fuzz_filters(data, size);
    nytp_summary_reading *reading = nytp_summary_begin(&all);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL),
                       nytp_summary_read_some, reading);
    nytp_summary_end_profile(reading);
    nytp_summary *summary = nytp_summary_end(reading);
    FILE *out = fuzz_results();
    g_autofree char *why = NULL;
    tree_calls calls;
    if (tree_calls_fill(&calls, &options, summary, &why)) {
        tree_marks marks = tree_marks_new(&calls, &options);
        tree_rows_write(&calls, &marks, &options, summary, &(nytp_look){.columns = bits}, out);
        g_free(marks.of);
    }
    tree_calls_clear(&calls);
    fclose(out);
    nytp_summary_free(summary);
    return 0;
}
