/* A chunk as one line of text: every value exact, so that equal lines mean equal chunks. */
#ifndef TEST_CHUNK_TEXT_H
#define TEST_CHUNK_TEXT_H

#include "nytprof.h"

/* The tag's name and the values, tab-separated, in the order in which stock's
 * ReadStream passes them, and the names of entered subs after them. Strings begin with ' or " (UTF-8);
 * bytes other than printable ASCII are %XX. Floats have 17 digits. */
void chunk_print(FILE *out, const nytp_chunk *chunk);

#endif
