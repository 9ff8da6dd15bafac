/* A recording of coverage through nytp-cover. The last byte chooses what is shown. */
#include "converters/nytp-cover/show.h"
#include "test/fuzz/fuzz.h"

static int read_some(void *context, nytp_reader *reader)
{
    return nytp_cover_read(context, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const unsigned bits = size > 0 ? data[size - 1] : 0;
    nytp_cover *cover = nytp_cover_new();
    fuzz_read(data, size, nytp_cover_tags(), read_some, cover);
    nytp_cover_end_recording(cover);
    const GPtrArray *files = nytp_cover_files(cover);
    FILE *out = fuzz_results();
    const cover_totals totals = cover_totals_of(files, bits & 1);
    must(totals.lines.seen <= totals.lines.all && totals.branches.seen <= totals.branches.all);
    cover_show_table(out, files, bits & 1);
    cover_show_missing(out, files, bits & 1);
    cover_write_lcov(out, files);
    fclose(out);
    nytp_cover_free(cover);
    return 0;
}
