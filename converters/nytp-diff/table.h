/* The result as a table: as text, or in Markdown. */
#pragma once

#include "rows.h"

#include <stdio.h>

/* Write errors stay with out. */
void diff_table_write(const diff_rows *rows, FILE *out);
