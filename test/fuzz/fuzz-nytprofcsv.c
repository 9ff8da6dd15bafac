/* A profile through nytprofcsv. The last byte chooses the table. */
#include "converters/nytprofcsv/csv_tables.h"
#include "test/fuzz/fuzz.h"

static int read_some(void *profile, nytp_reader *reader)
{
    return nytp_profile_read(profile, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    nytp_profile *profile = nytp_profile_new();
    fuzz_read(data, size, nytp_profile_wanted(), read_some, profile);
    if (bits & CSV_TABLES)
        nytp_profile_merge_evals(profile);
    FILE *out = fuzz_results();
    csv_table_write(profile, bits % CSV_TABLES, out);
    fclose(out);
    nytp_profile_free(profile);
    return 0;
}
