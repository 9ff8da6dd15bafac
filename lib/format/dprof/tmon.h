/* A tmon.out, which is what Devel::DProf writes, read as the chunks of a nytprof.out. */
#pragma once

#include "format/reader.h"
#include "format/primitives.h"

/* Decodes the first line, by which a tmon.out is recognized. Makes r->tmon and a VERSION chunk. */
nytp_decode_result nytp_tmon_begin(nytp_reader *r, nytp_chunk *chunk, nytp_cursor *c);
void nytp_tmon_free(struct nytp_tmon *tmon); /* NULL is fine */

/* nytp_reader_next() for a tmon.out. */
int nytp_tmon_next(nytp_reader *r, nytp_chunk *chunk);
