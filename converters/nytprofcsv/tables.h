/* The tables of a profile: subs, calls, files, lines and labels. */
#pragma once

#include "calls/by_label.h"
#include "nytprof-model.h"

enum csv_table { CSV_SUBS, CSV_CALLS, CSV_FILES, CSV_LINES, CSV_LABELS, CSV_TABLES };

/* "subs" and so on, indexed by enum csv_table: the words of --table, and names of files. NULL ends them. */
extern const char *const csv_table_names[CSV_TABLES + 1];

/* The names of a table's columns. Free them with g_strfreev(). */
char **csv_table_columns(const nytp_profile *profile, enum csv_table table);

/* labels has the sums by label of the profile's calls. */
void csv_table_write(const nytp_profile *profile, nytp_by_label *labels, enum csv_table table, FILE *out);
