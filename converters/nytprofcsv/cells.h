/* Rows of CSV as RFC 4180 has them: commas, lines that end with CR LF, quotes where a cell needs them. */
#ifndef CSV_CELLS_H
#define CSV_CELLS_H

#include "nytprof.h"

typedef struct csv_cells {
    FILE *out;
    bool in_row; /* the next cell is not the first of its row */
} csv_cells;

/* Text is valid UTF-8. */
void csv_text(csv_cells *c, const char *text);
void csv_count(csv_cells *c, uint64_t count);
void csv_seconds(csv_cells *c, double seconds); /* to the nanosecond */
void csv_empty(csv_cells *c);
void csv_end_row(csv_cells *c);

/* A row of names, which a comma parts. */
void csv_head(csv_cells *c, const char *names);

#endif
