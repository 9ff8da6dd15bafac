/* A chunk as a line of text. All values are exact, so equal lines mean equal chunks. */
#pragma once

#include "nytprof.h"

/* Prints the tag's name and the values, separated by tabs, in the order in which stock's ReadStream passes
 * them; a SUB_ENTRY also has the name of the sub at the end. Strings begin with ' or " (UTF-8); bytes other
 * than printable ASCII are %XX. Floats have 17 digits. */
void chunk_print(FILE *out, const nytp_chunk *chunk);
