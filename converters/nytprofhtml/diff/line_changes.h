/* What changed of lines: those of NEW, and what only OLD has. */
#pragma once

#include "../report.h"

typedef struct html_line_change {
    int64_t file;            /* number in the report */
    uint32_t line, old_line; /* 0: that side has no time and no statements of it */
    double value[NYTP_SIDES];
    enum nytp_verdict verdict;
} html_line_change;

/* What it is found in. */
typedef struct html_line_sources {
    html_report *report;
    nytp_comparison *comparison;
    const nytp_profile *old;     /* OLD's run that is shown */
    const int64_t *file_numbers; /* in the report, by row of the comparison; -1: none */
    double unit;                 /* ticks of the report for a second or, of samples, for the whole time */
} html_line_sources;

/* Returns the number in the report of the file with that number in OLD, or -1. */
int64_t html_file_of_old(const html_line_sources *sources, uint32_t number);

/* Returns a new array of html_line_change, by file: first the lines of NEW, then those that only OLD has. */
GArray *html_line_changes_new(const html_line_sources *sources);
