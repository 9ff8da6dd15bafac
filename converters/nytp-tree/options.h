/* The options of nytp-tree. */
#pragma once

#include "calls/distribution.h"
#include "cli/unit.h"
#include "nytprof.h"

enum tree_form {
    TREE_MERGED, /* the tree of all stacks */
    TREE_TABLE,  /* one line per sub */
    TREE_CALLS,  /* every call, in order */
    TREE_FOLDED, /* the same, with consecutive calls of one sub on one line */
    TREE_JSON    /* the tree of all stacks, as JSON */
};

enum tree_sort {
    TREE_SORT_DEFAULT, /* trees by inclusive time; tables by exclusive time, or inclusive if that is shown */
    TREE_SORT_TIME,
    TREE_SORT_AVERAGE, /* time per call */
    TREE_SORT_CALLS,
    TREE_SORT_NAME,
    TREE_SORT_FOUND /* in the order of the profile */
};

/* Columns of the table besides dprofpp's. */
typedef struct tree_columns {
    enum nytp_duration of[NYTP_DURATIONS]; /* in their order */
    unsigned count;
} tree_columns;

typedef struct tree_options {
    enum tree_form form;
    enum tree_sort sort;
    enum nytp_unit_word unit;
    enum nytp_clock clock; /* of a tmon.out, which has several */
    bool reverse;
    bool inclusive;  /* the table's percentages and order are those of inclusive time */
    int32_t rows;    /* of the table; 0 or negative: all */
    bool no_headers; /* of the table */
    tree_columns columns;
    bool keep_anons;     /* anonymous subs of a package, and runs of a string eval, stay apart */
    bool show_root;      /* main::RUNTIME is the root of the tree */
    const char *root;    /* only calls of this sub and what they called; NULL: all */
    const char *group;   /* regular expression: subs that become one */
    bool pull;           /* all other subs become one, too */
    unsigned labels;     /* enum nytp_label_kind: labels of that kind are shown, in the place of subs */
    const char *filter;  /* regular expression: subs that are left out */
    const char *callers; /* the tree of this sub's callers */
    double min_percent;  /* calls with a smaller share of the time are left out */
    uint32_t max_depth;  /* deeper calls are left out; 0: all are shown */
    bool color, unicode;
} tree_options;
