/* The tables of a profile: subs, calls, files, lines, labels, durations and processes. */
#pragma once

#include "calls/by_label.h"
#include "calls/durations.h"
#include "calls/process_times.h"
#include "nytprof-model.h"

enum csv_table {
    CSV_SUBS,
    CSV_CALLS,
    CSV_FILES,
    CSV_LINES,
    CSV_LABELS,
    CSV_DURATIONS,
    CSV_PROCESSES,
    CSV_TABLES
};

/* "subs" and so on, indexed by enum csv_table: the words of --table, and names of files. NULL ends them. */
extern const char *const csv_table_names[CSV_TABLES + 1];

/* The names of a table's columns. Free them with g_strfreev(). */
char **csv_table_columns(const nytp_profile *profile, enum csv_table table);

/* What tables have besides the profile: the sums by label of its calls, how long those of each sub took, and
 * what each process took. */
typedef struct csv_calls {
    nytp_by_label *labels;
    nytp_sub_durations durations;
    nytp_process_times *processes;
} csv_calls;

void csv_table_write(const nytp_profile *profile, const csv_calls *calls, enum csv_table table, FILE *out);
