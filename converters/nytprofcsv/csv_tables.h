/* The tables of a profile: subs, calls, files and lines. */
#ifndef CSV_TABLES_H
#define CSV_TABLES_H

#include "nytprof.h"

enum csv_table { CSV_SUBS, CSV_CALLS, CSV_FILES, CSV_LINES, CSV_TABLES };

/* By table: "subs" and so on, as in --table and in names of files; NULL ends. */
extern const char *const csv_table_names[CSV_TABLES + 1];

void csv_table_write(const nytp_profile *profile, enum csv_table table, FILE *out);

#endif
