/* The way of nytp-diff: its command line, reading both sides, rows of what differs, and how they are
 * written. */
#pragma once

#include "nytprof-model.h"

#include "cli/options.h"
#include "export/amount.h"
#include "export/table.h"

#include <glib.h>
#include <stdio.h>

enum diff_sort {
    DIFF_BY_CHANGE,  /* the size of the difference */
    DIFF_BY_PERCENT, /* the same, as a share of OLD's */
    DIFF_BY_OLD,
    DIFF_BY_NEW,
    DIFF_BY_P, /* the surest first */
    DIFF_BY_NAME
};

/* A limit that ends the program with NYTP_EXIT_OVER. */
typedef struct diff_limit {
    bool given;
    double percent; /* by which NEW may be more than OLD */
} diff_limit;

typedef struct diff_options {
    enum nytp_compared kind;
    enum nytp_figure figure;
    unsigned labels; /* of labels, those of these kinds (1 << enum nytp_label_kind); 0: all */
    enum nytp_table_form form;
    enum diff_sort sort;
    uint32_t rows;          /* 0: all */
    bool explain;           /* first what caused the difference, in sentences */
    bool mixed;             /* samples may be compared with the collector's times */
    diff_limit time, calls; /* of the whole program, or of `of` */
    const char *of;         /* a sub; NULL: the whole program */
} diff_options;

typedef struct diff_command {
    diff_options options;
    nytp_common_options common;
    nytp_operands files[NYTP_SIDES];
} diff_command;

/* What rows are, in the plural. NULL ends them. */
extern const char *const diff_kinds[];

/* Returns -1 to go on, or the exit status. */
int diff_command_parse(diff_command *command, int argc, char **argv);

/* Reads all profiles of a command into a comparison. Warns if they are of different programs. Returns 0, or
 * -1 after saying why they cannot be compared. */
int diff_read(nytp_comparison *comparison, const diff_command *command);

/* --fail-over and --fail-calls: says which limit is exceeded, for the whole program or one sub. What chance
 * can explain does not exceed one. Returns 0, NYTP_EXIT_OVER if one is, or NYTP_EXIT_FAILED after saying that
 * there is no such sub. */
int diff_limits_check(nytp_comparison *comparison, const diff_options *options);

typedef struct diff_row {
    char *name;        /* clean (nytp_name_clean()) */
    nytp_change value; /* the figure of the options; without its name */
    nytp_change calls; /* the same for calls; of lines and files, for statements */
    double percent;    /* the difference as a share of OLD's; infinite if that is 0 */
} diff_row;

typedef struct diff_rows {
    diff_row whole;
    GArray *all; /* diff_row: those that differ, sorted */
    size_t runs[NYTP_SIDES];
    double busy_share[NYTP_SIDES]; /* of the time, in which the runs waited for a processor */
    bool by_share;                 /* times are shares of the run's time, but for those of whole */
    bool by_names;                 /* the value is how long they waited or worked by the names of subs */
    bool counts_vary;              /* runs of one side make different numbers of calls */
    char *heads[NYTP_SIDES];       /* what the time is made of, of the run whose time is the median one */
    GArray *causes;                /* nytp_cause; NULL without --explain */
    nytp_comparison *comparison;
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

/* "both", "new"; "same", "chance". */
const char *diff_presence(const nytp_change *change);
const char *diff_verdict(const nytp_change *change);

/* As a table: text, Markdown or CSV; or JSON. Write errors stay with out. Programs get all rows, with times
 * in seconds; in profiles of samples those of rows are shares from 0 to 1. */
void diff_table_write(const diff_rows *rows, const nytp_look *look, FILE *out);
void diff_json_write(const diff_rows *rows, FILE *out);
