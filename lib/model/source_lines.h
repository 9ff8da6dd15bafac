/* The lines of source text that a profile has, or a file on disk. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

typedef struct nytp_source_lines nytp_source_lines;

nytp_source_lines *nytp_source_lines_new(void);
void nytp_source_lines_free(nytp_source_lines *lines); /* NULL is fine */

/* A nytp_source_line_fn, whose context is the lines. Lines far past the last one are taken for damage. */
void nytp_source_lines_add(void *lines, uint32_t fid, uint32_t line, nytp_str text);

/* Returns the lines of a file, as they came: nytp_str, line 1 first, most with a newline, those that did not
 * come empty. NULL: it has none. They belong to `lines`. */
const GArray *nytp_source_lines_of(const nytp_source_lines *lines, uint32_t fid);
