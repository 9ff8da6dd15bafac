/* The result as a table: as text, or in Markdown. */
#ifndef DIFF_TABLE_H
#define DIFF_TABLE_H

#include "rows.h"

#include <stdio.h>

/* Write errors stay with out. */
void diff_table_write(const diff_rows *rows, FILE *out);

#endif
