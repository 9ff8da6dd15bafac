/* How stock's nytprofcsv names the file for a source file. */
#pragma once

#include "nytprof-model.h"

/* The directories that perl looks for modules in, in that order, ended by NULL; those of the perl in PATH.
 * g_strfreev() it. */
char **csv_stock_inc(void);

/* "IO-Handle-pm-7-line.csv": without a directory of inc, and with "-" for characters that file systems
 * dislike. The caller must g_free() it. */
char *csv_stock_name(const nytp_file *f, const char *level, char *const *inc);
