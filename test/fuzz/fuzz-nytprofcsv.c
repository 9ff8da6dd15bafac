/* A profile through nytprofcsv: a table, which the last byte chooses, and stock's files. */
#include "converters/nytprofcsv/stock/stock.h"
#include "converters/nytprofcsv/tables.h"
#include "calls/calltree.h"
#include "calls/derive_arcs.h"
#include "model/profile.h"
#include "test/fuzz/fuzz.h"

typedef struct models {
    nytp_profile *profile;
    nytp_calltree *tree; /* NULL: not wanted */
} models;

static int read_some(void *context, nytp_reader *reader)
{
    const models *m = context;
    return m->tree != NULL ? nytp_profile_read_with_calls(m->profile, m->tree, reader)
                           : nytp_profile_read(m->profile, reader);
}

static void write_table(const uint8_t *data, size_t size, uint8_t bits, FILE *out)
{
    models m = {nytp_profile_new(), nytp_calltree_new(NULL, NULL)};
    nytp_durations *durations = nytp_durations_new(m.tree->raw);
    nytp_durations_take(durations, nytp_calltree_events(m.tree));
    nytp_process_times *times = nytp_process_times_new();
    nytp_process_times_take(times, nytp_calltree_events(m.tree));
    nytp_sub_waits *waits = nytp_sub_waits_new(m.tree->raw);
    nytp_sub_waits_take(waits, nytp_calltree_events(m.tree));
    nytp_arc_waits *arc_waits = nytp_arc_waits_new(m.tree->raw);
    nytp_arc_waits_take(arc_waits, nytp_calltree_events(m.tree));
    nytp_kinds *kinds = nytp_kinds_new();
    nytp_kinds_take(kinds, m.tree->raw, nytp_calltree_events(m.tree));
    const nytp_filter_options filters = fuzz_filters(data, size);
    fuzz_read_filtered(data, size, &filters, nytp_profile_tags() | nytp_calltree_tags(NULL), read_some, &m);
    nytp_calltree_end_profile(m.tree);
    nytp_profile_complete_arcs(m.profile, m.tree);
    csv_calls calls = {.labels = nytp_by_label_new(),
                       .processes = times,
                       .waits = waits,
                       .arc_waits = arc_waits,
                       .kinds = kinds};
    calls.kind_sums = nytp_kinds_by_sub(kinds, m.profile);
    calls.sub_waits = nytp_sub_waits_by_sub(waits, m.profile);
    nytp_arc_waits_by_sub(arc_waits, m.profile);
    nytp_by_label_add_profile(calls.labels, m.profile, m.tree);
    calls.durations = nytp_durations_by_sub(durations, m.profile);
    uint32_t *moved = bits & CSV_TABLES ? nytp_profile_move_evals(m.profile) : NULL;
    if (moved != NULL) {
        nytp_sub_durations_move(&calls.durations, m.profile, moved);
        calls.sub_waits = nytp_sub_waits_moved(calls.sub_waits, m.profile, moved);
        nytp_arc_waits_move(arc_waits, moved);
        nytp_kind_sums_move(calls.kind_sums, moved);
    }
    g_free(moved);
    nytp_durations_free(durations);
    nytp_calltree_free(m.tree);
    char **columns = csv_table_columns(m.profile, bits % CSV_TABLES);
    if (columns != NULL)
        csv_table_write(m.profile, &calls, bits % CSV_TABLES, out);
    g_strfreev(columns);
    g_array_unref(calls.kind_sums);
    g_array_unref(calls.sub_waits);
    nytp_sub_waits_free(waits);
    nytp_arc_waits_free(arc_waits);
    nytp_kinds_free(kinds);
    nytp_by_label_free(calls.labels);
    nytp_sub_durations_clear(&calls.durations);
    nytp_process_times_free(times);
    nytp_profile_free(m.profile);
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
    models m = {nytp_profile_new(), NULL};
    csv_source *source = csv_source_new(no_inc, &no_files);
    nytp_profile_keep_levels(m.profile);
    nytp_profile_on_source(m.profile, csv_source_add, source);
    fuzz_read(data, size, nytp_profile_tags() & ~nytp_tag_bit(NYTP_COMMENT), read_some, &m);
    write_sheets(m.profile, source, bits & CSV_TABLES, out);
    nytp_profile_free(m.profile);
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
