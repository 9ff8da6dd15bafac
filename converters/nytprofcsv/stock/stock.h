/* The files of stock's nytprofcsv: one for each source file and level, a line for each line of source. */
#pragma once

#include "../sheets.h"

typedef struct csv_stock {
    const nytp_profile *profile;
    csv_source *source;
    const csv_sheets *sheets;
    const char *delimiter; /* what is between numbers */
    bool annotated;        /* lines begin with "srcline" */
} csv_stock;

void csv_stock_write(const csv_stock *stock, const nytp_file *f, enum csv_level level, FILE *out);
