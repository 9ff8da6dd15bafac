/* The options of nytp-diff. */
#pragma once

#include "nytprof-model.h"

enum diff_form { DIFF_TEXT, DIFF_MARKDOWN, DIFF_CSV, DIFF_JSON };

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
    enum diff_form form;
    enum diff_sort sort;
    uint32_t rows;          /* 0: all */
    bool explain;           /* first what caused the difference, in sentences */
    bool mixed;             /* samples may be compared with the collector's times */
    diff_limit time, calls; /* of the whole program, or of `of` */
    const char *of;         /* a sub; NULL: the whole program */
} diff_options;
