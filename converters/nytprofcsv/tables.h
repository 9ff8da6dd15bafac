/* The tables of a profile. Those of labels, durations, processes and spans are of time; that of kinds is of
 * memory.
 */
#pragma once

#include "calls/by_label.h"
#include "calls/durations.h"
#include "calls/kinds.h"
#include "calls/process_times.h"
#include "nytprof-model.h"
#include "spans.h"

enum csv_table {
    CSV_SUBS,
    CSV_CALLS,
    CSV_FILES,
    CSV_LINES,
    CSV_LABELS,
    CSV_DURATIONS,
    CSV_PROCESSES,
    CSV_SPANS,
    CSV_KINDS,
    CSV_TABLES
};

/* "subs" and so on, indexed by enum csv_table: the words of --table, and names of files. NULL ends them. */
extern const char *const csv_table_names[CSV_TABLES + 1];

/* The names of a table's columns, or NULL if there is no such table of what the profile measures. Free them
 * with g_strfreev(). */
char **csv_table_columns(const nytp_profile *profile, enum csv_table table);

/* What tables have besides the profile: the sums by label of its calls, how long those of each sub took, what
 * each process took, and the kinds of memory of each sub. */
typedef struct csv_calls {
    nytp_by_label *labels;
    nytp_sub_durations durations;
    nytp_process_times *processes;
    csv_spans *spans; /* NULL if they were not read */
    nytp_kinds *kinds;
    GArray *kind_sums; /* nytp_kind_sum */
} csv_calls;

/* Returns 0, or -1 after saying why not. */
int csv_table_write(const nytp_profile *profile, const csv_calls *calls, enum csv_table table, FILE *out);
