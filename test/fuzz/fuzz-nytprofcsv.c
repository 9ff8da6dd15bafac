/* A profile through nytprofcsv. The last byte chooses the table. */
#include "converters/nytprofcsv/csv_tables.h"
#include "model/derive_arcs.h"
#include "test/fuzz/fuzz.h"

typedef struct models {
    nytp_profile *profile;
    nytp_calltree *tree;
} models;

static int read_some(void *context, nytp_reader *reader)
{
    const models *m = context;
    return nytp_profile_read_with_calls(m->profile, m->tree, reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    nytp_profile *profile = nytp_profile_new();
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    fuzz_read(data, size, nytp_profile_wanted() | nytp_calltree_wanted(), read_some, &(models){profile, tree});
    nytp_calltree_end_profile(tree);
    nytp_profile_derive_arcs(profile, tree);
    nytp_calltree_free(tree);
    if (bits & CSV_TABLES)
        nytp_profile_merge_evals(profile);
    FILE *out = fuzz_results();
    csv_table_write(profile, bits % CSV_TABLES, out);
    fclose(out);
    nytp_profile_free(profile);
    return 0;
}
