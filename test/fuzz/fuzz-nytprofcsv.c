/* A profile through nytprofcsv. The last byte chooses the table, or stock's files. */
#include "converters/nytprofcsv/csv_stock.h"
#include "converters/nytprofcsv/csv_stock_name.h"
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

static char *no_inc[] = {NULL};

static void write_stock(const nytp_profile *profile, csv_source *source, bool merge, FILE *out)
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bits = size > 0 ? data[size - 1] : 0;
    bool merge = bits & CSV_TABLES, stock = bits & CSV_TABLES * 2;
    nytp_profile *profile = nytp_profile_new();
    csv_source *source = csv_source_new(no_inc);
    if (stock) {
        nytp_profile_keep_levels(profile);
        nytp_profile_on_source(profile, csv_source_add, source);
    }
    nytp_calltree *tree = nytp_calltree_new(NULL, NULL);
    fuzz_read(data, size, nytp_profile_wanted() | nytp_calltree_wanted(), read_some,
              &(models){profile, tree});
    nytp_calltree_end_profile(tree);
    nytp_profile_derive_arcs(profile, tree);
    nytp_calltree_free(tree);
    if (merge && !stock)
        nytp_profile_merge_evals(profile);
    FILE *out = fuzz_results();
    if (stock)
        write_stock(profile, source, merge, out);
    else
        csv_table_write(profile, bits % CSV_TABLES, out);
    fclose(out);
    nytp_profile_free(profile);
    csv_source_free(source);
    return 0;
}
