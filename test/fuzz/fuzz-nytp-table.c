/* A profile through nytp-table. The last byte chooses the table, and its form. */
#include "converters/nytp-table/table.h"
#include "test/fuzz/fuzz.h"

#include <glib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned bits = size > 0 ? data[size - 1] : 0;
    table_options options = {.by = (enum table_by)(bits % (TABLE_FINDINGS + 1)),
                             .form = (enum nytp_table_form)(bits / 16 % 4),
                             .wait = bits & 128};
    options.sort = bits & 64 && options.by == TABLE_SUBS && options.form != NYTP_MARKDOWN ? "-total" : NULL;
    const nytp_summary_options all = {.wants_stacks = true};
    const nytp_filter_options filters = fuzz_filters(data, size);
    const nytp_look look = {.columns = bits};
    nytp_summary_reading *reading = nytp_summary_begin(&all);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL),
                       nytp_summary_read_some, reading);
    nytp_summary_end_profile(reading);
    nytp_summary *summary = nytp_summary_end(reading);
    FILE *out = fuzz_results();
    table_show(&options, summary, &look, out);
    fclose(out);
    nytp_summary_free(summary);
    return 0;
}
