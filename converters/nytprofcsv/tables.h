/* The tables of a profile, and schema.sql: types, keys and views for them in SQLite. Tables of labels,
 * durations, processes and spans are of time; those of kinds are of memory. */
#pragma once

#include "nytprof-model.h"

#include "calls/span_sample.h"
#include "cli/summary.h"
#include "export/table.h"

#define CSV_SCHEMA       "schema.sql"
#define CSV_SCHEMA_BEGIN "-- Makes tables of the files in the current directory." /* and so it is known */

void csv_schema_write(const nytp_profile *profile, FILE *out);

/* The rows of the table of spans. There may be millions, in the order in which they end, so they are kept in
 * a file. */

typedef struct csv_spans csv_spans;

csv_spans *csv_spans_new(void);
void csv_spans_free(csv_spans *spans); /* NULL is fine */

/* Takes the spans of these events from here on. names are those of the events. */
void csv_spans_take(csv_spans *spans, const nytp_names *names, nytp_events *events);

/* Writes the table. If no spans were taken, writes nothing and sets *any to false. Returns 0, or -1 after
 * saying why the file of the rows cannot be made, written or read. */
int csv_spans_write(csv_spans *spans, bool *any, FILE *out);

/* The tables of a profile. Those of labels, durations, processes and spans are of time; those of kinds are of
 * memory. */

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
    CSV_LINE_KINDS,
    CSV_TABLES
};

/* "subs" and so on, indexed by enum csv_table: the words of --table, and names of files. NULL ends them. */
extern const char *const csv_table_names[CSV_TABLES + 1];

/* The names of a table's columns, or NULL if there is no such table of what the profile measures. Free them
 * with g_strfreev(). */
char **csv_table_columns(const nytp_measure *measure, enum csv_table table);

/* A table that is being written. */
typedef struct csv_cells {
    nytp_table *table;
    nytp_measure measure;
    nytp_column columns[32];
} csv_cells;

/* Begins a table that is written to out. cells must not move. */
void csv_cells_begin(csv_cells *cells, const nytp_measure *measure, enum csv_table table, FILE *out);

/* Adds a cell: seconds, or another amount of what is measured. What is not finite is not known. */
void csv_put_amount(const csv_cells *cells, double amount);

/* Writes a table; spans are NULL if they were not read. Returns 0, or -1 after saying why not. */
int csv_table_write(const nytp_summary *summary, csv_spans *spans, enum csv_table table, FILE *out);
