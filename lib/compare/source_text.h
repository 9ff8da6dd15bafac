/* The source text of a profile, as hashes of its lines. */
#ifndef NYTP_COMPARE_SOURCE_TEXT_H
#define NYTP_COMPARE_SOURCE_TEXT_H

#include "nytprof-model.h"

#include <glib.h>

/* Returns the hashes of the lines of a file, uint64_t, of which the first is that of line 1; NULL: there is
 * no text of it. It belongs to the text, and can be kept with g_array_ref(). */
GArray *nytp_source_text_hashes(const nytp_source_text *text, uint32_t fid);

#endif
