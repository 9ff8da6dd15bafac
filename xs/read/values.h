/* The values of a chunk, as a callback gets them. */
#pragma once

#include "nytprof.h"
#include "perl_headers.h"

enum { READ_VALUES_MAX = 9 /* SUB_CALLERS has the most */ };

/* Puts the values of a chunk into SVs, in the order of for_chunks. values has the SVs of the last chunk with
 * the same tag; those that no perl code has kept are used again. Returns how many values there are. */
size_t read_values_of_chunk(pTHX_ SV **values, const nytp_chunk *chunk);
