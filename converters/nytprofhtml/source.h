/* The text of source files, deflated in blocks as it comes: all of it may be much more than memory should
 * hold. */
#pragma once

#include "pack.h"

#include <glib.h>

typedef struct html_source html_source;

html_source *html_source_new(void);
void html_source_free(html_source *source); /* NULL is fine */

/* Adds a line of the file with that fid of the current input. Lines of a file come together and in order;
 * what comes again is left out. */
void html_source_add(html_source *source, uint32_t fid, uint32_t line, nytp_str text);

/* To be called after each input. to gives the fid that a report of all inputs has for one of the input; 0:
 * none. NULL: they are the same. The first text of a file stays. */
typedef uint32_t html_source_map_fn(const void *context, uint32_t fid);
void html_source_end_input(html_source *source, html_source_map_fn *to, const void *context);

/* Adds all lines of a file, as html_source_add() does. */
void html_source_add_text(html_source *source, uint32_t fid, const char *text, size_t size);

/* Where the text of a file of the report lies in the stream. False: there is none. */
bool html_source_place(const html_source *source, uint32_t fid, uint64_t *from, uint64_t *bytes);

/* Nothing can be added afterwards. Returns what the blocks are deflated with, for other blocks of the report;
 * it belongs to the source. */
html_pack *html_source_end(html_source *source);

/* Writes the elements with all blocks; they are the first that come out of html_source_end(). Returns how
 * many bytes they are, as html_pack_bytes() does. */
size_t html_source_write(html_source *source, FILE *out);
