/* The way of nytp-table: its command line, rows of what is asked for, and how they are written. */
#pragma once

#include "cli/output.h"
#include "cli/summary.h"
#include "export/table.h"
#include "findings/findings.h"
#include "model/measure.h"

/* What a row is. The labels have the order of their kinds (enum nytp_label_kind). */
enum table_by {
    TABLE_SUMMARY, /* some rows of each of the next three */
    TABLE_SUBS,
    TABLE_LINES,
    TABLE_REQUESTS,
    TABLE_QUERIES,
    TABLE_LAST_LABEL = TABLE_QUERIES + NYTP_LABEL_TEMPLATE - NYTP_LABEL_SQL,
    TABLE_PROCESSES,
    TABLE_FINDINGS
};

/* Their words. NULL ends them. */
extern const char *const table_by_names[];

typedef struct table_options {
    enum table_by by;
    enum nytp_table_form form;
    uint32_t rows;    /* 0: all */
    nytp_least min;   /* rows with less are left out */
    const char *sort; /* the head of a column, after a - if it is reversed; NULL: the largest share first */
    bool wait;        /* 100 % is all time, and so are amounts; otherwise it is the work */
    unsigned color;   /* enum nytp_color */
    nytp_common_options common;
    nytp_operands files;
} table_options;

/* A time, and how much of it was not work. */
typedef struct table_part {
    double ticks;
    nytp_waited waited;
} table_part;

typedef struct table_row {
    table_part own, incl; /* of what has no callees they are the same */
    double count;
    double kept;           /* perl's values that a sub left behind, without its callees; NaN: not known */
    double samples, error; /* of memory: of which own is an estimate, and its standard error */
    const nytp_distribution *durations; /* NULL: not known */
    uint32_t number, line;              /* of the sub, file or label; line: 0, or that of the file */
} table_row;

typedef struct table_view {
    const table_options *options;
    const nytp_summary *summary;
    nytp_findings *findings;
    nytp_measure measure;
    nytp_totals totals;
    double base_ticks;           /* what 100 % are */
    bool has_parts, is_measured; /* some of the time was not work; it is not known by names alone */
    FILE *out;
    enum table_by by; /* what rows are now */
    bool is_page;     /* in Markdown */
} table_view;

/* Returns the rows of subs, lines, requests or labels: an array of table_row, in the order of the options. */
GArray *table_rows_new(const table_view *view);

/* Returns the name of a row, for the caller to g_free(). */
char *table_row_name(const table_view *view, const table_row *row);

/* Returns the part of a time that the options ask for. */
double table_part_ticks(const table_view *view, const table_part *part);

/* Returns what the options leave of the repeated queries that are found: how often and by what the label of
 * a row is run, or NULL. */
const nytp_finding *table_row_repeated(const table_view *view, const table_row *row);

/* Returns whether there is a column to sort by, if the options ask for one, or says that there is none. */
bool table_has_sort(const table_options *options, const nytp_summary *summary);

table_view table_view_of(const table_options *options, const nytp_summary *summary);

/* Writes the rows with the largest shares; most: 0: all. Returns whether there are any, or some that
 * are hidden. */
bool table_rows_write(table_view *view, enum table_by by, uint32_t most, const nytp_look *look);

/* Write the begin and the end of a page in Markdown. */
void table_page_head_write(const table_view *view);
void table_page_findings_write(const table_view *view);

/* A nytp_summary_show_fn, whose context are the options. */
bool table_show(void *options, const nytp_summary *summary, const nytp_look *look, FILE *out);

/* Write what the options ask for. Write errors stick to out. */
void table_processes_write(const table_view *view, const nytp_look *look);
void table_findings_write(const table_view *view);
