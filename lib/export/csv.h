/* Rows of CSV as RFC 4180 has them: commas, lines that end with CR LF, quotes where a cell needs them. */
#pragma once

#include "model/measure.h"

typedef struct nytp_csv {
    FILE *out;
    bool in_row; /* the next cell is not the first of its row */
} nytp_csv;

/* Text is valid UTF-8. One that spreadsheets would run as a formula begins with an apostrophe. */
void nytp_csv_text(nytp_csv *c, const char *text);
void nytp_csv_count(nytp_csv *c, uint64_t count);
void nytp_csv_change(nytp_csv *c, int64_t change); /* a number that may be below 0 */
void nytp_csv_amount(nytp_csv *c, const nytp_measure *measure, double amount); /* times to the nanosecond */
void nytp_csv_empty(nytp_csv *c);
void nytp_csv_end_row(nytp_csv *c);

/* A row of names, which a comma parts. */
void nytp_csv_head(nytp_csv *c, const char *names);
