/* The files of stock's nytprofcsv: one for each source file and level, a line for each line of source. */
#ifndef CSV_STOCK_H
#define CSV_STOCK_H

#include "csv_source.h"

enum csv_level { CSV_LINE, CSV_BLOCK, CSV_SUB, CSV_LEVELS };
extern const char *const csv_level_names[CSV_LEVELS];

typedef struct csv_stock csv_stock;

/* The profile, whose evals are merged, and the source must live as long. delimiter: what is between numbers.
 * annotated: lines begin with "srcline". */
csv_stock *csv_stock_new(const nytp_profile *profile, csv_source *source, const char *delimiter,
                         bool annotated);
void csv_stock_free(csv_stock *stock);

/* Whether stock has a file for this one and level: of evals lines only; blocks and subs where they were
 * recorded. */
bool csv_stock_has(const csv_stock *stock, const nytp_file *f, enum csv_level level);

void csv_stock_write(const csv_stock *stock, const nytp_file *f, enum csv_level level, FILE *out);

#endif
