/* Chunks with anything in them that the format can hold. */
#ifndef TEST_RANDOM_CHUNKS_H
#define TEST_RANDOM_CHUNKS_H

#include "nytprof.h"

extern uint64_t random_chunks_seed;

/* Strings of the chunks live until the next random_chunks_begin(). Not VERSION, not START_DEFLATE. */
void random_chunks_begin(void);
nytp_chunk random_chunk(void);

#endif
