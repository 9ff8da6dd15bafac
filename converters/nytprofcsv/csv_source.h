/* The text of files, line by line: as the profile saved it, or else as it is on disk. */
#ifndef CSV_SOURCE_H
#define CSV_SOURCE_H

#include "nytprof.h"

#include <glib.h>

typedef struct csv_source csv_source;

csv_source *csv_source_new(void);
void csv_source_free(csv_source *source); /* NULL is fine */

/* A nytp_source_line_fn. */
void csv_source_add(void *source, uint32_t fid, uint32_t line, nytp_str text);

/* The lines of a file, as they came: nytp_str, line 1 first. NULL: they were not saved, and the file cannot
 * be read. Belongs to source. */
const GArray *csv_source_lines(csv_source *source, const nytp_file *f);

#endif
