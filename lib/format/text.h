/* The chunks of text: the header of a nytprof.out, and the lines that begin with # : or ! */
#ifndef NYTP_FORMAT_TEXT_H
#define NYTP_FORMAT_TEXT_H

#include "format/input.h"
#include "format/primitives.h"

/* Decodes the header line of a nytprof.out. */
enum progress nytp_take_version(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);

/* Decodes a line of #, : or !. chunk->tag is set, and the cursor is after it. Applies the attributes that say
 * how to read what follows. */
enum progress nytp_take_line(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);

#endif
