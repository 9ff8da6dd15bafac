/* A profile through nytprofcsv: a table, which the last byte chooses, and stock's files. */
#include "converters/nytprofcsv/stock/stock.h"
#include "converters/nytprofcsv/tables.h"
#include "test/fuzz/fuzz.h"

static void write_table(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    const nytp_summary_options options = {
        .keeps_evals = !(bits & CSV_TABLES), .wants_arc_sums = true, .wants_stacks = bits & 2 * CSV_TABLES};
    const nytp_filter_options filters = fuzz_filters(data, size);
    nytp_summary_reading *reading = nytp_summary_begin(&options);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL),
                       nytp_summary_read_some, reading);
    nytp_summary_end_profile(reading);
    nytp_summary *summary = nytp_summary_end(reading);
    const nytp_measure measure = nytp_profile_measure(summary->profile);
    char **columns = csv_table_columns(&measure, bits % CSV_TABLES);
    if (columns != NULL)
        csv_table_write(summary, NULL, bits % CSV_TABLES, out);
    g_strfreev(columns);
    nytp_summary_free(summary);
}

static int read_some(void *profile, nytp_reader *reader)
{
    return nytp_profile_read(profile, reader);
}

static char *no_inc[] = {NULL};

static void write_sheets(const nytp_profile *profile, csv_source *source, bool merge, FILE *out)
{
    csv_sheets *sheets = csv_sheets_new(profile, source, merge);
    const csv_stock stock = {profile, source, sheets, ",", false};
    const nytp_file *f;
    for (size_t i = 0; (f = nytp_profile_file(profile, i)) != NULL; i++)
        for (unsigned level = 0; level < CSV_LEVELS; level++)
            if (csv_sheets_has(sheets, f, level)) {
                g_free(csv_stock_name(f, csv_level_names[level], no_inc));
                csv_stock_write(&stock, f, level, out);
            }
    csv_sheets_free(sheets);
}

static void write_stock(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    nytp_perl_files no_files = {.none = true};
    nytp_profile *profile = nytp_profile_new();
    csv_source *source = csv_source_new(no_inc, &no_files);
    nytp_profile_keep_levels(profile);
    nytp_profile_on_source(profile, csv_source_add, source);
    fuzz_read(data, size, nytp_profile_tags() & ~nytp_tag_bit(NYTP_COMMENT), read_some, profile);
    write_sheets(profile, source, bits & CSV_TABLES, out);
    nytp_profile_free(profile);
    csv_source_free(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    FILE *out = fuzz_results();
    write_table(data, size, bits, out);
    write_stock(data, size, bits, out);
    fclose(out);
    return 0;
}
