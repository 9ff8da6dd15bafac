/* nytprofhtml --diff: a profile as OLD, and a part of it, and the other way round. The last byte chooses the
 * options.
 */
#include "converters/nytprofhtml/reading.h"
#include "converters/nytprofhtml/diff/difference.h"
#include "converters/nytprofhtml/pages.h"
#include "test/fuzz/fuzz.h"

static html_report *read_report(const html_options *options, const uint8_t *data, size_t size)
{
    html_building *b = html_building_new(options);
    nytp_filter_options filters = fuzz_filters(data, size);
    filters.evals = true;
    fuzz_read_filtered(data, size, &filters, html_building_tags(b), html_building_read, b);
    html_building_end_profile(b);
    return html_building_finish(b, options);
}

static int read_profile(void *profile, nytp_reader *reader)
{
    return nytp_profile_read(profile, reader);
}

static void add_others(nytp_comparison *c, const uint8_t *data, size_t size)
{
    for (int run = 0; run < 3; run++)
        for (enum nytp_side side = NYTP_OLD; side < NYTP_SIDES; side++) {
            nytp_profile *profile = nytp_profile_new();
            fuzz_read(data, size - MIN(size, (size_t)run), nytp_profile_tags(), read_profile, profile);
            nytp_profile_merge_evals(profile);
            nytp_comparison_add(c, side, profile, NULL, NULL);
            nytp_profile_free(profile);
        }
}

static void compare(const uint8_t *data, size_t old_size, size_t new_size, uint8_t bits)
{
    static const char *const names[] = {"old.out", "new.out"};
    static const nytp_operands sides[NYTP_SIDES] = {{names, 1}, {names + 1, 1}};
    nytp_perl_files no_files = {.none = true};
    nytp_source_text *new_text = nytp_source_text_new();
    html_options options = {.inputs = &sides[NYTP_NEW],
                            .files = &no_files,
                            .no_flame = bits & 1,
                            .no_source = bits & 2,
                            .min.percent = bits & 4 ? 1.5 : 0,
                            .on_source = nytp_source_text_add,
                            .on_source_context = new_text};
    html_compared c = {.sides = sides, .shown = {names[0], names[1]}, .new_text = new_text};
    c.report = read_report(&options, data, new_size);
    c.old_text = html_old_text_new(c.report->profile, new_text, !options.no_source);
    html_options of_old = options;
    of_old.no_source = true;
    of_old.on_source = html_old_text_add;
    of_old.on_source_context = c.old_text;
    c.old = read_report(&of_old, data, old_size);
    c.comparison = nytp_comparison_new();
    html_comparison_add(c.comparison, NYTP_NEW, c.report, new_text);
    html_comparison_add(c.comparison, NYTP_OLD, c.old, html_old_text_hashes(c.old_text));
    if (bits & 8)
        add_others(c.comparison, data, new_size);
    c.report->difference = html_difference_new(&c);
    FILE *out = fuzz_results();
    html_page_write(c.report, &options, out);
    fclose(out);
    html_difference_free(c.report->difference);
    html_report_free(c.report);
    html_old_text_free(c.old_text);
    nytp_source_text_free(new_text);
    nytp_comparison_free(c.comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t bits = size > 0 ? data[size - 1] : 0;
    const size_t part = size - size / 3;
    compare(data, bits & 16 ? part : size, bits & 16 ? size : part, bits);
    return 0;
}
