/* A profile through nytprofhtml. The last byte chooses the options. */
#include "converters/nytprofhtml/reading.h"
#include "converters/nytprofhtml/pages.h"
#include "test/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"nytprof.out"};
    static const nytp_operands inputs = {names, 1};
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    nytp_perl_files no_files = {.none = true};
    html_options options = {
        .inputs = &inputs, .files = &no_files, .no_flame = bits & 1, .keep_evals = bits & 2};
    options.min.percent = bits & 4 ? 1.5 : 0;
    options.title = bits & 8 ? "<b>" : NULL;
    nytp_filter_options filters = fuzz_filters(data, size);
    filters.evals = true;
    html_building *b = html_building_new(&options);
    /* Twice, as two profiles of one program. */
    for (int i = 0, count = bits & 16 ? 2 : 1; i < count; i++) {
        fuzz_read_filtered(data, size, &filters, html_building_tags(b), html_building_read, b);
        html_building_end_profile(b);
    }
    html_report *report = html_building_finish(b, &options);
    FILE *out = fuzz_results();
    html_page_write(report, &options, out);
    fclose(out);
    html_report_free(report);
    return 0;
}
