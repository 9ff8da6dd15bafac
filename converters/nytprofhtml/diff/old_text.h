/* The source text of OLD, as far as NEW does not have the same. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

typedef struct html_old_text html_old_text;

/* same has the text of NEW's profile. keep: whether the text is wanted, not only its hashes. */
html_old_text *html_old_text_new(const nytp_profile *profile, const nytp_source_text *same, bool keep);
void html_old_text_free(html_old_text *text); /* NULL is fine */

/* nytp_source_line_fn. Lines of a file come together; those that do not follow the one before are left out.
 */
void html_old_text_add(void *text, uint32_t fid, uint32_t line, nytp_str bytes);

/* Returns the hashes of all lines. Nothing can be added afterwards. */
const nytp_source_text *html_old_text_hashes(html_old_text *text);

/* Returns the text of a file, each line with a newline, or NULL if NEW has a file with that text, or nothing
 * is kept. */
const GString *html_old_text_get(const html_old_text *text, uint32_t fid);
