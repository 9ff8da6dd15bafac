/* The source text of a profile, as hashes of its lines. */
#pragma once

#include "nytprof-model.h"

#include <glib.h>

/* Returns the hashes of the lines of a file, uint64_t, of which the first is that of line 1, or
 * NULL if the text of that file is not known. The array belongs to the text; g_array_ref() keeps it. */
GArray *nytp_source_text_hashes(const nytp_source_text *text, uint32_t fid);
