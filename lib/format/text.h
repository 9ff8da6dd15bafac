/* The chunks of text: the header of a nytprof.out, and the lines that begin with # : or ! */
#pragma once

#include "format/reader.h"
#include "format/primitives.h"

/* Decodes the header line of a nytprof.out. */
nytp_decode_result nytp_decode_version(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);

/* Decodes a line that begins with #, : or !. chunk->tag must be set, and the cursor be after the tag. Applies
 * the attributes that say how to read what follows. */
nytp_decode_result nytp_decode_line(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);
