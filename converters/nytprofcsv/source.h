/* The text of files, line by line: as the profile saved it, or else as it is on disk. */
#pragma once

#include "cli/perl_file.h"
#include "nytprof-model.h"

#include <glib.h>

/* What stock's reader compares of the texts of evals. Another text may have the same. */
typedef struct csv_digest {
    uint64_t length;     /* in characters; 0: there is no text, or only what perl takes for false */
    uint32_t lines, sum; /* of its characters */
} csv_digest;

typedef struct csv_source csv_source;

/* inc: the directories that perl looks for modules in, where files with relative names may be. on_disk: the
 * files that may be read. Both must live as long. */
csv_source *csv_source_new(char *const *inc, nytp_perl_files *on_disk);
void csv_source_free(csv_source *source); /* NULL is fine */

/* A nytp_source_line_fn. */
void csv_source_add(void *source, uint32_t fid, uint32_t line, nytp_str text);

/* Whether the profile has text of that file. */
bool csv_source_is_saved(const csv_source *source, uint32_t fid);

csv_digest csv_source_digest(const csv_source *source, const nytp_file *f); /* of the saved text */

/* The lines of a file, as they came: nytp_str, line 1 first, most with a newline. NULL: they were not saved,
 * and the file cannot be read, of which *error is the errno. Belongs to source. */
const GArray *csv_source_lines(csv_source *source, const nytp_file *f, int *error);
