/* The result for programs: CSV and JSON, with all rows. Times are seconds; of samples, shares from 0 to 1. */
#pragma once

#include "rows.h"

#include <stdio.h>

/* Write errors stay with out. */
void diff_csv_write(const diff_rows *rows, FILE *out);
void diff_json_write(const diff_rows *rows, FILE *out);
