/* The rows of the result: what changed, sorted. */
#pragma once

#include "options.h"

#include "export/amount.h"

#include <glib.h>
#include <stdio.h>

typedef struct diff_row {
    char *name;        /* clean (nytp_name_clean()) */
    nytp_change value; /* the figure of the options; without its name */
    nytp_change calls; /* the same for calls; of lines and files, for statements */
    double percent;    /* the difference as a share of OLD's; infinite if that is 0 */
} diff_row;

/* What caused a part of the difference. */
typedef struct diff_cause {
    const char *kind; /* "calls" */
    double amount;    /* of the difference, as the value of a row */
    char *sentence;
} diff_cause;

typedef struct diff_rows {
    diff_row whole;
    GArray *all; /* diff_row: those that differ, sorted */
    size_t runs[NYTP_SIDES];
    double busy_share[NYTP_SIDES]; /* of the time, in which the runs waited for a processor */
    bool by_share;                 /* times are shares of the run's time, but for those of whole */
    bool counts_vary;              /* runs of one side make different numbers of calls */
    GArray *causes;                /* diff_cause; empty without --explain */
    char *causes_heading;
    const diff_options *options;
    const nytp_measure *measure;
} diff_rows;

/* Compares. comparison and options must live as long. */
diff_rows *diff_rows_new(nytp_comparison *comparison, const diff_options *options);
void diff_rows_free(diff_rows *rows);

/* "1.23 s", "842 ms", "12.3 us"; with calls, "1,272"; a share of the time, "12.34 %". */
nytp_amount diff_amount(const nytp_measure *measure, double value, enum nytp_figure figure, bool is_share);

/* How many rows are shown. */
guint diff_rows_shown(const diff_rows *rows);

/* As a table: as text, or in Markdown. Write errors stay with out. */
void diff_table_write(const diff_rows *rows, FILE *out);

/* For programs: CSV and JSON, with all rows. Times are in seconds; in profiles of samples those of
 * rows are shares from 0 to 1. */
void diff_csv_write(const diff_rows *rows, FILE *out);
void diff_json_write(const diff_rows *rows, FILE *out);
