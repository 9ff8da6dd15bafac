/* Cells of CSV as RFC 4180 has them. */
#pragma once

#include <stdio.h>

/* Writes a cell, in quotes where it needs them. The text is valid UTF-8. One that spreadsheets would run as a
 * formula begins with an apostrophe. */
void nytp_csv_cell(const char *text, FILE *out);
